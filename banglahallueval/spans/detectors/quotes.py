"""Quotes in a reply that is JSON, whatever shape the model gave it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import json_repair
import regex

from banglahallueval.spans.alignment import UnalignedError
from banglahallueval.text.lazy_regex import lazy_regex

NOT_QUOTES: Final = "a list of other things than quotes"

# An object, or a list of strings, objects, numbers or nothing, at the beginning of a line.
_BEGIN = lazy_regex(r"(?:^|[:：])[\s`]*+(?P<json>\{|\[\s*[\"{\]\d-]|\[\s*null|\")", regex.MULTILINE)
_FENCE = lazy_regex(r"^\s*(?:`{3,}|~{3,})\s*\w*\s*$", regex.MULTILINE)
_LETTER = lazy_regex(r"[\p{L}\p{N}]")
_PAIRS = (("[", "]"), ("{", "}"))
_LONGEST_MENDED = 5_000  # code points; what mends JSON takes the square of its length
_LISTS = ("spans", "span", "quotes", "hallucinations", "hallucinated", "unsupported", "marked")
_TEXTS = ("text", "quote", "span", "content", "phrase", "substring")


class Json(NamedTuple):
    """The JSON of a reply.

    Attributes:
        value: An object or a list.
        has_remarks: Whether the reply says something besides, around it or under further keys.
    """

    value: Mapping[str, Any] | list[Any]
    has_remarks: bool


def json_in(text: str) -> Json | None:
    """Read the JSON of a reply, mended where it is broken; None where there is none.

    It may be fenced, announced, or itself be written as a JSON string.
    """
    begin = _BEGIN.search(text)
    if begin is None:
        return None
    start = begin.start("json")
    try:
        value, length = json.JSONDecoder(strict=False).raw_decode(text[start:])
        rest = text[:start] + text[start + length :]
    except (ValueError, RecursionError):
        value, rest = _mended(text[start:]), text[:start]
    if isinstance(value, str):
        value = _unpacked(value)
    if not isinstance(value, list | dict):
        return None
    has_remarks = _LETTER.search(_FENCE.sub("", rest)) is not None
    return Json(value, has_remarks or (isinstance(value, dict) and len(value) > 1))


def only_json(text: str) -> Json | None:
    """Read a reply that is JSON and nothing else but a fence around it; None where it is not."""
    try:
        value = json.loads(_FENCE.sub("", text), strict=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, list | dict):
        return None
    return Json(value, isinstance(value, dict) and len(value) > 1)


def quotes_of(value: Mapping[str, Any] | list[Any]) -> list[str]:
    """List the quotes of an object or a list, in order.

    Items may be objects with a text; numbers are their digits.

    Raises:
        UnalignedError: If it holds something else.
    """
    return list(_quotes(_listed(value)))


def _mended(text: str) -> Any:
    """Mend commas, quotation marks and the like; what was never closed is cut off, not broken."""
    if len(text) > _LONGEST_MENDED or any(text.count(a) != text.count(b) for a, b in _PAIRS):
        return None
    try:
        return json_repair.loads(text, skip_json_loads=True)
    except (ValueError, RecursionError):  # numbers of thousands of digits, brackets without end
        return None


def _unpacked(text: str) -> Any:
    """Read a JSON string that is JSON itself; else return it as it is."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _listed(value: Any) -> list[Any]:
    """Find the list of quotes in an object, or make one of a single quote.

    Raises:
        UnalignedError: If there is none.
    """
    if isinstance(value, Mapping):
        named = [inner for key, inner in value.items() if str(key).lower().startswith(_LISTS)]
        listed = [inner for inner in named if isinstance(inner, list | str)]
        value = listed[0] if len(listed) == 1 else None
    if isinstance(value, str) and value.strip():
        unpacked = _unpacked(value)
        value = unpacked if isinstance(unpacked, list) else [value]
    if not isinstance(value, list):
        raise UnalignedError(NOT_QUOTES)
    return value


def _quotes(items: list[Any]) -> Iterator[str]:
    """Yield the text of each item.

    Raises:
        UnalignedError: If an item has none.
    """
    for item in items:
        if isinstance(item, Mapping):
            texts = [item[key] for key in _TEXTS if isinstance(item.get(key), str)]
            item = texts[0] if texts else None
        if isinstance(item, int | float) and not isinstance(item, bool):
            item = str(item)
        if not isinstance(item, str) or not item.strip():
            raise UnalignedError(NOT_QUOTES)
        yield item
