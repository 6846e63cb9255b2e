"""Writes calculations told in words as tokens in signs.

`পাঁচ গুণ তিন সমান পনেরো`, `5 ke 3 diye gun korle 15` and `five times three is fifteen` become the
tokens of `5 * 3 → 15`. A calculation is found by what stands between its numbers, which has to
match from one to the next; every other word and number of the text stays as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from banglahallueval.judges.arithmetic.mentions import Mention, mentions, names_part, word_number
from banglahallueval.judges.arithmetic.tokens import (
    LOOSE_EQUALS,
    MAYBE_EQUALS,
    Note,
    Token,
    spellings,
)
from banglahallueval.judges.arithmetic.units import read_unit

_Y: Final = "(?:\u09df|\u09af\u09bc)"  # য় in both codings
_LETTER: Final = r"[A-Za-z\u0980-\u09e5\u200c\u200d]"
_WORD: Final = rf"{_LETTER}+"
_TIMES: Final = r"গু[ণন](?:ন|ে)?|gu[nv]e?"
_PLUS: Final = r"যোগে?|jo+ge?"
_MINUS: Final = rf"বি{_Y}োগে?|বাদে?|bi[yj]o+ge?|bad"
_DIVIDED: Final = r"ভাগে?|bh?age?"
_SAYS: Final = (
    rf"(?:(?:সমান|হ{_Y}|হবে|হলো?|হচ্ছে|পাই|পাব|পাও{_Y}া|যা{_Y}|যাবে|দাঁড়া{_Y}|পড়ে|থাকে|থাকল|থাকবে|রইল|আসে|মানে|অর্থাৎ|মোট"
    rf"|ঠিক|প্রা{_Y}|is|are|equals?|makes?|gives?|leaves?|about|hoy|hobe|holo|pai|pabo|thake|ase|so?maa?n|mot|mane)"
    rf"(?!{_LETTER})|[=≈])"
)
_SAID: Final = rf"\s*(?:(?:{_SAYS}|[:,])\s*)"
# `টাকা`, `টি কলম`: what a number counts.
_COUNTED: Final = rf"(?:-?{_LETTER}*\s+)?"
_MAKES: Final = (
    rf"(?:\s+(?:করলে|করে|করি|করা{_Y}|দিলে|দি{_Y}ে|নিলে|kor[lb]e|kore|kori|dile|nile))?(?!{_LETTER})"
)
_BY: Final = rf"\s*(?:দি{_Y}ে|দ্বারা|di[yj]?e|dara|dwara)\s+"
_AND: Final = r"(?:ও|আর|এবং|ar|o|and|,)"
_WITH: Final = r"(?:সাথে|সঙ্গে|sathe|songe|with|to)"
_TO: Final = r"-?(?:কে|ke)"
_FROM: Final = r"(?:থেকে|হতে|theke|from)"


def _gap(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_INFIX: Final[Mapping[str, re.Pattern[str]]] = {
    sign: _gap(rf"\s*{_COUNTED}(?:{words})\s+")
    for sign, words in {
        "*": rf"{_TIMES}|times|multiplied\s+by",
        "+": rf"{_PLUS}|plus",
        "-": rf"{_MINUS}|minus",
        "/": r"divided\s+by",
    }.items()
}
_RESULT: Final = _gap(rf"\s*{_COUNTED}[,:]?\s*(?:{_SAYS}\s*){{1,3}}[৳$]?")
_SHARES: Final = _gap(rf"\s*{_COUNTED}(?:{_DIVIDED})\s+")  # also `৪ ভাগ`: four parts
_LIST: Final = _gap(rf"\s*{_COUNTED}{_AND}\s*")


class _Form(NamedTuple):
    """What stands behind the first and behind the second number of a calculation."""

    sign: str
    first: re.Pattern[str]
    second: re.Pattern[str]
    equals: str = LOOSE_EQUALS


_REST: Final = rf"{_MAKES}{_SAID}{{0,3}}(?:\s*{_LETTER}+\s+)?\s*[৳$]?"
_FORMS: Final = (
    _Form("*", _gap(rf"\s*{_COUNTED}(?:{_TO}|{_AND})\s*"), _gap(rf"{_BY}(?:{_TIMES}){_REST}")),
    _Form("/", _gap(rf"\s*{_COUNTED}{_TO}\s+"), _gap(rf"\s*{_COUNTED}{_BY}(?:{_DIVIDED}){_REST}")),
    _Form(
        "+",
        _gap(rf"\s*{_COUNTED}(?:-?(?:এর|er)\s+)?(?:{_WITH}|{_AND})\s*"),
        _gap(rf"\s*{_COUNTED}(?:{_PLUS}){_REST}"),
    ),
    _Form("-", _gap(rf"\s*{_COUNTED}{_FROM}\s+"), _gap(rf"\s*{_COUNTED}(?:{_MINUS}){_REST}")),
    _Form(
        "-",
        _gap(rf"\s*{_COUNTED}{_FROM}\s+"),
        _gap(rf"\s*{_COUNTED}(?:গেলে|কমলে|gele)\s*(?:{_SAYS}\s*){{1,2}}"),
        MAYBE_EQUALS,
    ),
    _Form(
        "+",
        _LIST,
        _gap(rf"\s*{_COUNTED}(?:(?:মিলে|মিলি{_Y}ে)(?:\s+মোট)?|মোট)(?:\s+হ{_Y})?\s+"),
        MAYBE_EQUALS,
    ),
    _Form(
        "-",
        _gap(r".*\s(?:গেল|খরচ|বাদ|gelo|khoroch)\s+"),
        _gap(rf"\s*{_COUNTED}[,;]?\s*(?:বাকি\s+)?(?:রইল|থাকল|থাকে|roilo|thaklo|thake)\s+"),
        MAYBE_EQUALS,
    ),
)  # fmt: skip
# `multiplying 5 by 3 gives 15`
_VERBS: Final[Mapping[str, re.Pattern[str]]] = {
    "*": _gap(r"multipl(?:y|ying)\s+"),
    "/": _gap(r"divid(?:e|ing)\s+"),
    "+": _gap(r"add(?:ing)?\s+"),
}
_BETWEEN: Final = _gap(rf"\s*{_COUNTED}(?:by|and|to|with)\s+")
# `টেরিয়ার প্রতি ১৫ মিনিট হারে, ৮টি টেরিয়ার ১২০ মিনিট`, of the same things in the same unit
_RATE: Final = _gap(rf"\s*{_COUNTED}(?:হারে|hare),?\s+")
_AT_RATE: Final = _gap(rf"(?:টি|টা|জন|খানা|ti|ta|jon)?\s*(?P<things>{_WORD})\s+[৳$]?")
_PER: Final = _gap(
    rf"(?:(?P<of>{_WORD})\s+(?:প্রতি|proti)|(?:প্রতি|proti)\s+(?P<each>{_WORD}))\s+[৳$]?$"
)
# `দেড় মিটার মানে ১৫০ সেন্টিমিটার`, `আড়াই ঘণ্টা, মিনিটে দেড় শ`
_CONVERTS: Final = _gap(rf"\s*{_WORD}\s*(?:মানে|অর্থাৎ|বা|mane|{_SAID}{_WORD}(?:ে|তে|য়|য়))\s+")
# Words that may calculate; only what is near one is read, as most texts have none.
_CUES: Final = frozenset(
    spellings(
        "গুণ", "গুন", "গুণন", "গুণে", "গুনে", "যোগ", "যোগে", "বিয়োগ",
        "বিয়োগে", "বাদ", "ভাগ", "ভাগে", "মিলে", "মিলিয়ে", "মোট", "mot",
        "গেলে", "রইল", "থাকল", "হারে", "মানে", "times", "plus", "minus",
        "divided", "multiplied", "multiplying", "dividing", "adding",
        "multiply", "divide", "add", "gun", "gune", "gunon", "jog", "joge",
        "jogge", "biyog", "biyoge", "biyogge", "bad", "bhag", "bhage", "bag",
        "mile", "gele", "roilo", "thaklo", "hare", "mane",
    )
)  # fmt: skip
_BEFORE_TOTAL: Final = 4  # tokens
_TOTALS: Final = frozenset({"মোট", "mot"})
_ANDS: Final = frozenset({"ও", "আর", "এবং", "and", "ar", "o"})
_NO_CUE: Final = re.compile("কর(?:তে|ুন|া|ি|ব)|বেশি|বড়|দাম")  # what may follow `গুণ` otherwise
_START: Final = attrgetter("start")
_FEWEST: Final = 2  # numbers of a calculation
_NEAR: Final = 100  # code points around such a word
_LONGEST: Final = 48  # code points between two numbers of one calculation
_CASE: Final = "কে"


def in_signs(text: str, tokens: list[Token], notes: list[Note]) -> tuple[list[Token], list[Note]]:
    """Write the calculations that a text tells in words as tokens in signs.

    Args:
        text: The text.
        tokens: Its tokens.
        notes: Its annotations, by the index of their tokens.

    Returns:
        The tokens and annotations, the same ones if nothing is told in words.
    """
    cues = [
        token.start for i, token in enumerate(tokens) if token.text in _CUES and _is_cue(tokens, i)
    ]
    numbers = list(_numbers_near(text, tokens, cues)) if cues else []
    if len(numbers) < _FEWEST:
        return tokens, notes
    written: dict[int, str] = {}  # sign behind a number
    for calculation in _calculations(text, numbers):
        written.update(calculation)
    if not written:
        return tokens, notes
    rewritten = list(_rewrite(tokens, numbers, written))
    places = [at for at, token in enumerate(rewritten) if token.kind == "note"]
    moved = [note._replace(at=at) for note, at in zip(notes, places, strict=True)]
    return rewritten, moved


def _is_cue(tokens: Sequence[Token], at: int) -> bool:
    """Whether what stands beside a word that may calculate lets it."""
    if tokens[at].text in _TOTALS:  # `৩ আর ৫ মোট ৮`, not `মোট ৮`
        before = tokens[max(0, at - _BEFORE_TOTAL) : at]
        return any(token.text in _ANDS for token in before) and any(
            token.kind == "number" or word_number(token.text) is not None for token in before[-2:]
        )
    return at + 1 < len(tokens) and not _NO_CUE.match(tokens[at + 1].text)


def _numbers_near(text: str, tokens: Sequence[Token], places: Sequence[int]) -> Iterator[Mention]:
    """Find the numbers near places of a text, in order; not those that name a part, as অর্ধেক."""
    stretches: list[list[int]] = []
    for place in places:
        if stretches and place - _NEAR <= stretches[-1][1]:
            stretches[-1][1] = place + _NEAR
        else:
            stretches.append([place - _NEAR, place + _NEAR])
    for start, end in stretches:
        first, after = (bisect_left(tokens, edge, key=_START) for edge in (start, end))
        for number in mentions(tokens[first:after]):
            is_cut = first > 0 and number.start == tokens[first].start
            is_part = names_part(text[number.start : number.end])
            if not (is_cut or is_part) and _digits(number) is not None:
                yield number


def _calculations(text: str, numbers: Sequence[Mention]) -> Iterator[dict[int, str]]:
    """Find calculations: for each the signs behind its numbers, by their index."""
    gaps = [
        text[_end(text, one) : other.start] if other.start - one.end <= _LONGEST else "\n"
        for one, other in pairwise(numbers)
    ]
    for at, gap in enumerate(gaps):
        if at and _RESULT.fullmatch(gap):
            found = {at: LOOSE_EQUALS}
            for before in range(at - 1, -1, -1):
                sign = _infix(gaps[before], gap)
                if not sign:
                    break
                found[before] = sign
            verb = _verb(text, numbers[at - 1]) if _BETWEEN.fullmatch(gaps[at - 1]) else ""
            if verb:
                found[at - 1] = verb
            if len(found) > 1:
                yield found
        for form in _FORMS if at else ():
            if form.second.fullmatch(gap) and form.first.fullmatch(gaps[at - 1]):
                yield {at - 1: form.sign, at: form.equals, **_listed(form, gaps, at - 1)}
                break
        if at and _is_rate(text, numbers[at - 1 : at + 2], gaps[at - 1 : at + 1]):
            yield {at - 1: "*", at: LOOSE_EQUALS}
        if _converts(numbers[at], numbers[at + 1]) and _CONVERTS.fullmatch(gap):
            yield {at: LOOSE_EQUALS}


def _end(text: str, number: Mention) -> int:
    """Return where a number ends without the case that is written together with it: `পাঁচকে`."""
    return number.end - len(_CASE) if text.endswith(_CASE, 0, number.end) else number.end


def _infix(gap: str, result: str) -> str:
    """Return the sign that a gap says in words, the result being told so; empty if it says none."""
    for sign, said in _INFIX.items():
        if said.fullmatch(gap):
            return sign
    return "/" if "=" not in result and _SHARES.fullmatch(gap) else ""


def _verb(text: str, number: Mention) -> str:
    """Return the sign of a verb just before a number, as in `multiplying 5`."""
    before = text[max(0, number.start - _LONGEST) : number.start]
    for sign, verb in _VERBS.items():
        if any(found.end() == len(before) for found in verb.finditer(before)):
            return sign
    return ""


def _listed(form: _Form, gaps: Sequence[str], at: int) -> dict[int, str]:
    """Return the signs between further addends: `৩, ৫ ও ৭ মিলে ১৫`."""
    found: dict[int, str] = {}
    for before in range(at - 1, -1, -1) if form.sign == "+" else ():
        if not _LIST.fullmatch(gaps[before]):
            break
        found[before] = "+"
    return found


def _is_rate(text: str, numbers: Sequence[Mention], gaps: Sequence[str]) -> bool:
    """Whether a price or time for each of some things and their number give that for all."""
    rate, _, total = numbers
    things = _AT_RATE.fullmatch(gaps[1]) if _RATE.fullmatch(gaps[0]) else None
    if things is None or rate.unit is None or rate.unit != total.unit:
        return False
    each = _PER.search(text, max(0, rate.start - _LONGEST), rate.start)
    return each is not None and things["things"] in (each["of"], each["each"])


def _converts(one: Mention, other: Mention) -> bool:
    """Whether two numbers may be one quantity in two units of one kind."""
    a, b = one.unit, other.unit
    return a is not None and b is not None and a.dimension == b.dimension != "" and a != b


def _rewrite(
    tokens: Sequence[Token], numbers: Sequence[Mention], written: Mapping[int, str]
) -> Iterator[Token]:
    """Replace what stands behind numbers by signs, and numbers in words beside them by digits."""
    beside = {*written, *(at + 1 for at in written)}
    at = 0
    for i, number in enumerate(numbers):
        while at < len(tokens) and tokens[at].end <= number.start:
            yield tokens[at]
            at += 1
        if i not in beside:
            continue
        first, after = tokens[at], at
        while after < len(tokens) and tokens[after].start < number.end:
            after += 1
        if first.kind == "number" and after == at + 1 and first.scale == 1:
            yield first
        else:
            text = _digits(number) or ""
            yield Token("number", number.start, number.end, text, 1, number.unit)
        at = after
        if i in written:
            if at < len(tokens) and read_unit(tokens[at].text):
                yield tokens[at]
            sign = written[i]
            end = numbers[i + 1].start
            kind = "equals" if sign in {LOOSE_EQUALS, MAYBE_EQUALS} else "sign"
            yield Token(kind, number.end, number.end, sign)  # type: ignore[arg-type]
            while at < len(tokens) and tokens[at].start < end:
                at += 1
    yield from tokens[at:]


def _digits(number: Mention) -> str | None:
    """Write a value in digits; None for an endless decimal."""
    exact = Fraction(number.value)
    if exact.denominator == 1:
        return str(exact.numerator)
    if 1000 % exact.denominator:
        return None
    return f"{float(exact):.3f}".rstrip("0")
