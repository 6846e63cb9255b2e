"""Pairwise comparison of judges on the rows that both labelled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import binomtest

from banglahallueval.scoring.bhs import WEIGHT
from banglahallueval.scoring.rates import Bools, Rate
from banglahallueval.scoring.shares import WeightedSum, share_of_rows


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
        difference: BHS of a minus BHS of b, with its interval clustered by source; nan where a
            track has no matched rows.
        bhs_p: Two-sided, of no difference in BHS: below 0.05 where the interval leaves out 0.
        mcnemar_holm, bhs_holm: The same, corrected for the number of pairs compared.
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
    bhs_p: float
    mcnemar_holm: float = float("nan")
    bhs_holm: float = float("nan")


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
    return float(binomtest(a_right, a_right + b_right).pvalue) if a_right + b_right else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p values by Holm's step-down method (1979); nan stays nan and is not counted."""
    p = np.asarray(p_values, dtype=float)
    defined = ~np.isnan(p)
    order = np.flatnonzero(defined)[np.argsort(p[defined])]
    p[order] = np.minimum(1, np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)))
    return [float(value) for value in p]


def compare(rows: pd.DataFrame) -> list[Comparison]:
    """Compare all pairs of judges within each task, corrected over all pairs of all tasks.

    Args:
        rows: Rows as `load.Labelled.rows`.
    """
    found = []
    for task, of_task in rows.groupby("task", sort=False):
        systems = {str(name): group for name, group in of_task.groupby("system", sort=False)}
        for a, b in combinations(systems, 2):
            found.append(_compare(str(task), a, b, systems[a], systems[b]))
    return [
        replace(each, mcnemar_holm=by_mcnemar, bhs_holm=by_bhs)
        for each, by_mcnemar, by_bhs in zip(
            found,
            holm([each.mcnemar_p for each in found]),
            holm([each.bhs_p for each in found]),
            strict=True,
        )
    ]


def _compare(
    task: str,
    name_a: str,
    name_b: str,
    rows_a: pd.DataFrame,
    rows_b: pd.DataFrame,
) -> Comparison:
    pairs = match(rows_a, rows_b)
    candidate: Bools = pairs["track"].eq("candidates").to_numpy()
    a, b = (pairs[f"label_{side}"].eq("yes").to_numpy() for side in "ab")
    a_right = int(((a == candidate) & (b != candidate)).sum())
    b_right = int(((b == candidate) & (a != candidate)).sum())
    difference, p = _bhs_difference(candidate, a, b, pairs["source"].to_numpy())
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
        bhs_p=p,
    )


def _bhs_difference(
    candidate: Bools, a: Bools, b: Bools, sources: npt.NDArray[np.int64]
) -> tuple[Rate, float]:
    """Compute the difference, and its p, from the shares of rows that only one calls `yes`.

    Unlike each judge's own rates, these shares have a width where both judges agree.
    """
    if not candidate.any() or candidate.all():
        return Rate(math.nan, math.nan, math.nan, 0), math.nan
    _, at = np.unique(sources, return_inverse=True)
    difference = WeightedSum(
        [
            (sign * weight, share_of_rows(at, track & said & ~other, track))
            for weight, track in ((WEIGHT, ~candidate), (-WEIGHT, candidate))
            for sign, said, other in ((1, a, b), (-1, b, a))
        ]
    )
    rate = Rate(difference.value, *difference.interval(), len(candidate))
    return rate, difference.p_of_zero()
