"""Sentences are judged one by one, and each verdict falls on its sentence's characters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.judges.llm import LLMJudge
from banglahallueval.judges.offline import OfflineJudge
from banglahallueval.models.client import Client
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import Reply, Request
from banglahallueval.prompts import load
from banglahallueval.spans.detectors.claims import ClaimsDetector, claims
from banglahallueval.spans.types import Detection, Sample
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Label, Verdict
from tests.fakes import FakeModel

ANSWER = " ঢাকা রাজধানী। এটি পদ্মার তীরে।  ড. ইউনূস বলেন, এটি বড়। "
SAMPLE = Sample("1", ANSWER, evidence="ঢাকা বুড়িগঙ্গার তীরে।", question="ঢাকা কী?")
SENTENCES = ["ঢাকা রাজধানী।", "এটি পদ্মার তীরে।", "ড. ইউনূস বলেন, এটি বড়।"]


class FakeJudge:
    """Gives each output the verdict that a function says."""

    name = "fake"
    columns: tuple[str, ...] = ()

    def __init__(self, decide: Callable[[Item], Verdict]) -> None:
        self._decide = decide
        self.asked: list[tuple[Item, int]] = []

    async def judge(self, item: Item, again: int = 0) -> Verdict:
        self.asked.append((item, again))
        return self._decide(item)

    def record(self) -> dict[str, Any]:
        return {"fake": True}


def labels(**by_word: Label) -> Callable[[Item], Verdict]:
    def decide(item: Item) -> Verdict:
        return Verdict(next((v for k, v in by_word.items() if k in item.output), "no"))

    return decide


async def test_an_unsupported_sentence_is_marked() -> None:
    """Its characters score 1, those of the others 0; blanks around it are not of it."""
    judge = FakeJudge(labels(পদ্মার="yes"))
    found = await ClaimsDetector(judge).detect(SAMPLE, again=2)
    assert [ANSWER[start:end] for start, end in found.spans] == [SENTENCES[1]]
    assert [i for i, score in enumerate(found.scores) if score] == list(range(*found.spans[0]))
    assert len(found.scores) == len(ANSWER)
    assert [item.output for item, _ in judge.asked] == SENTENCES
    assert {again for _, again in judge.asked} == {2}
    assert all(item.context == SAMPLE.evidence for item, _ in judge.asked)


async def test_neighbours_that_are_both_unsupported_are_one_span() -> None:
    found = await ClaimsDetector(FakeJudge(labels(ঢাকা="yes", পদ্মার="yes"))).detect(SAMPLE)
    assert [ANSWER[start:end] for start, end in found.spans] == [" ".join(SENTENCES[:2])]


async def test_scores_are_probabilities_where_the_judge_knows_them() -> None:
    """The spans follow the labels, whatever the probabilities are."""
    verdicts = {"ঢাকা": Verdict("no", p_hallucinated=0.4), "পদ্মার": Verdict("yes", p_hallucinated=0.7)}

    def decide(item: Item) -> Verdict:
        return next((v for k, v in verdicts.items() if k in item.output), Verdict("no"))

    found = await ClaimsDetector(FakeJudge(decide)).detect(SAMPLE)
    assert [found.scores[ANSWER.index(text)] for text in SENTENCES] == [0.4, 0.7, 0.0]
    assert [ANSWER[start:end] for start, end in found.spans] == [SENTENCES[1]]


async def test_a_sentence_without_a_verdict_leaves_no_result() -> None:
    """What was not judged is not clean, and what was is not the whole."""
    judge = FakeJudge(
        lambda item: Verdict("unknown", "refused") if "পদ্মার" in item.output else Verdict("yes")
    )
    expected = Detection(failure="a sentence without a verdict: refused")
    assert await ClaimsDetector(judge).detect(SAMPLE) == expected


@pytest.mark.parametrize(
    ("sample", "reason"),
    [
        (Sample("1", " ", evidence="ক"), "blank answer"),
        (Sample("1", "ক", evidence=""), "no evidence"),
    ],
)
async def test_what_cannot_be_judged_is_not_asked(sample: Sample, reason: str) -> None:
    judge = FakeJudge(labels())
    assert await ClaimsDetector(judge).detect(sample) == Detection(failure=reason)
    assert (judge.asked, claims(sample)) == ([], [])


@pytest.mark.parametrize("answer", ["১৯৭১", "?!", "👍", "ঢাকা"])
async def test_a_short_answer_is_one_sentence(answer: str) -> None:
    sample = Sample("1", answer, evidence="ক")
    found = await ClaimsDetector(FakeJudge(lambda item: Verdict("yes"))).detect(sample)
    assert (found.scores, found.spans) == ((1.0,) * len(answer), ((0, len(answer)),))


async def test_an_llm_judge_sees_evidence_question_and_sentence(tmp_path: Path) -> None:
    """A summary has no question; the prompt says so instead of leaving a gap."""

    def answer(request: Request) -> Reply:
        return Reply(
            "yes" if "Model answer: এটি পদ্মার তীরে।\n" in request.messages[0].text else "no"
        )

    model = FakeModel(answer)
    client = Client(model, ReplyStore(tmp_path / "s.sqlite"))
    detector = ClaimsDetector(LLMJudge(client, load("qa.standard_context", "qa")))
    sample = Sample("1", ANSWER, evidence=SAMPLE.evidence)
    found = await detector.detect(sample)
    assert [ANSWER[start:end] for start, end in found.spans] == [SENTENCES[1]]
    assert len(model.requests) == 3
    assert all("Question: (none)\n" in request.messages[0].text for request in model.requests)
    assert detector.record()["judge"]["model"]["name"] == "fake-1"


async def test_a_judge_without_a_model_serves() -> None:
    """It has nothing to prepare or close."""
    detector = ClaimsDetector(OfflineJudge())
    await detector.prepare()
    found = await detector.detect(SAMPLE)
    assert len(found.scores) == len(ANSWER)
    await detector.close()
