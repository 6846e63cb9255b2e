"""Descriptions that somebody supplies, in Hal-Eval's form or by the items' places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.vision.supplied import ItemFinder, Row, read_rows, text_of
from banglahallueval.vision.types import PictureItem

_FORM: Final = "rows with image (or index) and predict (or description)"
_TEXTS: Final = ("description", "predict")


@dataclass(frozen=True)
class Supplied:
    """The descriptions of a file.

    Attributes:
        path: The file.
        sha256: Of its bytes.
        texts: The descriptions by their items' indexes.
        notes: What was left out, a sentence each.
    """

    path: Path
    sha256: str
    texts: Mapping[int, str]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """One description, and the row that it is from."""

    row: Row
    text: str

    @property
    def where(self) -> str:
        """File and row, for messages."""
        return self.row.where


def read_descriptions(path: Path, items: Sequence[PictureItem]) -> Supplied:
    """Read descriptions and find their items.

    A CSV, JSON array or JSONL has one row per description: `predict` (Hal-Eval's scripts write a
    text or a list of one) or `description`, and what names its item: `index`, its place in the
    data, or `image` (or `image_path`, or `key`), the whole path or the file's name. One row is for
    all items of its picture; several are for them in their order.

    Args:
        path: The file.
        items: The items of the data.

    Raises:
        UsageError: If it cannot be read, no row is of any item, or it is unclear which one is.
    """
    groups: dict[tuple[int, ...], list[_Row]] = defaultdict(list)
    finder = ItemFinder(items)
    unmatched = rows = 0
    for row in _rows(path):
        rows += 1
        found = finder.find(row.row)
        if found:
            groups[found].append(row)
        unmatched += not found
    if not groups:
        raise UsageError(
            f"{path}: none of its {rows} rows is of an item of the data; give {_FORM}, as the data "
            "names them"
        )
    texts: dict[int, str] = {}
    for indexes, given in groups.items():
        if len(given) not in (1, len(indexes)):
            raise UsageError(
                f"{given[1].where}: a second description of item {indexes[0]} ({given[0].where} is "
                "the first); give one each, or tell them apart by index"
            )
        for place, index in enumerate(indexes):
            row = given[place if len(given) > 1 else 0]
            if index in texts:
                raise UsageError(
                    f"{row.where}: a second description of item {index}; give one each"
                )
            texts[index] = row.text
    notes = []
    if unmatched:
        notes.append(f"{unmatched} of {rows} descriptions in {path} are of no item; left out")
    if missing := len(items) - len(texts):
        notes.append(f"{missing} of {len(items)} items have no description in {path}; left out")
    return Supplied(path, file_sha256(path), texts, tuple(notes))


def _rows(path: Path) -> Iterator[_Row]:
    for row in read_rows(path, _FORM):
        name = next((name for name in _TEXTS if row.fields.get(name) is not None), None)
        if name is None:
            raise UsageError(f"{row.where}: no description; give {_FORM}")
        yield _Row(row, _text(row.fields[name], f"{row.where}, {name}"))


def _text(value: object, where: str) -> str:
    if isinstance(value, list) and len(value) < 2:
        value = value[0] if value else ""
    if isinstance(value, list):
        raise UsageError(f"{where}: {len(value)} descriptions of one picture; give one per row")
    return text_of(value, where)
