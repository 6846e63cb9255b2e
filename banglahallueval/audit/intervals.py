"""AUROC with a 95 % interval by source: all rows of a source are drawn together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

_RESAMPLES = 1_000
_SEED = 42
_LEVEL = 0.95
_NO_WIDTH = 1e-9


class Separation(NamedTuple):
    """How well scores separate candidates from gold outputs.

    Attributes:
        auroc: Probability that a candidate scores above a gold output, ties counted half; 0 to 1.
        low, high: The ends of its 95 % interval.
    """

    auroc: float
    low: float
    high: float


class Draws(NamedTuple):
    """Resamples of sources.

    Attributes:
        counts: How often each row was drawn: one row per resample, one column per row.
        sources: Number of sources.
    """

    counts: Floats
    sources: int


def draw_sources(sources: Ints) -> Draws:
    """Draw sources with replacement (cluster bootstrap, Davison & Hinkley 1997, 3.8).

    Args:
        sources: The number of each row's source, from 0 without gaps.
    """
    number = int(sources.max()) + 1
    rng = np.random.default_rng(_SEED)
    counts = rng.multinomial(number, np.full(number, 1 / number), size=_RESAMPLES)
    return Draws(counts[:, sources].astype(np.float64), number)


def separation(scores: Floats, truth: Bools, draws: Draws) -> Separation:
    """Compute the AUROC of scores and its percentile interval.

    Where the percentiles have no width because no source disagrees, the interval says how far the
    figure could move if as many sources differed as Wilson's upper bound for 0 of them allows.

    Args:
        scores: One row per repetition of the experiment, whose AUROCs are averaged; one column
            per output.
        truth: Whether each output is a candidate; there must be both kinds.
        draws: Resamples of the outputs' sources.
    """
    once = np.ones((1, len(truth)))
    value = float(np.mean([_aurocs(each, truth, once)[0] for each in scores]))
    drawn = np.mean([_aurocs(each, truth, draws.counts) for each in scores], axis=0)
    tail = (1 - _LEVEL) / 2
    low, high = np.nanquantile(drawn, [tail, 1 - tail]).tolist()
    if high - low < _NO_WIDTH:
        bounds = binomtest(0, draws.sources).proportion_ci(_LEVEL, method="wilson")
        differing = float(bounds.high)
        low, high = value - differing * value, value + differing * (1 - value)
    return Separation(value, low, high)


def _aurocs(scores: Floats, truth: Bools, weights: Floats) -> Floats:
    """Compute the AUROC of weighted rows, one for each row of weights; nan without both kinds."""
    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(scores[order]) > 0])
    weighted, positive = weights[:, order], truth[order]
    above = np.add.reduceat(weighted * positive, starts, axis=1)
    below = np.add.reduceat(weighted * ~positive, starts, axis=1)
    lower = np.cumsum(below, axis=1) - below
    with np.errstate(invalid="ignore", divide="ignore"):
        won: Floats = (above * (lower + below / 2)).sum(axis=1)
        won /= above.sum(axis=1) * below.sum(axis=1)
    return won
