"""Real token classifiers and NLI models, tiny: windows, order of labels, batches."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.judges.classifiers.encoder import EncoderScorer
from banglahallueval.judges.classifiers.nli import NliScorer
from banglahallueval.models.huggingface.pairs import PairTokenizer
from banglahallueval.models.huggingface.windows import UncoveredError, cover
from banglahallueval.models.options import ClassifierOptions
from banglahallueval.text.sentences import sentences
from tests.models.classifiers import random_classifier

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

XNLI = {0: "entailment", 1: "neutral", 2: "contradiction"}
EVIDENCE = "নদীর দৈর্ঘ্য ৪২ কিমি। The sea is near."
ANSWER = "নদী ৪২ কিমি ব\u09dc।  It is far 👍🏽!\nকো\u09c7\u09beন"


@asynccontextmanager
async def prepared(scorer: Any) -> AsyncIterator[Any]:
    try:
        await scorer.prepare()
        yield scorer
    finally:
        await scorer.close()


def encoder(folder: str, **options: Any) -> EncoderScorer:
    return EncoderScorer(ClassifierOptions(folder, device="cpu", **options))


def nli(folder: str, **options: Any) -> NliScorer:
    return NliScorer(ClassifierOptions(folder, device="cpu", **options))


def renamed(folder: str, names: dict[int, str]) -> str:
    file = Path(folder) / "config.json"
    config = json.loads(file.read_text(encoding="utf-8"))
    config["id2label"] = names
    config["label2id"] = {name: number for number, name in names.items()}
    file.write_text(json.dumps(config), encoding="utf-8")
    return folder


async def test_an_encoder_scores_every_character(tmp_path: Path) -> None:
    """Scores are probabilities, one per code point, whatever the text is made of."""
    async with prepared(encoder(random_classifier(tmp_path))) as scorer:
        scores = await scorer.scores(EVIDENCE, "কত?", ANSWER)
        assert len(scores) == len(ANSWER)
        assert all(0 <= score <= 1 for score in scores)
        assert len(set(scores)) > 3
        assert scorer.record()["template"]["name"] == "lettucedetect"
        assert scorer.record()["model"]["max_tokens"] == 512


async def test_the_order_of_an_encoders_labels_is_read_from_its_config(tmp_path: Path) -> None:
    """The same weights under swapped names score the other way round."""
    folder = random_classifier(tmp_path)
    async with prepared(encoder(folder)) as scorer:
        (one,) = set(await scorer.scores(EVIDENCE, "কত?", "x"))
    renamed(folder, {0: "hallucinated", 1: "supported"})
    async with prepared(encoder(folder)) as scorer:
        (other,) = set(await scorer.scores(EVIDENCE, "কত?", "x"))
    assert one == pytest.approx(1 - other, abs=1e-5)
    assert one != pytest.approx(0.5, abs=1e-3)


async def test_long_texts_are_windowed_alone_as_in_batches(tmp_path: Path) -> None:
    """Evidence and answer longer than the model: all is scored, batched as one by one."""
    folder = random_classifier(tmp_path, positions=256)
    rows = [(EVIDENCE * n, "কত?", ANSWER * (7 - n)) for n in range(1, 7)]
    async with prepared(encoder(folder, template="request")) as scorer:
        together = await asyncio.gather(*(scorer.scores(*row) for row in rows))
        alone = [await scorer.scores(*row) for row in rows]
    for row, one, other in zip(rows, together, alone, strict=True):
        assert len(one) == len(row[2])
        assert one == pytest.approx(other, abs=1e-5)


async def test_the_template_changes_what_the_model_reads(tmp_path: Path) -> None:
    folder = random_classifier(tmp_path)
    found = set()
    for template in ("lettucedetect", "request", "question"):
        async with prepared(encoder(folder, template=template)) as scorer:
            found.add(await scorer.scores(EVIDENCE, "কত?", ANSWER))
    assert len(found) == 3


async def test_a_question_longer_than_the_model_is_a_failure(tmp_path: Path) -> None:
    async with prepared(encoder(random_classifier(tmp_path, positions=64))) as scorer:
        with pytest.raises(UncoveredError, match="fill the model's 64 tokens"):
            await scorer.scores(EVIDENCE, "কত? " * 99, ANSWER)


def unsupported(folder: str, evidence: str, hypothesis: str) -> float:
    """1 − P(entailment), computed by transformers' own call."""
    tokens = transformers.AutoTokenizer.from_pretrained(folder)
    plain = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
    with torch.inference_mode():
        logits = plain(**tokens(evidence, hypothesis, return_tensors="pt")).logits[0]
    return 1 - float(torch.softmax(logits, -1)[0])


async def test_nli_scores_whole_sentences(tmp_path: Path) -> None:
    folder = random_classifier(tmp_path, "BertForSequenceClassification", XNLI)
    async with prepared(nli(folder)) as scorer:
        scores = await scorer.scores(EVIDENCE, "কত?", ANSWER)
    for start, end in sentences(ANSWER):
        expected = [unsupported(folder, EVIDENCE, ANSWER[start:end])] * (end - start)
        found = [
            score
            for score, char in zip(scores[start:end], ANSWER[start:end], strict=True)
            if not char.isspace()
        ]
        assert found == pytest.approx(expected[: len(found)], abs=1e-5)


async def test_the_only_sentence_has_the_question_before_it(tmp_path: Path) -> None:
    """A bare `৪২` claims nothing without its question."""
    folder = random_classifier(tmp_path, "BertForSequenceClassification", XNLI)
    async with prepared(nli(folder)) as scorer:
        scores = await scorer.scores(EVIDENCE, " কত? ", "৪২")
    assert scores == pytest.approx([unsupported(folder, EVIDENCE, "কত? ৪২")] * 2, abs=1e-5)


@pytest.mark.parametrize("names", [XNLI, {0: "contradiction", 1: "entailment", 2: "neutral"}])
async def test_the_order_of_nli_labels_is_read_from_the_config(
    tmp_path: Path, names: dict[int, str]
) -> None:
    folder = random_classifier(tmp_path, "BertForSequenceClassification", names)
    at = next(number for number, name in names.items() if name == "entailment")
    async with prepared(nli(folder)) as scorer:
        assert scorer.record()["supported_labels"] == [at]


async def test_nli_labels_without_names_are_refused(tmp_path: Path) -> None:
    folder = random_classifier(tmp_path, "BertForSequenceClassification")
    with pytest.raises(UsageError, match="labels are LABEL_0, LABEL_1"):
        await nli(folder).prepare()


async def test_one_window_of_evidence_is_enough_for_nli(tmp_path: Path) -> None:
    """The score of long evidence is 1 − the highest P(entailment) of its windows."""
    folder = random_classifier(tmp_path, "BertForSequenceClassification", XNLI, positions=64)
    evidence, answer = f"{EVIDENCE} " * 6, "It is near."
    async with prepared(nli(folder)) as scorer:
        scores = await scorer.scores(evidence, "", answer)
        made = PairTokenizer(transformers.AutoTokenizer.from_pretrained(folder), 64)
        (part,) = cover(made, lambda window: window, evidence, answer)
        rows = await asyncio.gather(*map(scorer._classifier.probabilities, part.inputs))
    assert len(rows) > 3
    least = 1 - max(row[0][0] for row in rows)
    assert scores == pytest.approx([least] * len(answer), abs=1e-5)


async def test_a_sentence_longer_than_an_nli_model_is_judged_in_pieces(tmp_path: Path) -> None:
    folder = random_classifier(tmp_path, "BertForSequenceClassification", XNLI, positions=64)
    answer = "নদী সাগর " * 60
    async with prepared(nli(folder)) as scorer:
        scores = await scorer.scores(EVIDENCE, "কত?", answer)
    assert len(scores) == len(answer)
    assert len(set(scores)) > 1


async def test_blank_evidence_is_a_failure(tmp_path: Path) -> None:
    folder = random_classifier(tmp_path, "BertForSequenceClassification", XNLI)
    async with prepared(nli(folder)) as scorer:
        with pytest.raises(UncoveredError, match="no evidence"):
            await scorer.scores(" ", "q", "a")
        with pytest.raises(UncoveredError, match="blank answer"):
            await scorer.scores("e", "q", " ")
