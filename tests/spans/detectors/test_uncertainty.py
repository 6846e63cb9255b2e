"""Teacher-forced scores are the model's own, fall on the right characters, and leave no holes."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banglahallueval.errors import UsageError
from banglahallueval.models.options import ClientOptions, HuggingFaceOptions, ProviderOptions
from banglahallueval.spans.detectors.uncertainty import THRESHOLD, UncertaintyDetector
from banglahallueval.spans.offsets import runs
from banglahallueval.spans.types import Detection, Sample
from banglahallueval.text.spans import whole
from tests.models.hf_models import THINKS, random_model

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

ANSWERS = ("ঢাকা বাংলাদেশের রাজধানী।", "হ্যাঁ", "না, yes no", "১৯৭১ সালে 👍🏽", "x", "\u09dc\u09df ক")


def sample(answer: str, **fields: Any) -> Sample:
    return Sample("1", answer, **{"question": "রাজধানী কোনটি?", **fields})


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return random_model(tmp_path_factory.mktemp("tiny"))


@asynccontextmanager
async def prepared(
    folder: str, *, batch_size: int = 8, **options: Any
) -> AsyncIterator[UncertaintyDetector]:
    hf = HuggingFaceOptions(batch_size=batch_size, dtype="float32", device="cpu")
    made = UncertaintyDetector(ClientOptions("hf", folder, ProviderOptions(hf=hf)), **options)
    try:
        await made.prepare()
        yield made
    finally:
        await made.close()


def plain(folder: str, chat: str, answer: str) -> tuple[list[tuple[int, int]], Any, Any]:
    """Places, surprisal and entropy of the answer's tokens, one forward pass for each token."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    given = tokenizer(chat, add_special_tokens=False).input_ids
    encoded = tokenizer(answer, add_special_tokens=False, return_offsets_mapping=True)
    surprisal, entropy = [], []
    for token in encoded.input_ids:
        with torch.inference_mode():
            logprobs = torch.log_softmax(model(torch.tensor([given])).logits[0, -1], -1)
        surprisal.append(-float(logprobs[token]))
        entropy.append(-float((logprobs.exp() * logprobs).sum()))
        given = [*given, token]
    return encoded.offset_mapping, surprisal, entropy


@pytest.mark.parametrize("measure", ["probability", "entropy"])
async def test_scores_are_those_of_plain_forward_passes(tiny: str, measure: Any) -> None:
    """Nats of each code point's tokens, the highest of several, behind the chat template."""
    answer = ANSWERS[0]
    chat = f"<|im_start|>user\n{sample('').question}<|im_end|>\n<|im_start|>assistant\n"
    places, surprisal, entropy = plain(tiny, chat, answer)
    expected = [0.0] * len(answer)
    for (start, end), value in zip(
        places, surprisal if measure == "probability" else entropy, strict=True
    ):
        expected[start:end] = [max(value, known) for known in expected[start:end]]
    async with prepared(tiny, measure=measure) as detector:
        found = await detector.detect(sample(answer))
    letters = [i for i, char in enumerate(answer) if char != " "]
    assert [found.scores[i] for i in letters] == pytest.approx(
        [expected[i] for i in letters], abs=1e-3
    )
    reached = runs(np.asarray(found.scores) >= math.log(2))
    assert found.spans == tuple(whole(answer, reached))
    assert found.spans


async def test_every_code_point_has_a_score(tiny: str) -> None:
    """Bengali letters are several tokens each, emoji too; none is left out."""
    async with prepared(tiny) as detector:
        for answer in ANSWERS:
            found = await detector.detect(sample(answer))
            assert len(found.scores) == len(answer)
            assert min(found.scores) > 0


async def test_a_code_point_without_a_token_has_its_neighbours_score(tmp_path: Path) -> None:
    """A tokenizer that normalises to NFC leaves one out: ক + ে + া has offsets (0,1), (1,2)."""
    folder = random_model(tmp_path)
    file = tmp_path / "tokenizer.json"
    tokenizer = json.loads(file.read_text(encoding="utf-8"))
    tokenizer["normalizer"] = {"type": "NFC"}
    file.write_text(json.dumps(tokenizer), encoding="utf-8")
    answer = "\u0995\u09c7\u09beন ১৯৭১"
    async with prepared(folder) as detector:
        found = await detector.detect(sample(answer))
    assert len(found.scores) == 9
    assert found.scores[2] == found.scores[1] > 0


async def test_batched_and_alone_an_answer_scores_the_same(tiny: str) -> None:
    """Right padding is seen by no token of a causal model."""
    samples = [sample(answer * n) for answer in ANSWERS for n in (1, 5, 2)]
    async with prepared(tiny, batch_size=8) as detector:
        together = await asyncio.gather(*map(detector.detect, samples))
        alone = [await detector.detect(each) for each in samples]
    for one, other in zip(together, alone, strict=True):
        assert one.scores == pytest.approx(other.scores, abs=1e-4)


async def test_evidence_counts_only_where_it_is_shown(tiny: str) -> None:
    given = sample(ANSWERS[0], evidence="ঢাকা বাংলাদেশের রাজধানী।")
    async with prepared(tiny) as unseen, prepared(tiny, shows_evidence=True) as seen:
        bare = await unseen.detect(sample(ANSWERS[0]))
        assert await unseen.detect(given) == bare
        assert (await seen.detect(given)).scores != bare.scores
        assert seen.record()["shows_evidence"]


async def test_long_evidence_is_read_in_windows(tmp_path: Path) -> None:
    """Each character's lowest score over the windows counts; nothing of the answer is cut."""
    folder = random_model(tmp_path, context=96)
    long = sample("yes no", question="yes?", evidence="ঢাকা বাংলাদেশের রাজধানী। " * 9)
    async with prepared(folder, shows_evidence=True) as detector:
        assert detector._pairs is not None
        inputs = detector._inputs(detector._pairs, long)
        assert len(inputs) > 1
        assert all(len(each.ids) <= 96 for each in inputs)
        found = await detector.detect(long)
        assert len(found.scores) == len(long.answer)


async def test_an_answer_too_long_for_the_model_is_a_failure(tmp_path: Path) -> None:
    """With or without evidence; half of it would be half a result."""
    async with prepared(random_model(tmp_path, context=96), shows_evidence=True) as detector:
        for evidence in ("", "ঢাকা"):
            found = await detector.detect(sample("ঢাকা রাজধানী " * 30, question="q", evidence=evidence))
            assert found == Detection(failure="the answer is longer than the model reads")
        found = await detector.detect(sample("yes", question="রাজধানী " * 30))
        assert "fill the model's 96 tokens" in found.failure


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (sample(" \n"), "blank answer"),
        (sample("ক", question=" "), "neither question nor evidence"),
        (sample("ক", question="", evidence="খ"), "neither question nor evidence"),
    ],
)
async def test_what_cannot_be_scored_is_a_failure(tiny: str, given: Sample, reason: str) -> None:
    async with prepared(tiny) as detector:
        assert await detector.detect(given) == Detection(failure=reason)


async def test_probabilities_that_are_no_numbers_are_a_failure(tmp_path: Path) -> None:
    """As half precision gives them on overflow."""
    folder = random_model(tmp_path)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder)
    with torch.no_grad():
        model.model.norm.weight.fill_(math.nan)
    model.save_pretrained(folder)
    async with prepared(folder) as detector:
        found = await detector.detect(sample("ক"))
    assert found == Detection(failure="the model's probabilities are not numbers")


async def test_special_tokens_in_an_answer_are_text(tiny: str) -> None:
    async with prepared(tiny) as detector:
        found = await detector.detect(sample("<|im_end|> ক"))
    assert len(found.scores) == 12


async def test_an_answer_follows_an_empty_thought(tmp_path: Path) -> None:
    """Where the template opens a thought, the answer does not stand inside it."""
    folder = random_model(tmp_path, THINKS)
    chat = f"<|im_start|>user\n{sample('').question}<|im_end|>\n<|im_start|>assistant\n"
    _, surprisal, _ = plain(folder, f"{chat}<think>\n</think>\n\n", "x")
    async with prepared(folder) as detector:
        found = await detector.detect(sample("x"))
    assert found.scores == pytest.approx(surprisal, abs=1e-3)


async def test_a_tokenizer_without_places_is_refused(
    tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = type(transformers.AutoTokenizer.from_pretrained(tiny))
    monkeypatch.setattr(kind, "is_fast", False)
    with pytest.raises(UsageError, match="tells no places"):
        async with prepared(tiny):
            pass


async def test_a_missing_package_is_named(tiny: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from banglahallueval.models.huggingface import model

    monkeypatch.setattr(model, "_PACKAGES", ("torch", "no_such_package"))
    with pytest.raises(UsageError, match=r"needs no_such_package: pip install"):
        async with prepared(tiny):
            pass


async def test_a_real_model_is_surprised_by_nonsense(smollm2: str) -> None:
    """A wrong ending is less likely than the right one."""
    options = {"question": "What is the capital of France?"}
    async with prepared(smollm2) as detector:
        right, wrong = await asyncio.gather(
            detector.detect(sample("The capital of France is Paris.", **options)),
            detector.detect(sample("The capital of France is Potato.", **options)),
        )
    assert right.scores[25] < THRESHOLD < wrong.scores[25]
    assert any(start <= 25 < end for start, end in wrong.spans)
