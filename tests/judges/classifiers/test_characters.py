"""Scores of tokens become scores of characters, without holes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.classifiers.characters import joined, marked, spread


def test_a_vowel_sign_without_a_token_has_its_letters_score() -> None:
    """NFC leaves the second half of ো without a token: gold [0, 3] must be whole."""
    text = "ক\u09c7\u09beন ১৯৭১"
    scores = spread(text, [((0, 1), 0.9), ((1, 2), 0.9), ((3, 4), 0.1), ((5, 9), 0.1)])
    assert marked(text, scores) == ((0, 3),)


def test_the_highest_of_a_code_points_tokens_counts() -> None:
    assert spread("\u09dcx", [((0, 1), 0.2), ((0, 1), 0.7), ((1, 2), 0.1)]) == (0.7, 0.1)


def test_marked_stretches_neither_begin_nor_end_with_a_blank() -> None:
    """Byte-level tokens hold the blank before their word, others no blank at all."""
    text = "in 1971 a war"
    with_blanks = [((0, 2), 0.1), ((2, 7), 0.9), ((7, 9), 0.8), ((9, 13), 0.1)]
    without = [((0, 2), 0.1), ((3, 7), 0.9), ((8, 9), 0.8), ((10, 13), 0.1)]
    assert spread(text, with_blanks) == spread(text, without)
    assert marked(text, spread(text, without)) == ((3, 9),)


def test_edge_blanks_and_a_leading_gap_take_the_nearest_score() -> None:
    scores = spread(" \u200dab ", [((2, 4), 0.6)])
    assert scores == (0.6,) * 5
    assert marked(" \u200dab ", scores) == ((1, 4),)


def test_no_token_means_no_scores() -> None:
    assert spread("\u200d ", []) == ()


TOKENS = st.lists(st.tuples(st.integers(0, 19), st.integers(1, 4), st.floats(0, 1)), min_size=1)


@given(st.text("কো \u09be১a\n", min_size=24, max_size=24), TOKENS)
def test_every_character_has_a_score_of_some_token(
    text: str, tokens: list[tuple[int, int, float]]
) -> None:
    scored = [((start, start + length), score) for start, length, score in tokens]
    scores = spread(text, scored)
    words = {at for (start, end), _ in scored for at in range(start, end)} - {
        at for at, char in enumerate(text) if char.isspace()
    }
    assert len(scores) == (len(text) if words else 0)
    assert set(scores) <= {score for *_, score in tokens}


def test_each_piece_counts_up_to_the_middle_of_the_overlap() -> None:
    assert joined(8, [((0, 5), [0.1] * 5), ((3, 8), [0.9] * 5)]) == (0.1,) * 4 + (0.9,) * 4


def test_pieces_that_only_touch_are_put_side_by_side() -> None:
    assert joined(4, [((0, 2), [0.1, 0.2]), ((2, 4), [0.3, 0.4])]) == (0.1, 0.2, 0.3, 0.4)


@pytest.mark.parametrize(
    ("scores", "places"), [((0.5, 0.6, 0.1, 0.9), ((0, 2), (3, 4))), ((0.499,), ()), ((), ())]
)
def test_the_threshold_itself_is_marked(
    scores: tuple[float, ...], places: tuple[tuple[int, int], ...]
) -> None:
    assert marked("x" * len(scores), scores) == places


@pytest.mark.parametrize(
    ("text", "token", "stretch"),
    [
        ("চৌহালীর পথ", "\u09cc", "চৌ"),
        ("চৌহালীর পথ", "\u09b9", "হা"),
        ("ক্ষমা", "\u09b7", "ক্ষ"),
        ("১৯৭১ সালে", "৯", "১৯৭১"),
        ("1971-72", "2", "72"),
        ("১,২৩৪", "২", "২৩৪"),
        ("ড\u09bc", "\u09bc", "ড\u09bc"),
        ("👍🏽 ভুল", "\U0001f3fd", "👍🏽"),
        ("ক \u200dখ", "খ", "খ"),
    ],
)
def test_a_stretch_is_of_whole_letters_and_numbers(text: str, token: str, stretch: str) -> None:
    """Fault: a detector marked the vowel sign of চৌহালীর alone, or one digit of a year."""
    scores = [float(char == token) for char in text]
    assert [text[start:end] for start, end in marked(text, scores)] == [stretch]
