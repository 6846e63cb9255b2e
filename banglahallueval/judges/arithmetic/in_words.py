"""Writes calculations told in words as tokens in signs.

`পাঁচ গুণ তিন সমান পনেরো`, `5 ke 3 diye gun korle 15` and `five times three is fifteen` become the
tokens of `5 * 3 → 15`. A calculation is found by what stands between its numbers, which has to
match from one to the next; every other word and number of the text stays as it is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from operator import attrgetter
from typing import Final

from banglahallueval.judges.arithmetic.mentions import Mention, mentions, names_part, word_number
from banglahallueval.judges.arithmetic.tokens import (
    LOOSE_EQUALS,
    MAYBE_EQUALS,
    Note,
    Token,
)
from banglahallueval.judges.arithmetic.units import read_unit
from banglahallueval.judges.arithmetic.wording import (
    ANDS,
    AT_RATE,
    BEFORE_TOTAL,
    BETWEEN,
    CONVERTS,
    CUES,
    FORMS,
    INFIX,
    LIST,
    NO_CUE,
    OF,
    OF_PARTS,
    OPERATES,
    PARTS,
    PER,
    RATE,
    RESULT,
    SHARES,
    SIGNED,
    TOTALS,
    VERBS,
    Form,
)

_START: Final = attrgetter("start")
_FEWEST: Final = 2  # numbers of a calculation
_NEAR: Final = 100  # code points around such a word
_LONGEST: Final = 48  # code points between two numbers of one calculation
_EQUALS: Final = frozenset({LOOSE_EQUALS, MAYBE_EQUALS})
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
        token.start for i, token in enumerate(tokens) if token.text in CUES and _is_cue(tokens, i)
    ]
    numbers = list(_numbers_near(text, tokens, cues)) if cues else []
    if len(numbers) < _FEWEST:
        return tokens, notes
    written: dict[int, str] = {}  # sign behind a number
    for calculation in _calculations(text, numbers):
        written.update(calculation)
    if not written:
        return tokens, notes
    rewritten = list(_rewrite(text, tokens, numbers, written))
    places = [at for at, token in enumerate(rewritten) if token.kind == "note"]
    moved = [note._replace(at=at) for note, at in zip(notes, places, strict=True)]
    return rewritten, moved


def _is_cue(tokens: Sequence[Token], at: int) -> bool:
    """Whether what stands beside a word that may calculate lets it."""
    if tokens[at].text in TOTALS:  # `৩ আর ৫ মোট ৮`, not `মোট ৮`
        before = tokens[max(0, at - BEFORE_TOTAL) : at]
        return any(token.text in ANDS for token in before) and any(
            token.kind == "number" or word_number(token.text) is not None for token in before[-2:]
        )
    return at + 1 < len(tokens) and not NO_CUE.match(tokens[at + 1].text)


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
        if at and RESULT.fullmatch(gap):
            found = {at: LOOSE_EQUALS}
            for before in range(at - 1, -1, -1):
                if SIGNED.fullmatch(gaps[before]):
                    continue
                sign = _infix(gaps[before], gap)
                if not sign:
                    break
                found[before] = sign
            verb = _verb(text, numbers[at - 1]) if BETWEEN.fullmatch(gaps[at - 1]) else ""
            if verb:
                found[at - 1] = verb
            if len(found) > 1:
                yield found
        for form in FORMS if at else ():
            if form.second.fullmatch(gap) and form.first.fullmatch(gaps[at - 1]):
                yield {at - 1: form.sign, at: form.equals, **_listed(form, gaps, at - 1)}
                break
        is_share = at > 1 and PARTS.fullmatch(gaps[at - 1]) and OF_PARTS.fullmatch(gap)
        if is_share and OF.fullmatch(gaps[at - 2]):
            yield {at - 2: "/", at - 1: "*", at: MAYBE_EQUALS}
        if at and _is_rate(text, numbers[at - 1 : at + 2], gaps[at - 1 : at + 1]):
            yield {at - 1: "*", at: LOOSE_EQUALS}
        if _converts(numbers[at], numbers[at + 1]) and CONVERTS.fullmatch(gap):
            yield {at: LOOSE_EQUALS}


def _end(text: str, number: Mention) -> int:
    """Return where a number ends without the case that is written together with it: `পাঁচকে`."""
    return number.end - len(_CASE) if text.endswith(_CASE, 0, number.end) else number.end


def _infix(gap: str, result: str) -> str:
    """Return the sign that a gap says in words, the result being told so; empty if it says none."""
    for sign, said in INFIX.items():
        if said.fullmatch(gap):
            return sign
    return "/" if "=" not in result and SHARES.fullmatch(gap) else ""


def _verb(text: str, number: Mention) -> str:
    """Return the sign of a verb just before a number, as in `multiplying 5`."""
    before = text[max(0, number.start - _LONGEST) : number.start]
    for sign, verb in VERBS.items():
        if any(found.end() == len(before) for found in verb.finditer(before)):
            return sign
    return ""


def _listed(form: Form, gaps: Sequence[str], at: int) -> dict[int, str]:
    """Return the signs between further addends: `৩, ৫ ও ৭ মিলে ১৫`."""
    found: dict[int, str] = {}
    for before in range(at - 1, -1, -1) if form.sign == "+" else ():
        if not LIST.fullmatch(gaps[before]):
            break
        found[before] = "+"
    return found


def _is_rate(text: str, numbers: Sequence[Mention], gaps: Sequence[str]) -> bool:
    """Whether a price or time for each of some things and their number give that for all."""
    rate, _, total = numbers
    things = AT_RATE.fullmatch(gaps[1]) if RATE.fullmatch(gaps[0]) else None
    if things is None or rate.unit is None or rate.unit != total.unit:
        return False
    each = PER.search(text, max(0, rate.start - _LONGEST), rate.start)
    return each is not None and things["things"] in (each["of"], each["each"])


def _converts(one: Mention, other: Mention) -> bool:
    """Whether two numbers may be one quantity in two units of one kind."""
    a, b = one.unit, other.unit
    return a is not None and b is not None and a.dimension == b.dimension != "" and a != b


def _rewrite(
    text: str, tokens: Sequence[Token], numbers: Sequence[Mention], written: Mapping[int, str]
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
        if first.kind != "number" or after > at + 1 or first.scale != 1:
            digits = _digits(number) or ""
            first = Token("number", number.start, number.end, digits, 1, number.unit)
        at, sign = after, written.get(i, "")
        if sign not in _EQUALS:
            yield first
        else:
            said = OPERATES.match(text, number.end, numbers[i + 1].start)
            yield first._replace(end=said.end()) if said else first
        if sign:
            if at < len(tokens) and read_unit(tokens[at].text):
                yield tokens[at]
            yield Token("equals" if sign in _EQUALS else "sign", number.end, number.end, sign)
            while at < len(tokens) and tokens[at].start < numbers[i + 1].start:
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
