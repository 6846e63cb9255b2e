"""Descriptions that somebody supplies, in Hal-Eval's form or by the items' places."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final

from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.tables import Table
from banglahallueval.vision.types import PictureItem

_FORM: Final = "rows with image (or index) and predict (or description)"
_TEXTS: Final = ("description", "predict")
_IMAGES: Final = ("image", "image_path", "key")


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
    """One description, with what names its item."""

    where: str
    text: str
    index: int | None
    image: str


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
    finder = _Finder(items)
    unmatched = rows = 0
    for row in _rows(path):
        rows += 1
        found = finder.find(row)
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


class _Finder:
    """Finds the items that rows are about."""

    def __init__(self, items: Sequence[PictureItem]) -> None:
        self._items = {item.index: item for item in items}
        self._by_name: dict[str, list[int]] = defaultdict(list)
        for item in items:
            for name in dict.fromkeys((*_names(item.image), item.key)):
                if name:
                    self._by_name[name].append(item.index)

    def find(self, row: _Row) -> tuple[int, ...]:
        """List the items of a row's picture; empty where there is none.

        Raises:
            UsageError: If its name is that of several pictures, or not that of its index.
        """
        named: list[int] = []
        for name in _names(row.image):
            named = named or self._by_name.get(name, [])
        if row.index is not None:
            if row.index not in self._items:
                return ()
            if row.image and row.index not in named:
                raise UsageError(
                    f"{row.where}: item {row.index} of the data is not of {row.image!r} but of "
                    f"{self._items[row.index].image!r}; the descriptions are of other data"
                )
            return (row.index,)
        pictures = {(self._items[at].image, self._items[at].key) for at in named}
        if len(pictures) > 1:
            raise UsageError(
                f"{row.where}: {row.image!r} may be {len(pictures)} pictures; give the whole path, "
                "or index"
            )
        return tuple(named)


def _names(image: str) -> list[str]:
    """List what a picture may be called, the most exact first."""
    path = PurePosixPath(image.replace("\\", "/"))
    return list(dict.fromkeys((image, path.name, path.stem))) if image else []


def _rows(path: Path) -> Iterator[_Row]:
    for where, fields in _fields(path):
        name = next((name for name in _TEXTS if fields.get(name) is not None), None)
        if name is None:
            raise UsageError(f"{where}: no description; give {_FORM}")
        index = _index(fields.get("index"), where)
        image = next((str(fields[name]) for name in _IMAGES if fields.get(name)), "")
        if index is None and not image:
            raise UsageError(f"{where}: neither image nor index says what it describes")
        yield _Row(where, _text(fields[name], f"{where}, {name}"), index, image)


def _index(value: object, where: str) -> int | None:
    if value is None or value == "":
        return None
    text = str(value).strip()
    if isinstance(value, bool) or not text.isdecimal():
        raise UsageError(f"{where}: index {text[:40]!r} is no whole number from 0")
    return int(text)


def _text(value: object, where: str) -> str:
    if isinstance(value, list) and len(value) < 2:
        value = value[0] if value else ""
    if isinstance(value, list):
        raise UsageError(f"{where}: {len(value)} descriptions of one picture; give one per row")
    if not isinstance(value, str):
        raise UsageError(f"{where}: {str(value)[:40]!r} is no text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(
            f"{where}: half of a character (a lone surrogate); mend the file"
        ) from None
    return value


def _fields(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the rows of a file, each with its place for messages."""
    if path.suffix.lower() not in (".json", ".jsonl"):
        table = Table(path)
        for number, cells in enumerate(table.rows(), 1):
            yield f"{path} row {number}", dict(zip(table.columns, cells, strict=True))
        return
    for number, row in enumerate(_json_rows(path), 1):
        if not isinstance(row, Mapping):
            raise UsageError(f"{path} row {number}: not an object; give {_FORM}")
        yield f"{path} row {number}", row


def _json_rows(path: Path) -> Iterator[Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".jsonl":
            rows = [json.loads(line) for line in text.split("\n") if line.strip()]
        else:
            rows = json.loads(text)
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not JSON ({error}); give {_FORM}") from None
    if not isinstance(rows, list):
        raise UsageError(f"{path}: not a list; give {_FORM}")
    yield from rows
