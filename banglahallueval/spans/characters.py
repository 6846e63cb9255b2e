"""The characters of many answers end to end, so that they can be scored all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from banglahallueval.scoring.bootstrap import Floats
from banglahallueval.spans.offsets import Bools
from banglahallueval.spans.sources import Ints
from banglahallueval.spans.types import Detection, Sample


@dataclass(frozen=True, slots=True)
class Characters:
    """What is known of each character of some answers, one answer after the other.

    Attributes:
        bounds: Where each answer begins, and behind them where the last one ends.
        answer: The place of each character's answer, from 0.
        gold: Whether a character is hallucinated.
        scores: The detector's score of each character.
    """

    bounds: Ints
    answer: Ints
    gold: Bools
    scores: Floats

    @classmethod
    def of(cls, samples: Sequence[Sample], detections: Sequence[Detection]) -> Characters:
        """Lay out answers and the scores of their characters.

        Raises:
            ValueError: If a detection has not one number for each character of its answer.
        """
        lengths = np.array([len(sample.answer) for sample in samples], dtype=np.int64)
        for sample, detection in zip(samples, detections, strict=True):
            if len(detection.scores) != len(sample.answer):
                raise ValueError(
                    f"{len(detection.scores)} scores for the {len(sample.answer)} characters of "
                    f"{sample.id!r}"
                )
        bounds = np.concatenate([[0], np.cumsum(lengths)])
        total = int(bounds[-1])
        scores = np.fromiter(chain.from_iterable(d.scores for d in detections), float, total)
        if not np.isfinite(scores).all():
            raise ValueError("scores must be finite numbers")
        ends = [
            (at + start, at + end)
            for at, sample in zip(bounds.tolist(), samples, strict=False)
            for start, end in sample.spans or ()
        ]
        # Samples hold disjoint spans, so one more opens at each start than has closed.
        steps = np.zeros(total + 1, dtype=np.int64)
        places = np.array(ends, dtype=np.int64).reshape(-1, 2)
        np.add.at(steps, places[:, 0], 1)
        np.add.at(steps, places[:, 1], -1)
        return cls(
            bounds=bounds,
            answer=np.repeat(np.arange(len(samples)), lengths),
            gold=np.cumsum(steps)[:-1] > 0,
            scores=scores,
        )

    @property
    def answers(self) -> int:
        """How many answers there are."""
        return len(self.bounds) - 1

    def per_answer(self, values: npt.ArrayLike) -> Floats:
        """Add up one value per character over each answer."""
        weights = np.asarray(values, dtype=float)
        return np.bincount(self.answer, weights, self.answers).astype(float)
