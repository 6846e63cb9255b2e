"""Units of measure, scale words and classifiers behind a number."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

Dimension = Literal["", "time", "length", "mass", "volume", "count", "money", "data"]

# Per dimension, each unit in the smallest one; prefixes of a word stand for its inflected forms.
_UNITS: Final[Mapping[Dimension, Mapping[int | Fraction, str]]] = MappingProxyType({
    "time": {
        1: "সেকেন্ড সেকেণ্ড second seconds sec secs s",
        60: "মিনিট minute minutes min mins",
        3600: "ঘণ্টা ঘন্টা hour hours hr hrs h",
        86400: "দিন day days",
        604800: "সপ্তাহ week weeks",
        2592000: "মাস month months",
        31104000: "বছর year years",
    },
    "length": {
        1: "মিলিমিটার মিমি mm",
        10: "সেন্টিমিটার সেমি cm",
        1000: "মিটার m meter meters metre metres",
        1000000: "কিলোমিটার কিমি km",
        Fraction(127, 5): "ইঞ্চি inch inches",
        Fraction(1524, 5): "ফুট feet foot ft",
        Fraction(4572, 5): "গজ yard yards",
    },
    "mass": {
        1: "মিলিগ্রাম mg",
        1000: "গ্রাম g gram grams",
        1000000: "কেজি কিলোগ্রাম কিলো kg",
        100000000: "কুইন্টাল",
        1000000000: "টন ton tons",
    },
    "volume": {
        1: "মিলিলিটার মিলি ml mL",
        1000: "লিটার l L liter liters litre litres",
        1000000: "ঘনমিটার m³",
    },
    "count": {4: "হালি", 12: "ডজন dozen dozens"},
    "money": {1: "পয়সা পয়সা", 100: "টাকা"},
    "data": {1: "b", 8: "B", 8000: "KB", 8000000: "MB", 8000000000: "GB", 1000000: "Mb"},
})  # fmt: skip
_SCALES: Final = {
    100: "শ শত শো sho shoto hundred", 1000: "হাজার hajar hazar thousand",
    100000: "লাখ লক্ষ lakh lac lokkho", 1000000: "মিলিয়ন million",
    10000000: "কোটি crore koti", 1000000000: "বিলিয়ন billion",
}  # fmt: skip
_CASES: Final = (
    "", "র", "ের", "য়", "য়", "ে", "কে", "তে", "টি", "ও", "ই", "টিতে", "-এর", "এর",
    "-র", "-কে", "-এ", "-তে",
)  # fmt: skip


class Unit(NamedTuple):
    """A word that multiplies the number before it.

    Attributes:
        dimension: What it measures; empty for a scale such as লাখ.
        factor: How many of the dimension's smallest unit it is.
    """

    dimension: Dimension
    factor: int | Fraction


def _forms(words: str) -> list[str]:
    """List words with the case endings that they may have."""
    written = []
    for word in words.split():
        endings = _CASES if not word.isascii() and word[-1] != "³" else ("",)
        written += [word + ending for ending in endings]
        written += [word[:-1] + "য়" for word in (word,) if word.endswith("া")]
    return written


_BY_WORD: Final[dict[str, Unit]] = {
    form: Unit(dimension, factor)
    for dimension, units in _UNITS.items()
    for factor, words in units.items()
    for form in _forms(words)
} | {form: Unit("", scale) for scale, words in _SCALES.items() for form in _forms(words)}
UNIT_WORDS: Final = frozenset(_BY_WORD)


def read_unit(word: str) -> Unit | None:
    """Read a unit of measure or a scale word, inflected or not; None for any other word."""
    return _BY_WORD.get(word)
