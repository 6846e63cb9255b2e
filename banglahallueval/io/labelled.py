"""Labelled files: their columns, their labels, and how their rows are matched with an input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest
from banglahallueval.io.layouts import Layout, find_layout
from banglahallueval.io.records import without_judge
from banglahallueval.io.tables import Cells, Table
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Label, Verdict

if TYPE_CHECKING:
    import pandas as pd

LABEL_COLUMN = "is_hallucinated"
OUTPUT_COLUMNS = (LABEL_COLUMN, "p_hallucinated", "unknown_reason", "raw_response")
# Only in outputs that hold labels of unknown origin, as those of a file without a run record.
ORIGIN_COLUMN = "label_origin"
KEPT, JUDGED = "kept", "judged"


def output_cells(verdict: Verdict, columns: Sequence[str]) -> Cells:
    """Write a verdict as the cells of the output columns, then of the judge's further columns."""
    p = verdict.p_hallucinated
    cells = [verdict.label, "" if p is None else f"{p:.6g}", verdict.reason, verdict.raw]
    cells.extend(verdict.details.get(name, "") for name in columns)
    return cells


def by_origin(
    frame: pd.DataFrame, record: Mapping[str, Any]
) -> list[tuple[Mapping[str, Any], pd.DataFrame, str]]:
    """Part the rows of a labelled file into those its judge labelled and those of unknown origin.

    Args:
        frame: The file's cells.
        record: Its run record; empty where it has none.

    Returns:
        Each part's record, without the judge where nothing tells it; its rows; and what to say of
        it, empty where there is nothing. A part without rows is left out.
    """
    if "kept" not in record or ORIGIN_COLUMN not in frame.columns:
        return [(record, frame, "")]
    kept = frame[ORIGIN_COLUMN] == KEPT
    parts = [
        (record, frame[~kept], ""),
        (without_judge(record), frame[kept], "labels that were there before, of unknown origin"),
    ]
    return [part for part in parts if len(part[1])]


def read_label(text: str, where: str) -> Label:
    """Read a label cell of any published form: yes/no/unknown, Yes/No, blank for unknown.

    Raises:
        UsageError: If it is none of these.
    """
    label = text.strip().lower()
    if label == "yes":
        return "yes"
    if label == "no":
        return "no"
    if label in ("", "unknown"):
        return "unknown"
    raise UsageError(f"{where}: {text!r} is not a label (yes, no, unknown or blank)")


def item_digest(item: Item) -> bytes:
    """Compute what items are matched by across files whose columns differ: their own texts."""
    return digest((item.question, item.context, item.output, item.final_answer))


class LabelledOutput:
    """A labelled file whose rows are matched with those of the input it was made from.

    Rows match by all their input cells; in a file of the published scripts, which drop or rename
    columns, by the item's own texts.

    Attributes:
        table: The labelled file.
    """

    def __init__(self, path: Path, columns: Sequence[str], layout: Layout) -> None:
        """Open the file and find its columns.

        Args:
            path: The labelled file.
            columns: The input's columns.
            layout: Where the input keeps the item.

        Raises:
            UsageError: If it is no labelled file of such an input.
        """
        self.table = Table(path)
        if LABEL_COLUMN not in self.table.columns:
            raise UsageError(
                f"{path} has no column {LABEL_COLUMN}, so it is not a labelled file; "
                "name another --output"
            )
        self._at = {name: i for i, name in enumerate(self.table.columns)}
        self._layout = layout
        self._input_columns = frozenset(columns)
        self._whole_rows = set(columns) <= set(self._at)
        if self._whole_rows:
            self._keys = [self._at[name] for name in columns]
        else:
            self._own_layout = find_layout(self.table.columns, layout.task.name, where=str(path))

    @property
    def marks_origin(self) -> bool:
        """Whether the file tells labels of unknown origin from others."""
        return ORIGIN_COLUMN in self._at

    def origin(self, cells: Cells) -> str:
        """Read whether a row's label was kept from a file of unknown origin, or judged."""
        return cells[self._at[ORIGIN_COLUMN]] if self.marks_origin else JUDGED

    def dropped_columns(self, added: Sequence[str]) -> list[str]:
        """List the columns that a run would drop.

        Args:
            added: The columns that the run adds to those of its input.

        Raises:
            UsageError: Naming them, unless the file is one of the published scripts, which drop
                and rename columns: they may be a user's notes.
        """
        known = self._input_columns | {*added, ORIGIN_COLUMN}
        if not self._whole_rows:
            known |= set(self._own_layout.columns.values())  # texts that the input holds, too
        dropped = [name for name in self.table.columns if name not in known]
        if dropped and self._whole_rows:
            names = ", ".join(map(repr, dropped))
            columns = "column" if len(dropped) == 1 else "columns"
            raise UsageError(
                f"{self.table.path} has the {columns} {names}, which this run would drop; give "
                "the flags of the earlier run, take them out, or name another --output"
            )
        return dropped

    def key(self, cells: Cells) -> bytes:
        """Compute what a row of this file is matched by."""
        if self._whole_rows:
            return digest([cells[i] for i in self._keys])
        return item_digest(self._own_layout.item(cells))

    def input_key(self, cells: Cells) -> bytes:
        """Compute what a row of the input is matched by."""
        return digest(cells) if self._whole_rows else item_digest(self._layout.item(cells))

    def is_settled(self, number: int, cells: Cells) -> bool:
        """Whether a row, given its number from 1, is labelled yes or no.

        Raises:
            UsageError: If its label is none.
        """
        where = f"{self.table.path}, row {number}"
        return read_label(cells[self._at[LABEL_COLUMN]], where) != "unknown"

    def verdict(self, cells: Cells, columns: Sequence[str]) -> Verdict:
        """Read the verdict of a row.

        Args:
            cells: The row.
            columns: The judge's further output columns; those the file lacks are empty.
        """

        def cell(name: str) -> str:
            return cells[self._at[name]] if name in self._at else ""

        label = read_label(cell(LABEL_COLUMN), str(self.table.path))
        p = cell("p_hallucinated")
        return Verdict(
            label,
            reason=cell("unknown_reason") if label == "unknown" else "",
            p_hallucinated=_probability(p, self.table.path) if p else None,
            raw=cell("raw_response"),
            details={name: cell(name) for name in columns},
        )


def _probability(text: str, path: Path) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{path}: p_hallucinated {text!r} is not a number") from None
