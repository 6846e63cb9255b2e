"""Which types of hallucination a judge's reply names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import regex

from banglahallueval.models.types import Reply
from banglahallueval.text.json_reply import read_object
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.markup import without_emphasis, without_tags
from banglahallueval.text.yes_no import any_of, fold
from banglahallueval.verdicts import CONTRADICTS, CUT_OFF, UNFINISHED_THINKING, UNPARSED, no_text
from banglahallueval.verdicts.refusals import declines, doubts
from banglahallueval.verdicts.statements import LONGEST
from banglahallueval.verdicts.turns import own_turn
from banglahallueval.verdicts.types import REFUSED
from banglahallueval.vision.defects import has_words, is_refusal
from banglahallueval.vision.generative.reading import read_as_verdict
from banglahallueval.vision.generative.types import TYPES, HallucinationType

Types = frozenset[HallucinationType]

_NAMES: Final[Mapping[HallucinationType, str]] = {
    "object": rf"object(?:ive|s)?(?!\p{{L}})|{any_of('বস্তু', 'অবজেক্ট', 'bostu')}",
    "relation": r"relation(?:ship|al)?s?(?!\p{L})|"
    + f"{any_of('সম্পর্ক', 'রিলেশন', 'shomporko', 'somporko')}",
    "attribute": r"attribut(?:e|ive|es|ion)(?!\p{L})|"
    + any_of("বৈশিষ্ট্য", "গুণ", "অ্যাট্রিবিউট", "boishishto", "boisishto"),
    # The published judge calls an event additional, and its script reads one d, too.
    "event": rf"(?:events?|add?itional)(?!\p{{L}})|{any_of('ঘটনা', 'ইভেন্ট', 'অতিরিক্ত', 'ghotona')}",
    "multiple": rf"(?:multiple|several)\s(?=type)|multi[- ]?(?=type)|{any_of('একাধিক')}",
    "other": rf"others?(?!\p{{L}})|{any_of('অন্যান্য')}",
}
_NAME: Final = "|".join(f"(?P<{name}>{pattern})" for name, pattern in _NAMES.items())
_START: Final = r"(?<![\p{L}\p{M}])"
_WORD: Final = (
    r"(?:hallucinat\p{L}+|types?|errors?|content|information|details?"
    rf"|{any_of('হ্যালুসিনেশন', 'বিভ্রম', 'ভুল', 'ত্রুটি', 'ধরন', 'তথ্য')}[\p{{L}}\p{{M}}]*)"
)
_ENDING: Final = r"[\p{L}\p{M}]*"  # গত of বস্তুগত
_JOINT: Final = r"(?:[\s,/&+\"']|(?:and|or|nor)(?!\p{L})|এবং|ও(?=\s)|বা(?=\s))+"
# `object, attribute and event hallucinations`
_RUN = lazy_regex(
    rf"{_START}(?:{_NAME}){_ENDING}(?:{_JOINT}(?:spatial\s)?(?:{_NAME}){_ENDING})*"
    rf"(?P<word>[\s\-]*{_WORD})?"
)
# All that may stand around the types of a bare list.
_FILLER = lazy_regex(
    rf"{_WORD}|(?<!\p{{L}})(?:and|or|both|also|the|an?|are|is|yes|spatial)(?!\p{{L}})"
    rf"|{_START}(?:{any_of('এবং', 'ও', 'বা', 'হ্যাঁ')})(?![\p{{L}}\p{{M}}])|[^\p{{L}}\p{{M}}]"
)
_ASIDE = lazy_regex(r"\([^()\n]*\)|\[[^\[\]\n]*\]")
_SPACES = lazy_regex(r"\s++")
_BRACKETS = lazy_regex(r"[()\[\]]")
_CLAUSE = lazy_regex(r"[\n;।]+|[.!?](?=\s|$)|,?\s(?:but|however|কিন্তু|তবে)\s")
_HEAD = lazy_regex(r"\s*(?P<head>[^:：]{1,70}?)\s*(?:[:：=]|\s[-–—](?=\s))(?P<value>.*)")
_NOT = lazy_regex(r"(?<!\p{L})(?:no|not|without|neither|nor|never|\p{L}+n't)(?!\p{L})")
_OR = lazy_regex(r"(?<!\p{L})n?or(?!\p{L})")
_IS: Final = r"\s*(?:is|are|was|were|looks?|seems?)"
_RIGHT: Final = (
    r"(?:right|correct|accurate|fine|ok|okay"
    rf"|{any_of('ঠিক আছে', 'ঠিক', 'সঠিক', 'thik ache', 'thik', 'shothik', 'sothik')})"
    r"(?![\p{L}\p{M}])"
)
_NO_BANGLA: Final = any_of("নেই", "না", "নয়", "nei", "nai", "na", "noy", "noi")
_NOT_BEHIND = lazy_regex(
    rf"{_IS}\s+(?:not|absent|no)(?!\p{{L}})|[^,]*{_START}{_NO_BANGLA}\W*(?:$|,)"
    # the object is right; বস্তু ঠিক আছে
    rf"|(?:{_IS})?\s+(?:\p{{L}}+ly\s)?{_RIGHT}"
)
_NOT_RIGHT = lazy_regex(
    rf"{_IS}(?:n't|\s+not)\s+(?:\p{{L}}+ly\s)?{_RIGHT}|\s+{_RIGHT}\s{_NO_BANGLA}(?![\p{{L}}\p{{M}}])"
)
_PROPERTY = lazy_regex(
    rf"\W*(?:colou?rs?|size|material|{any_of('রং', 'রঙ', 'rong')})(?:\s{_WORD})?\W*"
)
_DENIED = lazy_regex(
    r"\W*(?:no(?:ne|pe)?|not?\s(?:present|found|detected|applicable|any|hallucinat\p{L}+|errors?)"
    r"|none\s(?:found|detected|present)|n/?a|nil|absent|false|0"
    rf"|(?:{_RIGHT})"
    rf"|{any_of('না', 'নেই', 'নয়', 'কোনোটি নয়', 'কোনোটিই না', 'কোনোটিই নয়', 'কিছু নেই', 'কিছুই না')}"
    rf"|{any_of('nei', 'na')})\W*"
)
_BARE = lazy_regex(rf"\W*(?:{any_of('yes', 'হ্যাঁ', 'true')})\W*")


def read_types(reply: Reply) -> tuple[Types, str]:
    """Read the types out of a reply to what kinds of hallucination there are.

    Returns:
        The types, `other` where it says something else than those known; empty where there is
        nothing to read, and then why. A reply that now sees none contradicts the one before it.
    """
    withheld = no_text(reply)
    if withheld:
        return frozenset(), withheld
    visible, _ = own_turn(fold(reply.text))
    if visible is None:
        return frozenset(), UNFINISHED_THINKING
    text = without_emphasis(without_tags(visible)).strip()
    found = _named(text)
    if found.types:
        return found.types, ""
    if _PROPERTY.fullmatch(text):
        return frozenset(("attribute",)), ""
    if found.is_denied or _DENIED.fullmatch(text) or read_as_verdict(reply.text).label == "no":
        return frozenset(), CONTRADICTS
    if reply.finish == "length":
        return frozenset(), CUT_OFF
    if is_refusal(text) or declines(text):
        return frozenset(), REFUSED
    if not has_words(text) or _BARE.fullmatch(text) or doubts(text):
        return frozenset(), UNPARSED
    return frozenset(("other",)), ""


class _Found(NamedTuple):
    """What a text names.

    Attributes:
        types: The types.
        is_denied: Whether it names some only to say that they are not there.
    """

    types: Types
    is_denied: bool


class _Mention(NamedTuple):
    """A type that a clause names.

    Attributes:
        type: Which.
        is_label: Whether it is meant as a type, and is no word of an explanation.
        is_denied: Whether it is said not to be there.
    """

    type: HallucinationType
    is_label: bool
    is_denied: bool


def _named(text: str) -> _Found:
    """Find the types that a folded text names."""
    fields = read_object(text) if text.startswith(("{", "```")) else None
    mentions = list(_of_object(fields) if fields else _of_text(text))
    said = [each for each in mentions if not each.is_denied]
    labels = {each.type for each in said if each.is_label}
    # Where no type is named as such, a word of the explanation is taken, as published.
    types = labels or {each.type for each in said} - {"other"}
    if len(types) > 1:
        types -= {"multiple"}
    return _Found(frozenset(types), bool(mentions) and not said)


def _of_object(fields: Mapping[str, Any]) -> Iterator[_Mention]:
    """Yield the types of a JSON object: in its values, or as keys of yes and no."""
    for key, value in fields.items():
        types = _types_in(str(key))
        if types:
            is_denied = not value or (isinstance(value, str) and _is_denial(value))
            yield from (_Mention(name, True, is_denied) for name in types)
            continue
        for each in value if isinstance(value, list) else [value]:
            yield from _of_text(str(each))


def _of_text(text: str) -> Iterator[_Mention]:
    outside = _ASIDE.sub(" ", text)
    # `(object)` and `["object"]` are all there is, and no aside.
    shown = outside if has_words(outside) else _BRACKETS.sub(" ", text)
    for clause in _CLAUSE.split(shown):
        spaced = _SPACES.sub(" ", clause)
        for at in range(0, len(spaced), LONGEST):  # so that time is linear
            yield from _of_clause(spaced[at : at + LONGEST])


def _of_clause(clause: str) -> Iterator[_Mention]:
    head = _HEAD.match(clause)
    if head and _is_list(head["head"]) and (types := _types_in(head["head"])):
        yield from (_Mention(name, True, _is_denial(head["value"])) for name in types)
        if types == ["multiple"]:  # which ones, it may go on to say
            yield from _of_clause(head["value"])
        return
    is_list = _is_list(head["value"] if head else clause)
    for run in _RUN.finditer(clause):
        is_denied = _is_denied(clause, run)
        for name in TYPES:
            if run.captures(name):
                yield _Mention(name, is_list or bool(run["word"]), is_denied)


def _types_in(text: str) -> list[HallucinationType]:
    runs = list(_RUN.finditer(text))
    return [name for name in TYPES if any(run.captures(name) for run in runs)]


def _is_list(text: str) -> bool:
    """Whether a text is types and what stands between them, and no sentence."""
    return not _FILLER.sub("", _RUN.sub("", text))


def _is_denied(clause: str, run: regex.Match[str]) -> bool:
    """Whether what is named is said not to be there: `no object or event hallucinations`."""
    if _NOT_RIGHT.match(clause, run.end()):
        return False
    if _NOT_BEHIND.match(clause, run.end()):
        return True
    nots = list(_NOT.finditer(clause, 0, run.start()))
    if not nots:
        return False
    between = clause[nots[-1].end() : run.start()]
    return "," not in between or bool(_OR.search(clause, nots[-1].end()))


def _is_denial(value: str) -> bool:
    return _DENIED.fullmatch(fold(value)) is not None
