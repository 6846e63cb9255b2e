"""Pearson's r, Spearman's ρ and Kendall's τ-b of two columns, with bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy import stats

from banglahallueval.scoring.bootstrap import RESAMPLES, SEED, Floats, Resamples, interval

Coefficient = Literal["pearson", "spearman", "kendall"]
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)

TOO_FEW: Final = "fewer than 2 pairs"

_CELLS = 4_000_000  # of a block of resamples, so that it stays small in memory

_DIGITS: Final = 12  # of a coefficient; those behind are rounding
_NEARLY: Final = 1e-13  # of the mean: variation below it is mostly rounding, as SciPy has it

_POINT: Final[dict[Coefficient, Callable[[Floats, Floats], float]]] = {
    "pearson": lambda x, y: float(_pearson(standard(x), standard(y), np.ones((1, len(x))))[0]),
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
        reason: Why the coefficients are undefined, or what speaks against Pearson's; empty
            where nothing does.
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
    reason = _hardly_varying(name_x, x) or _hardly_varying(name_y, y)
    counts = Resamples(keys, resamples=resamples, seed=seed).counts(keys)
    estimates = {}
    for name, replicates in replicated(x, y, counts).items():
        low, high = interval(replicates)
        undefined = int(np.isnan(replicates).sum())
        value, low, high = (round(each, _DIGITS) for each in (_POINT[name](x, y), low, high))
        estimates[name] = Estimate(value, low, high, undefined)
    return Correlation(
        name_x, name_y, len(x), missing, len(np.unique(keys)), reason, estimates, resamples
    )


def _undefined(name: str, values: Floats) -> str:
    """Say why a column correlates with nothing; empty where it may."""
    if len(values) < 2:
        return TOO_FEW
    return f"{name} is constant" if values.min() == values.max() else ""


def _hardly_varying(name: str, values: Floats) -> str:
    """Say that a column varies in its last digits alone; empty where it does not."""
    scaled = _to_one(values)
    mean = scaled.mean()
    if np.linalg.norm(scaled - mean) >= _NEARLY * abs(mean):
        return ""
    return f"{name} varies in its last digits alone, so that r may be their rounding"


def standard(values: Floats) -> Floats:
    """Centre a column and scale it to about 1; Pearson's r is the same, and nothing overflows."""
    scaled = _to_one(values)
    return _to_one(scaled - scaled.mean())


def _to_one(values: Floats) -> Floats:
    """Scale the largest value to between 0.5 and 1, by a power of 2, which rounds nothing."""
    exponent = np.frexp(np.nanmax(np.abs(values)))[1]
    return np.asarray(np.ldexp(values, -exponent))


def replicated(x: Floats, y: Floats, counts: npt.NDArray[np.uint8]) -> dict[Coefficient, Floats]:
    """Compute the coefficients in each resample; nan where a column has one value only.

    Args:
        x: Scores.
        y: The other ones.
        counts: How often each row was drawn, one row per resample.
    """
    found: dict[Coefficient, list[Floats]] = {name: [] for name in COEFFICIENTS}
    block = max(1, _CELLS // len(x))
    standard_x, standard_y = standard(x), standard(y)
    for start in range(0, len(counts), block):
        weights = counts[start : start + block].astype(float)
        varied = _varies(x, weights) & _varies(y, weights)
        ranks_x, ranks_y = _ranks(x, weights), _ranks(y, weights)
        values_of: dict[Coefficient, Floats] = {
            "pearson": _pearson(standard_x, standard_y, weights),
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
    """Correlate rows by how often each was drawn; x and y may differ between resamples.

    Nan where a column varies by rounding alone.
    """
    n = weights.sum(axis=1)
    mean_x, mean_y = (weights * x).sum(axis=1) / n, (weights * y).sum(axis=1) / n
    dx, dy = x - mean_x[:, None], y - mean_y[:, None]
    xx, yy = (weights * dx * dx).sum(axis=1), (weights * dy * dy).sum(axis=1)
    least = 1e-15 * np.sqrt(n)
    varied = (np.sqrt(xx) > least * np.abs(mean_x)) & (np.sqrt(yy) > least * np.abs(mean_y))
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (weights * dx * dy).sum(axis=1) / (np.sqrt(xx) * np.sqrt(yy))
    return np.asarray(np.where(varied, found, np.nan))


def _kendall(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Compute τ-b: concordant pairs less discordant ones, over those tied in neither column.

    Rows are taken by ascending x. Those with a smaller x stand in a Fenwick tree over the ranks of
    y, one count per resample, so that each row asks it how many are below and above.
    """
    order = np.argsort(x, kind="stable")
    distinct, ranks = np.unique(y, return_inverse=True)
    places = (ranks[order] + 1).tolist()
    tied = x[order]
    starts = [0, *(np.flatnonzero(tied[1:] != tied[:-1]) + 1).tolist(), len(x)]
    # Counts are exact in single precision, and it is twice as fast.
    drawn = np.ascontiguousarray(weights.T[order], dtype=np.float32)
    tree = np.zeros((len(distinct) + 1, len(weights)), dtype=np.float32)
    before = np.zeros(len(weights), dtype=np.float32)
    top = np.zeros(len(weights))
    for start, end in pairwise(starts):
        for at in range(start, end):
            parts = [*_below(places[at] - 1), *_below(places[at])]
            top += 2 * drawn[at] * (tree[parts].sum(axis=0) - before)
        for at in range(start, end):
            tree[_above(places[at], len(distinct))] += drawn[at]
            before += drawn[at]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(top / np.sqrt(_untied(x, weights) * _untied(y, weights)))


def _below(place: int) -> Iterator[int]:
    """Yield the nodes of a Fenwick tree that sum up to the places up to one."""
    while place:
        yield place
        place &= place - 1


def _above(place: int, last: int) -> list[int]:
    """List the nodes of a Fenwick tree that hold a place."""
    nodes = []
    while place <= last:
        nodes.append(place)
        place += place & -place
    return nodes


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
