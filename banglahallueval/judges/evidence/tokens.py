"""Split a text into words and numbers with their offsets."""

from __future__ import annotations

from typing import NamedTuple

import regex

from banglahallueval.judges.evidence.word_analysis import SCALED, Word, analyse_number, analyse_word

_TOKEN = regex.compile(
    r"([\p{L}\p{M}\u200c\u200d]+)"  # a word
    r"|(\p{Nd}+(?:[.,]\p{Nd}+)*)"  # a number
    r"|[।॥?!\n]|\.(?=\s+[^\s\p{Ll}])"  # the end of a sentence
)
_CITATION = regex.compile(r"\[\p{Nd}+\](?::[\p{Nd}, –-]+)?")
_HYPHENS = ("-", "'", "’", "–")


class Token(NamedTuple):
    """A word or a number of a text.

    Attributes:
        start, end: Code points in the raw text, including suffixes after a hyphen or digits.
        word: The analysed word.
        value: The number it denotes, scale words included; None for other words.
        sentence: 0-based number of its sentence in the text.
    """

    start: int
    end: int
    word: Word
    value: float | None
    sentence: int


def tokenise(text: str) -> tuple[Token, ...]:
    """Split a raw text into words and numbers, skipping citation marks such as [7]."""
    if "[" in text:
        text = _CITATION.sub(lambda found: " " * len(found[0]), text)
    tokens: list[Token] = []
    sentence = 0
    for found in _TOKEN.finditer(text):
        group = found.lastindex
        if group is None:
            sentence += 1
            continue
        start, end = found.span()
        word = analyse_word(found[0]) if group == 1 else analyse_number(found[0])
        if (word.is_suffix or word.scale) and tokens:
            before = tokens[-1]
            gap = text[before.end : start]
            if word.is_suffix and (gap in _HYPHENS or (gap == "" and before.word.is_digits)):
                tokens[-1] = before._replace(end=end)
                continue
            if word.scale and before.value is not None and gap in (" ", ""):
                _scale_last(tokens, word.scale, end)
                continue
        tokens.append(Token(start, end, word, word.value, sentence))
    return tuple(tokens)


def _scale_last(tokens: list[Token], scale: float, end: int) -> None:
    """Multiply the last number by a scale word, and add it to a larger scaled number before it."""
    last = tokens.pop()
    start, value = last.start, (last.value or 0) * scale
    before = tokens[-1] if tokens else None
    if before and before.word is SCALED and (before.value or 0) >= scale * 10:
        tokens.pop()
        start, value = before.start, value + (before.value or 0)
    tokens.append(Token(start, end, SCALED, value, last.sentence))


def is_number(token: Token) -> bool:
    """Return whether the token denotes a number and is not an article."""
    return token.value is not None and not token.word.is_article


def is_year(token: Token) -> bool:
    """Return whether the token's number can be a year."""
    return token.value is not None and 1000 <= token.value < 2100
