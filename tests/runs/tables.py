"""Small tables of two columns, a key and a value; an empty value is an open row."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from banglahallueval.io.tables import Cells, Table, writing
from banglahallueval.runs.earlier import EarlierRows


def write(path: Path, rows: Iterable[tuple[str, str]]) -> Path:
    with writing(path, ("key", "value")) as writer:
        for row in rows:
            writer.writerow(row)
    return path


def read(path: Path) -> list[tuple[str, str]]:
    return [(cells[0], cells[1]) for cells in Table(path).rows()]


def key(cells: Cells) -> bytes:
    return cells[0].encode()


def earlier_rows(path: Path) -> EarlierRows:
    return EarlierRows(Table(path), key, lambda number, cells: bool(cells[1]))
