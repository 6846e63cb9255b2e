"""A text that is nothing but a number in words: two, twenty-five, একশ দুই, দুইটি."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import regex

from banglahallueval.text.numbers import CARDINALS, CLASSIFIER, SCALES

# Words that rather mean something else, even alone.
_OTHER_WORDS: Final = frozenset(("at", "to", "der", "pach", "solo", "baro", "sat", "das"))
_HUNDRED: Final = 100
_LONGEST: Final = 100  # code points; what is longer is no number
_SPACES = regex.compile(r"[\s\u2010\u2011-]+")


def _nfc(table: dict[str, float]) -> dict[str, Fraction]:
    return {
        unicodedata.normalize("NFC", word): Fraction(value)
        for word, value in table.items()
        if word not in _OTHER_WORDS
    }


_CARDINALS: Final = _nfc(CARDINALS)
_SCALES: Final = _nfc(SCALES)
_WITH_CLASSIFIER = regex.compile(rf"(?P<number>\p{{Bengali}}+?){CLASSIFIER}")
# As in একশ and পাঁচশো; the scale by itself is শত.
_GLUED_HUNDRED = regex.compile(r"(?P<number>\p{Bengali}+?)(?:শত|শো|শ)")


def read_number_words(text: str) -> Fraction | None:
    """Read a text that is one number in words, of either script; None if it is anything else.

    `two`, `one hundred and two`, `twenty-five`, `একশ দুই`, `এক শত দুই`, `দেড় হাজার`, `পাঁচটি` and `dui
    hajar` are read; ordinals, digits and units are not.
    """
    if len(text) > _LONGEST:
        return None
    words = _SPACES.sub(" ", unicodedata.normalize("NFC", text).lower()).split()
    if words and words[-1] not in _CARDINALS and (found := _WITH_CLASSIFIER.fullmatch(words[-1])):
        words[-1] = found["number"]
    return _sum_up([part for word in words for part in _parts(word)])


def _parts(word: str) -> Sequence[str]:
    """Part a hundred from the number that is written together with it."""
    if word in _CARDINALS or word in _SCALES:
        return [word]
    found = _GLUED_HUNDRED.fullmatch(word)
    return [found["number"], "শত"] if found else [word]


def _sum_up(words: Sequence[str]) -> Fraction | None:
    """Add up words from the greatest scale to the least; None where they make no number."""
    total, pending = Fraction(0), Fraction(0)
    least: Fraction | None = None  # scale so far
    previous = ""
    for word in words:
        scale, value = _SCALES.get(word), _CARDINALS.get(word)
        if scale == _HUNDRED and 0 < pending < _HUNDRED:
            pending *= scale
        elif scale and scale != _HUNDRED and pending and (least is None or scale < least):
            total, pending, least = total + pending * scale, Fraction(0), scale
        elif value is not None and (value or not previous) and _joins(previous, value, word):
            pending += value
        elif not (word == "and" and previous in _SCALES):
            return None
        previous = word if word != "and" else previous
    return total + pending if previous and words[-1] != "and" else None


def _joins(previous: str, value: Fraction, word: str) -> bool:
    """Whether a number may follow a word: a scale, or tens as in `twenty five`."""
    if not previous or previous in _SCALES:
        return True
    tens = _CARDINALS.get(previous, Fraction(0))
    return word.isascii() and tens % 10 == 0 and tens >= 20 and 0 < value < 10
