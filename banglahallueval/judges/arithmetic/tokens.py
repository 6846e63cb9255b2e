"""Splits a solution into tokens: numbers, signs, brackets, words and boundaries, in one pass."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from banglahallueval.judges.arithmetic.token_types import (
    Kind,
    Note,
    Token,
    read_number,
    spellings,
)
from banglahallueval.judges.arithmetic.units import UNIT_WORDS, Unit, read_unit

__all__ = [
    "LOOSE_EQUALS",
    "MAYBE_EQUALS",
    "ROUGH_EQUALS",
    "Kind",
    "Note",
    "Token",
    "read_number",
    "spellings",
    "tokenise",
]

_DIGIT = "[0-9০-৯]"
# Explicit ranges: `\w` of re leaves out Bangla vowel signs, and `regex` is slower here.
_LATIN = r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u00b0\u00b5Ω℃Ω]"
_BANGLA = r"[\u0980-\u09e5\u09f0\u09f1\u09fc-\u09fe\u200c\u200d]"
# One script: in ৩টিx৪ the x is a sign. Behind two letters `^2` belongs to a unit, as in `cm^2`.
_LETTER = r"[A-Za-z\u0980-\u09e5]"
_WORD = rf"(?:{_BANGLA}+|{_LATIN}+[²³]?)(?:(?<={_LETTER}{_LETTER})\^[({{]?[23২৩][)}}]?)?"
# `20 m/s`, `4200 J/(kg·K)`, `27 m^2`: a unit, without the blank a product or a power.
_MEASURE = (
    rf"{_LATIN}{{1,4}}(?:[²³]|\^[({{]?[23][)}}]?)?"
    rf"(?:[/·]\(?{_LATIN}{{1,3}}[²³]?(?:·{_LATIN}{{1,3}})?\)?)*(?![\w=^])"
)
# `৩ × ৪ সমান ১২`, and `৩ × ৪ হবে ১২`, `৩ × ৪ মানে ১২`, which may mean something else.
_STATES = re.compile(rf"\s*(?:সমান\s+|হবে\s+|হ\u09df\s+|হ\u09af\u09bc\s+)?[৳$]?\s*{_DIGIT}")
_STATING = frozenset(spellings("সমান", "হবে", "হয়", "মানে", "অর্থাৎ", "হলো", "দাঁড়ায়"))
# Matching blanks with the token before them, and words first, makes the scan twice as fast.
_TOKEN = re.compile(
    rf"""
    (?:
    (?P<word>[-–]?{_WORD}(?:[-–]{_WORD})*|[“"‘'](?:{_BANGLA}|{_LATIN})[”"’'])
  | (?P<number>
        (?:{_DIGIT}{{1,3}}(?:,{_DIGIT}{{2,3}})*,{_DIGIT}{{3}}(?!{_DIGIT})|{_DIGIT}+)
        (?:\.{_DIGIT}+(?:…|\.\.+)?)?(?!:{_DIGIT})
      | \.{_DIGIT}+ | [¼½¾])
    (?:(?<={_DIGIT})\ (?P<measure>{_MEASURE}))?
  | (?P<arrow>⇢|-{{1,3}}>|={{1,3}}>|[→⇒⟶➔➜⟹➡↦⇨]\ufe0f?)
  | (?P<sign>[-+−–*×⋅·✕∗/÷∕⁄^]|\\times|\\div|\\cdot)
  | (?P<boundary>\#\#\#\#[^\n]*|[\n,;।৷॥!?"“”‘’'|—✓✔✅☑]+|\.(?!{_DIGIT})|:(?!{_DIGIT}))
  | (?P<equals>==?|≈|≅|\\approx)
  | (?P<note_open><<+)
  | (?P<note_close>>>+)
  | (?P<currency>[৳৲$€£₹])
  | (?P<percent>%)
  | (?P<open>[(\[{{])
  | (?P<close>[)\]}}])
  | (?P<raised>[⁰¹²³⁴-⁹]+)
  | (?P<unknown>[^\s\u200b\ufeff])
    )[^\S\n]*
    """,
    re.VERBOSE,
)
_KINDS: list[Kind] = ["unknown", *_TOKEN.groupindex]  # type: ignore[list-item]
_WORD_GROUP, _NUMBER, _MEASURE_GROUP, _ARROW = (
    _TOKEN.groupindex[name] for name in ("word", "number", "measure", "arrow")
)
_NUMBERS = (_NUMBER, _MEASURE_GROUP)
LOOSE_EQUALS = "→"  # the text of an arrow, and of a word that states a result
MAYBE_EQUALS = "⇢"  # the text of what may state a result: a word, a column of a table
ROUGH_EQUALS = frozenset({"≈", "≅", "\\approx"})
_SIGNS = {
    **dict.fromkeys("-−–", "-"),
    **dict.fromkeys(("*", "×", "⋅", "·", "✕", "∗", "\\times", "\\cdot"), "*"),
    **dict.fromkeys(("/", "÷", "∕", "⁄", "\\div"), "/"),
    "+": "+",
    "^": "^",
}
# "of" multiplies a percentage or a fraction by the operand beside it.
_WORDS: dict[str, tuple[Kind, str]] = {
    "x": ("sign", "*"),
    "X": ("sign", "*"),
    "of": ("sign", "*"),
    "এর": ("sign", "of"),
    "-এর": ("sign", "of"),
    "শতাংশ": ("percent", "%"),
    "percent": ("percent", "%"),
}
_TIMES = frozenset({"x", "X"})
# What x multiplies by; before anything else it is an unknown, as in `3x + 5`.
_OPERAND = re.compile(rf"\s*[৳৲$€£₹]?\s*(?:[(\[{{√½¼¾]|\.?{_DIGIT})")
_AROUND = "-–“”\"‘’'"
_UNIT_LETTERS = frozenset("AVWJNKCFΩbBgmshlLt")
_SCALE_FOLLOWS = re.compile(r"(?:হাজার|লাখ|লক্ষ|কোটি|শত|শো?)(?![\u0980-\u09ff])")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SPECIAL = frozenset((*_WORDS, *_STATING, *UNIT_WORDS))
_LONGEST_LETTER = 3  # code points of a variable, in quotes or behind a dash
# NamedTuple's own constructor also takes keywords, which costs a fifth of the whole scan.
_new_token = tuple.__new__


def tokenise(text: str) -> tuple[list[Token], list[Note]]:
    """Split a text into tokens, and list its annotations.

    Blanks separate tokens and are dropped; a `#### …` line is a boundary like the end of a line.
    An annotation becomes one token of kind `note`; a `<<` or `>>` without its partner stays a
    token of its own.
    """
    tokens: list[Token] = []
    notes: list[Note] = []
    opened = -1
    append = tokens.append
    for found in _TOKEN.finditer(text):
        group = found.lastindex or 0
        start = found.start()
        if group == _WORD_GROUP:
            written = found[group]
            length = len(written)
            if written not in _SPECIAL and (
                length > _LONGEST_LETTER or (length > 1 and written[0] not in _AROUND)
            ):
                end = start + length
                append(_new_token(Token, ("word", start, end, written, 1, None, False)))
            else:
                append(_word(tokens, text, written, start))
            continue
        if group in _NUMBERS:
            written = found[_NUMBER]
            if tokens and tokens[-1].kind == "word":
                append(_number(tokens, text, written, start, found.end()))
            else:
                end = start + len(written)
                append(_new_token(Token, ("number", start, end, written, 1, None, False)))
            if group == _MEASURE_GROUP:
                append(_word(tokens, text, found[group], found.start(group)))
            continue
        written = found[group]
        end = start + len(written)
        kind = _KINDS[group]
        if kind == "sign":
            written = _SIGNS[written]
        elif group == _ARROW:
            kind = "equals"
            written = MAYBE_EQUALS if written == MAYBE_EQUALS else LOOSE_EQUALS
        elif kind == "raised":
            kind, written = _power(tokens, written, start)
        elif kind == "note_open":
            opened = len(tokens)
        elif kind == "note_close" and opened >= 0:
            inside = tokens[opened + 1 :]
            start = tokens[opened].start
            del tokens[opened:]
            notes.append(Note(inside, opened))
            kind, opened = "note", -1
        append(_new_token(Token, (kind, start, end, written, 1, None, False)))
    return tokens, notes


def _word(tokens: list[Token], text: str, written: str, start: int) -> Token:
    """Make the token of a word that may be more: a sign, a letter, or what a number counts.

    The tokens are the list being made: a unit is put to the number before it.
    """
    end = start + len(written)
    kind: Kind = "word"
    if written in _TIMES and not _OPERAND.match(text, end):
        kind, written, start = _variable(tokens, written, start)
    elif written in _WORDS:
        kind, written = _WORDS[written]
    elif written in _STATING:
        if _STATES.match(text, end) and _ends_calculation(tokens, written):
            kind, written = "equals", LOOSE_EQUALS if written == "সমান" else MAYBE_EQUALS
    elif len(written) <= _LONGEST_LETTER and len(written.strip(_AROUND)) == 1:
        if not _is_word(tokens, written, text[start - 1 : start]):
            kind, written, start = _variable(tokens, written, start)
        elif (unit := read_unit(written)) is not None:
            _measure(tokens, unit)
    elif (unit := read_unit(written)) is not None:
        _measure(tokens, unit)
    return _new_token(Token, (kind, start, end, written, 1, None, False))


def _number(tokens: list[Token], text: str, written: str, start: int, after: int) -> Token:
    """Make the token of a number, together with the tokens before it that belong to it."""
    end = start + len(written)
    if len(tokens) > 1 and (tokens[-2].scale != 1 or tokens[-2].joined):
        start, written, joined = _joined(tokens, text, start, written, after)
        if joined is not None:
            return _new_token(Token, ("number", start, end, written, 1, joined, True))
    return _new_token(Token, ("number", start, end, written, 1, None, False))


def _ends_calculation(tokens: Sequence[Token], word: str) -> bool:
    """Whether a word such as `সমান` or `হবে` stands where a calculation ends."""
    if not tokens:
        return False
    last = tokens[-1].kind
    return last in {"number", "close", "percent"} or (
        word == "সমান" and last == "word" and len(tokens) > 1 and tokens[-2].kind == "number"
    )


def _is_word(tokens: Sequence[Token], letter: str, before: str) -> bool:
    """Whether a single letter is a word: `ও`, `২ শ`, `২ A`, `৬০ কিমি/ঘ`."""
    if letter == "ও" or not tokens:
        return letter == "ও"
    if letter == "শ":
        return tokens[-1].kind == "number"
    if tokens[-1].kind == "number" and letter in _UNIT_LETTERS and before == " ":
        return True
    return len(tokens) > 1 and tokens[-1].text == "/" and tokens[-2].kind == "word"


def _variable(tokens: list[Token], written: str, start: int) -> tuple[Kind, str, int]:
    """Make a variable of a single letter; a dash between it and an operand is a minus of its own.

    The tokens are the list being made, to which the minus is added.
    """
    letter = written.strip(_AROUND)
    if written[0] in "-–" and tokens and tokens[-1].kind in {"number", "close", "variable"}:
        tokens.append(_new_token(Token, ("sign", start, start + 1, "-", 1, None, False)))
        start += 1
    return "variable", letter, start


def _power(tokens: list[Token], written: str, start: int) -> tuple[Kind, str]:
    """Read raised digits as a power of the operand that they follow."""
    at = -2 if tokens and tokens[-1].kind == "close" and len(tokens) > 1 else -1
    is_operand = tokens and tokens[at].kind in {"number", "close", "variable"}
    if is_operand and tokens[-1].end == start:
        tokens.append(_new_token(Token, ("sign", start, start, "^", 1, None, False)))
        return "number", written.translate(_RAISED)
    return "unknown", written


def _measure(tokens: list[Token], unit: Unit) -> None:
    """Put a scale or a unit to the number before it, and join `১ ঘণ্টা ১৫ মিনিট` to one number."""
    if not tokens:
        return
    last = tokens[-1]
    if last.kind == "word" and len(tokens) > 1 and tokens[-2].kind == "number":
        own = tokens[-2].unit
        if unit.dimension and not (own and own.dimension) and read_unit(last.text):
            tokens[-2] = tokens[-2]._replace(unit=unit)  # `২ লাখ টাকা`
        return
    if last.kind != "number":
        return
    first = tokens[-3] if len(tokens) > 2 and tokens[-2].kind == "word" else None
    if first is not None and first.kind == "number":
        larger = first.unit or Unit("", first.scale)
        whole, rest = read_number(first.text), read_number(last.text)
        fits = larger.dimension == unit.dimension and larger.factor > unit.factor
        if fits and whole and rest and not whole[1] and rest[0] * unit.factor < larger.factor:
            if unit.dimension:
                value = whole[0] * Fraction(larger.factor) / unit.factor + rest[0]
            else:
                value = whole[0] * Fraction(first.scale) + rest[0] * unit.factor
            if value.denominator == 1:
                text = str(value.numerator)
                joined = Token("number", first.start, last.end, text, 1, unit, True)
                tokens[-3:] = [joined]
                return
    if unit.dimension:
        tokens[-1] = last._replace(unit=unit)
    else:
        tokens[-1] = last._replace(scale=last.scale * unit.factor)


def _joined(
    tokens: list[Token], text: str, start: int, written: str, after: int
) -> tuple[int, str, Unit | None]:
    """Join `১৪ হাজার` and the rest of the number, `১৭৫`, unless another scale follows that.

    Returns:
        Start and text of the number, and its unit if it was joined.
    """
    first = tokens[-2] if len(tokens) > 1 and tokens[-2].kind == "number" else None
    if first is None or _SCALE_FOLLOWS.match(text, after):
        return start, written, None
    larger = first.scale
    if first.joined and first.unit and not first.unit.dimension:
        larger = first.unit.factor
    if larger == 1 or (first.unit and first.unit.dimension) or not read_unit(tokens[-1].text):
        return start, written, None
    whole, rest = read_number(first.text), read_number(written)
    if not (whole and rest) or whole[1] or rest[1] or rest[0] >= larger:
        return start, written, None
    del tokens[-2:]
    return first.start, str(whole[0] * first.scale + rest[0]), Unit("", 1)
