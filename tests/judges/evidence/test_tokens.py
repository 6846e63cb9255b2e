"""Texts are split into words and numbers with their values and offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.evidence.tokens import tokenise


def values(text: str) -> list[float]:
    return [token.value for token in tokenise(text) if token.value is not None]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("১১০টি", 110),
        ("110ti", 110),
        ("৫ হাজার", 5_000),
        ("5 hajar", 5_000),
        ("১,২৩,৪৫৬", 123_456),
        ("1,234,567", 1_234_567),
        ("৩৭০,৪৭", 370.47),
        ("৪৪৪.০৫", 444.05),
        ("1.234,56", 1234.56),
        ("১.২৩৪.৫৬৭,৮", 1_234_567.8),
        ("2 lakh", 200_000),
        ("২ লক্ষ", 200_000),
        ("১ কোটি ৫০ লক্ষ", 15_000_000),
        ("1 koti 50 lokkho", 15_000_000),
        ("তিনটি", 3),
        ("tinti", 3),
        ("duibar", 2),
        ("পঞ্চাশ", 50),
        ("ponchash", 50),
        ("choturtho", 4),
        ("দেড়", 1.5),
        ("seven", 7),
        ("1971-er", 1971),
    ],
)
def test_every_spelling_of_a_number_has_its_value(text: str, value: float) -> None:
    """Digits of both scripts, words, scale words and separators all give one value."""
    assert values(text) == [value]


@pytest.mark.parametrize("text", ["নয়", "noy", "বার বার", "Das", "bishwo", "at"])
def test_ambiguous_words_are_not_numbers(text: str) -> None:
    """নয় is "is not" and বার "times" unless a classifier says otherwise."""
    assert values(text) == []


def test_offsets_count_code_points_of_the_raw_text() -> None:
    """A token includes the suffix after a hyphen or digits."""
    text = "বই\u200cটি, Dhaka-r ৫টি ১৩\u09dfই"
    raw = [text[token.start : token.end] for token in tokenise(text)]
    assert raw[1:3] == ["Dhaka-r", "৫টি"]


@given(st.text(alphabet="abকাখ১২3 .,-।\n়য়", max_size=60))
def test_tokens_are_in_order_and_within_the_text(text: str) -> None:
    """Tokens do not overlap."""
    at = 0
    for token in tokenise(text):
        assert at <= token.start < token.end <= len(text)
        at = token.end
