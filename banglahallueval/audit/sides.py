"""The benchmark files under audit: their cells and items."""

from __future__ import annotations

import codecs
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pandas as pd

from banglahallueval.errors import UsageError
from banglahallueval.io import tables
from banglahallueval.io.flagged import describe_left_out, without_flagged
from banglahallueval.io.layouts import Layout, detect_task, find_layout
from banglahallueval.tasks import Item, TaskName, Track, split_final_answer


@dataclass(frozen=True, slots=True)
class Side:
    """One file under audit.

    Attributes:
        name: `main`, `candidates`, or `outputs` where nothing tells the track.
        frame: Its cells.
        layout: Its columns.
        items: The item of each row.
        has_bom: Whether the file opens with a byte order mark.
        flagged: Number of rows that were left out because they fail a generation check.
    """

    name: str
    frame: pd.DataFrame
    layout: Layout
    items: list[Item]
    has_bom: bool = False
    flagged: int = 0

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


def read_side(
    path: Path,
    task: TaskName | None = None,
    track: Track | None = None,
    *,
    keep_flagged: bool = False,
) -> Side:
    """Read a file to audit.

    Args:
        path: The file.
        task: Its task; None to go by its columns.
        track: Its track; None to go by its columns.
        keep_flagged: Whether to keep rows that fail a generation check.

    Raises:
        UsageError: If it cannot be read, has no rows, or nothing tells its task.
    """
    side = make_side(tables.read_frame(path), task, track, str(path), keep_flagged=keep_flagged)
    if not side.items:
        left = f": {describe_left_out(side.flagged)}" if side.flagged else ""
        raise UsageError(f"{path} has no rows to audit{left or '; give a file with rows'}")
    with path.open("rb") as file:
        return replace(side, has_bom=file.read(3) == codecs.BOM_UTF8)


def make_side(
    frame: pd.DataFrame,
    task: TaskName | None,
    track: Track | None,
    where: str,
    *,
    keep_flagged: bool = False,
) -> Side:
    """Find a frame's columns and items.

    Args:
        frame: The cells of a benchmark file.
        task: Its task; None to go by its columns.
        track: Its track; None to go by its columns.
        where: What to call it in messages.
        keep_flagged: Whether to keep rows that fail a generation check.

    Raises:
        UsageError: If nothing tells its task, or a column is missing.
    """
    header = [str(name) for name in frame.columns]
    found = task or detect_task(header)
    if found is None:
        raise UsageError(f"{where}: its columns do not tell the task; give --task")
    layout = find_layout(header, found, track, where=where)
    rows = len(frame)
    if not keep_flagged:
        frame = without_flagged(frame)
    columns = [frame[name].to_list() for name in frame.columns]
    items = [layout.item(cells) for cells in zip(*columns, strict=True)]
    return Side(layout.track or "outputs", frame, layout, items, flagged=rows - len(frame))


def gold_item(item: Item, cell: str) -> Item:
    """Make the item of the right output that stands beside a candidate."""
    chain, final = split_final_answer(cell) if item.task == "reasoning" else (cell, "")
    return Item(item.task, item.question, item.context, chain, final)


def source_key(item: Item) -> tuple[str, str]:
    """Compute what the outputs of one source share: its question and its context, folded."""
    return fold(item.question), fold(item.context)


@lru_cache(maxsize=20_000)
def fold(text: str) -> str:
    """Normalise for comparison: NFC, case folded, runs of white space made one space."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())
