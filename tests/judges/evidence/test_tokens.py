"""Texts become words and numbers with their places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.evidence.tokens import denials, index, tokenise


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
def test_numbers_in_all_their_spellings(text: str, value: float) -> None:
    """Digits of both scripts, words, scales and separators say one value."""
    assert values(text) == [value]


@pytest.mark.parametrize("text", ["নয়", "noy", "বার বার", "Das", "bishwo", "at"])
def test_words_that_only_look_like_numbers(text: str) -> None:
    """নয় is "is not" and বার "times" unless a classifier says otherwise."""
    assert values(text) == []


def test_places_are_code_points_of_the_raw_text() -> None:
    """Offsets count code points, with the ending that a hyphen attaches."""
    text = "বই\u200cটি, Dhaka-r ৫টি ১৩\u09dfই"
    told = [text[token.start : token.end] for token in tokenise(text)]
    assert told[1:3] == ["Dhaka-r", "৫টি"]


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [("জ্বর হয়নি", 1, True), ("জ্বর নেই", 0, True), ("jor nei", 0, True), ("জ্বর আছে", 0, False)],
)
def test_denials(text: str, place: int, says: bool) -> None:
    """A word is denied by নেই after it or by its own নি."""
    assert denials(index(text))[place] is says


def test_citation_marks_are_no_numbers_of_the_evidence() -> None:
    """[7] in a context does not carry a seven."""
    assert 7 not in index("নদীটি দীর্ঘ।[7]").values


def test_a_cut_context_is_noticed() -> None:
    """A context that ends within a sentence is known to be incomplete."""
    assert index("Gramti boro. Tar por").broken_off
    assert not index("গ্রামটি বড়।").broken_off


@given(st.text(alphabet="abকাখ১২3 .,-।\n়য়", max_size=60))
def test_tokens_lie_in_order_within_the_text(text: str) -> None:
    """Tokens never overlap and never leave the text."""
    at = 0
    for token in tokenise(text):
        assert at <= token.start < token.end <= len(text)
        at = token.end
