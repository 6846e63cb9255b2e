"""Token and pair classifiers of transformers: inputs, batches, and what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.errors import RunError, UsageError
from banglahallueval.models.huggingface import classifier as module
from banglahallueval.models.huggingface.classifier import Classifier
from banglahallueval.models.huggingface.pairs import Encoding, PairTokenizer
from banglahallueval.models.options import ClassifierOptions
from tests.models.classifiers import random_classifier, tokenizer

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TOKENS, PAIRS = "TokenClassification", "SequenceClassification"


@asynccontextmanager
async def loaded(folder: str, head: Any = TOKENS, **options: Any) -> AsyncIterator[Classifier]:
    model = Classifier(ClassifierOptions(folder, device="cpu", **options), head)
    try:
        await model.prepare()
        yield model
    finally:
        await model.close()


@pytest.fixture(scope="module")
def pairs() -> PairTokenizer:
    return PairTokenizer(tokenizer(), 512)


def places(encoding: Encoding) -> list[tuple[int, int]]:
    return [place for place in encoding.places if place is not None]


def test_places_are_code_points_of_the_raw_text(pairs: PairTokenizer) -> None:
    """NFC makes two code points of U+09DC; places are in the text as it was written."""
    text = "ব\u09dc ১৯৭১"
    found = places(pairs.pair("x", text))
    assert max(end for _, end in found) == len(text)
    assert {at for start, end in found for at in range(start, end)} == set(range(len(text)))
    assert [place for place in found if place == (1, 2)] != [(1, 2)]  # of several tokens


def test_a_code_point_may_belong_to_no_token(pairs: PairTokenizer) -> None:
    """NFC joins U+09C7 and U+09BE; the second has no token, and must be filled later."""
    found = places(pairs.pair("x", "ক\u09c7\u09beন"))
    assert {at for start, end in found for at in range(start, end)} == {0, 1, 3}


def test_text_that_looks_like_a_special_token_is_text(pairs: PairTokenizer) -> None:
    """Else an answer could end itself."""
    encoding = pairs.pair("[SEP]", "a [SEP] b")
    assert list(encoding.ids).count(2) == 2
    assert max(end for _, end in places(encoding)) == 9


def test_one_separator_where_the_model_was_trained_so() -> None:
    """RoBERTa writes two signs between texts, MiniCheck one."""
    from tokenizers import processors

    made = tokenizer()
    made.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] [SEP] $B [SEP]",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    two = PairTokenizer(made, 512).pair("ab", "cd")
    one = PairTokenizer(made, 512, one_separator=True).pair("ab", "cd")
    assert list(two.ids).count(2) == 3
    assert list(one.ids).count(2) == 2
    assert places(one) == places(two)


@pytest.mark.parametrize("family", ["Bert", "ModernBert"])
@pytest.mark.parametrize("head", [TOKENS, PAIRS])
async def test_batched_pairs_get_what_they_get_alone(
    tmp_path: Path, family: str, head: str
) -> None:
    """Regression of others: a missing mask changed the scores of batched rows."""
    folder = random_classifier(tmp_path, f"{family}For{head}")
    async with loaded(folder, head, batch_size=8) as model:
        made = PairTokenizer(model.tokenizer, model.limit)
        inputs = [made.pair("নদী " * n, "সাগর ১৯৭১ " * (9 - n)) for n in range(1, 9)]
        together = await asyncio.gather(*map(model.probabilities, inputs))
        alone = [await model.probabilities(encoding) for encoding in inputs]
    for encoding, one, other in zip(inputs, together, alone, strict=True):
        assert len(one) == (len(encoding.ids) if head == TOKENS else 1)
        assert [p for row in one for p in row] == pytest.approx(
            [p for row in other for p in row], abs=1e-5
        )
    assert len({round(rows[0][0], 4) for rows in alone}) > 1


async def test_probabilities_are_the_models_own(tmp_path: Path) -> None:
    """They are those of transformers' own call, token types included."""
    folder = random_classifier(tmp_path)
    async with loaded(folder) as model:
        made = PairTokenizer(model.tokenizer, model.limit)
        rows = await model.probabilities(made.pair("the river", "নদী ৪২"))
    tokens = transformers.AutoTokenizer.from_pretrained(folder)
    plain = transformers.AutoModelForTokenClassification.from_pretrained(folder)
    with torch.inference_mode():
        logits = plain(**tokens("the river", "নদী ৪২", return_tensors="pt")).logits[0]
    expected = torch.softmax(logits, -1).tolist()
    assert len(rows) == len(expected)
    for row, other in zip(rows, expected, strict=True):
        assert row == pytest.approx(other, abs=1e-5)


@settings(max_examples=50)
@given(st.text(max_size=60), st.text(max_size=60))
def test_places_lie_within_any_text(first: str, second: str) -> None:
    encoding = PairTokenizer(_TOKENIZER, 512).pair(first, second)
    assert all(0 <= start < end <= len(second) for start, end in places(encoding))


_TOKENIZER = tokenizer()


async def test_a_head_that_was_never_trained_is_refused(tmp_path: Path) -> None:
    """Transformers only warns, and labels by random weights."""
    folder = random_classifier(tmp_path, "BertModel")
    with pytest.raises(UsageError, match="not trained for token classification") as caught:
        await Classifier(ClassifierOptions(folder, device="cpu"), "TokenClassification").prepare()
    assert "\n" not in str(caught.value)


async def test_another_kind_of_classifier_is_refused(tmp_path: Path) -> None:
    folder = random_classifier(tmp_path, "BertForSequenceClassification")
    with pytest.raises(UsageError, match="is a BertForSequenceClassification; this needs one for"):
        await Classifier(ClassifierOptions(folder, device="cpu"), "TokenClassification").prepare()


async def test_a_model_that_is_not_there_or_broken(tmp_path: Path) -> None:
    """A wrong path and a broken folder each get one line."""
    absent = ClassifierOptions(str(tmp_path / "none"))
    with pytest.raises(UsageError, match="no such folder or file"):
        await Classifier(absent, "TokenClassification").prepare()
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(RunError, match="cannot load") as caught:
        await Classifier(ClassifierOptions(str(tmp_path)), "TokenClassification").prepare()
    assert "\n" not in str(caught.value)


async def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PACKAGES", ("torch", "no_such_package"))
    with pytest.raises(UsageError, match=r"needs no_such_package: pip install .*\[hf\]"):
        await Classifier(ClassifierOptions("a/b"), "TokenClassification").prepare()


@pytest.mark.parametrize(
    ("kind", "positions", "limit"),
    [
        ("BertForTokenClassification", 128, 128),
        # Its positions begin behind the padding token's, 0 here and 1 in published ones.
        ("RobertaForTokenClassification", 129, 128),
        ("ModernBertForTokenClassification", 256, 256),
    ],
)
async def test_the_number_of_tokens_that_a_model_reads(
    tmp_path: Path, kind: str, positions: int, limit: int
) -> None:
    """An input of that length runs."""
    async with loaded(random_classifier(tmp_path, kind, positions=positions)) as model:
        assert model.limit == limit
        longest = Encoding([5] * limit, None, [None] * limit)
        assert len(await model.probabilities(longest)) == limit


async def test_changed_weights_are_another_revision(tmp_path: Path) -> None:
    folder = random_classifier(tmp_path / "m")
    async with loaded(folder) as model:
        before = model.record()
    file = Path(folder) / "model.safetensors"
    raw = bytearray(file.read_bytes())
    raw[-1] ^= 1
    file.write_bytes(raw)
    async with loaded(folder) as model:
        assert model.record()["revision"] != before["revision"]
