"""What a text is split into."""

from __future__ import annotations

from typing import NamedTuple

from banglahallueval.judges.evidence.word_analysis import Word


class Token(NamedTuple):
    """A word or a number of a text.

    Attributes:
        start, end: Code points in the raw text, including suffixes after a hyphen or digits.
        word: The analysed word.
        value: The number it denotes, scale words included; None for other words. A time of day is
            in hours: 11.5 for 11:30.
        sentence: 0-based number of its sentence in the text.
    """

    start: int
    end: int
    word: Word
    value: float | None
    sentence: int


def is_number(token: Token) -> bool:
    """Return whether the token denotes a number and is not an article."""
    return token.value is not None and not token.word.is_article


def is_year(token: Token) -> bool:
    """Return whether the token's number can be a year."""
    return token.value is not None and 1000 <= token.value < 2100
