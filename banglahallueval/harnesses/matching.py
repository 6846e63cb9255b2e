"""Which result belongs to which row of the benchmark's file: by the text of all its cells."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from banglahallueval.errors import UsageError
from banglahallueval.harnesses.results import HarnessRun, ResultRow
from banglahallueval.harnesses.rows import row_key
from banglahallueval.io.flagged import FlaggedRows
from banglahallueval.io.layouts import Layout, find_layout
from banglahallueval.io.tables import Cells, Table
from banglahallueval.judges.llm import BLANK_INPUT
from banglahallueval.prompts import lacks_text
from banglahallueval.tasks import TaskName, Track
from banglahallueval.verdicts import Label, Verdict


@dataclass(slots=True)
class Matched:
    """The rows of a file with what a run says of them.

    Attributes:
        layout: The file's columns.
        rows: Cells and verdict of each row that is labelled, in file order.
        results: The results that were taken, in the same order; without rows that are blank.
        total: Number of rows of the file.
        flagged: Number of rows without a result because they fail a generation check.
        missing: Numbers of further rows without a result.
        others: Number of results of other tasks or of the other track.
    """

    layout: Layout
    rows: list[tuple[Cells, Verdict]] = field(default_factory=list)
    results: list[ResultRow] = field(default_factory=list)
    total: int = 0
    flagged: int = 0
    missing: list[int] = field(default_factory=list)
    others: int = 0

    @property
    def labels(self) -> Counter[Label]:
        """The labelled rows by label."""
        return Counter(verdict.label for _, verdict in self.rows)

    @property
    def reasons(self) -> Counter[str]:
        """The unknown rows by reason."""
        return Counter(each.reason for _, each in self.rows if each.label == "unknown")


def keys_of(table: Table) -> frozenset[str]:
    """Compute what the rows of a file are matched by.

    Raises:
        UsageError: If the file is malformed.
    """
    return frozenset(map(row_key, table.rows()))


def match(table: Table, run: HarnessRun) -> Matched:
    """Match a file's rows with a run's results; of equal rows each takes a result of its own.

    Args:
        table: The benchmark's file.
        run: A run that holds results of its rows.

    Raises:
        UsageError: If the run holds results that belong to no row of the file, or too many.
    """
    keys = keys_of(table)
    task, track = _place(run, keys, table)
    layout = find_layout(table.columns, task, track, where=str(table.path))
    matched = Matched(layout)
    left: dict[str, deque[ResultRow]] = {}
    for result in sorted(run.rows, key=lambda each: each.row.number):
        if (result.row.task, result.row.track) == (task, track):
            left.setdefault(result.row.key, deque()).append(result)
        else:
            matched.others += 1
    _refuse_strangers(table, run, left, keys)
    flagged = FlaggedRows(table.columns)
    for number, cells in enumerate(table.rows()):
        matched.total += 1
        found = left.get(row_key(cells))
        if found:
            result = found.popleft()
            matched.rows.append((cells, result.verdict))
            matched.results.append(result)
        elif cells in flagged:
            matched.flagged += 1
        elif _is_blank(layout, cells, run):
            matched.rows.append((cells, Verdict("unknown", BLANK_INPUT)))
        else:
            matched.missing.append(number)
    if over := sum(map(len, left.values())):
        raise UsageError(
            f"{run.path} holds {over} results too many for the rows of {table.path}; run each row "
            "once (one epoch, no repeats)"
        )
    return matched


def _place(run: HarnessRun, keys: frozenset[str], table: Table) -> tuple[TaskName, Track]:
    places = sorted({(each.row.task, each.row.track) for each in run.rows if each.row.key in keys})
    if len(places) != 1:
        listed = ", ".join(f"{task} {track}" for task, track in places) or "none"
        raise UsageError(
            f"{run.path}: the rows of {table.path} stand in it as {listed}; they must be of one "
            "task and track"
        )
    return places[0]


def _refuse_strangers(
    table: Table, run: HarnessRun, left: dict[str, deque[ResultRow]], keys: frozenset[str]
) -> None:
    strangers: Sequence[ResultRow] = [
        each for key, of_key in left.items() if key not in keys for each in of_key
    ]
    if strangers:
        first = min(each.row.number for each in strangers)
        raise UsageError(
            f"{run.path} holds {len(strangers)} rows that {table.path} lacks (the first was row "
            f"{first} of the file that was exported); give that file, unchanged"
        )


def _is_blank(layout: Layout, cells: Cells, run: HarnessRun) -> bool:
    """Whether a row was not exported because the prompt has nothing to show of it."""
    return lacks_text(layout.item(cells), run.rows[0].row.shows)
