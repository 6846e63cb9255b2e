"""Cluster bootstrap over sources: the rows of one source are drawn together.

Every statistic here is a function of sums over rows (counts of alarms, of misses, of rows), so a
resample is fully described by how often each source was drawn: its sums are these counts times the
sums per source. The draws are made once per task and shared by all judges and pairs of judges, so
that paired rows stay paired.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

RESAMPLES = 10_000
SEED = 42
LEVEL = 0.95

_DRAWS = 250_000  # made at a time: their counts stay in the processor's cache
_CELLS = 8_000_000  # multiplied at a time


class Resamples:
    """How often each source was drawn: the cluster bootstrap (Davison & Hinkley 1997, 3.8).

    N sources are drawn with replacement from N, within each stratum. Strata keep what is fixed by
    design: with sources that have main rows, candidates or both, each resample holds as many of
    each kind as the data.
    """

    def __init__(
        self,
        sources: npt.ArrayLike,
        kinds: npt.ArrayLike | None = None,
        *,
        resamples: int = RESAMPLES,
        seed: int = SEED,
    ) -> None:
        """Draw the resamples.

        Args:
            sources: The source key of each row.
            kinds: Per row a bit mask; sources whose rows have the same bits form a stratum. None
                for one stratum.
            resamples: How many resamples to draw.
            seed: Equal seeds and data give equal draws.
        """
        self._keys, at = np.unique(np.asarray(sources), return_inverse=True)
        strata = np.zeros(len(self._keys), dtype=np.int64)
        if kinds is not None:
            np.bitwise_or.at(strata, at, np.asarray(kinds, dtype=np.int64))
        rng = np.random.default_rng(seed)
        # A byte suffices: N sources give at most N draws of one, and more than 255 never occur.
        self._counts = np.zeros((resamples, len(self._keys)), dtype=np.uint8)
        for stratum in np.unique(strata):
            members = np.flatnonzero(strata == stratum)
            block = max(1, _DRAWS // len(members))
            for start in range(0, resamples, block):
                rows = min(block, resamples - start)
                drawn = rng.integers(len(members), size=(rows, len(members)), dtype=np.int32)
                drawn += np.arange(rows, dtype=np.int32)[:, None] * len(members)
                counts = np.bincount(drawn.ravel(), minlength=rows * len(members))
                self._counts[start : start + rows, members] = counts.reshape(rows, len(members))

    def counts(self, sources: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """Count how often each row was drawn, for statistics that are no functions of sums.

        Args:
            sources: The source key of each row; each one of those drawn from.

        Returns:
            One row per resample.
        """
        return self._counts[:, np.searchsorted(self._keys, np.asarray(sources))]

    def sums(self, sources: npt.ArrayLike, values: Floats) -> Floats:
        """Compute sums over the rows of each resample.

        Args:
            sources: The source key of each row; each one of those drawn from.
            values: The addends of each row, one column per sum.

        Returns:
            One row of sums per resample.
        """
        at = np.searchsorted(self._keys, np.asarray(sources))
        by_source = np.column_stack(
            [np.bincount(at, weights=column, minlength=len(self._keys)) for column in values.T]
        )
        # Single precision is exact for counts up to 16 million, and twice as fast.
        addends = by_source.astype(np.float32)
        block = max(1, _CELLS // len(self._keys))
        return np.vstack(
            [
                self._counts[start : start + block].astype(np.float32) @ addends
                for start in range(0, len(self._counts), block)
            ]
        ).astype(float)


def interval(replicates: Floats, level: float = LEVEL) -> tuple[float, float]:
    """Compute the percentile interval of replicates (Efron & Tibshirani 1993, chapter 13).

    Undefined replicates (resamples without the needed rows) are ignored; the interval is (nan, nan)
    if all are. It has no width where every row agrees; for rates of 0 and 1 use `rates.wilson`.
    """
    defined = replicates[~np.isnan(replicates)]
    if not len(defined):
        return (float("nan"), float("nan"))
    tail = (1 - level) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return float(low), float(high)
