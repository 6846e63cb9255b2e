"""Every read and write of a CSV. A cell is text, exactly as it stands in the file."""

from __future__ import annotations

import contextlib
import csv
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.staged import StagedFile

if TYPE_CHECKING:
    import pandas as pd

# A field may be a whole book; the module's default limit is 131,072 characters. A C long is 32 bits
# on Windows, so the largest portable limit is not sys.maxsize.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))

Cells = list[str]


class Table:
    """A CSV file that is read as a stream, one row at a time, any number of times.

    UTF-8 with or without BOM, LF or CRLF, quoted line breaks, fields of any length.

    Attributes:
        path: The file.
        columns: Its column names, without those left out.
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
        with self._open() as file:
            self._version = _version(file)
            header = next(self._records(file), None)
        if header is None:
            raise UsageError(f"{self.path} is empty; it needs a header line and rows")
        names = header[1]
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"{self.path}, line 1: the column {name!r} is there twice")
        self._width = len(names)
        self._taken = [i for i, name in enumerate(names) if name not in without]
        self.columns: tuple[str, ...] = tuple(names[i] for i in self._taken)

    def rows(self) -> Iterator[Cells]:
        """The rows' cells in file order.

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
                    raise UsageError(
                        f"{self.path}, line {line}: {len(cells)} fields where the header has "
                        f"{width}; look for a missing quote or a stray comma"
                    )
                yield cells if len(taken) == width else [cells[i] for i in taken]
            self._check_unchanged(file)

    def _check_unchanged(self, file: IO[str]) -> None:
        if _version(file) != self._version:
            raise RunError(f"{self.path} changed while it was read; start again")

    def _open(self) -> IO[str]:
        try:
            # Not errors="replace": a byte that is not UTF-8 must be seen, not judged.
            return self.path.open(encoding="utf-8-sig", newline="")
        except FileNotFoundError:
            raise UsageError(f"no file {self.path}") from None
        except OSError as error:
            raise UsageError(f"cannot read {self.path}: {error.strerror}") from None

    def _records(self, file: IO[str]) -> Iterator[tuple[int, Cells]]:
        reader = csv.reader(file, strict=True)
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except UnicodeDecodeError:
                raise UsageError(
                    f"{self.path}, line {self._undecodable_line()}: not UTF-8; save it as UTF-8"
                ) from None
            except csv.Error as error:
                raise UsageError(f"{self.path}, line {line}: {error}; check its quotes") from None
            except OSError as error:
                raise UsageError(f"cannot read {self.path}: {error.strerror}") from None
            yield line, cells

    def _undecodable_line(self) -> int:
        # The decoder works in blocks, so the reader's own line number is only near.
        with self.path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                try:
                    raw.decode("utf-8")
                except UnicodeDecodeError:
                    return number
        return 0


def _version(file: IO[str]) -> tuple[int, int]:
    stat = os.fstat(file.fileno())
    return stat.st_size, stat.st_mtime_ns


def read_frame(path: Path | str) -> pd.DataFrame:
    """A whole CSV as a frame of text cells.

    Raises:
        UsageError: As `Table`.
    """
    import pandas as pd  # takes longer to load than a labelling run, which needs none, to start

    table = Table(path)
    return pd.DataFrame(list(table.rows()), columns=list(table.columns), dtype=str)


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
