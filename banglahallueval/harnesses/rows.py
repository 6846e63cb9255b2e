"""The rows that an export holds: items with their keys, prompts and expected labels."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest, file_sha256
from banglahallueval.io.contrast import is_contrast
from banglahallueval.io.flagged import FlaggedRows
from banglahallueval.io.labelled import OUTPUT_COLUMNS
from banglahallueval.io.layouts import Layout, find_layout
from banglahallueval.io.tables import Cells, Table
from banglahallueval.prompts import Prompt
from banglahallueval.tasks import Item, Task, Track

EXPECTED: Mapping[Track, str] = {"main": "no", "candidates": "yes"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a benchmark file.

    Attributes:
        number: Its number in the file, from 0.
        key: What it is matched by: all its cells.
        item: What a judge sees of it.
        pattern: How a candidate was made; empty on main.
        source: The id of what it was made from; empty where the file has none.
    """

    number: int
    key: str
    item: Item
    pattern: str
    source: str


@dataclass(frozen=True, slots=True)
class TrackRows:
    """The rows of one file that are exported.

    Attributes:
        task, track: What the file holds.
        path: The file.
        sha256: Of its bytes, in hex.
        rows: The rows, in file order.
        flagged: Number of rows left out because they fail a generation check.
        blank: Number of rows left out because the prompt has nothing to show of them.
    """

    task: Task
    track: Track
    path: Path
    sha256: str
    rows: Sequence[Row]
    flagged: int
    blank: int


def row_key(cells: Cells) -> str:
    """Compute what a row is matched by across files: the full text of all its cells, hashed."""
    return digest(cells).hex()


def open_unlabelled(path: Path) -> Table:
    """Open a benchmark file.

    Raises:
        UsageError: If it cannot be read, is a labelled file or a contrast set.
    """
    table = Table(path)
    added = [name for name in table.columns if name in OUTPUT_COLUMNS]
    if added:
        raise UsageError(
            f"{path} already has the column {added[0]!r}, so it is a labelled file; give the file "
            "it was made from"
        )
    if is_contrast(table.columns):
        raise UsageError(
            f"{path} is a contrast set, which has no track; label.py and score.py take it"
        )
    return table


def read_rows(
    task: Task, track: Track, path: Path, prompt: Prompt | None, *, keep_flagged: bool
) -> TrackRows:
    """Read the rows of one file that are exported.

    Args:
        task: The task.
        track: The track that the file holds.
        path: The file.
        prompt: What must have something to show of a row; None to keep every row.
        keep_flagged: Whether candidates that fail a generation check are kept.

    Raises:
        UsageError: If the file is malformed, not of that task and track, or has no row to export.
    """
    table = open_unlabelled(path)
    layout = find_layout(table.columns, task.name, track, where=str(path))
    flagged_rows = FlaggedRows(() if keep_flagged else table.columns)
    rows, flagged, blank = [], 0, 0
    for number, cells in enumerate(table.rows()):
        row = _row(number, cells, layout, table.columns)
        if cells in flagged_rows:
            flagged += 1
        elif prompt and prompt.is_blank(row.item):
            blank += 1
        else:
            rows.append(row)
    if not rows:
        raise UsageError(f"{path} has no row to export ({flagged} flagged, {blank} blank)")
    return TrackRows(task, track, path, file_sha256(path), rows, flagged, blank)


def _row(number: int, cells: Cells, layout: Layout, columns: Sequence[str]) -> Row:
    def cell(name: str | None) -> str:
        return cells[columns.index(name)] if name else ""

    pattern = cell(layout.pattern) if layout.track == "candidates" else ""
    return Row(number, row_key(cells), layout.item(cells), pattern, cell(layout.source))


def samples(tracks: Sequence[TrackRows], prompt: Prompt) -> Iterator[dict[str, Any]]:
    """Make what a harness is given of each row, tracks mixed in proportion.

    So the first rows, which is what a harness's own limit takes, hold both tracks.
    """
    placed = [
        ((at + 0.5) / len(each.rows), order, each.track, row)
        for order, each in enumerate(tracks)
        for at, row in enumerate(each.rows)
    ]
    for _, _, track, row in sorted(placed, key=lambda entry: entry[:2]):
        filled = prompt.fill(row.item)
        yield {
            "key": row.key,
            "row": row.number,
            "task": row.item.task,
            "track": track,
            "pattern": row.pattern,
            "source": row.source,
            "expected": EXPECTED[track],
            "prompt": filled,
            "prompt_name": prompt.name,
            "prompt_sha256": prompt.sha256,
            "style": prompt.style,
            "shows": sorted(prompt.needs(row.item.task)),
            "filled_sha256": hashlib.sha256(filled.encode("utf-8", "surrogatepass")).hexdigest(),
        }
