"""How often 95 % intervals hold the truth where rows share sources: the former ones, and ours.

python bench/interval_coverage.py [--runs 1000] [--sources 5,10,20,30,100]

Each source has one main row and four candidates. How likely a judge says yes to the rows of a
source is drawn from a beta distribution, which correlates candidates of one source (ICC); the main
row's likelihood is the same quantile of the main rows' distribution. Two judges that are compared
share these quantiles. The former interval of a rate is Wilson's over rows, that of BHS and of
differences the percentiles of a bootstrap over sources. Printed: coverage in %, and mean width. The
defaults take two to three minutes of one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from banglahallueval.scoring.bhs import WEIGHT, bhs
from banglahallueval.scoring.bootstrap import Floats, interval
from banglahallueval.scoring.rates import wilson
from banglahallueval.scoring.shares import WeightedSum, share_of

Bools = npt.NDArray[np.bool_]
Ends = tuple[float, float]
Judged = tuple[Bools, Bools]  # whether main rows and candidates are called yes: sources by rows

ROWS = (1, 4)  # of a source: main, candidates
RATES = (0.05, 0.3, 0.9)
CORRELATIONS = (0.0, 0.2, 0.4, 0.7)
PAIRS = ((0.05, 0.9), (0.3, 0.9), (0.05, 0.3))  # false alarms, detection
OTHER = (0.2, 0.7)  # of the judge that all are compared with
RESAMPLES = 500
ROUNDING = 1e-9


def judge(
    rates: tuple[float, float], correlation: float, quantiles: Floats, rng: np.random.Generator
) -> Judged:
    """Draw which rows a judge calls yes."""

    def track(rate: float, rows: int) -> Bools:
        likely = np.full(len(quantiles), rate)
        if correlation:
            scale = (1 - correlation) / correlation
            likely = betaincinv(rate * scale, (1 - rate) * scale, quantiles)
        return rng.random((len(quantiles), rows)) < likely[:, None]

    return track(rates[0], ROWS[0]), track(rates[1], ROWS[1])


def bootstrap(of_source: Floats, rng: np.random.Generator) -> Ends:
    """Compute percentiles of the mean over resampled sources."""
    many = len(of_source)
    draws = rng.multinomial(many, np.full(many, 1 / many), size=RESAMPLES)
    return interval(draws @ of_source / many)


def of_rate(rate: float, correlation: float, sources: int, rng: np.random.Generator) -> list[Ends]:
    """Draw a judge, and compute the intervals of detection."""
    _, found = judge((rate, rate), correlation, rng.random(sources), rng)
    former = wilson(int(found.sum()), found.size)
    ours = share_of(found.sum(axis=1), np.full(sources, ROWS[1]))
    return [(former.low, former.high), ours.interval()]


def of_bhs(
    rates: tuple[float, float], correlation: float, sources: int, rng: np.random.Generator
) -> list[Ends]:
    """Draw a judge, and compute the intervals of BHS."""
    alarms, found = judge(rates, correlation, rng.random(sources), rng)
    scores = WEIGHT * (alarms.mean(axis=1) + 1 - found.mean(axis=1))
    main = share_of(alarms.sum(axis=1), np.full(sources, ROWS[0]))
    misses = share_of((~found).sum(axis=1), np.full(sources, ROWS[1]))
    ours = WeightedSum([(WEIGHT, main), (WEIGHT, misses)])
    return [bootstrap(scores, rng), ours.interval()]


def of_difference(
    rates: tuple[float, float], correlation: float, sources: int, rng: np.random.Generator
) -> list[Ends]:
    """Draw two judges, and compute the intervals of the difference of their BHS."""
    quantiles = rng.random(sources)
    a, b = (judge(of, correlation, quantiles, rng) for of in (rates, OTHER))
    scores = np.zeros(sources)
    parts = []
    for weight, one, other, rows in zip((WEIGHT, -WEIGHT), a, b, ROWS, strict=True):
        scores += weight * (one.mean(axis=1) - other.mean(axis=1))
        for sign, only in ((1, one & ~other), (-1, other & ~one)):
            parts.append((sign * weight, share_of(only.sum(axis=1), np.full(sources, rows))))
    return [bootstrap(scores, rng), WeightedSum(parts).interval()]


def difference(rates: tuple[float, float]) -> float:
    """Compute how far the truth of BHS is from the other judge's."""
    return WEIGHT * ((rates[0] - OTHER[0]) - (rates[1] - OTHER[1]))


def measure(
    draw: Callable[[np.random.Generator], list[Ends]], truth: float, runs: int
) -> tuple[list[float], list[float]]:
    """Compute the coverage, in percent, and the mean width of the former intervals and of ours."""
    rng = np.random.default_rng(1)
    ends = np.array([draw(rng) for _ in range(runs)])
    low, high = ends[:, :, 0], ends[:, :, 1]
    holds = (low - ROUNDING <= truth) & (truth <= high + ROUNDING)
    return (100 * holds.mean(axis=0)).tolist(), (high - low).mean(axis=0).tolist()


def table(
    name: str,
    kinds: Sequence[Any],
    draw: Callable[..., list[Ends]],
    truth: Callable[[Any], float],
    args: argparse.Namespace,
) -> list[str]:
    """Print a line per case, and return the summary: the least and mean coverage by sources."""
    summary = []
    print(f"{name:22} ICC  sources   former: %, width   ours: %, width")
    for sources in map(int, args.sources.split(",")):
        covered = []
        for kind in kinds:
            for correlation in CORRELATIONS:
                one = partial(draw, kind, correlation, sources)
                coverage, width = measure(one, truth(kind), args.runs)
                covered.append(coverage)
                each = "     ".join(
                    f"{c:5.1f} {w:7.3f}" for c, w in zip(coverage, width, strict=True)
                )
                print(f"{kind!s:22} {correlation:.1f}  {sources:7}   {each}", flush=True)
        least, mean = np.min(covered, axis=0), np.mean(covered, axis=0)
        summary.append(
            f"{name:25} {sources:7}   "
            f"{least[0]:5.1f} {mean[0]:5.1f}   {least[1]:5.1f} {mean[1]:5.1f}"
        )
    return summary


def main() -> None:
    """Simulate rates, BHS, and differences of BHS."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--sources", default="5,10,20,30,100")
    args = parser.parse_args()
    summary = [
        *table("rate of candidates", RATES, of_rate, float, args),
        *table("BHS", PAIRS, of_bhs, lambda rates: bhs(*rates), args),
        *table("difference of BHS", PAIRS, of_difference, difference, args),
    ]
    print("\nleast and mean coverage, %  sources   former        ours")
    print(*summary, sep="\n")


if __name__ == "__main__":
    main()
