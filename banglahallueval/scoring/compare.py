"""Pairwise comparison of judges on the rows that both labelled."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from banglahallueval.scoring import bootstrap
from banglahallueval.scoring.bhs import WEIGHT, bhs_difference
from banglahallueval.scoring.bootstrap import Resamples
from banglahallueval.scoring.rates import NO_WIDTH, Bools, Rate, where_sources_agree


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two judges on the rows of one task that both labelled; unknown is no `yes`.

    Attributes:
        task, a, b: What is compared.
        rows: Rows matched.
        only_a, only_b: Rows in one judge's files only; they are left out.
        a_right, b_right: Rows that only a, or only b, judged right.
        mcnemar_p: Exact two-sided McNemar test of those two counts. It takes rows as independent
            and weighs tracks by their rows.
        difference: BHS of a minus BHS of b, with its interval clustered by source, exact where a
            bootstrap has no width; nan where a track has no matched rows.
        bootstrap_p: Two-sided, of no difference in BHS.
        mcnemar_holm, bootstrap_holm: The same, corrected for the number of pairs compared.
    """

    task: str
    a: str
    b: str
    rows: int
    only_a: int
    only_b: int
    a_right: int
    b_right: int
    mcnemar_p: float
    difference: Rate
    bootstrap_p: float
    mcnemar_holm: float = float("nan")
    bootstrap_holm: float = float("nan")


def match(a: pd.DataFrame, b: pd.DataFrame, columns: Sequence[str] = ("label",)) -> pd.DataFrame:
    """Pair up the rows of two judges by content, each row at most once.

    Equal rows are paired in file order: three in one and two in the other give two pairs.

    Args:
        a: Rows as `load.Labelled.rows`.
        b: Rows of the other judge.
        columns: What to take of each; it comes out with `_a` and `_b` appended.

    Returns:
        The pairs, with `key`, `track` and `source`.
    """
    sides = [
        side[["key", "track", "source", *columns]].assign(nth=side.groupby("key").cumcount())
        for side in (a, b)
    ]
    sides[1] = sides[1].drop(columns=["track", "source"])
    return sides[0].merge(sides[1], on=["key", "nth"], suffixes=("_a", "_b"), validate="1:1")


def mcnemar_exact(a_right: int, b_right: int) -> float:
    """Compute the two-sided p of the exact (binomial) McNemar test (1947); 1 for two zeros."""
    return float(mcnemar([[0, a_right], [b_right, 0]], exact=True).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p values by Holm's step-down method (1979); nan stays nan and is not counted."""
    p = np.asarray(p_values, dtype=float)
    defined = ~np.isnan(p)
    if defined.any():
        p[defined] = multipletests(p[defined], method="holm")[1]
    return [float(value) for value in p]


def compare(rows: pd.DataFrame, draws: Mapping[str, Resamples]) -> list[Comparison]:
    """Compare all pairs of judges within each task, corrected over all pairs of all tasks.

    Args:
        rows: Rows as `load.Labelled.rows`.
        draws: Per task the resamples of its sources.
    """
    found = []
    for task, of_task in rows.groupby("task", sort=False):
        systems = {str(name): group for name, group in of_task.groupby("system", sort=False)}
        for a, b in combinations(systems, 2):
            found.append(_compare(str(task), a, b, systems[a], systems[b], draws[str(task)]))
    return [
        replace(each, mcnemar_holm=by_mcnemar, bootstrap_holm=by_bootstrap)
        for each, by_mcnemar, by_bootstrap in zip(
            found,
            holm([each.mcnemar_p for each in found]),
            holm([each.bootstrap_p for each in found]),
            strict=True,
        )
    ]


def _compare(
    task: str,
    name_a: str,
    name_b: str,
    rows_a: pd.DataFrame,
    rows_b: pd.DataFrame,
    draws: Resamples,
) -> Comparison:
    pairs = match(rows_a, rows_b)
    candidate: Bools = pairs["track"].eq("candidates").to_numpy()
    a, b = (pairs[f"label_{side}"].eq("yes").to_numpy() for side in "ab")
    a_right = int(((a == candidate) & (b != candidate)).sum())
    b_right = int(((b == candidate) & (a != candidate)).sum())
    difference, p = _bhs_difference(candidate, a, b, pairs["source"].to_numpy(), draws)
    return Comparison(
        task,
        name_a,
        name_b,
        rows=len(pairs),
        only_a=len(rows_a) - len(pairs),
        only_b=len(rows_b) - len(pairs),
        a_right=a_right,
        b_right=b_right,
        mcnemar_p=mcnemar_exact(a_right, b_right) if len(pairs) else float("nan"),
        difference=difference,
        bootstrap_p=p,
    )


def _bhs_difference(
    candidate: Bools, a: Bools, b: Bools, sources: npt.NDArray[np.int64], draws: Resamples
) -> tuple[Rate, float]:
    if not candidate.any() or candidate.all():
        nothing = float("nan")
        return Rate(nothing, nothing, nothing, 0), nothing
    main = ~candidate
    # Both judges' rates have the same denominator, so only the difference of counts is needed.
    values = np.column_stack([main, candidate, main * (1.0 * a - b), candidate * (1.0 * a - b)])
    sums = np.vstack([values.sum(axis=0), draws.sums(sources, values)])
    with np.errstate(invalid="ignore", divide="ignore"):
        differences = bhs_difference(sums[:, 2] / sums[:, 0], sums[:, 3] / sums[:, 1])
    value, (low, high) = float(differences[0]), bootstrap.interval(differences[1:])
    if high - low < NO_WIDTH:
        alarms, found = (
            where_sources_agree(
                float((1.0 * a - b)[track].mean()), len(np.unique(sources[track])), -1, 1
            )
            for track in (main, candidate)
        )
        low = value - WEIGHT * math.hypot(alarms.value - alarms.low, found.high - found.value)
        high = value + WEIGHT * math.hypot(alarms.high - alarms.value, found.value - found.low)
        low, high = max(-100.0, low), min(100.0, high)
    p = bootstrap.two_sided_p(differences[1:])
    return Rate(value, low, high, len(candidate)), p
