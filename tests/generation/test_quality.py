"""The figures of how a code-mixed file is spelled, counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.generation.quality import Quality, quality_line


def figures(*texts: tuple[str, str]) -> dict[str, float | None]:
    quality = Quality()
    for bangla, mixed in texts:
        quality.add(bangla, mixed)
    return quality.figures()


def test_english_words_are_counted_with_their_endings() -> None:
    """Two of five; a name is spelled as in English, but is no English word."""
    made = figures(("ঢাকা কলেজের ফুটবল দল আসে", "Dhaka college-er football dol ase"))
    assert made["english_words"] == pytest.approx(2 / 5)
    assert made["round_trip"] == 1.0


def test_a_bangla_word_that_looks_english_is_none() -> None:
    """মিলে is typed as the English mile."""
    assert figures(("সবাই মিলে", "sobai mile"))["english_words"] == 0


def test_a_translated_word_is_english_and_has_no_way_back() -> None:
    """It counts as English, and the round trip is taken over the others."""
    made = figures(("বড় বিদ্যালয় আছে", "boro school ache"))
    assert made["english_words"] == pytest.approx(1 / 3, abs=1e-4)
    assert made["round_trip"] == 1.0


def test_words_out_of_the_dictionary_are_counted() -> None:
    """One of three."""
    made = figures(("মানুষ দেখে ঝিঞ্জাকুতু", "manush dekhe jhinjakutu"))
    assert made["out_of_dictionary"] == pytest.approx(1 / 3, abs=1e-4)


def test_consistency_is_the_share_of_the_usual_spelling() -> None:
    """শহর twice as shohor, once as shahar; ভাষা stands only once and does not count."""
    made = figures(("শহর শহর ভাষা", "shohor Shohor bhasha"), ("শহর", "shahar"))
    assert made["spelling_consistency"] == pytest.approx(2 / 3, abs=1e-4)


def test_lost_words_have_no_way_back() -> None:
    """A text that leaves half of its words out keeps half of them."""
    assert figures(("মানুষ দেখে নদী আসে", "manush dekhe"))["round_trip"] == 0.5


def test_nothing_gives_no_figures() -> None:
    """Without words there is no share, and nothing to say."""
    assert set(figures(("১২", "12")).values()) == {None}
    assert quality_line(figures()) == ""


@given(st.text(max_size=60), st.text(max_size=60))
def test_figures_are_shares(bangla: str, mixed: str) -> None:
    """Any two texts can be counted, and every figure lies between 0 and 1."""
    assert all(value is None or 0 <= value <= 1 for value in figures((bangla, mixed)).values())
