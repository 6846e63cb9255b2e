"""Which type of hallucination a reply names: one of four, none, or nothing that can be read."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

import regex

from banglahallueval.models.types import Reply
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.markup import without_emphasis, without_tags
from banglahallueval.text.yes_no import CONTENT, LETTER, any_of, fold
from banglahallueval.verdicts import CUT_OFF, EMPTY, REFUSED, UNPARSED, no_text
from banglahallueval.verdicts.refusals import refuses
from banglahallueval.verdicts.statements import LONGEST, Statement, statements
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
    "attribute": r"attribut(?:es?|ive|ion)|colou?rs?|size|material"
    + f"|{any_of('বৈশিষ্ট্যের', 'বৈশিষ্ট্যগত', 'বৈশিষ্ট্য')}"
    + f"|{any_of('রং', 'রঙ', 'rong', 'boishishto', 'boisishto')}",
    "event": r"events?|additional" + f"|{any_of('ঘটনার', 'ঘটনাগত', 'ঘটনা', 'ghotona')}",
}
_ONE: Final = "|".join(f"(?P<{name}>{words})" for name, words in _WORDS.items())
_KIND = (
    r"(?:[ -](?:error|hallucination|type|mistake|mismatch)s?"
    rf"| ?{any_of('ধরনের ভুল', 'ভুল', 'ধরনের', 'bhul', 'vul')})?"
)
_LABEL = rf"(?:{_ONE}){_KIND}(?!{LETTER})"
_ITEM = r"(?:\W{0,3}(?:\p{N}{1,2}|[a-e])[.)]|\W{0,3}\([a-e\d]\))?+"
_LEAD = (
    rf"{_ITEM}\W*+(?:(?:but|rather|instead|it is|it's|{any_of('বরং', 'borong')})\W++){{0,2}}"
    r"(?:(?:an?|the) )?"
)
# The whole of a line, or its head: `Object: there is no tram`.
_ALONE = lazy_regex(rf"{_LEAD}{_LABEL}\W*+")
_HEAD = lazy_regex(rf"{_LEAD}{_LABEL}[\"'*_)\]]*+\s*+(?:[.:;।–—(\n]|,(?! ?(?:{_ONE}))|- )")
_ALL = lazy_regex(
    r"\W*+(?:everything|all(?: of (?:them|these|those|the above))?|all (?:four )?types"
    rf"|{any_of('সবগুলো', 'সবগুলি', 'সব', 'সবকটি', 'sob', 'shob', 'sobgulo')})\W*+"
)
# Each type for itself: `Object: none`, `the attribute is wrong`, বস্তু ঠিক আছে
_TYPES: Final = "|".join(f"(?P<{name}>{_WORDS[name]})" for name in TYPE_LABELS[1:])
_RIGHT: Final = (
    r"(?:right|correct|accurate|fine|ok|okay|true to"
    rf"|{any_of('ঠিক আছে', 'ঠিক', 'সঠিক', 'thik ache', 'thik', 'shothik', 'sothik')})"
)
_WRONG: Final = (
    r"(?:wrong|incorrect|inaccurate|false|mismatched|mistaken|hallucinated"
    rf"|{any_of('ভুল', 'bhul', 'vul')})"
)
_NOT = rf"(?:{any_of('নয়', 'না', 'নেই', 'noy', 'noi', 'na', 'nei')})"
_RULED = lazy_regex(
    rf"(?<!{LETTER})(?:{_TYPES})(?:[ -](?:error|hallucination|type|mistake|mismatch)s?)?"
    rf"(?!{LETTER})"
    r"(?:[\"'*_)\]]{0,3}(?:\s?[:=|(]|\s[–—-]\s)\W{0,4}"
    r"(?:(?P<off>no|none|n/a|nil|false|0|not present|absent|not found|[✗✘❌×]"
    rf"|{any_of('নেই', 'না', 'নয়', 'nei', 'na')}|{_RIGHT})"
    rf"|(?P<on>yes|true|1|present|found|mismatch|error|[✓✔✅]"
    rf"|{any_of('হ্যাঁ', 'আছে', 'haan', 'ache')}|{_WRONG}))"
    rf"|\s(?:(?:is|are|was|were|looks?|seems?)(?P<not>n't|\snot)?\s)?"
    rf"(?:(?P<off>{_RIGHT})|(?P<on>{_WRONG}))(?P<not>\s{_NOT})?)"
    r"(?!\p{M})(?=\W*+(?:$|\n)|\s?[,;.।}\])|–—-]|\s(?:but|and|while|however|in|for)\s)"
)
# Not an event error; neither object nor relation; বস্তু নয়
_RULED_OUT = lazy_regex(
    r"(?<!\p{L})(?:not|never|no|neither|nor|rather than|instead of|isn't|without|n't)\s"
    rf"(?:(?:an?|the|any|of|type)\s){{0,3}}(?:{_TYPES}){_KIND}(?!{LETTER})"
    rf"(?:\s?(?:or|nor|/)\s?(?:(?:an?|the|any)\s)?(?:{_TYPES}){_KIND}(?!{LETTER}))*+"
    rf"|(?<!{LETTER})(?:{_TYPES})(?:\s(?:error|hallucination|{any_of('ভুল', 'bhul', 'vul')}))?"
    rf"(?:\s(?:is|are)\snot\s(?:wrong|present|there)|\s{_NOT})(?!{LETTER})"
)
# `The error is of type object`, `Answer: none`, `It is an attribute error`
_ANNOUNCED = lazy_regex(
    r"(?<!\p{L})(?:answer|type|kind|category|label|verdict|error|hallucination|conclusion"
    rf"|{any_of('উত্তর', 'উত্তরটি', 'ধরন', 'ভুলটি', 'uttor')})"
    r"(?: of (?:error|hallucination|mistake))?"
    rf"(?:\W{{0,3}}[:=ঃ]| is| would be| {any_of('হলো', 'হল')})"
    rf"\W{{0,6}}(?:(?:of (?:the )?(?:type|kind)|an?|the) \W?)?{_LABEL}"
)
_SAID = lazy_regex(
    rf"(?<!{LETTER})(?:an?|the) (?:{_ONE})[ -](?:error|hallucination|mistake|mismatch)(?!{LETTER})"
)
# Another type right behind it: `object and attribute`.
_MORE = lazy_regex(
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
    ruled = None if cut else _ruled(visible)
    found = _labels(sentences, is_cot=is_cot, cut=cut) if is_cot or ruled is None else ruled
    if is_cot and not found and ruled:
        found = ruled
    if len(found) == 1:
        return Named(found.pop())
    if found:
        return Named("unknown", SEVERAL)
    if refuses(visible):
        return Named("unknown", REFUSED)
    return Named("unknown", CUT_OFF if cut else UNPARSED if sentences else EMPTY)


def _labels(sentences: list[Statement], *, is_cot: bool, cut: bool) -> set[TypeLabel]:
    """Find the labels that count: in the line that should hold one, announced, or said at all."""
    kept = [_Left(each.line, _RULED_OUT.sub(" ", each.text), each.text) for each in sentences]
    kept = [each for each in kept if CONTENT.search(each.text)]
    if not kept:
        return set()
    if not (is_cot and cut):
        last = kept[-1].line
        line = next(each.text for each in kept if each.line == last) if is_cot else kept[0].text
        found = _ALONE.fullmatch(line) or (None if is_cot else _HEAD.match(line))
        if found:
            return _with_more(found, line)
        several = _listed(line)
        if several:
            return several
        if _ALL.fullmatch(line):
            return set(TYPE_LABELS[1:])
    for pattern in (_ANNOUNCED, _SAID):
        named: set[TypeLabel] = set()
        for each in kept:
            for match in pattern.finditer(each.text):
                named |= _with_more(match, each.text)
        if named:
            return named
    if cut:
        return set()
    said = {says(each.whole) for each in kept if each.text == each.whole} - {""}
    return {"none"} if said == {"yes"} else set()


class _Left(NamedTuple):
    """A statement without the types that it rules out.

    Attributes:
        line: The number of its line.
        text: What is left of it.
        whole: All of it.
    """

    line: int
    text: str
    whole: str


def _ruled(visible: str) -> set[TypeLabel] | None:
    """Read a reply that rules on each type for itself; None if it rules on none, or leaves it open.

    A line headed by a type that says more than yes or no speaks for that type.
    """
    ruled: dict[TypeLabel, bool] = {}
    rules = False
    for line in without_emphasis(without_tags(visible)).split("\n"):
        for at in range(0, len(line), LONGEST):
            piece = line[at : at + LONGEST]
            found = list(_RULED.finditer(piece))
            rules |= bool(found)
            for each in found:
                name = _label(each)
                is_on = (each["on"] is not None) == (each["not"] is None)
                ruled[name] = ruled.get(name, False) or is_on
            if not found and not at and (head := _HEAD.match(piece)):
                ruled.setdefault(_label(head), True)
    named = {name for name, is_on in ruled.items() if is_on}
    if not rules:
        return None
    return named or ({"none"} if ruled.keys() == set(TYPE_LABELS[1:]) else set())


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
    groups = found.groupdict()
    return next(name for name in TYPE_LABELS if groups.get(name) is not None)
