"""Which type of hallucination a reply names: one of four, none, or nothing that can be read."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

import regex

from banglahallueval.models.types import Reply
from banglahallueval.text.yes_no import LETTER, any_of, fold
from banglahallueval.verdicts import CUT_OFF, EMPTY, REFUSED, UNPARSED, no_text
from banglahallueval.verdicts.refusals import refuses
from banglahallueval.verdicts.statements import Statement, statements
from banglahallueval.verdicts.turns import own_turn
from banglahallueval.vision.discriminative.statements import says
from banglahallueval.vision.unseen import NO_PICTURE, saw_no_picture

TypeLabel = Literal["none", "relation", "object", "attribute", "event"]
TYPE_LABELS: tuple[TypeLabel, ...] = get_args(TypeLabel)
SEVERAL: Final = "several types"

_WORDS: Final[dict[TypeLabel, str]] = {
    "none": r"none(?: of (?:these|them|the above))?|no (?:error|hallucination|mistake)s?|correct"
    + f"|{any_of('কোনোটিই নয়', 'কোনোটি নয়', 'কোনোটাই নয়', 'কোনটিই নয়', 'কোনোটিই না', 'কোনো ভুল নেই')}"
    + f"|{any_of('konotai na', 'konotai noy', 'kono bhul nei', 'kono vul nei')}",
    "relation": r"(?:spatial )?relation(?:al|ship|ships|s)?|spatial"
    + f"|{any_of('সম্পর্কের', 'সম্পর্কগত', 'সম্পর্ক', 'shomporko', 'somporko')}",
    "object": r"objects?|objective" + f"|{any_of('বস্তুর', 'বস্তুগত', 'বস্তু', 'bostu')}",
    "attribute": r"attribut(?:es?|ive|ion)"
    + f"|{any_of('বৈশিষ্ট্যের', 'বৈশিষ্ট্যগত', 'বৈশিষ্ট্য', 'boishishto', 'boisishto')}",
    "event": r"events?|additional" + f"|{any_of('ঘটনার', 'ঘটনাগত', 'ঘটনা', 'ghotona')}",
}
_ONE: Final = "|".join(f"(?P<{name}>{words})" for name, words in _WORDS.items())
_KIND = (
    r"(?:[ -](?:error|hallucination|type|mistake|mismatch)s?"
    rf"| ?{any_of('ধরনের ভুল', 'ভুল', 'ধরনের', 'bhul', 'vul')})?"
)
_LABEL = rf"(?:{_ONE}){_KIND}(?!{LETTER})"
# The whole of a line, or its head: `Object: there is no tram`.
_ALONE = regex.compile(rf"\W*+(?:(?:an?|the) )?{_LABEL}\W*+")
_HEAD = regex.compile(rf"\W*+{_LABEL}[\"'*_)\]]*+\s*+(?:[.:;।–—(\n]|,(?! ?(?:{_ONE}))|- )")
# `The error is of type object`, `Answer: none`, `It is an attribute error`
_ANNOUNCED = regex.compile(
    r"(?<!\p{L})(?:answer|type|kind|category|label|verdict|error|hallucination|conclusion"
    rf"|{any_of('উত্তর', 'উত্তরটি', 'ধরন', 'ভুলটি', 'uttor')})"
    r"(?: of (?:error|hallucination|mistake))?"
    rf"(?:\W{{0,3}}[:=ঃ]| is| would be| {any_of('হলো', 'হল')})"
    rf"\W{{0,6}}(?:(?:of (?:the )?(?:type|kind)|an?|the) \W?)?{_LABEL}"
)
_SAID = regex.compile(
    rf"(?<!{LETTER})(?:an?|the) (?:{_ONE})[ -](?:error|hallucination|mistake|mismatch)(?!{LETTER})"
)
# Another type right behind it: `object and attribute`.
_MORE = regex.compile(
    rf"\W*+(?:,|/|&|\+|and|or|{any_of('ও', 'এবং', 'বা', 'অথবা')})\W*+(?:{_ONE})(?!{LETTER})"
)


class Named(NamedTuple):
    """What a reply names.

    Attributes:
        label: A type, `none`, or `unknown`.
        reason: Why it is unknown; empty otherwise.
    """

    label: TypeLabel | Literal["unknown"]
    reason: str = ""


def read_type(reply: Reply, *, is_cot: bool) -> Named:
    """Read which type a reply names, never making one up; several are none.

    Args:
        reply: What the model answered; thinking inside its text is left out.
        is_cot: Whether it was asked to reason first, so that its last line counts.
    """
    withheld = no_text(reply)
    if withheld:
        return Named("unknown", withheld)
    visible, ended = own_turn(fold(reply.text))
    if visible is None:  # cannot be: its thinking would not end
        return Named("unknown", EMPTY)
    if saw_no_picture(visible):
        return Named("unknown", NO_PICTURE)
    cut = reply.finish == "length" and not ended
    sentences = statements(visible)
    found = _labels(sentences, is_cot=is_cot, cut=cut)
    if len(found) == 1:
        return Named(found.pop())
    if found:
        return Named("unknown", SEVERAL)
    if refuses(visible):
        return Named("unknown", REFUSED)
    return Named("unknown", CUT_OFF if cut else UNPARSED if sentences else EMPTY)


def _labels(sentences: list[Statement], *, is_cot: bool, cut: bool) -> set[TypeLabel]:
    """Find the labels that count: in the line that should hold one, announced, or said at all."""
    if not sentences:
        return set()
    if not (is_cot and cut):
        lines = [each for each in sentences if each.opens]
        line = lines[-1 if is_cot else 0].text if lines else ""
        found = _ALONE.fullmatch(line) or (None if is_cot else _HEAD.match(line))
        if found:
            return _with_more(found, line)
        several = _listed(line)
        if several:
            return several
    for pattern in (_ANNOUNCED, _SAID):
        named: set[TypeLabel] = set()
        for each in sentences:
            for match in pattern.finditer(each.text):
                named |= _with_more(match, each.text)
        if named:
            return named
    if cut:
        return set()
    return {"none"} if {says(each.text) for each in sentences} - {""} == {"yes"} else set()


def _listed(line: str) -> set[TypeLabel]:
    """Read a line that is nothing but a list of types."""
    labels: set[TypeLabel] = set()
    for part in regex.split(rf"[,/&+]|(?<!{LETTER})(?:and|or|ও|এবং)(?!{LETTER})", line):
        found = _ALONE.fullmatch(part)
        if found is None:
            return set()
        labels.add(_label(found))
    return labels


def _with_more(found: regex.Match[str], text: str) -> set[TypeLabel]:
    labels = {_label(found)}
    if more := _MORE.match(text, found.end()):
        labels.add(_label(more))
    return labels


def _label(found: regex.Match[str]) -> TypeLabel:
    return next(name for name in TYPE_LABELS if found[name] is not None)
