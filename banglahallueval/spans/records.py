"""Rows of data files as mappings, each with the place that messages name."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import no_file
from banglahallueval.io.tables import Table

SUFFIXES = (".jsonl", ".parquet", ".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a data file.

    Attributes:
        fields: Its values by name.
        where: File and row, for messages.
        number: Its number in the file, from 1.
    """

    fields: Mapping[str, Any]
    where: str
    number: int

    def text(self, name: str, default: str | None = None) -> str:
        """Take a text; a whole number becomes one, and null is the default.

        Raises:
            UsageError: If it is neither, is not there and has no default, or is no valid Unicode.
        """
        value = self.fields.get(name)
        if value is None:
            if default is None:
                raise UsageError(f"{self.where}: has no {name!r}")
            return default
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise UsageError(f"{self.where}: {name!r} is {str(value)[:40]!r}, not a text")
        return self.valid(name, value)

    def valid(self, name: str, text: str) -> str:
        """Return a text that was taken out of a field.

        Raises:
            UsageError: If it is no valid Unicode.
        """
        try:
            text.encode()
        except UnicodeEncodeError:
            raise UsageError(
                f"{self.where}: {name!r} holds half of a character (a lone surrogate); mend the "
                "file"
            ) from None
        return text

    def json(self, name: str) -> Any:
        """Take a value that a CSV cell holds as JSON; None for an empty or absent one.

        Raises:
            UsageError: If it is no JSON.
        """
        value = self.fields.get(name)
        if not isinstance(value, str):
            return value  # other files hold the value itself
        if not value.strip():
            return None
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            raise UsageError(
                f"{self.where}: {name!r} holds {value[:40]!r}, which is no JSON"
            ) from None

    def id(self, name: str = "id") -> str:
        """Take what names the row; its number where it has no name."""
        return self.text(name, "").strip() or str(self.number)


def records(path: Path) -> Iterator[Record]:
    """Read a file row by row: JSON lines, Parquet or CSV, by its suffix.

    Raises:
        UsageError: If it cannot be read, or a row is malformed.
    """
    match path.suffix.lower():
        case ".jsonl":
            return _json_lines(path)
        case ".parquet":
            return _parquet(path)
        case ".csv" | ".tsv":
            return _cells(path)
    raise UsageError(
        f"{path}: cannot read {path.suffix or 'a file without a suffix'!r}; "
        f"give one of {', '.join(SUFFIXES)}"
    )


def _json_lines(path: Path) -> Iterator[Record]:
    number = 0
    try:
        with path.open(encoding="utf-8-sig") as file:
            for line, text in enumerate(file, 1):
                if not text.strip():
                    continue
                number += 1
                yield Record(_object(text, f"{path}, line {line}"), f"{path}, line {line}", number)
    except FileNotFoundError:
        raise UsageError(no_file(path)) from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise UsageError(f"{where}: not a JSON object; each line must be a whole one")
    return value


def _parquet(path: Path) -> Iterator[Record]:
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise UsageError(f"reading {path} needs pyarrow: pip install -e '.[datasets]'") from None
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches():
                for fields in batch.to_pylist():
                    number += 1
                    yield Record(fields, f"{path}, row {number}", number)
    except FileNotFoundError:
        raise UsageError(no_file(path)) from None
    except (arrow.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0][:120]
        raise UsageError(f"cannot read {path}: {reason}") from None


def _cells(path: Path) -> Iterator[Record]:
    table = Table(path)
    for number, cells in enumerate(table.rows(), 1):
        fields = dict(zip(table.columns, cells, strict=True))
        yield Record(fields, f"{path}, row {number}", number)
