"""The claims and the verdict in a model's reply, whatever form the model gave them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import json_repair
import regex

from banglahallueval.models.types import Reply
from banglahallueval.text.json_reply import whole_objects
from banglahallueval.text.markup import without_thinking
from banglahallueval.text.yes_no import fold
from banglahallueval.verdicts import Label, read_verdict

Status = Literal["supported", "contradicted", "missing"]

_STRING = {"type": "string"}
_CLAIM = {
    "claim": _STRING,
    "supported_by": _STRING,
    "status": {"type": "string", "enum": ["supported", "contradicted", "missing"]},
}
_REPLY = {
    "claims": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": _CLAIM,
            "required": list(_CLAIM),
            "additionalProperties": False,
        },
    },
    "verdict": {"type": "string", "enum": ["yes", "no"]},
}
# What a reply must look like, for servers that can hold a model to it.
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": _REPLY,
    "required": list(_REPLY),
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim as the model gave it.

    Attributes:
        text: What is claimed.
        supported_by: What the model says it copied from the evidence, piece by piece.
        status: Its status; empty where the model gave none that can be read.
    """

    text: str
    supported_by: tuple[str, ...] = ()
    status: Status | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reply says.

    Attributes:
        claims: Its claims.
        verdict: The model's own verdict on the whole.
        whole: Whether it came to its end; else claims may be missing.
    """

    claims: tuple[Claim, ...]
    verdict: Label
    whole: bool


def _folded(text: str) -> str:
    """Fold a key or status: one case, one spelling, no punctuation."""
    return " ".join(regex.findall(r"[\p{L}\p{M}\p{N}/]+", fold(text)))


def _names(text: str) -> frozenset[str]:
    return frozenset(_folded(name) for name in text.split(","))


_CLAIMS = _names("claims, atomic claims, claim list, দাবি, দাবিসমূহ, দাবিগুলো, দাবিগুলি, দাবি সমূহ")
_TEXT = _names("claim, text, statement, fact, দাবি, বক্তব্য, তথ্য")
_SUPPORT = _names(
    "supported by, support, supporting span, supporting text, span, quote, citation, evidence, "
    "সমর্থন, সমর্থিত, প্রমাণ, উদ্ধৃতি, উৎস, সমর্থনকারী অংশ, সমর্থিত অংশ"
)
_STATUS = _names("status, label, state, অবস্থা, স্থিতি, লেবেল, মর্যাদা")
_VERDICT = _names(
    "verdict, final verdict, final answer, label, is hallucinated, hallucinated, রায়, "
    "চূড়ান্ত রায়, সিদ্ধান্ত, চূড়ান্ত সিদ্ধান্ত"
)
_OF_STATUS: Mapping[Status, str] = {
    "supported": "supported, support, supports, entailed, সমর্থিত, সমর্থন করে",
    "contradicted": "contradicted, contradicts, contradiction, contradictory, refuted, বিরোধী, "
    "বিরুদ্ধ, পরস্পরবিরোধী, বিরোধপূর্ণ, সাংঘর্ষিক, বিপরীত, খণ্ডিত",
    "missing": "missing, not supported, unsupported, not found, not mentioned, not in evidence, "
    "অনুপস্থিত, অসমর্থিত, নেই, উল্লেখ নেই, পাওয়া যায়নি",
}
_STATUSES = {name: status for status, names in _OF_STATUS.items() for name in _names(names)}
_NOTHING = _names("none, null, n/a, na, nil, missing, empty, not found, নেই, কোনোটি নয়") | {""}
_AT_END = regex.compile(r"[(\[:;,|–—-]\s*([\p{L}\p{M}][\p{L}\p{M} _]*)\W*$")


def read_claims(reply: Reply) -> Answer | None:
    """Read the claims of a reply; None where it holds no object of claims.

    Thinking, fences and text around the object do not matter; an object that is cut or broken is
    mended as far as it goes, and a claim that has lost its end with its status has none. Claims
    may be objects, plain strings, or a mapping of claims to statuses; keys and values may be in
    Bangla. Of several objects the last counts, for drafts come first.
    """
    text = without_thinking(reply.text) or ""
    found = [each for each in map(_with_claims, whole_objects(text)) if each is not None]
    whole = bool(found) and reply.finish != "length"
    if not found:
        start = regex.search(r"[{\[]", text)
        if start is None:
            return None
        mended = _with_claims(json_repair.loads(text[start.start() :], skip_json_loads=True))
        if mended is None:
            return None
        found = [mended]
        # The verdict closes the object, so a broken one that has it was not cut before.
        whole = reply.finish != "length" and _value(mended, _VERDICT) is not None
    given = found[-1]
    claims = tuple(_claims(_value(given, _CLAIMS)))
    return Answer(claims, _verdict(_value(given, _VERDICT)), whole)


def _with_claims(value: Any) -> Mapping[str, Any] | None:
    """Find the object that holds claims: itself, one inside it, or a bare list of claims."""
    if isinstance(value, Mapping):
        given = _value(value, _CLAIMS)
        # In Bangla the list and each claim in it may have one name, দাবি; a text is a claim then.
        if isinstance(given, list | Mapping) or isinstance(_value(value, _CLAIMS - _TEXT), str):
            return value
        return next((found for found in map(_with_claims, value.values()) if found), None)
    if isinstance(value, list):
        inside = [found for found in map(_with_claims, value) if found]
        if inside:
            return inside[-1]
        if any(isinstance(each, Mapping) and _value(each, _TEXT) is not None for each in value):
            return {"claims": value}
    return None


def _value(given: Mapping[Any, Any], names: frozenset[str]) -> Any:
    return next((value for key, value in given.items() if _folded(str(key)) in names), None)


def _claims(value: Any) -> Iterator[Claim]:
    if isinstance(value, str):
        value = [value] if value.strip() else []
    if isinstance(value, Mapping):
        # {"c1": {…}} or {"the claim": "supported"}
        value = [
            each if isinstance(each, Mapping) else {"claim": key, "status": each}
            for key, each in value.items()
        ]
    for each in value:
        if isinstance(each, Mapping):
            text = _text(_value(each, _TEXT))
            support = _pieces(_value(each, _SUPPORT))
            if text or support:
                yield Claim(text, support, _status(_value(each, _STATUS)))
        elif isinstance(each, str) and each.strip():
            end = _AT_END.search(each)
            yield Claim(each.strip(), (), _status(end[1]) if end else "")


def _status(value: Any) -> Status | Literal[""]:
    return _STATUSES.get(_folded(value), "") if isinstance(value, str) else ""


def _pieces(value: Any) -> tuple[str, ...]:
    texts = [_text(each) for each in value] if isinstance(value, list) else [_text(value)]
    return tuple(text for text in texts if _folded(text) not in _NOTHING)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _verdict(value: Any) -> Label:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return read_verdict(Reply(value), "standard").label if isinstance(value, str) else "unknown"
