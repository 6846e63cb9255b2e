"""Check whether a file is what it should be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from banglahallueval.datasets.catalogue import Expected
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Table

_LFS = b"version https://git-lfs.github.com/spec"


@dataclass(frozen=True, slots=True)
class FileState:
    """The state of a file.

    Attributes:
        broken: Why it cannot be used; empty where it can.
        differences: How it differs from the published file.
    """

    broken: str = ""
    differences: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """Everything that is wrong with it."""
        return (self.broken,) if self.broken else self.differences


def inspect_file(path: Path, kind: str, expected: Expected) -> FileState:
    """Read a file and compare it with what was published.

    Args:
        path: The file.
        kind: Its suffix once it is in place: `.csv`, `.json`, `.jsonl` or `.parquet`.
        expected: What it should hold.
    """
    with path.open("rb") as file:
        head = file.read(512)
    if not head.strip():
        return FileState("it is empty")
    if head.startswith(_LFS):
        return FileState("it is a Git LFS pointer, not the file; use `git lfs pull` in a checkout")
    if head.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        return FileState("it is a web page, not the file")
    match kind:
        case ".csv":
            return _csv_state(path, expected)
        case ".json":
            return _json_state(path)
        case ".parquet":
            return _parquet_state(path)
    return FileState()


def _csv_state(path: Path, expected: Expected) -> FileState:
    try:
        table = Table(path)
        if missing := [name for name in expected.columns if name not in table.columns]:
            listed = ", ".join(table.columns)
            return FileState(f"it has no column {missing[0]!r}; it has {listed}")
        rows, ids, blank = _count_rows(table)
    except UsageError as error:
        return FileState(str(error).removeprefix(str(path)).lstrip(", "))
    differences = []
    if expected.rows and rows != expected.rows:
        differences.append(f"it has {rows:,} rows; {expected.rows:,} are published")
    if expected.ids and ids != expected.ids:
        differences.append(f"it has {ids:,} different ids; {expected.ids:,} are published")
    if expected.ids and blank:
        differences.append(f"{blank:,} of its rows have no id: it was made from another file")
    return FileState(differences=tuple(differences))


def _count_rows(table: Table) -> tuple[int, int, int]:
    """Count rows, distinct ids, and rows whose id is blank or lacks its source's id."""
    at = table.columns.index("id") if "id" in table.columns else None
    ids: set[str] = set()
    rows = blank = 0
    for cells in table.rows():
        rows += 1
        if at is not None:
            ids.add(cells[at])
            blank += cells[at].startswith("::") or not cells[at].strip()
    return rows, len(ids), blank


def _json_state(path: Path) -> FileState:
    try:
        json.loads(path.read_bytes())
    except ValueError:
        return FileState("it is no whole JSON file")
    return FileState()


def _parquet_state(path: Path) -> FileState:
    with path.open("rb") as file:
        first = file.read(4)
        file.seek(-4, 2)
        whole = first == file.read() == b"PAR1"
    return FileState("" if whole else "it is no whole Parquet file")
