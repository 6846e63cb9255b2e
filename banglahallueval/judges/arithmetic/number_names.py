"""Names of numbers in either script, romanised ones in any spelling."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from banglahallueval.judges.arithmetic.token_types import spellings
from banglahallueval.text.number_words import read_number_words
from banglahallueval.text.numbers import CARDINALS
from banglahallueval.text.phonetic import sound

# How Bangla names of numbers begin: most words begin otherwise, and need not be looked up.
BEGINNINGS: Final = frozenset(
    word[:2] for word in spellings(*CARDINALS, "ঊন") if not word.isascii()
)
# Romanised numbers from 21 on, in any spelling; those below sound like too many other words.
_BY_SOUND: Final[Mapping[str, Fraction]] = {
    sound(word): Fraction(value)
    for word, value in CARDINALS.items()
    if word.isascii() and value > 20
}
_HUNDREDS: Final = re.compile("(?P<number>[a-z]+?)sh?o")  # `eksho`, `tinsho`


def read_name(word: str) -> Fraction | None:
    """Read a word that is the name of a number; None for any other word."""
    value = read_number_words(word)
    if value is None and word.isascii():
        return _romanised(word.lower())
    return value


def _romanised(word: str) -> Fraction | None:
    """Read hundreds, and a number above twenty in any spelling: `tinsho`, `ponchash`."""
    if hundreds := _HUNDREDS.fullmatch(word):
        value = read_number_words(hundreds["number"])
        return None if value is None else value * 100
    return _BY_SOUND.get(sound(word))
