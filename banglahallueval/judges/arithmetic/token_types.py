"""What a text is split into, and how its numbers are read."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from banglahallueval.judges.arithmetic.units import Unit

Kind = Literal[
    "number", "variable", "sign", "open", "close", "equals", "percent", "currency", "word",
    "note", "note_open", "note_close", "boundary", "raised", "unknown",
]  # fmt: skip
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
            words `%`, for a variable the letter without quotes, for an arrow or a word that states
            a result `→`, or `⇢` if it may not.
        scale: What a scale word behind a number multiplies it by.
        unit: The unit of measure behind a number; without dimension, the smallest scale so far.
        joined: Whether a number is put together from several, as in `১ ঘণ্টা ১৫ মিনিট`.
    """

    kind: Kind
    start: int
    end: int
    text: str
    scale: int | Fraction = 1
    unit: Unit | None = None
    joined: bool = False


class Note(NamedTuple):
    """An annotation `<<…>>`.

    Attributes:
        inside: The tokens inside it.
        at: Index of the annotation's own token among the tokens of the text.
    """

    inside: list[Token]
    at: int


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
    text = text.rstrip(".…")
    whole, _, places = text.replace(",", "").partition(".")
    if not places:
        return int(whole), 0
    return Fraction(int(whole + places), 10 ** len(places)), len(places)


def spellings(*words: str) -> tuple[str, ...]:
    """Return words in both codings of য়, which keyboards and normalisation write differently."""
    decomposed = [word.replace("\u09df", "\u09af\u09bc") for word in words]
    return (*decomposed, *(word.replace("\u09af\u09bc", "\u09df") for word in decomposed))
