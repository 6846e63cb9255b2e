"""Texts are split into words and numbers with their values and offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.evidence.dates import dates
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
        ("সাড়ে তিনশ", 350),
        ("sare tinsho", 350),
        ("সোয়া একশ", 125),
        ("সোয়া লাখ", 125_000),
        ("পৌনে একশ", 75),
        ("দুইশটি", 200),
        ("দু'শো", 200),
        ("tinso", 300),
        ("দুহাজার", 2_000),
        ("তিনলাখ পাঁচ হাজার", 305_000),
        ("নয় হাজার", 9_000),
        ("noy sho", 900),
        ("দুই হাজার নয় জন", 2_009),
        ("তিন লাখ নয় হাজার", 309_000),
        ("তের টাকা", 13),
        ("125k", 125_000),
        ("পঁচিশতম", 25),
        ("তিন দশমিক শূন্য পাঁচ", 3.05),
        ("tin doshomik ek char", 3.14),
        ("৩ দশমিক ০৫", 3.05),
        ("৩.০৫ টাকা", 3.05),
        ("twenty-five", 25),
        ("one hundred twenty five", 125),
        ("seven hundred and fifty thousand", 750_000),
        ("১০ঃ৩০", 10.5),
        ("10:30:45", 10.5),
        ("১০.৩০টায়", 10.5),
        ("10.30 am", 10.5),
        ("সাড়ে ১০টায়", 10.5),
    ],
)
def test_every_spelling_of_a_number_has_its_value(text: str, value: float) -> None:
    """Digits of both scripts, words, scale words and separators all give one value."""
    assert values(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "21/02/2005", "২১-২-২০০৫", "21.02.2005", "02/21/2005", "2005-02-21", "২০০৫/০২/২১",
        "২১ ফেব্রুয়ারি ২০০৫", "Feb 21, 2005", "একুশে ফেব্রুয়ারি দুই হাজার পাঁচ",
    ],
)  # fmt: skip
def test_every_form_of_a_date_is_one_date(text: str) -> None:
    """Day, month and year in any order, in digits and in words."""
    (date,) = dates(tokenise(text))
    assert (date.day, date.month, date.year) == (21, 2, 2005)


@pytest.mark.parametrize(
    ("text", "months"),
    [("3rd Mar 2005", [3]), ("Jan 3", [1]), ("3 Dec.", [12]), ("Mar nam ki, jan?", [])],
)
def test_months_are_read_when_abbreviated(text: str, months: list[int]) -> None:
    """Those that are words of romanised Bangla too (mar, jan) only beside a number."""
    assert [date.month for date in dates(tokenise(text))] == months


@pytest.mark.parametrize("text", ["31/13/2005", "99/99/2005", "2005-13-40"])
def test_digits_that_are_no_date_have_no_month(text: str) -> None:
    """Bangla months, numbered from 13 on, are not written in digits."""
    assert not dates(tokenise(text))


@pytest.mark.parametrize(
    "entry",
    [
        "১। {}",
        "2. {}",
        "3) {}",
        "(4) {}",
        "৫- {}",
        "**6.** {}",
        "| ৭ | {} |",
        "8\ufe0f\u20e3 {}",
        "ক) {}",
    ],
)
def test_what_counts_the_entries_of_a_list_is_no_word(entry: str) -> None:
    """Numbers and letters in every form, at the start of a line."""
    assert [token.word.text for token in tokenise(entry.format("ঢাকা"))] == ["ঢাকা"]


@pytest.mark.parametrize("text", ["৫ জন", "২৬", "১.৫ লাখ", "10:30", "<5 kg> x", "26 - age"])
def test_a_line_may_begin_with_a_number(text: str) -> None:
    """Only what a mark follows counts entries."""
    assert values(text)


def test_markup_and_links_are_no_words() -> None:
    """A new entry of a list in HTML is a new sentence."""
    text = "<ul><li>ঢাকা</li><li>নদী</li></ul>&nbsp;https://a.bd/12 <!-- c -->৷ বই"
    assert [(token.word.text, token.sentence) for token in tokenise(text)] == [
        ("ঢাকা", 2), ("নদী", 4), ("বই", 7)
    ]  # fmt: skip


def test_stray_marks_are_no_words() -> None:
    """A visarga typed for a colon after a number is no word."""
    assert [token.word.text for token in tokenise("১ঃ ঢাকা")] == ["১", "ঢাকা"]


@pytest.mark.parametrize("text", ["নয়", "noy", "বার বার", "Das", "bishwo", "at", "then ten"])
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
