"""Hal-Eval's JSON files: pictures, each with a true caption and a wrong one of each type."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from banglahallueval.errors import UsageError
from banglahallueval.vision.types import (
    HALLUCINATIONS,
    KINDS,
    Hallucination,
    Kind,
    PictureItem,
    Question,
)

# What names each type in the files, their scripts and their paper, as a part of a small word.
_NAMES: Final[Mapping[str, Hallucination]] = {
    "relation": "relation",
    "object": "object",
    "attribut": "attribute",
    "event": "event",
    "additional": "event",  # the generative scripts' word
}
_SHAPE: Final = 'a JSON array of objects with "image" (or "image_path"), "caption", "hal_caption"'


@dataclass(frozen=True)
class HalData:
    """The content of one file.

    Attributes:
        path: The file.
        sha256: Of its bytes.
        items: Its pictures in order.
        notes: What reading it changed, a sentence each.
    """

    path: Path
    sha256: str
    items: tuple[PictureItem, ...]
    notes: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Describe the file for the run record."""
        return {"path": str(self.path), "sha256": self.sha256, "rows": len(self.items)}

    def questions(self, kinds: Collection[Kind] = KINDS) -> list[Question]:
        """List the questions: picture by picture, the true caption first."""
        return [question for item in self.items for question in questions_of(item, kinds)]


def questions_of(item: PictureItem, kinds: Collection[Kind] = KINDS) -> list[Question]:
    """List the questions about a picture in the order of `KINDS`."""
    return [
        Question(item, kind)
        for kind in KINDS
        if kind in kinds and (kind == "true" or kind in item.wrong)
    ]


def hallucination_named(name: str) -> Hallucination | None:
    """Find the type that a name stands for; None where it names none, or several.

    The files write `Spatial Relationship Hallucination` and `Objective Hallucination`, their
    scripts `attribution` and `additional` (an event).
    """
    found = {kind for part, kind in _NAMES.items() if part in name.lower()}
    return found.pop() if len(found) == 1 else None


def read_items(path: Path) -> HalData:
    """Read a file in either of the published forms.

    In-domain items name their picture in `image`, out-of-domain ones in `image_path` and `key`.
    Wrong captions are told apart by their `type`, not by their place, and any may be absent.

    Raises:
        UsageError: If it cannot be read or is malformed.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UsageError(
            f"no file {path}; docs/vision.md says where Hal-Eval's files are, and "
            "Vision/samples/ holds small ones"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    try:
        rows = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8; save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not JSON ({error}); give {_SHAPE}") from None
    if not isinstance(rows, list) or not rows:
        raise UsageError(f"{path}: holds no items; give {_SHAPE}")
    items = tuple(_Entry(row, f"{path}, item {at}").item(at) for at, row in enumerate(rows))
    return HalData(path, hashlib.sha256(data).hexdigest(), items, tuple(_notes(rows)))


@dataclass(frozen=True, slots=True)
class _Entry:
    """One object of the file, with the place that messages name."""

    fields: Any
    where: str

    def item(self, index: int) -> PictureItem:
        if not isinstance(self.fields, dict):
            raise UsageError(f"{self.where}: not an object; give {_SHAPE}")
        name = "image" if "image" in self.fields else "image_path"
        return PictureItem(
            index=index,
            image=self._text(name),
            key=self._text("key") if "key" in self.fields else "",
            caption=self._text("caption").strip(),
            wrong=self._wrong(),
        )

    def _wrong(self) -> dict[Hallucination, str]:
        captions = self.fields.get("hal_caption")
        if not isinstance(captions, list):
            raise UsageError(f'{self.where}: "hal_caption" must be a list of wrong captions')
        found: dict[Hallucination, str] = {}
        for number, fields in enumerate(captions, 1):
            if not isinstance(fields, dict):
                raise UsageError(f"{self.where}: wrong caption {number} is not an object")
            entry = _Entry(fields, f"{self.where}, wrong caption {number}")
            name = entry._text("type")
            kind = hallucination_named(name)
            if kind is None:
                raise UsageError(
                    f"{entry.where}: unknown type {name[:60]!r}; the types are "
                    f"{', '.join(HALLUCINATIONS)}"
                )
            if kind in found:
                raise UsageError(f"{entry.where}: a second one of type {kind}; give one of each")
            found[kind] = entry._text("caption").strip()
        return {kind: found[kind] for kind in HALLUCINATIONS if kind in found}

    def _text(self, name: str) -> str:
        value = self.fields.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if value is None:
            raise UsageError(f'{self.where}: has no "{name}"')
        if not isinstance(value, str):
            raise UsageError(f'{self.where}: "{name}" is {str(value)[:40]!r}, not a text')
        try:
            value.encode()
        except UnicodeEncodeError:
            raise UsageError(
                f'{self.where}: "{name}" holds half of a character (a lone surrogate); mend the '
                "file"
            ) from None
        return value


def _notes(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Count the captions that lost white space at their edges."""
    true = sum(_has_edges(row) for row in rows)
    wrong = sum(_has_edges(entry) for row in rows for entry in row["hal_caption"])
    if true or wrong:
        yield f"white space around {true} true and {wrong} wrong captions is left out"


def _has_edges(fields: Mapping[str, Any]) -> bool:
    caption = str(fields["caption"])  # a number is read as a text
    return caption != caption.strip()
