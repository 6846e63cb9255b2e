"""Labelled files: their columns, and which labels of an earlier one a run keeps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest
from banglahallueval.io.layouts import Layout, find_layout
from banglahallueval.io.tables import Cells, Table
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Label, Verdict

LABEL_COLUMN = "is_hallucinated"
OUTPUT_COLUMNS = (LABEL_COLUMN, "p_hallucinated", "unknown_reason", "raw_response")


def output_cells(verdict: Verdict, columns: Sequence[str]) -> Cells:
    """A verdict as the cells of the output columns, then of the judge's further columns."""
    p = verdict.p_hallucinated
    cells = [verdict.label, "" if p is None else f"{p:.6g}", verdict.reason, verdict.raw]
    cells.extend(verdict.details.get(name, "") for name in columns)
    return cells


def read_label(text: str, where: str) -> Label:
    """A label cell of any published form: yes/no/unknown, Yes/No, blank for unknown.

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
    """What items are matched by across files whose columns differ: their own texts."""
    return digest((item.question, item.context, item.output, item.final_answer))


class EarlierOutput:
    """The labels an output already holds, found again by the text of their rows.

    Rows match by all their input cells; in a file of the published scripts, which drop or rename
    columns, by the item's own texts. Equal rows are told apart by their order.
    """

    def __init__(self, path: Path, columns: Sequence[str], layout: Layout) -> None:
        """Read which rows an output holds.

        Args:
            path: The labelled file.
            columns: The input's columns.
            layout: Where the input keeps the item.

        Raises:
            UsageError: If it is no labelled file of this input.
        """
        self.table = Table(path)
        if LABEL_COLUMN not in self.table.columns:
            raise UsageError(
                f"{path} has no column {LABEL_COLUMN}, so it is not a labelled file; "
                "name another --output"
            )
        at = {name: i for i, name in enumerate(self.table.columns)}
        self._layout = layout
        self._whole_rows = set(columns) <= set(at)
        if self._whole_rows:
            self._keys = [at[name] for name in columns]
        else:
            self._own_layout = find_layout(self.table.columns, layout.task.name, where=str(path))
        self._at = at
        # Per digest the first letters of its rows' labels, in file order: y, n, u.
        self.labels: dict[bytes, str] = {}
        for number, (key, cells) in enumerate(self._read(), 1):
            label = read_label(cells[at[LABEL_COLUMN]], f"{path}, row {number}")
            self.labels[key] = self.labels.get(key, "") + label[0]
        self._unread = self._read()
        self._passed: dict[bytes, deque[Cells]] = {}

    def check_kept(self, added: Sequence[str]) -> None:
        """See to it that a run which adds these columns to the input's drops none that is there.

        Files of the published scripts have columns of their own, which are not kept.

        Raises:
            UsageError: If it would, as it would a column of a user's notes.
        """
        if not self._whole_rows:
            return
        known = {*added, *(self.table.columns[i] for i in self._keys)}
        lost = [name for name in self.table.columns if name not in known]
        if lost:
            raise UsageError(
                f"{self.table.path} has the column {lost[0]!r}, which this run would drop; give "
                "the flags of the earlier run, take the column out, or name another --output"
            )

    def digest(self, cells: Cells) -> bytes:
        """What an input row is matched by."""
        if self._whole_rows:
            return digest(cells)
        return item_digest(self._layout.item(cells))

    def verdict(self, key: bytes, columns: Sequence[str]) -> Verdict:
        """The verdict on the next row with this digest; call it once for each row found."""
        cells = self._next(key)

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

    def _own_digest(self, cells: Cells) -> bytes:
        if self._whole_rows:
            return digest([cells[i] for i in self._keys])
        return item_digest(self._own_layout.item(cells))

    def _read(self) -> Iterator[tuple[bytes, Cells]]:
        for cells in self.table.rows():
            yield self._own_digest(cells), cells

    def _next(self, key: bytes) -> Cells:
        # Both files are nearly always in one order, so little is ever passed over and kept.
        passed = self._passed.get(key)
        if passed:
            cells = passed.popleft()
            if not passed:
                del self._passed[key]
            return cells
        for other, cells in self._unread:
            if other == key:
                return cells
            self._passed.setdefault(other, deque()).append(cells)
        raise UsageError(f"{self.table.path} changed while it was read; start again")


def _probability(text: str, path: Path) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{path}: p_hallucinated {text!r} is not a number") from None
