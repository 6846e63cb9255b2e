"""Shares of rows that belong to sources, and the intervals of these shares and of their sums.

Rows of one source resemble each other, so they tell less than as many independent ones.
`bench/interval_coverage.py` shows how often these intervals hold the truth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import ndtri, stdtrit

from banglahallueval.scoring.bootstrap import LEVEL, Floats

Numbers = npt.NDArray[np.int64]

QUANTILE = float(ndtri((1 + LEVEL) / 2))  # of the normal distribution

_NO_SPREAD = 1e-12  # of influences: what rounding leaves of 0
_LEAST_P = 1e-9


def wilson_ends(share: float, rows: float, quantile: float) -> tuple[float, float]:
    """Compute the Wilson score interval of a share (Wilson 1927, JASA 22).

    Unlike normal and bootstrap intervals, it has a width at shares of 0 and 1.

    Args:
        share: The share, 0 to 1.
        rows: Number of independent rows that it is of; need not be whole.
        quantile: How many standard errors it reaches.
    """
    part = quantile**2 / rows
    middle = (share + part / 2) / (1 + part)
    half = math.sqrt(part * share * (1 - share) + part**2 / 4) / (1 + part)
    # Rounding may put the end of a share of 0 or 1 on its wrong side.
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """A share of rows, some of which belong to one source.

    Attributes:
        value: The share, 0 to 1; nan without rows.
        rows: Number of rows.
        sources: Number of sources that have rows.
        effective: Number of independent rows that tell as much: rows / design effect.
        influences: How much each source moves the share; they add up to 0.
    """

    value: float
    rows: int
    sources: int
    effective: float
    influences: Floats

    def interval(self) -> tuple[float, float]:
        """Compute the 95 % Wilson interval with the effective number of rows.

        Source: Dean & Pagano 2015 (Statistics in Medicine 34); Franco et al. 2019 (Journal of
        Survey Statistics and Methodology 7). Where no source has two rows, it is Wilson's own.
        """
        if not self.rows:
            return math.nan, math.nan
        return wilson_ends(self.value, self.effective, QUANTILE)

    def reach(self, level: float) -> tuple[float, float]:
        """Compute how far below and above itself the share may be, as a part of a sum.

        The interval is as above, with Student's quantile at one degree of freedom fewer than
        sources (Korn & Graubard 1998, Survey Methodology 24), as the correlations that sums rest
        on are estimated from these sources.
        """
        quantile = float(stdtrit(max(1, self.sources - 1), (1 + level) / 2))
        low, high = wilson_ends(self.value, self.effective, quantile)
        return self.value - low, high - self.value


def share_of(hits: npt.ArrayLike, rows: npt.ArrayLike) -> Share:
    """Measure a share.

    The design effect is the variance between sources, by linearisation, relative to that of
    independent rows (Kish 1965); it may be below 1, as where each source has its hits in the same
    style. Estimated from few hits, or few misses, it is often far too small, so it is drawn towards
    the largest possible one, that of sources whose rows all agree, which weighs as much as one
    effective hit (or miss, if these are rarer).

    Args:
        hits: Per source the number of rows that count.
        rows: Per source the number of rows; 0 where it has none.
    """
    of, among = np.asarray(hits, dtype=float), np.asarray(rows, dtype=float)
    total = float(among.sum())
    sources = int(np.count_nonzero(among))
    if not sources:
        return Share(math.nan, 0, 0, 0.0, among)
    value = float(of.sum()) / total
    influences = (of - value * among) / total
    largest = float((among**2).sum()) / total
    independent = value * (1 - value) / total
    effect = largest
    if sources > 1 and independent:
        between = sources / (sources - 1) * float((influences**2).sum())
        estimated = min(between / independent, largest)
        rarer = min(value, 1 - value) * total / max(1.0, estimated)
        effect = (rarer * estimated + largest) / (rarer + 1)
    return Share(value, round(total), sources, total / effect, influences)


def share_of_rows(at: Numbers, hits: npt.ArrayLike, rows: npt.ArrayLike) -> Share:
    """Measure the share of rows that count.

    Args:
        at: The number of each row's source; the same rows for all shares that are summed.
        hits: Whether each row counts.
        rows: Whether it is among those that the share is of.
    """
    of, among = (np.bincount(at, weights=np.asarray(each, dtype=float)) for each in (hits, rows))
    return share_of(of, among)


class WeightedSum:
    """A weighted sum of shares of rows of the same sources, as BHS and differences are.

    Its interval recovers variances from those of the shares: distances to their ends add up as
    standard errors do, by the shares' correlation over sources (Zou & Donner 2008, Statistics in
    Medicine 27; with correlation, Newcombe 1998, Statistics in Medicine 17, method 10).
    """

    def __init__(self, parts: Sequence[tuple[float, Share]]) -> None:
        """Sum shares up.

        Args:
            parts: The weight of each share, and the share, whose influences are of the same sources
                in the same order.
        """
        self._parts = parts
        influences = np.array([share.influences for _, share in parts])
        length = np.sqrt((influences**2).sum(axis=1, keepdims=True))
        unit = np.where(length > _NO_SPREAD, influences / np.maximum(length, _NO_SPREAD), 0.0)
        self._correlations = unit @ unit.T
        np.fill_diagonal(self._correlations, 1.0)
        self.value = math.fsum(weight * share.value for weight, share in parts)

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Compute the interval, within what the sum can be; nan where a share is."""
        if math.isnan(self.value):
            return math.nan, math.nan
        reaches = [(weight, *share.reach(level)) for weight, share in self._parts]
        below = [weight * (low if weight > 0 else high) for weight, low, high in reaches]
        above = [weight * (high if weight > 0 else low) for weight, low, high in reaches]
        least = math.fsum(min(0.0, weight) for weight, _ in self._parts)
        most = math.fsum(max(0.0, weight) for weight, _ in self._parts)
        return (
            max(least, self.value - self._length(below)),
            min(most, self.value + self._length(above)),
        )

    def p_of_zero(self) -> float:
        """Compute the two-sided p of the sum being 0: 1 less the level at which an end is 0."""
        if math.isnan(self.value):
            return math.nan
        if abs(self.value) < _NO_SPREAD:
            return 1.0
        side = 0 if self.value > 0 else 1

        def end(p: float) -> float:
            return self.interval(1 - p)[side]

        if end(_LEAST_P) * self.value > 0:
            return _LEAST_P
        return float(brentq(end, _LEAST_P, 1 - _LEAST_P))

    def _length(self, distances: Sequence[float]) -> float:
        of = np.array(distances)
        return math.sqrt(max(0.0, float(of @ self._correlations @ of)))
