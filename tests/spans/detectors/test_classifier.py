"""Trained classifiers as detectors, with a scorer of known scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from banglahallueval.errors import RunError
from banglahallueval.models.huggingface.windows import UncoveredError
from banglahallueval.models.types import ModelError
from banglahallueval.spans.detectors.classifier import ClassifierDetector
from banglahallueval.spans.types import Detection, Sample, Span

SCORES = (0.9, 0.9, 0.9, 0.4, 0.5, 0.6)


@dataclass
class Known:
    """A scorer that gives known scores, or fails."""

    found: tuple[float, ...] | Exception
    name: str = "encoder"

    async def prepare(self) -> None: ...

    async def scores(self, evidence: str, question: str, answer: str) -> tuple[float, ...]:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    async def close(self) -> None: ...

    def record(self) -> dict[str, Any]:
        return {"model": "known"}


async def test_spans_reach_the_threshold_and_hold_no_blanks_at_their_edges() -> None:
    detector = ClassifierDetector(Known(SCORES))
    found = await detector.detect(Sample("1", " ab, c", evidence="e"))
    assert found == Detection(SCORES, (Span(1, 3), Span(5, 6)))
    assert detector.record() == {"model": "known", "threshold": 0.5}


@pytest.mark.parametrize(
    ("answer", "error", "failure"),
    [
        (" \n", AssertionError("is not asked"), "blank answer"),
        ("a", UncoveredError("no evidence"), "no evidence"),
        ("a", ModelError("server error", "", retry=False), "no reply: server error"),
    ],
)
async def test_an_answer_that_cannot_be_scored_is_a_failure(
    answer: str, error: Exception, failure: str
) -> None:
    """It is never a clean answer."""
    found = await ClassifierDetector(Known(error)).detect(Sample("1", answer))
    assert found == Detection(failure=failure)


async def test_a_model_that_fails_for_all_stops_the_run() -> None:
    error = ModelError("server error", "the model failed", fatal=True)
    with pytest.raises(RunError, match="the model failed"):
        await ClassifierDetector(Known(error)).detect(Sample("1", "a"))
