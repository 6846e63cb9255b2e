"""A table with further columns that are worked out row by row, concurrently and durably."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tqdm import tqdm

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest
from banglahallueval.io.tables import Cells, Table, writing
from banglahallueval.runs.workers import write_in_order

_Row = tuple[Cells, Cells | None]


@dataclass(slots=True)
class Extension:
    """What to extend, and where to.

    Attributes:
        table: The input.
        output: The CSV to write: the input's columns, then the added ones.
        added: The added columns.
        proof: The added column that is blank as long as a row is not done.
        start, end: 0-based rows, end exclusive; an end of None is the last row.
        resume, overwrite: What to do with an output that is there.
        earlier: Rows of an output that is there by their input cells, equal rows in order; filled
            by `survey`.
        to_do: Rows to work out; filled by `survey`.
    """

    table: Table
    output: Path
    added: tuple[str, ...]
    proof: str
    start: int = 0
    end: int | None = None
    resume: bool = False
    overwrite: bool = False
    earlier: dict[bytes, deque[Cells]] = field(default_factory=dict)
    to_do: list[int] = field(default_factory=list)

    def survey(self) -> None:
        """Read input and earlier output once and settle what is to be done.

        Raises:
            UsageError: If the input already has an added column, or the output is not its own.
        """
        taken = [name for name in self.added if name in self.table.columns]
        if taken:
            raise UsageError(f"{self.table.path} already has the column {taken[0]!r}")
        if self.output.exists() and not (self.resume or self.overwrite):
            raise UsageError(
                f"{self.output} is there already; --resume adds to it, --overwrite replaces it"
            )
        if self.resume and self.output.exists():
            self._read_earlier()
        left = {key: deque(rows) for key, rows in self.earlier.items()}
        rows = 0
        for row, cells in enumerate(self.table.rows()):
            rows += 1
            kept = _next(left, cells)
            if self._is_to_do(row, kept):
                self.to_do.append(row)
        if rows <= self.start:
            raise UsageError(f"{self.table.path} has {rows} rows, none from --start {self.start}")
        if strangers := sum(map(len, left.values())):
            raise UsageError(
                f"{strangers} rows of {self.output} are not in {self.table.path}; name another "
                "--output, or --overwrite it"
            )

    async def write(
        self, work: Callable[[int, Cells], Awaitable[Cells]], workers: int, *, quiet: bool
    ) -> None:
        """Write the output: the union of what was there and the rows to do.

        Args:
            work: Makes the added cells from a row's number and its cells.
            workers: Most rows under way at once.
            quiet: Whether to show no progress.

        Raises:
            RunError: If the run cannot go on; the output is as it was before.
        """
        bar = tqdm(
            total=len(self.to_do),
            desc=self.output.stem,
            unit="row",
            disable=quiet or not self.to_do,
            dynamic_ncols=True,
            mininterval=0.2 if sys.stderr.isatty() else 10.0,
        )

        async def one(place: tuple[int, _Row]) -> Cells:
            row, (cells, kept) = place
            if kept is not None:
                return cells + kept
            made = await work(row, cells)
            bar.update(1)
            return cells + made

        with bar, writing(self.output, (*self.table.columns, *self.added)) as writer:
            await write_in_order(writer, self._places(), one, min(workers, len(self.to_do)))

    def _places(self) -> Iterator[tuple[int, _Row]]:
        for row, cells in enumerate(self.table.rows()):
            kept = _next(self.earlier, cells)
            if self._is_to_do(row, kept):
                yield row, (cells, None)
            elif kept is not None:
                yield row, (cells, kept)

    def _is_to_do(self, row: int, kept: Cells | None) -> bool:
        if row < self.start or (self.end is not None and row >= self.end):
            return False
        return kept is None or not kept[self.added.index(self.proof)].strip()

    def _read_earlier(self) -> None:
        table = Table(self.output)
        if table.columns != (*self.table.columns, *self.added):
            raise UsageError(
                f"{self.output} has other columns than this run writes; name another --output, "
                "or --overwrite it"
            )
        width = len(self.table.columns)
        for cells in table.rows():
            key = digest(cells[:width])
            self.earlier.setdefault(key, deque()).append(cells[width:])


def _next(rows: dict[bytes, deque[Cells]], cells: Cells) -> Cells | None:
    waiting = rows.get(digest(cells))
    return waiting.popleft() if waiting else None
