"""What the columns of a labelled contrast set say of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from banglahallueval.errors import UsageError

RIGHT = "right"  # the kind of rows in which nothing is wrong
NO_SPLIT = "no split"
_SPLITS = ("fit", "measure")


def with_expectations(path: Path, frame: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Add `expected`, `kind`, `style` and `split` to labelled rows.

    Rows are clustered by `source_id` where they have one, and their track is `contrast`, so that
    they are never taken for rows of another.

    Args:
        path: The file.
        frame: Its cells.
        rows: The same rows, as `labelled_rows` makes them.

    Raises:
        UsageError: If a cell has none of the values it may have, in one line that names the row.
    """
    empty = pd.Series("", frame.index)
    cells = {name: frame[name].str.strip() for name in ("expected", "kind", "style")}
    cells["expected"] = cells["expected"].str.casefold()
    cells["split"] = frame.get("split", empty).str.strip().str.casefold()
    source = frame.get("source_id", empty).str.strip()
    for row, problem in _problems(pd.DataFrame({**cells, "source": source})):
        raise UsageError(f"{path}, row {row} (0-based): {problem}")
    if not cells["split"].any():
        cells["split"] = pd.Series(NO_SPLIT, frame.index)
    named = rows["task"] + " " + source
    return rows.assign(track="contrast", source=rows["source"].where(source.eq(""), named), **cells)


def _problems(cells: pd.DataFrame) -> Iterator[tuple[object, str]]:
    """Find what is wrong in which row, in file order."""
    has_splits = cells["split"].ne("").any()
    split_of: dict[str, str] = {}
    for row, each in cells.iterrows():
        expected, kind, split = each["expected"], each["kind"], each["split"]
        if expected not in ("yes", "no"):
            yield row, f"expected {expected!r} is neither yes nor no"
        elif expected == "yes" and kind in ("", RIGHT):
            yield row, f"expected yes, but kind {kind!r} does not say what is wrong"
        elif expected == "no" and kind not in ("", RIGHT):
            yield row, f"expected no, but kind {kind!r} says that something is wrong"
        elif not each["style"]:
            yield row, "its style is blank"
        elif has_splits and split not in _SPLITS:
            yield row, f"split {split!r} is neither fit nor measure (or leave all of them blank)"
        elif each["source"] and split_of.setdefault(each["source"], split) != split:
            yield row, f"source_id {each['source']!r} is in both splits"
