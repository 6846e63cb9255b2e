"""Trained classifiers as detectors: token classifiers and NLI models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banglahallueval.judges.classifiers.characters import THRESHOLD, marked
from banglahallueval.judges.classifiers.encoder import EncoderScorer
from banglahallueval.judges.classifiers.judge import Scorer, scores_or_stop
from banglahallueval.judges.classifiers.nli import NliScorer
from banglahallueval.models.huggingface.windows import UncoveredError
from banglahallueval.models.options import ClassifierOptions
from banglahallueval.spans.types import Detection, Sample, Span


class ClassifierDetector:
    """Marks what a trained classifier scores at 0.5 or above; implements `spans.types.Detector`.

    Attributes:
        name: `encoder` or `nli`.
    """

    def __init__(self, scorer: Scorer) -> None:
        """Make the detector; `prepare` must be awaited before it detects."""
        self.name = scorer.name
        self._scorer = scorer

    async def prepare(self) -> None:
        """Load the model.

        Raises:
            UsageError: If it is not such a model.
            RunError: If it cannot be loaded.
        """
        await self._scorer.prepare()

    async def detect(self, sample: Sample, again: int = 0) -> Detection:
        """Examine one answer; many at once are run in batches. A blank answer claims nothing.

        Raises:
            RunError: If the model fails for every answer.
        """
        answer = sample.answer
        if not answer.strip():
            return Detection((0.0,) * len(answer))
        try:
            scores = await scores_or_stop(self._scorer, sample.evidence, sample.question, answer)
        except UncoveredError as error:
            return Detection(failure=str(error))
        return Detection(scores, tuple(Span(*place) for place in marked(scores)))

    async def close(self) -> None:
        """Give the memory back."""
        await self._scorer.close()

    def record(self) -> Mapping[str, Any]:
        """Record the model, its labels and template, and the threshold."""
        return {**self._scorer.record(), "threshold": THRESHOLD}


def encoder_detector(options: ClassifierOptions) -> ClassifierDetector:
    """Make a detector of a token classifier, as LettuceDetect's, PsiloQA's or one's own."""
    return ClassifierDetector(EncoderScorer(options))


def nli_detector(options: ClassifierOptions) -> ClassifierDetector:
    """Make a detector of an NLI model, which scores whole sentences."""
    return ClassifierDetector(NliScorer(options))
