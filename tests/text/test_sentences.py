"""Sentences of Bangla and English texts, as places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.text.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ঢাকা রাজধানী। কেন?  জানি না!", ["ঢাকা রাজধানী।", "কেন?", "জানি না!"]),
        ("ধাপ ১: ২ + ৩ = ৫\nধাপ ২: শেষ", ["ধাপ ১: ২ + ৩ = ৫", "ধাপ ২: শেষ"]),
        ("It is 3.5 km long. The sea is near. yes", ["It is 3.5 km long.", "The sea is near. yes"]),
        ("“কী?” সে বলে। (না।) শেষ", ["“কী?”", "সে বলে।", "(না।)", "শেষ"]),
        ("একটি বাক্য", ["একটি বাক্য"]),
        (" \n ", []),
    ],
)
def test_closing_marks_end_sentences(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    "text", ["ড. ইউনূস এলেন", "মো. রহিম এলেন", "Mr. Khan came", "1. Blue Spring 2. Clannad"]
)
def test_abbreviations_and_list_numbers_end_none(text: str) -> None:
    assert cut(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"), [("শেষ। ।।", ["শেষ। ।।"]), ("… । শেষ।", ["… । শেষ।"]), ("।।", ["।।"])]
)
def test_marks_without_a_word_stand_alone_only_without_a_neighbour(
    text: str, expected: list[str]
) -> None:
    """A bare mark as a hypothesis would be entailed by nothing."""
    assert cut(text) == expected


@given(st.text("অআ১a. \n।?!”", max_size=40))
def test_each_character_lies_in_one_sentence(text: str) -> None:
    found = [at for start, end in sentences(text) for at in range(start, end)]
    assert len(found) == len(set(found))
    assert found == sorted(found)
    left = set(range(len(text))) - set(found)
    assert all(text[at].isspace() for at in left)
