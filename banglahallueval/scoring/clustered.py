"""95 % intervals of figures over rows, some of which belong together: to one source, one picture.

Shares have Wilson's interval, at the effective number of rows where clusters have several.
Other figures have the percentiles of a bootstrap that draws whole clusters, the same for every
figure of a run. Where all clusters agree, these percentiles have no width; then the interval says
how far the figure could move if as many clusters differed as Wilson's upper bound for 0 of them
allows.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from banglahallueval.scoring.bootstrap import Floats, Resamples, interval
from banglahallueval.scoring.rates import Rate, rate_of, wilson
from banglahallueval.scoring.shares import Numbers, Share, WeightedSum, share_of_rows

Method = Literal["", "Wilson", "clustered Wilson", "sum of shares", "bootstrap", "Wilson bound"]
_NO_WIDTH = 1e-6  # sums of a resample are in single precision
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Measure(Rate):
    """A figure with its 95 % interval; nan where it is undefined.

    Attributes:
        method: What the interval is by; empty without one.
    """

    method: Method = ""


UNDEFINED = Measure(math.nan, math.nan, math.nan, 0)


class Clusters(Generic[Key]):
    """What is drawn together."""

    def __init__(self, keys: Iterable[Key]) -> None:
        """Number the clusters; the order of rows makes no difference.

        Args:
            keys: The cluster of each row.
        """
        distinct: set[Any] = set(keys)
        self._numbers: dict[Key, int] = {key: n for n, key in enumerate(sorted(distinct))}

    def of(self, keys: Iterable[Key]) -> Numbers:
        """Number the cluster of each row."""
        return np.array([self._numbers[key] for key in keys], dtype=np.int64)

    @cached_property
    def draws(self) -> Resamples:
        """The bootstrap's draws of clusters."""
        return Resamples(np.arange(len(self._numbers)))


class Sample(Generic[Key]):
    """Rows as columns that figures are sums of."""

    def __init__(
        self, clusters: Clusters[Key], keys: Sequence[Key], columns: Mapping[str, Floats]
    ) -> None:
        """Name the columns.

        Args:
            clusters: Those of the whole run.
            keys: The cluster of each row.
            columns: The addends of each row, by the name of their sum.
        """
        self._clusters = clusters
        self._at = clusters.of(keys)
        self._columns = columns

    def share(self, counted: str, among: str) -> Measure:
        """Compute the share of rows in one column of zeros and ones among those of another."""
        share = self.clustered(counted, among)
        method: Method = "Wilson" if share.sources == share.rows else "clustered Wilson"
        rate = rate_of(share)
        return Measure(rate.value, rate.low, rate.high, rate.rows, method if rate.rows else "")

    def sum_of_shares(self, parts: Sequence[tuple[float, str, str]]) -> Measure:
        """Compute a weighted sum of shares; undefined where one is.

        Args:
            parts: The weight, the column of zeros and ones that is counted, and that among which.
        """
        found = WeightedSum([(w, self.clustered(hits, among)) for w, hits, among in parts])
        if math.isnan(found.value):
            return UNDEFINED
        return Measure(found.value, *found.interval(), len(self._at), "sum of shares")

    def clustered(self, counted: str, among: str) -> Share:
        """Measure a share for a sum of shares over the same rows."""
        return share_of_rows(self._at, self._columns[counted], self._columns[among])

    def ratio(self, top: str, bottom: str, least: float = 0.0, most: float = 1.0) -> Measure:
        """Compute one column's sum over another's.

        Args:
            top: The column summed above.
            bottom: The one below.
            least: The lowest that the ratio of a source can be.
            most: The highest.
        """
        return self.mean_of_ratios([(top, bottom)], least, most)

    def mean_of_ratios(
        self, pairs: Sequence[tuple[str, str]], least: float = 0.0, most: float = 1.0
    ) -> Measure:
        """Compute the mean of several columns' sums over others'; undefined where one is.

        Args:
            pairs: The columns summed above, and below.
            least: The lowest that the ratio of a source can be.
            most: The highest.
        """
        below = [self.total(bottom) for _, bottom in pairs]
        if not pairs or not all(below):
            return UNDEFINED
        value = math.fsum(self.total(top) / b for (top, _), b in zip(pairs, below, strict=True))
        value /= len(pairs)
        names = list(self._columns)
        sums = self._replicates
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios = [sums[:, names.index(t)] / sums[:, names.index(b)] for t, b in pairs]
        low, high = interval(np.mean(ratios, axis=0))
        if high - low > _NO_WIDTH:
            return Measure(value, low, high, len(self._at), "bootstrap")
        agreeing = min(self.sources(bottom) for _, bottom in pairs)
        differing = wilson(0, agreeing).high
        low, high = value - differing * (value - least), value + differing * (most - value)
        return Measure(value, low, high, len(self._at), "Wilson bound")

    def total(self, name: str) -> float:
        """Sum a column up, whatever the order of its rows."""
        return math.fsum(self._columns[name])

    def sources(self, among: str) -> int:
        """Count the sources of the rows that a column counts."""
        return int(np.unique(self._at[self._columns[among] > 0]).size)

    @cached_property
    def _replicates(self) -> Floats:
        return self._clusters.draws.sums(self._at, np.column_stack([*self._columns.values()]))
