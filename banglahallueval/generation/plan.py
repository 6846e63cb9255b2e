"""Which candidates a run makes, and which of an earlier output it keeps."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.generation.patterns import PATTERNS
from banglahallueval.generation.sources import COLUMNS, Source, row_key, sources
from banglahallueval.io.layouts import Layout
from banglahallueval.io.tables import Cells, Table

# A row of the output: the source, the pattern, and the cells that are kept or None.
Place = tuple[Source, str, Cells | None]


@dataclass(frozen=True, slots=True)
class Job:
    """What to make candidates from, and where to.

    Attributes:
        table: The gold file.
        layout: Where it keeps the items.
        output: The candidate file.
        patterns: The patterns to make.
        in_turn: Whether each source gets one of them in turn, not all.
        start, end: 0-based source rows, end exclusive; an end of None is the last row.
        pilot: How many of these rows are drawn; None for all.
        seed: Of the draw.
        resume, overwrite: What to do with an output that is there.
    """

    table: Table
    layout: Layout
    output: Path
    patterns: tuple[str, ...]
    in_turn: bool
    start: int = 0
    end: int | None = None
    pilot: int | None = None
    seed: int = 42
    resume: bool = False
    overwrite: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the candidate file."""
        return COLUMNS[self.layout.task.name]

    @property
    def output_column(self) -> str:
        """The column with the hallucinated output."""
        return self.layout.task.outputs["candidates"][0]


@dataclass(slots=True)
class Survey:
    """What the first reading of the gold file found.

    Attributes:
        rows: Its rows.
        chosen: The rows that candidates are made from, with the patterns of each.
        kept: Rows of an earlier output, by what they are matched by.
        to_make: How many candidates will be made.
        first: The first of them.
        longest: Code points of the longest source.
        characters: Code points of the sources of all candidates to make.
    """

    rows: int = 0
    chosen: dict[int, tuple[str, ...]] = field(default_factory=dict)
    kept: dict[bytes, deque[Cells]] = field(default_factory=dict)
    to_make: int = 0
    first: tuple[Source, str] | None = None
    longest: int = 0
    characters: int = 0


def survey(job: Job) -> Survey:
    """Read the gold file once and settle what the run has to do.

    Raises:
        UsageError: If the file is malformed, the slice is outside it, or the output that is there
            is not its own.
    """
    if job.output.exists() and not (job.resume or job.overwrite):
        raise UsageError(
            f"{job.output} is there already; --resume adds to it, --overwrite replaces it"
        )
    found = Survey(rows=sum(1 for _ in job.table.rows()))
    end = found.rows if job.end is None else min(job.end, found.rows)
    if end <= job.start:
        raise UsageError(
            f"{job.table.path} has {found.rows} rows; --start {job.start} and --end leave none"
        )
    rows = list(range(job.start, end))
    if job.pilot is not None and job.pilot < len(rows):
        rows = sorted(random.Random(job.seed).sample(rows, job.pilot))
    for turn, row in enumerate(rows):
        place = row if job.pilot is None else turn
        own = (job.patterns[place % len(job.patterns)],) if job.in_turn else job.patterns
        found.chosen[row] = own
    if job.resume and job.output.exists():
        found.kept = _earlier(job)
    left = {key: deque(rows) for key, rows in found.kept.items()}
    for source, pattern, key in _all_places(job):
        earlier = left[key].popleft() if left.get(key) else None
        if _is_to_make(job, found, source, pattern, earlier):
            item = source.item
            size = len(item.question) + len(item.context) + len(item.output)
            found.to_make += 1
            found.characters += size
            found.longest = max(found.longest, size)
            found.first = found.first or (source, pattern)
    if strangers := sum(map(len, left.values())):
        raise UsageError(
            f"{strangers} rows of {job.output} are made from no row of {job.table.path}; "
            "name another --output, or --overwrite it"
        )
    return found


def places(job: Job, found: Survey) -> Iterator[Place]:
    """The rows of the output, in the order of the gold file and of its task's patterns."""
    for source, pattern, key in _all_places(job):
        earlier = found.kept[key].popleft() if found.kept.get(key) else None
        if _is_to_make(job, found, source, pattern, earlier):
            yield source, pattern, None
        elif earlier is not None:
            yield source, pattern, earlier


def _is_to_make(
    job: Job, found: Survey, source: Source, pattern: str, earlier: Cells | None
) -> bool:
    if pattern not in found.chosen.get(source.row, ()):
        return False
    return earlier is None or not earlier[job.columns.index(job.output_column)].strip()


def _all_places(job: Job) -> Iterator[tuple[Source, str, bytes]]:
    columns = job.columns
    for source in sources(job.table, job.layout):
        for pattern in PATTERNS[job.layout.task.name]:
            known = source.known_cells(pattern)
            key = row_key(columns, [known.get(name, "") for name in columns])
            yield source, pattern, key


def _earlier(job: Job) -> dict[bytes, deque[Cells]]:
    """The rows of an output that is there."""
    table = Table(job.output)
    if table.columns != job.columns:
        raise UsageError(
            f"{job.output} has not the columns of a candidate file of {job.layout.task.name} "
            "made here; name another --output, or --overwrite it"
        )
    kept: dict[bytes, deque[Cells]] = {}
    for cells in table.rows():
        kept.setdefault(row_key(table.columns, cells), deque()).append(cells)
    return kept
