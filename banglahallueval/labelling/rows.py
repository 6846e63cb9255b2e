"""The run: items through a judge, concurrently and durably, into one labelled CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.labelled import OUTPUT_COLUMNS, EarlierOutput, output_cells
from banglahallueval.io.layouts import Layout
from banglahallueval.io.tables import Cells, Table, writing
from banglahallueval.judges.types import Judge
from banglahallueval.runs.workers import write_in_order
from banglahallueval.verdicts import Verdict

# What an earlier output says of an input row.
_NEW, _SETTLED, _UNKNOWN = 0, 1, 2

# An input row, the verdict that is kept or None, and in how many runs it was asked before.
_Row = tuple[Cells, Verdict | None, int]


@dataclass(frozen=True, slots=True)
class Job:
    """One run: what to label, where to, which rows.

    Attributes:
        table: The input.
        layout: Where it keeps the items.
        output: The labelled CSV to write.
        judge_columns: The judge's further output columns.
        start, end: 0-based rows to label, end exclusive; an end of None is the last row.
        resume: Whether an output that is there is added to; its yes and no labels are kept.
        overwrite: Whether an output that is there is replaced.
        concurrency: Most rows under judgement at once.
        done: The slices, start and end, that earlier runs labelled. Of two equal rows the output
            may hold one that was labelled as the other; the one that is missing is judged.
    """

    table: Table
    layout: Layout
    output: Path
    judge_columns: tuple[str, ...] = ()
    start: int = 0
    end: int | None = None
    resume: bool = False
    overwrite: bool = False
    concurrency: int = 16
    done: tuple[tuple[int, int], ...] = ()

    def was_done(self, index: int) -> bool:
        """Whether an earlier run labelled this row."""
        return any(start <= index < end for start, end in self.done)


@dataclass(slots=True)
class Survey:
    """What the first reading of the input found, before any request.

    Attributes:
        rows: Rows of the input.
        end: The slice's end, never past the last row.
        earlier: The output that is there and is added to; None where there is none.
        states: What that output says of each input row; empty where there is none.
        to_judge: Rows that will be judged.
        longest: Code points of the longest item to judge.
        characters: Code points of all items to judge.
        first: The cells of the first row to judge.
    """

    rows: int = 0
    end: int = 0
    earlier: EarlierOutput | None = None
    states: bytearray = field(default_factory=bytearray)
    to_judge: int = 0
    longest: int = 0
    characters: int = 0
    first: Cells | None = None


@dataclass(slots=True)
class Tally:
    """Counts over an output.

    Attributes:
        labels: Rows by label.
        reasons: Unknown rows by reason.
        judged: Rows judged in this run.
        unanswered: Rows of this run that got no reply.
    """

    labels: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    judged: int = 0
    unanswered: int = 0

    def add(self, verdict: Verdict, *, judged: bool) -> None:
        """Count one row."""
        self.labels[verdict.label] += 1
        self.judged += judged
        if verdict.label == "unknown":
            self.reasons[verdict.reason or "reason not recorded"] += 1
            self.unanswered += judged and verdict.reason.startswith("no reply")


def open_input(path: Path, output: Path, judge_columns: Collection[str] = ()) -> Table:
    """Open an input; labels it already holds are left out if it is the run's own output.

    Raises:
        UsageError: If it holds the labels of another run, or the output would take its place.
    """
    added = {*OUTPUT_COLUMNS, *judge_columns}
    table = Table(path)
    taken = [name for name in table.columns if name in added]
    own = output.exists() and output.samefile(path)
    if not taken:
        if own:
            raise UsageError(f"--output {output} is the input itself; name another file")
        return table
    if not own:
        raise UsageError(
            f"{path} already has the column {taken[0]!r}, so it is a labelled file; give the file "
            "it was made from"
        )
    return Table(path, without=added)


def survey(job: Job) -> Survey:
    """Read the whole input once and settle what the run has to do.

    Raises:
        UsageError: If the input is malformed, the slice is outside it, or the output that is
            there is not this input's.
    """
    if job.start < 0 or (job.end is not None and job.end <= job.start):
        raise UsageError(f"--start {job.start} --end {job.end} holds no rows; rows count from 0")
    found = Survey()
    if job.output.exists():
        if not (job.resume or job.overwrite):
            raise UsageError(
                f"{job.output} is there already; --resume adds to it, --overwrite replaces it"
            )
        if job.resume:
            found.earlier = EarlierOutput(job.output, job.table.columns, job.layout)
            found.earlier.check_kept((*OUTPUT_COLUMNS, *job.judge_columns))
    left = dict(found.earlier.labels) if found.earlier else {}
    for index, cells in enumerate(job.table.rows()):
        found.rows += 1
        state = _NEW
        if found.earlier:
            key = found.earlier.digest(cells)
            labels = left.pop(key, "")
            if len(labels) > 1:
                left[key] = labels[1:]
            if labels:
                state = _UNKNOWN if labels[0] == "u" else _SETTLED
            found.states.append(state)
        inside = job.start <= index and (job.end is None or index < job.end)
        if (inside and state != _SETTLED) or (state == _NEW and job.was_done(index)):
            found.to_judge += 1
            size = sum(len(cells[i]) for i in job.layout.positions.values())
            found.longest = max(found.longest, size)
            found.characters += size
            if found.first is None:
                found.first = cells
    if found.rows <= job.start:
        raise UsageError(
            f"{job.table.path} has {found.rows} rows, so there is none at --start {job.start}"
        )
    found.end = found.rows if job.end is None else min(job.end, found.rows)
    strangers = sum(map(len, left.values()))
    if strangers:
        raise UsageError(
            f"{strangers} rows of {job.output} are not in {job.table.path}, so it is the output "
            "of another input; name another --output, or --overwrite it"
        )
    return found


async def label(
    job: Job,
    judge: Judge,
    found: Survey,
    *,
    again: int = 0,
    tally: Tally | None = None,
    on_row: Callable[[Verdict], None] = lambda verdict: None,
) -> Tally:
    """Judge the rows and write the output: the union of what was there and this slice.

    The output holds the input's columns and rows in input order; it is whole or absent.

    Args:
        job: What to label.
        judge: Who judges.
        found: The survey of this job.
        again: In how many runs before this one the unknown rows of the earlier output were asked.
        tally: Where to count, so that a caller sees the counts of a run that is broken off.
        on_row: Called with each verdict as it is reached.

    Raises:
        RunError: If the run cannot go on; the output is as it was before.
    """
    tally = tally if tally is not None else Tally()
    with writing(job.output, (*job.table.columns, *OUTPUT_COLUMNS, *job.judge_columns)) as writer:

        async def work(row: _Row) -> Cells:
            cells, verdict, asked = row
            judged = verdict is None
            if verdict is None:
                verdict = await judge.judge(job.layout.item(cells), asked)
                on_row(verdict)
            tally.add(verdict, judged=judged)
            return cells + output_cells(verdict, job.judge_columns)

        todo = _rows_to_write(job, found, again)
        await write_in_order(writer, todo, work, min(job.concurrency, found.to_judge))
    return tally


def _rows_to_write(job: Job, found: Survey, again: int) -> Iterator[_Row]:
    """The output's rows in order."""
    for index, cells in enumerate(job.table.rows()):
        if index == found.rows:
            raise RunError(f"{job.table.path} grew while it was read; start again")
        state = found.states[index] if found.earlier else _NEW
        inside = job.start <= index < found.end
        verdict = None
        if found.earlier and state != _NEW:
            verdict = found.earlier.verdict(found.earlier.digest(cells), job.judge_columns)
        elif not (inside or job.was_done(index)):
            continue
        ask = state == _NEW or (inside and state == _UNKNOWN)
        yield cells, None if ask else verdict, again if state == _UNKNOWN else 0
