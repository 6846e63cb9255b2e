"""A text that is one number in words has its value, and no other text has one."""

from __future__ import annotations

import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.text.number_words import read_number_words

SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def below_hundred(value: int) -> str:
    if value < 20:
        return SMALL[value]
    tens = TENS[value // 10 - 2]
    return f"{tens}-{SMALL[value % 10]}" if value % 10 else tens


def english(value: int) -> str:
    """Write a number below a million."""
    if value < 100:
        return below_hundred(value)
    size, name = (100, "hundred") if value < 1000 else (1000, "thousand")
    rest = f" {english(value % size)}" if value % size else ""
    return f"{english(value // size)} {name}{rest}"


@given(st.integers(0, 999_999))
@settings(deadline=None)
def test_english_numbers_are_read(value: int) -> None:
    assert read_number_words(english(value)) == value
    assert read_number_words(english(value).title()) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("এক", 1),
        ("নয়", 9),
        ("তেষট্টি", 63),
        ("একশ", 100),
        ("একশ দুই", 102),
        ("একশো দুই", 102),
        ("একশত দুই", 102),
        ("এক শত দুই", 102),
        ("দেড়শ", 150),
        ("দেড় হাজার", 1500),
        ("আড়াই লাখ", 250_000),
        ("দুই হাজার পাঁচশ বাহাত্তর", 2572),
        ("দুই কোটি তিন লক্ষ", 20_300_000),
        ("দুইটি", 2),
        ("পাঁচজন", 5),
        ("dui hajar", 2000),
        ("one hundred and two", 102),
        ("  Twenty   Five ", 25),
    ],
)
def test_numbers_in_words_are_read(text: str, value: int) -> None:
    """Composed letters or not."""
    assert read_number_words(text) == Fraction(value)
    assert read_number_words(unicodedata.normalize("NFD", text)) == value


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "-", "and", "ঢাকা", "third", "দ্বিতীয়", "12", "১২", "দুই টাকা", "two years",
        "one two", "এক দুই", "দুই তিন", "twenty eleven", "two and three", "one hundred and",
        "hundred", "শত", "হাজার", "thousand million", "one thousand two million", "zero hundred",
        "twenty zero", "to", "at", "solo", "বাংলাদেশ", "two " * 60,
    ],
)  # fmt: skip
def test_other_texts_are_no_number(text: str) -> None:
    assert read_number_words(text) is None


@given(st.text(max_size=40))
@settings(deadline=None)
def test_any_text_is_read(text: str) -> None:
    read_number_words(text)
