"""Which rows a run takes, and what it does with an output that exists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from banglahallueval.errors import UsageError


@dataclass(frozen=True, slots=True)
class RowRange:
    """A slice of an input's rows, counted from 0.

    Attributes:
        start: First row.
        end: Row after the last; None for all rows.
        limit: Maximum number of rows of the slice; None for all of them.
    """

    start: int = 0
    end: int | None = None
    limit: int | None = None

    @property
    def stop(self) -> int | None:
        """The row after the last one, whether `end` or `limit` says so; None for all rows."""
        ends = [self.end, None if self.limit is None else self.start + self.limit]
        return min((end for end in ends if end is not None), default=None)

    def __contains__(self, row: int) -> bool:
        """Whether the slice holds a row."""
        return self.start <= row and (self.stop is None or row < self.stop)

    def check(self) -> None:
        """Refuse a slice that holds no rows, whatever the input.

        Raises:
            UsageError: If it ends before it begins.
        """
        if self.stop is not None and self.stop <= self.start:
            raise UsageError(
                f"--start {self.start} --end {self.end} holds no rows; rows count from 0"
            )

    def end_in(self, rows: int, source: Path) -> int:
        """Find the slice's end in an input of so many rows.

        Raises:
            UsageError: If the slice begins past the last row.
        """
        if rows <= self.start:
            raise UsageError(f"{source} has {rows} rows, so there is none at --start {self.start}")
        return rows if self.stop is None else min(self.stop, rows)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run treats what exists, and what it shows.

    Attributes:
        resume: Whether an existing output is added to.
        overwrite: Whether an existing output is replaced.
        fresh: Whether stored replies are ignored.
        dry_run: Whether only the first prompt and the cost are shown.
        quiet: Whether neither progress nor a summary is shown.
    """

    resume: bool = False
    overwrite: bool = False
    fresh: bool = False
    dry_run: bool = False
    quiet: bool = False

    def adds_to(self, output: Path) -> bool:
        """Whether the run adds to an output that exists.

        Raises:
            UsageError: If it exists and the run may neither add to it nor replace it.
        """
        if not output.exists():
            return False
        if not (self.resume or self.overwrite):
            raise UsageError(
                f"{output} is there already; --resume adds to it, --overwrite replaces it"
            )
        return self.resume

    def refuse_strays(self, output: Path, files: Sequence[Path], *, flag: str = "--output") -> None:
        """Refuse to replace an output's files where the output itself is not there.

        Args:
            output: The output.
            files: What the run writes beside it.
            flag: The flag that names the output.

        Raises:
            UsageError: If one of the files is there, and so is somebody else's.
        """
        if output.exists() or self.overwrite:
            return
        for file in files:
            if file.exists():
                raise UsageError(
                    f"{file} is there, and no {output.name} that it belongs to; name another "
                    f"{flag}, or --overwrite it"
                )
