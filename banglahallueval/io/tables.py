"""Every read and write of a CSV. A cell is text, exactly as it stands in the file."""

from __future__ import annotations

import codecs
import contextlib
import csv
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.dialect import find_dialect
from banglahallueval.io.paths import no_file
from banglahallueval.io.staged import StagedFile

if TYPE_CHECKING:
    import pandas as pd

# A field may be a whole book; the module's default limit is 131,072 characters. A C long is 32 bits
# on Windows, so the largest portable limit is not sys.maxsize.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))

Cells = list[str]


class Table:
    """A CSV file that is read as a stream, one row at a time, any number of times.

    UTF-8 with or without BOM, LF or CRLF, quoted line breaks, fields of any length; fields are
    separated by commas, or by semicolons or tabs where the header or a `sep=` line says so.

    Attributes:
        path: The file.
        columns: Its column names, without those left out.
        notes: What a user should know about how the file is read.
    """

    def __init__(self, path: Path | str, *, without: Collection[str] = ()) -> None:
        """Open the file and read its header.

        Args:
            path: The file.
            without: Columns to leave out, where they are there.

        Raises:
            UsageError: If it cannot be read, is empty, or names a column twice.
        """
        self.path = Path(path)
        if self.path.exists() and not (self.path.is_file() or self.path.is_dir()):
            raise UsageError(f"{self.path} can be read only once; save it to a file first")
        with self._open() as file, self._told_errors():
            self._version = _version(file)
            self._dialect = find_dialect(file)
        with self._open() as file:
            line, names = next(self._records(file), (1, None))
        if names is None:
            raise UsageError(f"{self.path} is empty; it needs a header line and rows")
        self._most = len(names)
        names = _without_nameless_end(names)
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"{self.path}, line {line}: the column {name!r} is there twice")
        self._width = len(names)
        self._taken = [i for i, name in enumerate(names) if name not in without]
        self.columns: tuple[str, ...] = tuple(names[i] for i in self._taken)
        self.notes: tuple[str, ...] = tuple(self._remarks())

    def rows(self) -> Iterator[Cells]:
        """Give the rows' cells in file order.

        Raises:
            UsageError: At the first malformed row, naming the line it starts on.
            RunError: If the file has changed since it was opened.
        """
        width, taken = self._width, self._taken
        with self._open() as file:
            self._check_unchanged(file)
            records = self._records(file)
            next(records, None)
            for line, cells in records:
                if len(cells) != width:
                    if not cells:
                        continue
                    cells = self._without_end(line, cells)
                yield cells if len(taken) == width else [cells[i] for i in taken]
            self._check_unchanged(file)

    def frame(self) -> pd.DataFrame:
        """Read the whole file as a frame of text cells.

        Raises:
            UsageError: As `rows`.
        """
        import pandas as pd  # takes longer to load than a labelling run, which needs none, to start

        return pd.DataFrame(list(self.rows()), columns=list(self.columns), dtype=str)

    def _remarks(self) -> Iterator[str]:
        if self._dialect.delimiter != ",":
            yield f"its delimiter is the {self._dialect.word}"
        if self._most > self._width:
            yield f"{self._most - self._width} empty columns at its end are left out"

    def _without_end(self, line: int, cells: Cells) -> Cells:
        """Take the cells of nameless columns off a row's end; spreadsheets leave some of them out.

        Raises:
            UsageError: If the row has too few or too many cells, or one of these is not empty.
        """
        if not self._width <= len(cells) <= self._most:
            raise UsageError(
                f"{self.path}, line {line}: {len(cells)} fields where the header has "
                f"{self._width}; look for a missing quote or a stray {self._dialect.word}"
            )
        for cell in cells[self._width :]:
            if cell:
                raise UsageError(
                    f"{self.path}, line {line}: {cell[:40]!r} stands in a column without a name; "
                    "name the column, or take it out"
                )
        return cells[: self._width]

    def _check_unchanged(self, file: IO[str]) -> None:
        if _version(file) != self._version:
            raise RunError(f"{self.path} changed while it was read; start again")

    def _open(self) -> IO[str]:
        try:
            # Not errors="replace": a byte that is not UTF-8 must be seen, not judged.
            return self.path.open(encoding="utf-8-sig", newline="")
        except FileNotFoundError:
            raise UsageError(no_file(self.path)) from None
        except OSError as error:
            raise UsageError(f"cannot read {self.path}: {error.strerror}") from None

    @contextlib.contextmanager
    def _told_errors(self) -> Iterator[None]:
        """Raise what reading the file raises as what a user can mend."""
        try:
            yield
        except UnicodeDecodeError:
            raise UsageError(
                f"{self.path}, line {self._undecodable_line()}: not UTF-8; {self._how_to_save()}"
            ) from None
        except OSError as error:
            raise UsageError(f"cannot read {self.path}: {error.strerror}") from None

    def _records(self, file: IO[str]) -> Iterator[tuple[int, Cells]]:
        before = self._dialect.lines_before
        for _ in range(before):
            file.readline()
        reader = csv.reader(file, delimiter=self._dialect.delimiter, strict=True)
        line = before + 1
        with self._told_errors():
            try:
                for cells in reader:
                    yield line, cells
                    line = before + reader.line_num + 1
            except csv.Error as error:
                raise UsageError(f"{self.path}, line {line}: {error}; check its quotes") from None

    def _how_to_save(self) -> str:
        """Say how to save a file that is not UTF-8, by its first bytes."""
        with self.path.open("rb") as file:
            start = file.read(4)
        if start.startswith(b"PK"):
            return "it is an Excel workbook or an archive: save the sheet as CSV UTF-8"
        if start[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "it is UTF-16: save it as CSV UTF-8"
        return "save it as UTF-8"

    def _undecodable_line(self) -> int:
        # The decoder works in blocks, so the reader's own line number is only near.
        with self.path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                try:
                    raw.decode("utf-8")
                except UnicodeDecodeError:
                    return number
        return 0


def _without_nameless_end(names: Cells) -> Cells:
    """Take several columns without a name off a header's end; a single one is named ''."""
    width = len(names)
    while width and not names[width - 1]:
        width -= 1
    return names[:width] if len(names) - width > 1 else names


def _version(file: IO[str]) -> tuple[int, int]:
    stat = os.fstat(file.fileno())
    return stat.st_size, stat.st_mtime_ns


def read_frame(path: Path | str) -> pd.DataFrame:
    """Read a whole CSV as a frame of text cells.

    Raises:
        UsageError: As `Table`.
    """
    return Table(path).frame()


class RowWriter:
    """Writes rows as CSV with LF line ends.

    Attributes:
        rows: Number of rows written, without the header.
    """

    def __init__(self, file: IO[str], columns: Sequence[str]) -> None:
        """Write the header to an open file."""
        self._plain = csv.writer(file, lineterminator="\n")
        self._quoting = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
        self._write(columns)
        self.rows = 0

    def writerow(self, row: Sequence[str]) -> None:
        """Write one row."""
        self._write(row)
        self.rows += 1

    def _write(self, row: Sequence[str]) -> None:
        # Some Python releases leave a lone carriage return unquoted, and a reader would then end
        # the row there.
        if any("\r" in cell for cell in row):
            self._quoting.writerow(row)
        else:
            self._plain.writerow(row)


@contextlib.contextmanager
def replacing(path: Path | str) -> Iterator[IO[str]]:
    """Write a text file that is whole or absent; on an error nothing changes.

    Raises:
        UsageError: If no file can be made there.
        RunError: If writing fails on the way, as on a full disk.
    """
    staged = StagedFile(path)
    try:
        with staged.open() as file:
            yield file
        staged.place()
    finally:
        staged.discard()


@contextlib.contextmanager
def writing(path: Path | str, columns: Sequence[str]) -> Iterator[RowWriter]:
    """Write a CSV that is whole or absent."""
    with replacing(path) as file:
        yield RowWriter(file, columns)


def write_frame(path: Path | str, frame: pd.DataFrame) -> None:
    """Write a frame's cells as text; missing values become empty cells."""
    with writing(path, [str(name) for name in frame.columns]) as writer:
        for row in frame.astype(object).where(frame.notna(), "").itertuples(index=False, name=None):
            writer.writerow([str(cell) for cell in row])
