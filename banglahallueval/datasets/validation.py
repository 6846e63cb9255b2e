"""Whether a file is what it should be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from banglahallueval.datasets.catalogue import Facts
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Table

_LFS = b"version https://git-lfs.github.com/spec"


@dataclass(frozen=True, slots=True)
class Condition:
    """The state of a file.

    Attributes:
        broken: Why it cannot be used; empty where it can.
        differs: In what it is not as published.
    """

    broken: str = ""
    differs: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """Everything that is wrong with it."""
        return (self.broken,) if self.broken else self.differs


def condition(path: Path, kind: str, facts: Facts) -> Condition:
    """Look at a file.

    Args:
        path: The file.
        kind: Its suffix when it is in its place: `.csv`, `.json`, `.jsonl` or `.parquet`.
        facts: What it should be.
    """
    with path.open("rb") as file:
        head = file.read(512)
    if not head.strip():
        return Condition("it is empty")
    if head.startswith(_LFS):
        return Condition("it is a Git LFS pointer, not the file; use `git lfs pull` in a checkout")
    if head.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        return Condition("it is a web page, not the file")
    match kind:
        case ".csv":
            return _of_csv(path, facts)
        case ".json":
            return _of_json(path)
        case ".parquet":
            with path.open("rb") as file:
                file.seek(-4, 2)
                whole = head.startswith(b"PAR1") and file.read() == b"PAR1"
            return Condition("" if whole else "it is no whole Parquet file")
    return Condition()


def _of_csv(path: Path, facts: Facts) -> Condition:
    try:
        table = Table(path)
        if missing := [name for name in facts.columns if name not in table.columns]:
            listed = ", ".join(table.columns)
            return Condition(f"it has no column {missing[0]!r}; it has {listed}")
        at = table.columns.index("id") if "id" in table.columns else None
        ids: set[str] = set()
        rows = blank = 0
        for cells in table.rows():
            rows += 1
            if at is not None:
                ids.add(cells[at])
                blank += cells[at].startswith("::") or not cells[at].strip()
    except UsageError as error:
        return Condition(str(error).removeprefix(str(path)).lstrip(", "))
    differs = []
    if facts.rows and rows != facts.rows:
        differs.append(f"it has {rows:,} rows; {facts.rows:,} are published")
    if facts.ids and len(ids) != facts.ids:
        differs.append(f"it has {len(ids):,} different ids; {facts.ids:,} are published")
    if facts.ids and blank:
        differs.append(f"{blank:,} of its rows have no id: it was made from another file")
    return Condition(differs=tuple(differs))


def _of_json(path: Path) -> Condition:
    try:
        json.loads(path.read_bytes())
    except ValueError:
        return Condition("it is no whole JSON file")
    return Condition()
