"""The benchmark files under audit: their cells and items."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from banglahallueval.errors import UsageError
from banglahallueval.io import tables
from banglahallueval.io.layouts import Layout, detect_task, find_layout
from banglahallueval.tasks import Item, TaskName, Track


@dataclass(frozen=True, slots=True)
class Side:
    """One file under audit.

    Attributes:
        name: `main`, `candidates`, or `outputs` where nothing tells the track.
        frame: Its cells.
        layout: Its columns.
        items: The item of each row.
    """

    name: str
    frame: pd.DataFrame
    layout: Layout
    items: list[Item]

    @property
    def outputs(self) -> list[str]:
        """Raw cells under judgement, closing `####` lines included."""
        return self.frame[self.layout.columns[self.layout.task.output_role]].to_list()

    @property
    def gold(self) -> list[str] | None:
        """Raw cells of the gold outputs; None where there are none.

        Candidates have them beside them; a main file's outputs are gold themselves.
        """
        if self.layout.track == "main":
            return self.outputs
        names = [n for n in self.layout.task.outputs["main"] if n in self.frame.columns]
        return self.frame[names[0]].to_list() if names else None


def read_side(path: Path, task: TaskName | None = None, track: Track | None = None) -> Side:
    """Read a file to audit.

    Raises:
        UsageError: If it cannot be read, or nothing tells its task.
    """
    return make_side(tables.read_frame(path), task, track, str(path))


def make_side(frame: pd.DataFrame, task: TaskName | None, track: Track | None, where: str) -> Side:
    """Find a frame's columns and items.

    Args:
        frame: The cells of a benchmark file.
        task: Its task; None to go by its columns.
        track: Its track; None to go by its columns.
        where: What to call it in messages.

    Raises:
        UsageError: If nothing tells its task, or a column is missing.
    """
    header = [str(name) for name in frame.columns]
    found = task or detect_task(header)
    if found is None:
        raise UsageError(f"{where}: its columns do not tell the task; give --task")
    layout = find_layout(header, found, track, where=where)
    columns = [frame[name].to_list() for name in frame.columns]
    items = [layout.item(cells) for cells in zip(*columns, strict=True)]
    return Side(layout.track or "outputs", frame, layout, items)
