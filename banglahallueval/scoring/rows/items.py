"""The rows that judges were asked about, each once, and which of them a page holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

# What files of published scripts may have dropped, or have in one judge's file alone.
_AT_TIMES = ("id", "source_id", "pattern", "right")
# What a row says of itself, whichever judge's file it is read from.
_OWN = ("task", "track", "row", "evidence", "question", "output", *_AT_TIMES)


@dataclass(frozen=True, slots=True)
class Items:
    """Rows, each once, with the votes of all judges.

    Attributes:
        own: What each row says of itself: `task`, `track`, `row`, `id`, `source_id`, `pattern`,
            `evidence`, `question`, `output`, `right`; in the order in which they were read.
        votes: Per judge its labelled rows by their item's place in `own`.
        total: Number of rows that there are, those that are left out among them.
    """

    own: pd.DataFrame
    votes: dict[str, pd.DataFrame]
    total: int


def items_of(rows: pd.DataFrame, most: int | None = None) -> Items:
    """Join the labels of all judges by the row that they are about.

    Args:
        rows: Rows as `load.Labelled.rows`.
        most: Maximum number of rows; None for all. Those that are left out are chosen by
            `chosen`.
    """
    nth = rows.groupby(["system", "key"], sort=False).cumcount().rename("nth")
    item = rows.groupby(["key", nth], sort=False).ngroup()
    rows = rows.assign(item=item)
    own = rows.drop_duplicates("item").set_index("item")[[*_OWN]]
    for name in _AT_TIMES:
        own[name] = rows[rows[name].ne("")].drop_duplicates("item").set_index("item")[name]
    own = own.fillna(dict.fromkeys(_AT_TIMES, ""))
    own["right"] = own["right"].where(own["right"].ne(""), _right_of_main(rows, own))
    total = len(own)
    if most is not None and total > most:
        own = own.loc[chosen(own, rows, most)]
    votes = {
        str(judge): of_judge.set_index("item").reindex(own.index)
        for judge, of_judge in rows.groupby("system", sort=False)
    }
    return Items(own, votes, total)


def chosen(own: pd.DataFrame, rows: pd.DataFrame, most: int) -> list[int]:
    """Choose the items of a page that cannot hold all.

    Each task's main rows and candidates get the same number, what some do not need going to the
    others. Of each, the items that most judges get wrong come first, then those that most leave
    unknown, then those that come first in their file.

    Args:
        own: The items.
        rows: The labelled rows, with `item`.
        most: Maximum number of items.

    Returns:
        The items' keys in the order of `own`.
    """
    expected = rows["track"].map({"candidates": "yes", "main": "no"})
    unknown = rows["label"].eq("unknown")
    wrong = rows["label"].ne(expected) & ~unknown
    counts = pd.DataFrame({"wrong": wrong, "unknown": unknown}).groupby(rows["item"]).sum()
    counts = counts.loc[own.index]
    groups = [of_kind.index for _, of_kind in own.groupby(["task", "track"], sort=False)]
    kept: set[int] = set()
    for group, quota in zip(groups, quotas([len(group) for group in groups], most), strict=True):
        first = counts.loc[group].sort_values(["wrong", "unknown"], ascending=False, kind="stable")
        kept.update(first.index[:quota])
    return [item for item in own.index if item in kept]


def quotas(sizes: Sequence[int], most: int) -> list[int]:
    """Divide a number of places evenly among groups; what small ones leave goes to the others.

    Returns:
        The places of each group; all of `most` are given away where there are as many members.
    """
    given = [0] * len(sizes)
    smallest_first = sorted(range(len(sizes)), key=lambda at: sizes[at])
    for number, at in enumerate(smallest_first):
        given[at] = min(sizes[at], most // (len(sizes) - number))
        most -= given[at]
    return given


def _right_of_main(rows: pd.DataFrame, own: pd.DataFrame) -> pd.Series:
    """Find the right outputs of candidates whose files lack them: the main rows' of their source.

    A source with several questions has a main row for each; where a question has more than one
    right output, none is taken.
    """
    asked = ["task", "source", "question"]
    source = rows.drop_duplicates("item").set_index("item")["source"]
    of_item = own.assign(source=source)
    main = of_item[of_item["track"].eq("main")].drop_duplicates([*asked, "output"])
    main = main.drop_duplicates(asked, keep=False)[[*asked, "output"]]
    joined = of_item[asked].merge(main, how="left", on=asked)["output"].set_axis(own.index)
    return joined.where(own["track"].eq("candidates")).fillna("")
