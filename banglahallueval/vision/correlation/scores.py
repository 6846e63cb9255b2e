"""Columns of scores, read from CSV or JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from banglahallueval.errors import UsageError, suggestion
from banglahallueval.hashing import file_sha256
from banglahallueval.io.tables import Table
from banglahallueval.scoring.bootstrap import Floats

# What stands where there is no score, in any case.
_MISSING = frozenset(("", "na", "n/a", "nan", "null", "none", "–", "-"))
_FORM = "an array of objects, or an object of columns"


@dataclass(frozen=True)
class Scores:
    """The scores of a file.

    Attributes:
        path: The file.
        sha256: Of its bytes.
        columns: Per column one score per row; nan where a cell is missing.
        sources: What each row is drawn with; None where every row stands alone.
        rows: How many rows there are.
    """

    path: Path
    sha256: str
    columns: Mapping[str, Floats]
    sources: Sequence[str] | None
    rows: int

    def missing(self, name: str) -> int:
        """Count the missing cells of a column."""
        return int(np.isnan(self.columns[name]).sum())


def read_scores(path: Path, names: Sequence[str], source: str | None = None) -> Scores:
    """Read columns of scores.

    Args:
        path: A CSV, or JSON (`.json`, `.jsonl`): an array of objects, or an object whose fields are
            columns. A cell is a number or missing; true and false of JSON are 1 and 0.
        names: The columns.
        source: A column whose equal cells name rows to be drawn together; None for none.

    Raises:
        UsageError: If the file cannot be read, a column is not there, its length differs, or a
            cell is no number.
    """
    wanted = dict.fromkeys([*names, *([source] if source else [])])
    is_json = path.suffix.lower() in (".json", ".jsonl")
    cells = _json_columns(path, list(wanted)) if is_json else _csv_columns(path, list(wanted))
    lengths = {name: len(column) for name, column in cells.items()}
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{one_line(name)} {length}" for name, length in lengths.items())
        raise UsageError(f"{path}: columns of unequal length: {listed}; give one score per row")
    rows = next(iter(lengths.values()))
    if not rows:
        raise UsageError(f"{path} has no rows")
    return Scores(
        path,
        file_sha256(path),
        {
            name: np.array(
                [
                    _number(cell, f"{path}, row {row}, {one_line(name)}")
                    for row, cell in enumerate(column, 1)
                ]
            )
            for name, column in cells.items()
            if name in names
        },
        _sources(cells[source]) if source else None,
        rows,
    )


def one_line(name: str) -> str:
    """Write a column's name for messages and tables, in one line."""
    return " ".join(name.split())


def _sources(cells: Sequence[object]) -> list[str]:
    """Name what rows are drawn with; a row without a name stands alone."""
    texts = ["" if cell is None else str(cell).strip() for cell in cells]
    return [text or f"\0{row}" for row, text in enumerate(texts)]


def _csv_columns(path: Path, names: Sequence[str]) -> dict[str, list[Any]]:
    table = Table(path)
    _check_names(path, names, table.columns)
    places = [table.columns.index(name) for name in names]
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for cells in table.rows():
        for name, place in zip(names, places, strict=True):
            columns[name].append(cells[place])
    return columns


def _json_columns(path: Path, names: Sequence[str]) -> dict[str, list[Any]]:
    content = _parsed(path)
    if isinstance(content, Mapping):
        _check_names(path, names, list(content))
        for name in names:
            if not isinstance(content[name], list):
                raise UsageError(f"{path}: {one_line(name)} is no list of scores; give {_FORM}")
        return {name: content[name] for name in names}
    if not isinstance(content, list):
        raise UsageError(f"{path} is neither; give {_FORM}")
    for row, fields in enumerate(content, 1):
        if not isinstance(fields, Mapping):
            raise UsageError(f"{path}, row {row}: not an object; give {_FORM}")
    _check_names(path, names, list(dict.fromkeys(name for row in content for name in row)))
    return {name: [row.get(name) for row in content] for name in names}


def _parsed(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    try:
        if path.suffix.lower() == ".jsonl":
            return list(_lines(text))
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not JSON ({error}); give {_FORM}") from None


def _lines(text: str) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as error:
                said = error.msg if isinstance(error, json.JSONDecodeError) else error
                raise ValueError(f"line {number}: {said}") from None


def _check_names(path: Path, names: Sequence[str], present: Sequence[str]) -> None:
    for name in names:
        if name not in present:
            there = ", ".join(map(one_line, present)) or "none"
            raise UsageError(
                f"{path} has no column {name!r}{suggestion(name, present)} (it has {there})"
            )


def _number(cell: object, where: str) -> float:
    """Read one score; nan where there is none.

    Raises:
        UsageError: If the cell is no number.
    """
    if cell is None:
        return math.nan
    if isinstance(cell, bool | int | float):
        text, number = str(cell), _as_float(cell)
        if math.isnan(number):
            return math.nan
    elif isinstance(cell, str):
        text = cell.strip()
        if text.lower() in _MISSING:
            return math.nan
        try:
            number = math.nan if "_" in text else float(text)
        except ValueError:
            number = math.nan
    else:
        text, number = json.dumps(cell, ensure_ascii=False), math.nan
    if not math.isfinite(number):
        raise UsageError(
            f"{where}: {text[:40]!r} is no number; give a score, or leave the cell empty"
        )
    return number


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:  # an integer of more than 308 digits
        return math.inf
