"""Everything that is computed from the trials of one evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from banglahallueval.abstention.behaviour import Behaviour, behave
from banglahallueval.abstention.metrics import Metrics, measure, measure_subjects
from banglahallueval.abstention.types import SETTLED, Trial


@dataclass(frozen=True, slots=True)
class Findings:
    """What an evaluation found.

    Attributes:
        metrics: At each threshold, ascending.
        subjects: The same of each subject; empty where questions have none.
        behaviour: Over the sweep.
        missing: Trials without a reply or a grade, by outcome and reason, most first.
    """

    metrics: tuple[Metrics, ...]
    subjects: dict[str, tuple[Metrics, ...]]
    behaviour: Behaviour
    missing: tuple[tuple[str, str, int], ...]


def find(trials: Sequence[Trial]) -> Findings:
    """Compute all of it; the order of trials makes no difference."""
    metrics = measure(trials)
    missing = Counter((trial.outcome, trial.reason) for trial in trials)
    return Findings(
        metrics,
        measure_subjects(trials),
        behave(trials, metrics),
        tuple(
            (outcome, reason, count)
            for (outcome, reason), count in sorted(missing.items(), key=lambda m: (-m[1], m[0]))
            if outcome not in SETTLED
        ),
    )
