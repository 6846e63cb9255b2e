"""A trained classifier as a judge."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from banglahallueval.errors import RunError
from banglahallueval.judges.classifiers.characters import THRESHOLD, marked
from banglahallueval.judges.offline import EXPLAIN_COLUMNS, spans_json
from banglahallueval.models.huggingface.windows import UncoveredError
from banglahallueval.models.types import ModelError
from banglahallueval.tasks import TASKS, Item
from banglahallueval.verdicts import Span, Verdict

_REASONS = {
    "encoder": "the encoder marks it",
    "nli": "no part of the evidence entails it",
}


class Scorer(Protocol):
    """Scores the characters of an answer by a trained classifier.

    Attributes:
        name: `encoder` or `nli`.
    """

    name: str

    async def prepare(self) -> None:
        """Load the model.

        Raises:
            UsageError: If it is not such a model.
            RunError: If it cannot be loaded.
        """
        ...

    async def scores(self, evidence: str, question: str, answer: str) -> tuple[float, ...]:
        """Score each code point of an answer, 0 to 1, higher for less supported.

        Raises:
            UncoveredError: If the whole of it cannot be judged.
            ModelError: If the model fails.
        """
        ...

    async def close(self) -> None:
        """Give the memory back."""
        ...

    def record(self) -> dict[str, Any]:
        """Record everything that determines the scores."""
        ...


async def scores_or_stop(
    scorer: Scorer, evidence: str, question: str, answer: str
) -> tuple[float, ...]:
    """Score an answer; stop the run where no other answer could be scored either.

    Raises:
        UncoveredError: If this one has no scores.
        RunError: If no other would have.
    """
    try:
        return await scorer.scores(evidence, question, answer)
    except ModelError as error:
        if error.fatal:
            raise RunError(str(error)) from None
        raise UncoveredError(f"no reply: {error.cause}") from None


class ClassifierJudge:
    """Labels by a trained classifier; implements `judges.types.Judge`.

    The label is `yes` if any character's score reaches 0.5; the highest score is p_hallucinated.
    The final answer of a reasoning chain, and a solution beside it, are not read.
    """

    def __init__(self, scorer: Scorer, *, explain: bool = False) -> None:
        """Make the judge; `prepare` must be awaited before it judges.

        Args:
            scorer: Scores characters.
            explain: Whether to add columns with the explanation and the marked spans.
        """
        self.name = scorer.name
        self.columns: tuple[str, ...] = EXPLAIN_COLUMNS if explain else ()
        self._scorer = scorer

    async def prepare(self) -> None:
        """Load the model.

        Raises:
            UsageError: If it is not such a model.
            RunError: If it cannot be loaded.
        """
        await self._scorer.prepare()

    async def judge(self, item: Item, again: int = 0) -> Verdict:
        """Judge one item; blank outputs, and items without evidence, are `unknown`.

        Raises:
            RunError: If the model fails for every item.
        """
        if not item.output.strip() or not item.evidence.strip():
            return Verdict("unknown", reason="blank input")
        # The problem of a reasoning item is its evidence, and needs not be shown twice.
        question = "" if TASKS[item.task].is_chain else item.question
        try:
            scores = await scores_or_stop(self._scorer, item.evidence, question, item.output)
        except UncoveredError as error:
            return Verdict("unknown", reason=str(error))
        verdict = self._verdict(scores)
        if not self.columns:
            return verdict
        details = {"explanation": verdict.raw, "unsupported_spans": spans_json(verdict, item)}
        return replace(verdict, details=details)

    def _verdict(self, scores: tuple[float, ...]) -> Verdict:
        findings = tuple(
            Span(start, end, f"{_REASONS[self.name]} (p {max(scores[start:end]):.2f})")
            for start, end in marked(scores)
        )
        highest = max(scores)
        raw = findings[0].reason if findings else f"nothing is above p {highest:.2f}"
        if len(findings) > 1:
            raw = f"{len(findings)} places, the first: {raw}"
        return Verdict(
            "yes" if highest >= THRESHOLD else "no",
            p_hallucinated=highest,
            raw=raw,
            findings=findings,
        )

    async def close(self) -> None:
        """Give the memory back."""
        await self._scorer.close()

    def record(self) -> dict[str, Any]:
        """Record the model, its labels and template, and the threshold."""
        return {**self._scorer.record(), "threshold": THRESHOLD}
