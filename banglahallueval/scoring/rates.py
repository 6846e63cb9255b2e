"""Rates of one judge: detection, false alarms, BHS and their kin, with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from banglahallueval.scoring.bhs import WEIGHT, bhs
from banglahallueval.scoring.shares import (
    QUANTILE,
    Share,
    WeightedSum,
    share_of_rows,
    wilson_ends,
)

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its interval; all three are nan if there are no rows.

    Attributes:
        value: The share, 0 to 1 (BHS: 0 to 100).
        low, high: Ends of its 95 % interval.
        rows: Number of rows it is a share of.
    """

    value: float
    low: float
    high: float
    rows: int


def wilson(count: int, rows: int) -> Rate:
    """Compute a share of independent rows with its 95 % Wilson score interval."""
    if rows == 0:
        return Rate(math.nan, math.nan, math.nan, 0)
    return Rate(count / rows, *wilson_ends(count / rows, rows, QUANTILE), rows)


def rate_of(share: Share) -> Rate:
    """Take a share with its interval."""
    return Rate(share.value, *share.interval(), share.rows)


def clustered_rate(hits: npt.ArrayLike, sources: npt.ArrayLike) -> Rate:
    """Compute the share of rows that count, with the interval of rows that belong to sources.

    Args:
        hits: Whether each row counts.
        sources: Source key of each row.
    """
    _, at = np.unique(np.asarray(sources), return_inverse=True)
    return rate_of(share_of_rows(at, hits, np.ones(len(at))))


def half_sum(a: Rate, b: Rate) -> Rate:
    """Compute BHS, 0 to 100, from the two error rates of independent samples.

    Its interval recovers both variances from the intervals of the two: the squares of the distances
    to the limits add up (Zou & Donner 2008, Statistics in Medicine 27).
    """
    value = bhs(a.value, 1 - b.value)
    below = WEIGHT * math.hypot(a.value - a.low, b.value - b.low)
    above = WEIGHT * math.hypot(a.high - a.value, b.high - b.value)
    return Rate(value, max(0.0, value - below), min(100.0, value + above), a.rows + b.rows)


@dataclass(frozen=True, slots=True)
class Scores:
    """One judge on one task.

    Attributes:
        detection: Share of candidates judged `yes`; the recall of hallucinations.
        false_alarms: Share of main rows judged `yes`.
        bhs: BenHalluScore, 0 to 100, lower is better; nan without both tracks.
        precision: Share of `yes` rows that are candidates. This, F1 and MCC depend on how many
            candidates there are per main row, so they compare only on equal files.
        f1: Harmonic mean of precision and recall.
        balanced_accuracy: Mean of detection and of the share of main rows not alarmed.
        mcc: Matthews correlation, -1 to 1; 0 where all rows are judged alike.
    """

    detection: Rate
    false_alarms: Rate
    bhs: Rate
    precision: float
    f1: float
    balanced_accuracy: float
    mcc: float


def track_kinds(candidate: Bools) -> npt.NDArray[np.int64]:
    """Encode tracks as the bit mask by which `bootstrap.Resamples` forms strata."""
    return np.where(candidate, 2, 1).astype(np.int64)


def score(candidate: Bools, yes: Bools, sources: npt.ArrayLike) -> Scores:
    """Score one judge's rows of one task.

    Pass unknown rows as not `yes`: a miss on candidates, no alarm on main, as in the paper. For
    scores without unknown rows, drop them beforehand.

    Args:
        candidate: Whether a row is a candidate (expected `yes`).
        yes: Whether the judge said `yes`.
        sources: Source key of each row.
    """
    _, at = np.unique(np.asarray(sources), return_inverse=True)
    detection = rate_of(share_of_rows(at, candidate & yes, candidate))
    alarms = share_of_rows(at, ~candidate & yes, ~candidate)
    false_alarms = rate_of(alarms)
    if not detection.rows or not false_alarms.rows:
        gap = Rate(math.nan, math.nan, math.nan, 0)
        return Scores(detection, false_alarms, gap, math.nan, math.nan, math.nan, math.nan)
    misses = share_of_rows(at, candidate & ~yes, candidate)
    ends = WeightedSum([(WEIGHT, alarms), (WEIGHT, misses)]).interval()
    right, said = int((candidate & yes).sum()), int(yes.sum())
    return Scores(
        detection,
        false_alarms,
        Rate(bhs(false_alarms.value, detection.value), *ends, len(candidate)),
        precision=right / said if said else math.nan,
        f1=2 * right / (said + detection.rows),
        balanced_accuracy=(detection.value + 1 - false_alarms.value) / 2,
        mcc=float(np.corrcoef(candidate, yes)[0, 1]) if 0 < said < len(yes) else 0.0,
    )


def mean_bhs(scores: Sequence[Scores]) -> Rate:
    """Compute the mean BHS over tasks, equally weighted, with its interval.

    The squares of the distances to the limits add up, as in `half_sum`. Tasks are treated as
    independent; qa and codemix share sources, so with both the interval is slightly too narrow.
    """
    of = [each.bhs for each in scores]
    value = math.fsum(each.value for each in of) / len(of)
    below = math.hypot(*(each.value - each.low for each in of)) / len(of)
    above = math.hypot(*(each.high - each.value for each in of)) / len(of)
    return Rate(value, value - below, value + above, sum(each.rows for each in of))
