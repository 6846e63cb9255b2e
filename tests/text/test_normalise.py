"""The two normal forms of a text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.text.normalise import for_matching, for_quotation

TEXTS = st.text(st.sampled_from("কড়ঢ়য়\u09bcাি১২৩12, ।.'“—\u200c\u200d\nAbé😀"), max_size=30)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("১,২৩৪ টাকা", "1234 টাকা"),
        ("বা\u09dcি", "বা\u09a1\u09bcি"),
        ("Dhaka, শহর।", "dhaka শহর"),
    ],
)
def test_matching_ignores_spelling_that_means_nothing(one: str, other: str) -> None:
    assert for_matching(one) == for_matching(other)


def test_matching_keeps_vowel_signs() -> None:
    assert for_matching("দিন") != for_matching("দান")


@given(TEXTS)
def test_matching_is_idempotent(text: str) -> None:
    assert for_matching(for_matching(text)) == for_matching(text)


@given(TEXTS)
def test_every_quoted_code_point_leads_back_into_the_raw_text(text: str) -> None:
    found = for_quotation(text)
    assert len(found.places) == len(found.text)
    assert all(0 <= start < end <= len(text) for start, end in found.places)


@given(TEXTS)
def test_quotation_is_the_same_for_either_form_of_nukta_letters(text: str) -> None:
    composed = for_quotation(unicodedata.normalize("NFC", text)).text
    assert composed == for_quotation(unicodedata.normalize("NFD", text)).text
