"""Words are analysed in any normalisation form."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal
from unicodedata import combining, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.evidence import word_analysis
from banglahallueval.judges.evidence.word_analysis import analyse_word

MARKS = "\u0323\u0301\u09bc\u09cd\u0344\u0f73\u0f75\u0f81\u3099"


@given(st.text(alphabet="aকéয়\u200d" + MARKS, max_size=20), st.text(alphabet=MARKS, max_size=80))
def test_words_are_in_nfc(letters: str, marks: str) -> None:
    """Sorting marks beforehand changes nothing."""
    assert analyse_word(letters + marks).text == normalize("NFC", letters + marks).lower()


def test_many_marks_reach_normalisation_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """`unicodedata` takes time squared to sort marks, and none for marks in order."""
    normalised: list[str] = []

    def record(form: Literal["NFC"], text: str) -> str:
        normalised.append(text)
        return normalize(form, text)

    monkeypatch.setattr(word_analysis, "normalize", record)
    analyse_word.cache_clear()
    analyse_word("ক" + "\u09cd\u09bc\u0301\u0323" * 500)
    classes = [combining(mark) for mark in max(normalised, key=len)]
    assert all(before <= after for before, after in pairwise(classes))
