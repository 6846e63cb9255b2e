"""The rows that the judges are fitted on: the published halves, and the contrast sets.

The published files are read from the folder BANGLAHALLUEVAL_DATA, else ../shared/data.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from banglahallueval.io.layouts import find_layout
from banglahallueval.io.tables import Table
from banglahallueval.tasks import TASKS, TRACKS, Item, TaskName

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("BANGLAHALLUEVAL_DATA", ROOT.parent / "shared" / "data"))


class Row(NamedTuple):
    """One output.

    Attributes:
        item: What a judge sees.
        hallucinated: Whether it is.
        pattern: How it was made wrong, or its kind in a contrast set; empty for right ones.
        source: What it shares with the rows of its question or document.
        number: Its place in its file, from 0.
        style: How it is worded; empty for published rows.
        split: `fit` or `measure`; empty for published rows.
    """

    item: Item
    hallucinated: bool
    pattern: str
    source: str
    number: int
    style: str = ""
    split: str = ""

    @property
    def part(self) -> tuple[TaskName, bool]:
        """Its task, and whether it is published."""
        return self.item.task, not self.style


def published(task: TaskName) -> Iterator[Row]:
    """Read both published tracks of a task, main first, in file order."""
    for track in TRACKS:
        table = Table(DATA / f"{task}_{track}.csv")
        layout = find_layout(table.columns, task, track)
        for number, cells in enumerate(table.rows()):
            named, item = dict(zip(table.columns, cells, strict=True)), layout.item(cells)
            pattern = named[layout.pattern] if layout.pattern and track == "candidates" else ""
            # Candidates of reasoning name no source: they share their problem's text.
            by_text = TASKS[task].is_chain and not layout.source
            source = item.question if by_text else named[str(layout.source or layout.id)]
            yield Row(item, track == "candidates", pattern, source, number)


def contrast(task: TaskName) -> Iterator[Row]:
    """Read a task's contrast set, in file order."""
    table = Table(ROOT / TASKS[task].folder / "Contrast set" / f"{task}_contrast.csv")
    layout = find_layout(table.columns, task)
    for number, cells in enumerate(table.rows()):
        named = dict(zip(table.columns, cells, strict=True))
        is_wrong = named["expected"] == "yes"
        yield Row(
            layout.item(cells),
            is_wrong,
            named["kind"] if is_wrong else "",
            named["source_id"],
            number,
            named["style"],
            named["split"],
        )
