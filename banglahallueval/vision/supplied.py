"""Files of outputs that somebody else has made: their rows, and the items that these are about."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Table
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.vision.types import PictureItem

# Pandas writes whole numbers as 3.0 where others of the column are missing.
_INDEX: Final = lazy_regex(r"\d{1,15}(?:\.0+)?")
_IMAGES: Final = ("image", "image_path", "key")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file.

    Attributes:
        where: File and row, for messages.
        fields: Its values by name.
    """

    where: str
    fields: Mapping[str, Any]

    @property
    def image(self) -> str:
        """What names its picture: `image`, `image_path` or `key`; empty where nothing does."""
        return next((str(self.fields[name]) for name in _IMAGES if self.fields.get(name)), "")

    @property
    def index(self) -> int | None:
        """The place of its item in the data, from 0; None where it has none.

        Raises:
            UsageError: If `index` is no such number.
        """
        value = self.fields.get("index")
        if value is None or value == "":
            return None
        if isinstance(value, float) and math.isnan(value):
            return None
        text = str(value).strip()
        if isinstance(value, bool) or not _INDEX.fullmatch(text):
            raise UsageError(f"{self.where}: index {text[:40]!r} is no whole number from 0")
        return int(float(text)) if "." in text else int(text)

    def text(self, name: str) -> str:
        """Take a text.

        Raises:
            UsageError: If it is none, or no valid Unicode.
        """
        return text_of(self.fields[name], f"{self.where}, {name}")


def text_of(value: object, where: str) -> str:
    """Take a text out of a file.

    Args:
        value: What the file holds.
        where: File, row and name, for messages.

    Raises:
        UsageError: If it is none, or no valid Unicode.
    """
    if not isinstance(value, str):
        raise UsageError(f"{where}: {str(value)[:40]!r} is no text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(
            f"{where}: half of a character (a lone surrogate); mend the file"
        ) from None
    return value


def read_rows(path: Path, form: str) -> Iterator[Row]:
    """Read a CSV, a JSON array or JSON lines, by the file's suffix.

    Args:
        path: The file.
        form: What its rows must be, for messages.

    Raises:
        UsageError: If it cannot be read, or a row is malformed.
    """
    if path.suffix.lower() not in (".json", ".jsonl"):
        table = Table(path)
        for number, cells in enumerate(table.rows(), 1):
            yield Row(f"{path} row {number}", dict(zip(table.columns, cells, strict=True)))
        return
    for number, row in enumerate(_json_rows(path, form), 1):
        if not isinstance(row, Mapping):
            raise UsageError(f"{path} row {number}: not an object; give {form}")
        yield Row(f"{path} row {number}", row)


class ItemFinder:
    """Finds the items of the data that rows are about."""

    def __init__(self, items: Sequence[PictureItem]) -> None:
        """Index the items by what their pictures may be called."""
        self._items = {item.index: item for item in items}
        self._by_name: dict[str, list[int]] = defaultdict(list)
        for item in items:
            for name in dict.fromkeys((*_names(item.image), item.key)):
                if name:
                    self._by_name[name].append(item.index)

    def find(self, row: Row) -> tuple[int, ...]:
        """List the items of a row's picture, by their places; empty where there is none.

        Raises:
            UsageError: If nothing names it, or its name is that of several pictures, or not that
                of its index.
        """
        image, index = row.image, row.index
        if index is None and not image:
            raise UsageError(f"{row.where}: neither image nor index says what it is about")
        named: list[int] = []
        for name in _names(image):
            named = named or self._by_name.get(name, [])
        if index is not None:
            if index not in self._items:
                return ()
            if image and index not in named:
                raise UsageError(
                    f"{row.where}: item {index} of the data is not of {image!r} but of "
                    f"{self._items[index].image!r}; the rows are of other data"
                )
            return (index,)
        pictures = {(self._items[at].image, self._items[at].key) for at in named}
        if len(pictures) > 1:
            raise UsageError(
                f"{row.where}: {image!r} may be {len(pictures)} pictures; give the whole path, or "
                "index"
            )
        return tuple(named)


def _names(image: str) -> list[str]:
    """List what a picture may be called, the most exact first."""
    path = PurePosixPath(image.replace("\\", "/"))
    return list(dict.fromkeys((image, path.name, path.stem))) if image else []


def _json_rows(path: Path, form: str) -> Iterator[Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows = list(_lines(text)) if path.suffix.lower() == ".jsonl" else json.loads(text)
    except FileNotFoundError:
        raise UsageError(f"no file {path}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not JSON ({error}); give {form}") from None
    if not isinstance(rows, list):
        raise UsageError(f"{path}: not a list; give {form}")
    yield from rows


def _lines(text: str) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as error:
                said = error.msg if isinstance(error, json.JSONDecodeError) else error
                raise ValueError(f"line {number}: {said}") from None
