"""Confidence thresholds, and what an answer is worth at each.

Source: Kalai et al. 2025 (arXiv:2509.04664): a right answer scores 1, a wrong one −t/(1−t), and
abstaining 0, so that answering pays if, and only if, it is right with a probability above t.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from banglahallueval.errors import UsageError


def check_thresholds(values: Iterable[float]) -> tuple[float, ...]:
    """Sort thresholds in ascending order.

    Raises:
        UsageError: If there is none, one lies outside [0, 1), or one is named twice.
    """
    thresholds = tuple(sorted(t or 0.0 for t in values))  # -0.0 is 0
    if not thresholds:
        raise UsageError("--thresholds names none; give some, as in --thresholds 0.5 0.75 0.9")
    for t in thresholds:
        if not 0 <= t < 1:  # neither is nan
            raise UsageError(f"--thresholds {t:g}: a threshold lies in [0, 1)")
    if len(set(thresholds)) < len(thresholds):
        twice = next(t for t in thresholds if thresholds.count(t) > 1)
        raise UsageError(f"--thresholds names {twice:g} twice")
    return thresholds


def penalty(t: float) -> float:
    """Compute what a wrong answer costs at threshold t: t/(1−t).

    It is exact in the decimal digits of t: 9 at 0.9, where floats give 9.000000000000002.

    Args:
        t: Threshold in [0, 1).

    Raises:
        ValueError: If t lies outside.
    """
    if not 0 <= t < 1:
        raise ValueError(f"threshold {t} is not in [0, 1)")
    exact = Fraction(repr(t))
    return float(exact / (1 - exact))


def worth_of_answering(p: float, t: float) -> float:
    """Compute the expected score of an answer that is right with probability p: (p−t)/(1−t)."""
    exact = Fraction(repr(t))
    return float((Fraction(repr(p)) - exact) / (1 - exact))
