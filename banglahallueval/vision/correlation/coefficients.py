"""Pearson's r, Spearman's ρ and Kendall's τ-b of two columns, with bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy import stats

from banglahallueval.scoring.bootstrap import RESAMPLES, SEED, Floats, Resamples, interval

Coefficient = Literal["pearson", "spearman", "kendall"]
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)

TOO_FEW: Final = "fewer than 2 pairs"

_CELLS = 4_000_000  # of a block of resamples, so that it stays small in memory

_POINT: Final[dict[Coefficient, Callable[[Floats, Floats], float]]] = {
    "pearson": lambda x, y: float(stats.pearsonr(x, y).statistic),
    "spearman": lambda x, y: float(stats.spearmanr(x, y).statistic),
    "kendall": lambda x, y: float(stats.kendalltau(x, y, variant="b").statistic),
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient with its interval; nan where it is undefined.

    Attributes:
        value: From -1 to 1.
        low, high: Ends of its 95 % interval.
        undefined: Resamples in which a column has one value only: they count nowhere.
    """

    value: float
    low: float
    high: float
    undefined: int


@dataclass(frozen=True, slots=True)
class Correlation:
    """How far two columns agree.

    Attributes:
        one, other: The columns' names.
        pairs: Rows in which neither is missing.
        missing: Rows that are left out since one is.
        sources: What is drawn: rows, or groups of them.
        reason: Why the coefficients are undefined; empty where they are not.
        estimates: Each coefficient.
        resamples: How many were drawn.
    """

    one: str
    other: str
    pairs: int
    missing: int
    sources: int
    reason: str
    estimates: dict[Coefficient, Estimate]
    resamples: int


def correlate(
    one: tuple[str, Floats],
    other: tuple[str, Floats],
    sources: Sequence[str] | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Correlation:
    """Compute the coefficients of two columns over the rows where neither is missing.

    Args:
        one: A column's name and its scores, nan where one is missing.
        other: The other one's.
        sources: What rows are drawn with; None where each stands alone.
        resamples: How many resamples to draw for the intervals.
        seed: Of the draws.
    """
    (name_x, x), (name_y, y) = one, other
    complete = ~np.isnan(x) & ~np.isnan(y)
    keys = np.arange(len(x)) if sources is None else np.unique(sources, return_inverse=True)[1]
    missing = int(len(x) - complete.sum())
    x, y, keys = x[complete], y[complete], keys[complete]
    reason = _undefined(name_x, x) or _undefined(name_y, y)
    if reason:
        nothing = dict.fromkeys(COEFFICIENTS, Estimate(math.nan, math.nan, math.nan, 0))
        count = len(np.unique(keys))
        return Correlation(name_x, name_y, len(x), missing, count, reason, nothing, 0)
    counts = Resamples(keys, resamples=resamples, seed=seed).counts(keys)
    estimates = {}
    for name, replicates in replicated(x, y, counts).items():
        low, high = interval(replicates)
        undefined = int(np.isnan(replicates).sum())
        estimates[name] = Estimate(_POINT[name](x, y), low, high, undefined)
    return Correlation(
        name_x, name_y, len(x), missing, len(np.unique(keys)), "", estimates, resamples
    )


def _undefined(name: str, values: Floats) -> str:
    """Say why a column correlates with nothing; empty where it may."""
    if len(values) < 2:
        return TOO_FEW
    return f"{name} is constant" if np.ptp(values) == 0 else ""


def replicated(x: Floats, y: Floats, counts: npt.NDArray[np.uint8]) -> dict[Coefficient, Floats]:
    """Compute the coefficients in each resample; nan where a column has one value only.

    Args:
        x: Scores.
        y: The other ones.
        counts: How often each row was drawn, one row per resample.
    """
    found: dict[Coefficient, list[Floats]] = {name: [] for name in COEFFICIENTS}
    block = max(1, _CELLS // len(x))
    for start in range(0, len(counts), block):
        weights = counts[start : start + block].astype(float)
        varied = _varies(x, weights) & _varies(y, weights)
        ranks_x, ranks_y = _ranks(x, weights), _ranks(y, weights)
        values_of: dict[Coefficient, Floats] = {
            "pearson": _pearson(x - x.mean(), y - y.mean(), weights),
            "spearman": _pearson(ranks_x, ranks_y, weights),
            "kendall": _kendall(x, y, weights),
        }
        for name, values in values_of.items():
            found[name].append(np.where(varied, np.clip(values, -1, 1), np.nan))
    return {name: np.concatenate(blocks) for name, blocks in found.items()}


def _varies(values: Floats, weights: Floats) -> npt.NDArray[np.bool_]:
    """Whether a resample holds two values that differ."""
    drawn = weights > 0
    lowest = np.where(drawn, values, np.inf).min(axis=1)
    highest = np.where(drawn, values, -np.inf).max(axis=1)
    return np.asarray(highest > lowest)


def _ranks(values: Floats, weights: Floats) -> Floats:
    """Rank the rows of each resample, ties in the middle, centred."""
    place = np.unique(values, return_inverse=True)[1]
    held = _held(values, weights)
    middle = held.cumsum(axis=1) - held / 2
    return np.asarray((middle - weights.sum(axis=1, keepdims=True) / 2)[:, place])


def _pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Correlate rows by how often each was drawn; x and y may differ between resamples."""
    n = weights.sum(axis=1)
    mean_x, mean_y = (weights * x).sum(axis=1) / n, (weights * y).sum(axis=1) / n
    dx, dy = x - mean_x[:, None], y - mean_y[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(
            (weights * dx * dy).sum(axis=1)
            / np.sqrt((weights * dx * dx).sum(axis=1) * (weights * dy * dy).sum(axis=1))
        )


def _kendall(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Compute τ-b: concordant pairs less discordant ones, over those tied in neither column."""
    top = np.zeros(len(weights))
    single = weights.astype(np.float32)  # counts are exact in it, and it is twice as fast
    block = max(1, _CELLS // len(x))
    for start in range(0, len(x), block):
        at = slice(start, start + block)
        signs = np.sign(x[at, None] - x) * np.sign(y[at, None] - y)
        top += (weights[:, at] * (single @ signs.T.astype(np.float32))).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(top / np.sqrt(_untied(x, weights) * _untied(y, weights)))


def _untied(values: Floats, weights: Floats) -> Floats:
    """Count the ordered pairs of each resample whose values differ."""
    held = _held(values, weights)
    return np.asarray(weights.sum(axis=1) ** 2 - (held**2).sum(axis=1))


def _held(values: Floats, weights: Floats) -> Floats:
    """Count how often each resample holds each distinct value, in ascending order."""
    distinct, place = np.unique(values, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(distinct)))
    return np.asarray(np.add.reduceat(weights[:, order], starts, axis=1))
