"""95 % intervals of figures over trials, whose questions may share sources.

Shares of independent questions have Wilson's interval. Everything else has the percentiles of a
bootstrap that draws whole sources, the same for every threshold. Where all sources agree, these
percentiles have no width; then the interval says how far the figure could move if as many sources
differed as Wilson's upper bound for 0 of them allows. For shares of 0 and 1 that is Wilson's
interval over the sources.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from banglahallueval.abstention.results import key_cells
from banglahallueval.abstention.types import Question, Trial
from banglahallueval.scoring.bootstrap import Floats, Resamples, interval
from banglahallueval.scoring.rates import Rate, wilson

Method = Literal["", "Wilson", "bootstrap", "Wilson bound"]

METHODS = (
    "[95 % interval]: Wilson for shares of independent questions; else a bootstrap over sources "
    "(10,000 draws, all thresholds of a question together), and Wilson's bound where all agree."
)
LEAST_SOURCES = 5  # with fewer, the intervals of a subject say next to nothing
_NO_WIDTH = 1e-6  # sums of a resample are in single precision


@dataclass(frozen=True, slots=True)
class Measure(Rate):
    """A figure with its 95 % interval; nan where it is undefined.

    Attributes:
        method: What the interval is by; empty without one.
    """

    method: Method = ""


class Clusters:
    """What is drawn together: the trials of a source; a question without one stands alone."""

    def __init__(self, trials: Iterable[Trial]) -> None:
        """Collect the clusters; the order of trials makes no difference."""
        keys = sorted({_cluster_key(trial.question) for trial in trials})
        self._numbers = {key: number for number, key in enumerate(keys)}

    def of(self, trials: Iterable[Trial]) -> npt.NDArray[np.int64]:
        """Number the cluster of each trial."""
        return np.array(
            [self._numbers[_cluster_key(trial.question)] for trial in trials], dtype=np.int64
        )

    @cached_property
    def draws(self) -> Resamples:
        """The bootstrap's draws of clusters."""
        return Resamples(np.arange(len(self._numbers)))


class Sample:
    """Trials at one threshold, as columns that figures are sums of."""

    def __init__(
        self, clusters: Clusters, trials: Sequence[Trial], columns: Mapping[str, Floats]
    ) -> None:
        """Name the columns.

        Args:
            clusters: Those of the whole run.
            trials: The trials, at most one per question.
            columns: The addends of each trial, by the name of their sum.
        """
        self._clusters = clusters
        self._at = clusters.of(trials)
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


def item_key(question: Question) -> tuple[str, ...]:
    """Name a question by what results tell it by, whatever the threshold."""
    return tuple(key_cells(question, 0.0))


def _cluster_key(question: Question) -> tuple[str, ...]:
    return (question.source,) if question.source else item_key(question)
