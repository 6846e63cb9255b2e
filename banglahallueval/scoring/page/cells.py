"""A table as the page shows it: which columns, in which order, and what each cell sorts by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import pandas as pd
import regex

from banglahallueval.scoring.tables import ReportTable, format_interval, format_value
from banglahallueval.tasks import TASKS

_ORDER: dict[str, int] = {task: number for number, task in enumerate(TASKS)}
_FIGURES = ("bhs", "detection", "false_alarms")
_NOTHING = ("", "–")
_LONG = 40  # characters
_SPELLED = {
    **{name: name.upper() for name in ("auroc", "aurc", "bhs", "ece", "mcc", "f1")},
    "usd": "US$",
    "brier": "Brier",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Attributes:
        text: What it says.
        interval: The interval of its figure; empty where it has none.
        number: What it sorts by; None to sort by its text.
        is_known: False where there is no value: these sort last.
    """

    text: str
    interval: str = ""
    number: float | None = None
    is_known: bool = True

    @property
    def is_long(self) -> bool:
        """Whether it needs a wide column to be read."""
        return len(self.text) > _LONG


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table's headings and cells.

    Attributes:
        heads: The headings.
        groups: The rows of each task under its name; one group without a name where the table
            has no tasks, or where they are what tells its rows apart.
    """

    heads: list[str]
    groups: list[tuple[str, list[list[Cell]]]]


def page_table(table: ReportTable) -> PageTable:
    """Lay a table out for the page.

    Rows stand under their task. What tells them apart comes first, then BHS, detection and false
    alarms, or what the table says is to be printed, then all else. Columns without any value are
    left out.
    """
    frame = table.frame
    frame = frame[[name for name in frame.columns if not _is_interval(name, frame)]]
    known = [name for name in frame.columns if any(map(_is_known, frame[name]))]
    names = _names(frame[known])
    is_grouped = "task" in known and names != ["task"]
    if is_grouped:
        names = _names(frame[[name for name in known if name != "task"]], frame["task"])
        known.remove("task")
    lead = table.printed or (*names, *(_FIGURES if "detection" in known else ()))
    columns = [name for name in dict.fromkeys((*lead, *known)) if name in known]
    tasks = frame["task"].astype(str) if is_grouped else pd.Series("", frame.index)
    made = [list(_cells(table.frame, name)) for name in columns]
    rows = list(zip(*made, strict=True))
    groups: dict[str, list[list[Cell]]] = {}
    for task, row in zip(tasks, rows, strict=True):
        groups.setdefault(task, []).append(list(row))
    ordered = sorted(groups.items(), key=lambda group: _ORDER.get(group[0], len(_ORDER)))
    return PageTable([_heading(name) for name in columns], ordered)


def _is_interval(name: str, frame: pd.DataFrame) -> bool:
    return str(name).endswith(("_low", "_high")) and str(name).rpartition("_")[0] in frame


def _names(frame: pd.DataFrame, task: pd.Series | None = None) -> list[str]:
    """Find the columns of text that tell the rows of a task apart: the judge, then the first."""
    names: list[str] = []
    told = frame[[]] if task is None else task.astype(str).to_frame()
    groups = 1 if task is None else told.drop_duplicates().shape[0]
    for name in sorted(frame.columns, key=lambda name: name != "judge"):
        if not all(isinstance(value, str) for value in frame[name]):
            continue
        wider = told.assign(**{f"{name} ": frame[name]})
        count = wider.drop_duplicates().shape[0]
        if count > groups or not names:
            names, told, groups = [*names, str(name)], wider, count
        if groups == len(frame):
            break
    return names


def _cells(frame: pd.DataFrame, name: str) -> Iterator[Cell]:
    ends: Sequence[Any] = [(None, None)] * len(frame)
    if f"{name}_low" in frame:
        ends = list(zip(frame[f"{name}_low"], frame[f"{name}_high"], strict=True))
    for value, (low, high) in zip(frame[name], ends, strict=True):
        if not _is_known(value):
            yield Cell("–", is_known=False)
            continue
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        yield Cell(
            format_value(name, value),
            "" if pd.isna(low) else format_interval(name, low, high),
            float(value) if is_number else None,
        )


def _is_known(value: object) -> bool:
    return not pd.isna(value) and value not in _NOTHING  # type: ignore[call-overload]


def _heading(name: str) -> str:
    return regex.sub(
        r"\w+", lambda word: _SPELLED.get(word[0], word[0]), str(name).replace("_", " ")
    )
