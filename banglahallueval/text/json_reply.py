"""A JSON object in a model's reply, mended where models break it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import json_repair
import regex

from banglahallueval.text.bangla import answer_text
from banglahallueval.text.lazy_regex import lazy_regex

# A value of Bengali digits without quotes, with what belongs to it: ৫, -৫.৫, ১,২৩৪, ৫ টাকা. The
# library that mends the rest would take it for nothing.
_BENGALI_VALUE = lazy_regex(
    r'(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<before>[:\[,]\s*)(?P<bare>[-–]?[০-৯][^\s\"\\,}\]]*(?:,[০-৯]{2,3}(?![০-৯]))*"
    r"[^\"\\,}\]\n]*?)(?=\s*[,}\]])"
)


def read_object(reply: str) -> Mapping[str, Any] | None:
    """Read the first JSON object of a reply; None where there is none.

    Fences and text around it do not matter; unquoted Bengali numerals, line breaks and quotes
    inside strings, missing commas and brackets are mended.
    """
    text = answer_text(reply)
    start = text.find("{")
    if start < 0:
        return None
    text = _BENGALI_VALUE.sub(_quoted, text[start:])
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        value = _mended(text)
        if isinstance(value, list):  # it saw more than one, as in an object and a remark
            value = next((each for each in value if isinstance(each, dict)), None)
    return value if isinstance(value, dict) and value else None


def _mended(text: str) -> Any:
    """Mend an object; None where it is nested too deep to be one that anybody asked for."""
    with contextlib.suppress(ValueError, RecursionError):
        return json_repair.loads(text, skip_json_loads=True)
    return None


def whole_objects(text: str) -> Iterator[Any]:
    """Yield the objects of a text that are JSON as they stand, outer ones only."""
    decoder = json.JSONDecoder(strict=False)
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def text_of(value: Any) -> str:
    """Turn a field of such an object into text: a list becomes lines, null nothing."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "\n".join(text_of(each) for each in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _quoted(found: regex.Match[str]) -> str:
    if found["string"] is not None:
        return str(found["string"])
    return found["before"] + json.dumps(found["bare"].strip(), ensure_ascii=False)
