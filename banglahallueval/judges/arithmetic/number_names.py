"""Names of numbers that `text.number_words` does not read, most of them romanised."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Final

from banglahallueval.judges.arithmetic.token_types import spellings
from banglahallueval.text.number_words import read_number_words
from banglahallueval.text.numbers import CARDINALS
from banglahallueval.text.phonetic import fold

# Romanised ones are matched by their sound.
_FROM_TWENTY_ONE: Final = """
একুশ বাইশ তেইশ চব্বিশ পঁচিশ ছাব্বিশ সাতাশ আটাশ উনত্রিশ ত্রিশ একত্রিশ বত্রিশ তেত্রিশ চৌত্রিশ পঁয়ত্রিশ ছত্রিশ
সাঁইত্রিশ আটত্রিশ উনচল্লিশ চল্লিশ একচল্লিশ বিয়াল্লিশ তেতাল্লিশ চুয়াল্লিশ পঁয়তাল্লিশ ছেচল্লিশ সাতচল্লিশ আটচল্লিশ উনপঞ্চাশ
পঞ্চাশ একান্ন বায়ান্ন তিপ্পান্ন চুয়ান্ন পঞ্চান্ন ছাপ্পান্ন সাতান্ন আটান্ন উনষাট ষাট একষট্টি বাষট্টি তেষট্টি চৌষট্টি পঁয়ষট্টি
ছেষট্টি সাতষট্টি আটষট্টি উনসত্তর সত্তর একাত্তর বাহাত্তর তিয়াত্তর চুয়াত্তর পঁচাত্তর ছিয়াত্তর সাতাত্তর আটাত্তর উনআশি আশি
একাশি বিরাশি তিরাশি চুরাশি পঁচাশি ছিয়াশি সাতাশি অষ্টাশি উননব্বই নব্বই একানব্বই বিরানব্বই তিরানব্বই চুরানব্বই পঁচানব্বই
ছিয়ানব্বই সাতানব্বই আটানব্বই নিরানব্বই
"""
_SPELLED: Final[Mapping[str, Fraction]] = {
    form: Fraction(value)
    for value, words in {
        14: "চোদ্দো চৌদ্দো", 22: "baish", 24: "chobbish", 26: "chabbish", 28: "আঠাশ", 30: "tirish",
        90: "nobboi nobbui",
        42: "বেয়াল্লিশ",
    }.items()
    for form in spellings(*words.split())
}  # fmt: skip
# How Bangla names of numbers begin: most words begin otherwise, and need not be looked up.
BEGINNINGS: Final = frozenset(
    word[:2]
    for word in spellings(*CARDINALS, *_FROM_TWENTY_ONE.split(), *_SPELLED, "ঊন")
    if not word.isascii()
)
_HUNDREDS: Final = re.compile("(?P<number>[a-z]+?)sh?o")  # `eksho`, `tinsho`
_LONGEST_COMMON: Final = 3  # letters of a sound that is other words' as well


def read_name(word: str) -> Fraction | None:
    """Read a word that is the name of a number; None for any other word."""
    value = _SPELLED.get(word)
    if value is None:
        value = read_number_words(word)
    if value is None and word.isascii():
        return _romanised(word.lower())
    return value


def _romanised(word: str) -> Fraction | None:
    """Read hundreds, and a number above twenty in any spelling: `tinsho`, `ponchash`."""
    if hundreds := _HUNDREDS.fullmatch(word):
        value = read_number_words(hundreds["number"])
        return None if value is None else value * 100
    sound = fold(word).key
    return _sounds().get(sound) if len(sound) > _LONGEST_COMMON else None


@cache
def _sounds() -> Mapping[str, Fraction]:
    """Return the numbers from 21 to 99 by how they sound, but for those that sound alike."""
    found: dict[str, list[Fraction]] = {}
    for value, word in enumerate(_FROM_TWENTY_ONE.split(), 21):
        found.setdefault(fold(word).key, []).append(Fraction(value))
    return {sound: values[0] for sound, values in found.items() if len(values) == 1}
