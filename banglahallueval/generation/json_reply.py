"""A JSON object in a model's reply, mended where models break it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import regex

from banglahallueval.generation.texts import answer_text

_BENGALI_DIGITS = "০১২৩৪৫৬৭৮৯"
_ASCII_OF = str.maketrans(_BENGALI_DIGITS, "0123456789")
_STRING = r'"(?:[^"\\]|\\.)*"'
# A number that JSON does not know: Bengali digits, a comma between thousands, a unit behind it.
_BARE = regex.compile(
    rf"(?P<string>{_STRING})|(?P<before>[:\[,]\s*)(?P<bare>[-–]?[০-৯\d][^\s\"\\,}}\]]*(?:,\d{{2,3}}"
    rf"(?!\d))*[^\"\\,}}\]\n]*?)(?=\s*[,}}\]])"
)
_TRAILING_COMMA = regex.compile(rf"({_STRING})|,(\s*[}}\]])")
_WRONG_ESCAPE = regex.compile(r"\\\\|(\\)(?![\"\\\\/bfnrtu])")
_PLAIN_NUMBER = regex.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"'})


def read_object(reply: str) -> Mapping[str, Any] | None:
    """The first JSON object of a reply; None where there is none that can be read.

    Fences and text around it do not matter. Line breaks inside strings, unquoted Bengali numerals,
    trailing commas, escapes that JSON does not know and curly quotes around keys are mended.
    """
    text = answer_text(reply)
    start = text.find("{")
    if start < 0:
        return None
    text = text[start : text.rfind("}") + 1] or text[start:]
    for mended in (text, _mend(text), _mend(text.translate(_CURLY))):
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(mended)
        except ValueError:
            continue
        return value if isinstance(value, dict) else None
    return None


def text_of(value: Any) -> str:
    """A field of such an object as text: a list of steps becomes lines, null nothing."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "\n".join(text_of(each) for each in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _mend(text: str) -> str:
    text = _WRONG_ESCAPE.sub(lambda found: "\\\\" if found[1] else found[0], text)
    text = _TRAILING_COMMA.sub(lambda found: found[1] or found[2], text)
    return _BARE.sub(_quote, text)


def _quote(found: regex.Match[str]) -> str:
    if found["string"] is not None:
        return str(found["string"])
    bare = found["bare"].strip()
    if _PLAIN_NUMBER.fullmatch(bare):
        return str(found[0])
    return found["before"] + json.dumps(bare, ensure_ascii=False)
