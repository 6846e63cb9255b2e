"""Splits a solution into tokens: numbers, signs, brackets, words and boundaries, in one pass."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal[
    "number", "variable", "sign", "open", "close", "equals", "percent", "currency", "word",
    "note", "note_open", "note_close", "boundary", "unknown",
]  # fmt: skip

_DIGIT = "[0-9০-৯]"
# Explicit ranges: `\w` of re leaves out Bangla vowel signs, and `regex` is slower here.
_LATIN = r"[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]"
_BANGLA = r"[\u0980-\u09e5\u09f0\u09f1\u09fc-\u09fe\u200c\u200d]"
_WORD = rf"(?:{_BANGLA}+|{_LATIN}+)"  # one script: in ৩টিx৪ the x is a sign
# Matching blanks with the token before them, and words first, makes the scan twice as fast.
_TOKEN = re.compile(
    rf"""
    (?:
    (?P<word>[-–]?{_WORD}(?:[-–]{_WORD})*|[“"‘'](?:{_BANGLA}|{_LATIN})[”"’'])
  | (?P<number>
        (?:{_DIGIT}{{1,3}}(?:,{_DIGIT}{{2,3}})*,{_DIGIT}{{3}}(?!{_DIGIT})|{_DIGIT}+)
        (?:\.{_DIGIT}+)?(?!:{_DIGIT})
      | \.{_DIGIT}+ | [¼½¾])
  | (?P<sign>[-+−–*×⋅·✕∗/÷∕⁄^]|\\times|\\div|\\cdot)
  | (?P<boundary>\#\#\#\#[^\n]*|[\n,;।৷॥!?"“”‘’'|—]+|\.(?!{_DIGIT})|:(?!{_DIGIT}))
  | (?P<equals>==?|≈|≅|\\approx)
  | (?P<note_open><<+)
  | (?P<note_close>>>+)
  | (?P<currency>[৳৲$€£₹])
  | (?P<percent>%)
  | (?P<open>[(\[{{])
  | (?P<close>[)\]}}])
  | (?P<unknown>[^\s\u200b\ufeff])
    )[^\S\n]*
    """,
    re.VERBOSE,
)
_KINDS: list[Kind] = ["unknown", *_TOKEN.groupindex]  # type: ignore[list-item]
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
_AROUND_VARIABLE = "-–“”\"‘’'"
_VULGAR = {"¼": Fraction(1, 4), "½": Fraction(1, 2), "¾": Fraction(3, 4)}
# A longer number is no quantity; not reading it keeps every calculation short.
_MAX_DIGITS = 30


class Token(NamedTuple):
    """One token.

    Attributes:
        kind: What it is.
        start: Its first code point in the text.
        end: The code point after its last one.
        text: Its text as written; for a sign one of `+ - * / ^` or `of`, for a percent sign in
            words `%`, for a variable the letter without quotes.
    """

    kind: Kind
    start: int
    end: int
    text: str


# NamedTuple's own constructor also takes keywords, which costs a fifth of the whole scan.
_new_token = tuple.__new__


class Note(NamedTuple):
    """An annotation `<<…>>`.

    Attributes:
        inside: The tokens inside it.
        at: Index of the annotation's own token among the tokens of the text.
    """

    inside: list[Token]
    at: int


def tokenise(text: str) -> tuple[list[Token], list[Note]]:
    """Split a text into tokens, and list its annotations.

    Blanks separate tokens and are dropped; a `#### …` line is a boundary like the end of a line.
    An annotation becomes one token of kind `note`; a `<<` or `>>` without its partner stays a
    token of its own.
    """
    tokens: list[Token] = []
    notes: list[Note] = []
    opened = -1
    for found in _TOKEN.finditer(text):
        group = found.lastindex or 0
        kind = _KINDS[group]
        written = found[group]
        start, end = found.span(group)
        if kind == "word":
            if written in _WORDS:
                kind, written = _WORDS[written]
            elif end - start <= 3 and len(written.strip(_AROUND_VARIABLE)) == 1:
                kind = "variable"
                written = written.strip(_AROUND_VARIABLE)
        elif kind == "sign":
            written = _SIGNS[written]
        elif kind == "note_open":
            opened = len(tokens)
        elif kind == "note_close" and opened >= 0:
            inside = tokens[opened + 1 :]
            start = tokens[opened].start
            del tokens[opened:]
            notes.append(Note(inside, opened))
            kind, opened = "note", -1
        tokens.append(_new_token(Token, (kind, start, end, written)))
    return tokens, notes


@lru_cache(maxsize=4096)  # a chain repeats the same few numbers
def read_number(text: str) -> tuple[Fraction | int, int] | None:
    """Read the text of a number token.

    Returns:
        Its exact value and the number of decimal places it is written with; None if it has more
        digits than a quantity has.
    """
    if text in _VULGAR:
        return _VULGAR[text], 2
    if len(text) > _MAX_DIGITS:
        return None
    whole, _, places = text.replace(",", "").partition(".")
    if not places:
        return int(whole), 0
    return Fraction(int(whole + places), 10 ** len(places)), len(places)


def spellings(*words: str) -> tuple[str, ...]:
    """Return words in both codings of য়, which keyboards and normalisation write differently."""
    decomposed = [word.replace("\u09df", "\u09af\u09bc") for word in words]
    return (*decomposed, *(word.replace("\u09af\u09bc", "\u09df") for word in decomposed))
