"""Rates of one judge: detection, false alarms, BHS and their kin, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.metrics import matthews_corrcoef, precision_recall_fscore_support
from statsmodels.stats.proportion import proportion_confint

from banglahallueval.scoring import bootstrap
from banglahallueval.scoring.bhs import WEIGHT, bhs
from banglahallueval.scoring.bootstrap import Floats, Resamples

Bools = npt.NDArray[np.bool_]

# Of a bootstrap interval where all sources agree; sums of a resample are in single precision.
NO_WIDTH = 1e-6


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
    """Compute a share with its 95 % Wilson score interval (Wilson 1927, JASA 22).

    Unlike normal and bootstrap intervals, it has a width at shares of 0 and 1. It treats rows as
    independent, so it is somewhat too narrow for several rows of one source.
    """
    if rows == 0:
        return Rate(float("nan"), float("nan"), float("nan"), 0)
    low, high = proportion_confint(count, rows, alpha=1 - bootstrap.LEVEL, method="wilson")
    return Rate(count / rows, float(low), float(high), rows)


def where_sources_agree(value: float, sources: int, least: float, most: float) -> Rate:
    """Bound a mean over sources that all have the same value, where a bootstrap has no width.

    The interval says how far the mean could move if as many sources differed as the exact bound
    (Clopper & Pearson 1934, two-sided 95 %) for none of them allows. For a share of 0 or 1 it is
    their exact interval.

    Args:
        value: The mean.
        sources: Number of sources.
        least: The lowest value that a source can have.
        most: The highest.
    """
    _, differing = proportion_confint(0, sources, alpha=1 - bootstrap.LEVEL, method="beta")
    return Rate(
        value, value - differing * (value - least), value + differing * (most - value), sources
    )


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
        bhs: BenHalluScore, 0 to 100, lower is better; nan without both tracks. Its interval is by
            the bootstrap, or exact where that has no width.
        precision: Share of `yes` rows that are candidates. This, F1 and MCC depend on how many
            candidates there are per main row, so they compare only on equal files.
        f1: Harmonic mean of precision and recall.
        balanced_accuracy: Mean of detection and of the share of main rows not alarmed.
        mcc: Matthews correlation, -1 to 1.
        replicates: BHS in each bootstrap resample.
    """

    detection: Rate
    false_alarms: Rate
    bhs: Rate
    precision: float
    f1: float
    balanced_accuracy: float
    mcc: float
    replicates: Floats


def track_kinds(candidate: Bools) -> npt.NDArray[np.int64]:
    """Encode tracks as the bit mask by which `bootstrap.Resamples` forms strata."""
    return np.where(candidate, 2, 1).astype(np.int64)


def score(
    candidate: Bools, yes: Bools, sources: npt.ArrayLike, resamples: Resamples | None = None
) -> Scores:
    """Score one judge's rows of one task.

    Pass unknown rows as not `yes`: a miss on candidates, no alarm on main, as in the paper. For
    scores without unknown rows, drop them beforehand.

    Args:
        candidate: Whether a row is a candidate (expected `yes`).
        yes: Whether the judge said `yes`.
        sources: Source key of each row, for the interval of BHS.
        resamples: Draws from the sources of the task; None to draw from those of these rows.
    """
    found, missed = int((candidate & yes).sum()), int((candidate & ~yes).sum())
    alarms, quiet = int((~candidate & yes).sum()), int((~candidate & ~yes).sum())
    detection, false_alarms = wilson(found, found + missed), wilson(alarms, alarms + quiet)
    nothing = float("nan")
    if not detection.rows or not false_alarms.rows:
        gap = Rate(nothing, nothing, nothing, 0)
        return Scores(
            detection, false_alarms, gap, nothing, nothing, nothing, nothing, np.array([])
        )
    resamples = resamples or Resamples(sources, track_kinds(candidate))
    values = np.column_stack([~candidate, ~candidate & yes, candidate, candidate & yes])
    with np.errstate(invalid="ignore", divide="ignore"):
        main, alarmed, candidates, detected = resamples.sums(sources, values.astype(float)).T
        replicates = bhs(alarmed / main, detected / candidates)
    value = bhs(false_alarms.value, detection.value)
    precision, _, f1, _ = precision_recall_fscore_support(
        candidate, yes, average="binary", zero_division=np.nan
    )
    low, high = bootstrap.interval(replicates)
    if high - low < NO_WIDTH:
        keys = np.asarray(sources)
        exact = half_sum(
            where_sources_agree(false_alarms.value, len(np.unique(keys[~candidate])), 0, 1),
            where_sources_agree(1 - detection.value, len(np.unique(keys[candidate])), 0, 1),
        )
        low, high = exact.low, exact.high
    return Scores(
        detection,
        false_alarms,
        Rate(value, low, high, len(candidate)),
        precision=float(precision),
        f1=float(f1),
        balanced_accuracy=(detection.value + 1 - false_alarms.value) / 2,
        mcc=float(matthews_corrcoef(candidate, yes)),
        replicates=replicates,
    )


def mean_bhs(scores: list[Scores]) -> Rate:
    """Compute the mean BHS over tasks, equally weighted, with its interval.

    The tasks' resamples must be drawn with different seeds. Tasks are treated as independent; qa
    and codemix share sources, so with both the interval is slightly too narrow.
    """
    together = np.mean([each.replicates for each in scores], axis=0)
    of = [each.bhs for each in scores]
    value = float(np.mean([each.value for each in of]))
    low, high = bootstrap.interval(together)
    if high - low < NO_WIDTH:  # the squares of the distances to the limits add up
        low = value - math.hypot(*(each.value - each.low for each in of)) / len(of)
        high = value + math.hypot(*(each.high - each.value for each in of)) / len(of)
    return Rate(value, low, high, sum(each.rows for each in of))
