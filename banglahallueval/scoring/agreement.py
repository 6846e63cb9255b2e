"""Agreement of judges, or of annotators."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import krippendorff
import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.metrics import cohen_kappa_score

from banglahallueval.scoring import bootstrap
from banglahallueval.scoring.bootstrap import Floats, Resamples
from banglahallueval.scoring.rates import Rate

Keys = npt.NDArray[np.generic]
Votes = Mapping[str, npt.NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of all raters on one set of items.

    Attributes:
        items: Items labelled by at least two raters.
        complete: Items labelled by all of them.
        exact: Mean share of agreeing pairs of raters, over complete items.
        unanimous: Share of complete items on which all agree.
        fleiss: Fleiss' κ over complete items (Fleiss 1971).
        alpha: Krippendorff's α, nominal, over all items (Krippendorff 2011): takes gaps as gaps.
        pairs: Cohen's κ of each two raters (Cohen 1960), over items both labelled.
    """

    items: int
    complete: int
    exact: float
    unanimous: float
    fleiss: Rate
    alpha: Rate
    pairs: Mapping[tuple[str, str], Rate]


def agreement(votes: Votes, sources: npt.ArrayLike, draws: Resamples | None = None) -> Agreement:
    """Compute the agreement of two or more raters who say yes or no.

    Point values of α and of Cohen's κ are those of krippendorff and scikit-learn; intervals are
    bootstrap percentiles over sources. A coefficient is nan where only one label occurs.

    Args:
        votes: Per rater one value per item: 1 yes, 0 no, nan neither (unknown, not labelled).
        sources: Source key of each item.
        draws: Resamples of the sources; None to draw from these.
    """
    table = np.column_stack(list(votes.values()))
    keys = np.asarray(sources)
    given = (~np.isnan(table)).sum(axis=1)
    said_yes = np.nansum(table, axis=1)
    full = given == table.shape[1]
    draws = draws or Resamples(keys)
    raters = table.shape[1]
    yes = said_yes[full]
    agreeing = _agreeing_pairs(yes, raters - yes) if raters > 1 else np.ones(len(yes))
    return Agreement(
        items=int((given > 1).sum()),
        complete=int(full.sum()),
        exact=float(agreeing.mean()) if len(yes) else float("nan"),
        unanimous=float((agreeing == 1).mean()) if len(yes) else float("nan"),
        fleiss=_fleiss(yes, raters, keys[full], draws),
        alpha=_alpha(table, keys, draws),
        pairs={(a, b): _cohen(votes[a], votes[b], keys, draws) for a, b in combinations(votes, 2)},
    )


def votes_of(
    rows: pd.DataFrame,
) -> tuple[dict[str, npt.NDArray[np.float64]], npt.NDArray[np.int64]]:
    """Line up the labels of all judges of one task by content.

    Args:
        rows: Rows as `load.Labelled.rows`, of one task.

    Returns:
        Votes as `agreement` takes them, and the items' sources.
    """
    nth = rows.groupby(["system", "key"]).cumcount()
    vote = rows["label"].map({"yes": 1.0, "no": 0.0})
    lined = rows.assign(nth=nth, vote=vote).pivot(
        index=["key", "nth"], columns="system", values="vote"
    )
    source = rows.groupby("key")["source"].first()
    systems = list(dict.fromkeys(rows["system"]))
    return (
        {str(name): lined[name].to_numpy(dtype=float) for name in systems},
        source.loc[lined.index.get_level_values("key")].to_numpy(),
    )


def _agreeing_pairs(yes: Floats, no: Floats) -> Floats:
    raters = yes + no
    return (yes * (yes - 1) + no * (no - 1)) / (raters * (raters - 1))


def _fleiss(yes: Floats, raters: int, sources: Keys, draws: Resamples) -> Rate:
    if not len(yes) or yes.sum() in {0, raters * len(yes)}:
        return _undefined(len(yes))
    pairs = _agreeing_pairs(yes, raters - yes)
    addends = np.column_stack([np.ones(len(yes)), pairs, yes])
    sums = np.vstack([addends.sum(axis=0), draws.sums(sources, addends)])
    items, pairs, all_yes = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        share = all_yes / (raters * items)
        chance = share**2 + (1 - share) ** 2
        kappas = (pairs / items - chance) / (1 - chance)
    return Rate(float(kappas[0]), *bootstrap.interval(kappas[1:]), len(yes))


def _alpha(table: Floats, sources: Keys, draws: Resamples) -> Rate:
    given = (~np.isnan(table)).sum(axis=1)
    table, keys, given = table[given > 1], sources[given > 1], given[given > 1]
    if not len(table) or len(np.unique(table[~np.isnan(table)])) < 2:
        return _undefined(len(table))
    value = float(krippendorff.alpha(table.T, level_of_measurement="nominal"))
    yes = np.nansum(table, axis=1)
    # Coincidences of a unit: yes beside no, all its yes, all its no.
    addends = np.column_stack([yes * (given - yes) / (given - 1), yes, given - yes])

    apart, all_yes, all_no = draws.sums(keys, addends).T
    with np.errstate(invalid="ignore", divide="ignore"):
        replicates = 1 - (all_yes + all_no - 1) * apart / (all_yes * all_no)
    return Rate(value, *bootstrap.interval(replicates), len(table))


def _cohen(a: Floats, b: Floats, sources: Keys, draws: Resamples) -> Rate:
    both = ~np.isnan(a) & ~np.isnan(b)
    a, b = a[both], b[both]
    if not len(a) or (len(np.unique(a)) < 2 and len(np.unique(b)) < 2 and a[0] == b[0]):
        return _undefined(len(a))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = float(cohen_kappa_score(a, b))
    addends = np.column_stack([np.ones(len(a)), a, b, a == b]).astype(float)

    rows, yes_a, yes_b, same = draws.sums(sources[both], addends).T
    with np.errstate(invalid="ignore", divide="ignore"):
        chance = (yes_a * yes_b + (rows - yes_a) * (rows - yes_b)) / rows**2
        replicates = (same / rows - chance) / (1 - chance)
    return Rate(value, *bootstrap.interval(replicates), len(a))


def _undefined(rows: int) -> Rate:
    nothing = float("nan")
    return Rate(nothing, nothing, nothing, rows)
