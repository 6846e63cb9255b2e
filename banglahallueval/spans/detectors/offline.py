"""The detectors that need no model: evidence support, checked arithmetic, and the choice of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from banglahallueval import __version__
from banglahallueval.judges.arithmetic import ChainReport, Step, check_chain
from banglahallueval.judges.arithmetic.suspicions import assumptions, impossible_results
from banglahallueval.judges.classifiers.characters import marked
from banglahallueval.judges.evidence.answer_check import check_answer
from banglahallueval.judges.evidence.claim_check import check_claims
from banglahallueval.judges.evidence.evidence_index import index_evidence
from banglahallueval.judges.evidence.weights import shipped_weights
from banglahallueval.spans.detectors.failures import BLANK, unfit
from banglahallueval.spans.detectors.word_support import word_support
from banglahallueval.spans.offsets import merge
from banglahallueval.spans.types import Detection, Sample
from banglahallueval.tasks import TaskName
from banglahallueval.text.bangla import has_bengali, numbers
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.spans import Place

NO_CALCULATIONS = "no calculation that can be checked"

_NOT_DOUBTED = 0.4  # factor on the scores of a summary that the judge does not doubt: no spans
# Longer answers hold several facts: which of their words are the answer is not known.
_LONGEST_MISPLACED = 6  # content words that the evidence has
# A fault that proves nothing (a misprint) ranks below one that does, and is no span.
_UNPROVEN = 0.4
_DOUBTFUL = 0.8  # assumptions and impossible results
_NUMBER = lazy_regex(r"\p{Nd}+(?:,\p{Nd}+)*(?:\.\p{Nd}+)?")
_SENTENCE_ENDS = "\n।৷;"
_SENTENCE_END = lazy_regex(f"[{_SENTENCE_ENDS}]")
_REACH = 300  # code points around a calculation in which its sentence may state the result


class EvidenceDetector:
    """Marks the words that the evidence does not carry; implements `spans.types.Detector`."""

    name = "evidence"

    async def detect(self, sample: Sample, again: int = 0) -> Detection:
        """Examine one answer; the same answer always gets the same result."""
        if reason := unfit(sample):
            return Detection(failure=reason)
        if sample.question.strip():
            least, is_doubtful = _misplaced(sample), True
        else:
            least, is_doubtful = _contradicted(sample)
        scores = word_support(sample.answer, sample.evidence, sample.question, least)
        return _detection(
            sample.answer, scores if is_doubtful else [_NOT_DOUBTED * score for score in scores]
        )

    def record(self) -> Mapping[str, Any]:
        """Record the version: the scores depend on nothing else."""
        return {"version": __version__}


class ArithmeticDetector:
    """Marks the wrong results of a chain; implements `spans.types.Detector`.

    A wrong result is marked where its step states it. What is calculated right from it is not.
    """

    name = "arithmetic"

    async def detect(self, sample: Sample, again: int = 0) -> Detection:
        """Examine one answer; the same answer always gets the same result."""
        if not sample.answer.strip():
            return Detection(failure=BLANK)
        report = check_chain(sample.answer)
        if not report.steps:
            return Detection(failure=NO_CALCULATIONS)
        return _examine_chain(sample, report)

    def record(self) -> Mapping[str, Any]:
        """Record the version: the scores depend on nothing else."""
        return {"version": __version__}


class OfflineDetector:
    """`arithmetic` for answers that calculate, `evidence` for others: the default detector."""

    name = "offline"

    def __init__(self) -> None:
        """Make both detectors."""
        self._evidence = EvidenceDetector()

    async def detect(self, sample: Sample, again: int = 0) -> Detection:
        """Examine one answer; the same answer always gets the same result."""
        report = check_chain(sample.answer)
        if report.steps:
            return _examine_chain(sample, report)
        return await self._evidence.detect(sample)

    def record(self) -> Mapping[str, Any]:
        """Record the version: the scores depend on nothing else."""
        return {"version": __version__}


def _misplaced(sample: Sample) -> dict[int, float]:
    """Score words that the evidence has, but perhaps not as what the question asks for.

    Only where it has all words of a short answer. The judge knows the questions of Bangla, in
    either script: answers in other languages are left alone.

    Returns:
        Their starts -> the judge's probability that the answer is hallucinated.
    """
    if sample.language and not sample.language.startswith("bn"):
        return {}
    weights = shipped_weights()
    checked = check_answer(sample.question, sample.evidence, sample.answer, weights)
    absent = (*checked.claims.absent, *checked.claims.absent_numbers, *checked.claims.loose)
    if absent or len(checked.supported) > _LONGEST_MISPLACED:
        return {}
    task: TaskName = "qa" if has_bengali(sample.answer) else "codemix"
    p = weights.probability(task, checked.features)
    return {token.start: p for token, _ in checked.supported}


def _contradicted(sample: Sample) -> tuple[dict[int, float], bool]:
    """Find negations, antonyms and dates that the document has otherwise.

    Returns:
        Their starts -> 1, and whether the judge doubts the summary: right ones paraphrase too, and
        only as a whole are they told from wrong ones.
    """
    checked = check_claims(index_evidence(sample.evidence), None, sample.answer)
    negations = (checked.negations[kind] for kind in ("added", "here", "dropped"))
    tokens = (*checked.wrong_dates, *checked.antonyms, *chain.from_iterable(negations))
    p = shipped_weights().probability("summarization", checked.features)
    return {token.start: 1.0 for token in tokens}, p >= 0.5


def _examine_chain(sample: Sample, report: ChainReport) -> Detection:
    """Score the code points of a chain by the arithmetic judge's findings."""
    chain = sample.answer
    problem = f"{sample.question}\n{sample.evidence}"
    scores = [0.0] * len(chain)
    for suspicion in (*assumptions(chain, problem), *impossible_results(report, chain, problem)):
        _raise(scores, [(suspicion.start, suspicion.end)], _DOUBTFUL)
    for step in report.faults:
        _raise(scores, _stated_places(chain, step), 1.0 if step.proven else _UNPROVEN)
    return _detection(chain, scores)


def _stated_places(chain: str, step: Step) -> Iterator[Place]:
    """Find where a step's sentence states its result: in the calculation, and in words around it.

    As in `9 litres because 45 / 3 = <<45/3=9>>9`. What the calculation starts from is left out.
    """
    yield step.end - len(step.stated), step.end
    stated = numbers(step.stated)
    if set(stated) & set(numbers(step.expression)):
        return
    first = max(chain.rfind(mark, 0, step.start) for mark in _SENTENCE_ENDS) + 1
    end = _SENTENCE_END.search(chain, step.end)
    last = end.start() if end else len(chain)
    first, last = max(first, step.start - _REACH), min(last, step.end + _REACH)
    for found in _NUMBER.finditer(chain, first, last):
        is_outside = found.end() <= step.start or found.start() >= step.end
        if is_outside and numbers(found[0]) == stated:
            yield found.span()


def _raise(scores: list[float], places: Iterable[Place], score: float) -> None:
    for start, end in places:
        scores[start:end] = [max(score, before) for before in scores[start:end]]


def _detection(answer: str, scores: list[float]) -> Detection:
    return Detection(tuple(scores), merge(marked(answer, scores)))
