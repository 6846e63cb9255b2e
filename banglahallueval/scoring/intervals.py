"""95 % intervals of figures over rows that may share sources.

Shares of independent rows have Wilson's interval. Everything else has the percentiles of a
bootstrap that draws whole sources, the same ones for every sample of one run. Where all sources
agree, these percentiles have no width; then the interval says how far the figure could move if as
many sources differed as Wilson's upper bound for 0 of them allows. For shares of 0 and 1 that is
Wilson's interval over the sources.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from banglahallueval.scoring.bootstrap import Floats, Resamples, interval
from banglahallueval.scoring.rates import Rate, wilson

Method = Literal["", "Wilson", "bootstrap", "Wilson bound"]
Source = tuple[str, ...]  # what names a source; rows that share none have each its own

_NO_WIDTH = 1e-6  # sums of a resample are in single precision


@dataclass(frozen=True, slots=True)
class Measure(Rate):
    """A figure with its 95 % interval; nan where it is undefined.

    Attributes:
        method: What the interval is by; empty without one.
    """

    method: Method = ""


class Clusters:
    """What is drawn together: the rows of a source."""

    def __init__(self, sources: Iterable[Source]) -> None:
        """Collect the sources; their order makes no difference."""
        self._numbers = {source: number for number, source in enumerate(sorted(set(sources)))}

    def of(self, sources: Iterable[Source]) -> npt.NDArray[np.int64]:
        """Number the source of each row."""
        return np.array([self._numbers[source] for source in sources], dtype=np.int64)

    @cached_property
    def draws(self) -> Resamples:
        """The bootstrap's draws of sources."""
        return Resamples(np.arange(len(self._numbers)))


class Sample:
    """Rows as columns that figures are sums of."""

    def __init__(
        self, clusters: Clusters, sources: Iterable[Source], columns: Mapping[str, Floats]
    ) -> None:
        """Name the columns.

        Args:
            clusters: Those of the whole run.
            sources: The source of each row.
            columns: The addends of each row, by the name of their sum.
        """
        self._clusters = clusters
        self._at = clusters.of(sources)
        self._columns = columns

    def share(self, counted: str, among: str) -> Measure:
        """Compute the share of rows in one column of zeros and ones among those of another."""
        rows = self.total(among)
        if rows and self.sources(among) == rows:
            rate = wilson(int(self.total(counted)), int(rows))
            # Rounding may put the end of a share of 0 or 1 on its wrong side.
            low, high = min(rate.low, rate.value), max(rate.high, rate.value)
            return Measure(rate.value, low, high, rate.rows, "Wilson")
        return self.ratio(counted, among)

    def ratio(self, top: str, bottom: str, least: float = 0.0, most: float = 1.0) -> Measure:
        """Compute one column's sum over another's.

        Args:
            top: The column summed above.
            bottom: The one below.
            least: The lowest that the ratio of a source can be.
            most: The highest.
        """
        below = self.total(bottom)
        if not below:
            return Measure(math.nan, math.nan, math.nan, 0)
        value = self.total(top) / below
        names = list(self._columns)
        with np.errstate(invalid="ignore", divide="ignore"):
            low, high = interval(
                self._replicates[:, names.index(top)] / self._replicates[:, names.index(bottom)]
            )
        if high - low > _NO_WIDTH:
            return Measure(value, low, high, len(self._at), "bootstrap")
        differing = wilson(0, self.sources(bottom)).high
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
