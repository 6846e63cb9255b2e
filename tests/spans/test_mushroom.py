"""Soft labels: hard ones from them, and the correlation with its conventions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.spans.correlation import correlation
from banglahallueval.spans.mushroom import character_probabilities, hard_spans
from banglahallueval.spans.offsets import mask
from banglahallueval.spans.types import SoftSpan, Span

LENGTH = 12
SOFT = st.lists(
    st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH), st.sampled_from([0.2, 0.5, 0.8])).map(
        lambda of: SoftSpan(min(of[:2]), max(of[:2]), of[2])
    ),
    max_size=5,
)


def test_hard_labels_are_those_above_one_half() -> None:
    """Not those at one half; spans that touch become one."""
    soft = [SoftSpan(0, 3, 0.6), SoftSpan(3, 5, 1.0), SoftSpan(6, 9, 0.5), SoftSpan(10, 12, 0.51)]
    assert hard_spans(soft) == (Span(0, 5), Span(10, 12))


def test_characters_have_the_probability_of_their_span() -> None:
    assert character_probabilities([SoftSpan(1, 3, 0.25)], 4).tolist() == [0, 0.25, 0.25, 0]


@given(SOFT, st.randoms())
def test_the_highest_probability_counts_in_any_order(soft: list[SoftSpan], random: Random) -> None:
    values = character_probabilities(soft, LENGTH)
    random.shuffle(soft)
    assert (character_probabilities(soft, LENGTH) == values).all()
    assert ((values > 0.5) == mask(hard_spans(soft), LENGTH)).all()


def test_a_soft_span_outside_the_answer_is_refused() -> None:
    """The official scorer ends in an IndexError."""
    with pytest.raises(ValueError, match="none of an answer of 4"):
        character_probabilities([SoftSpan(2, 5, 1.0)], 4)


def test_correlation_is_spearman_s() -> None:
    """Ranks decide, so any rising function of the scores gives 1; ties share their rank."""
    assert correlation([0, 0.2, 0.4, 1], [0, 1, 5, 6]) == pytest.approx(1)
    assert correlation([0, 0.2, 0.4, 1], [6, 5, 1, 0]) == pytest.approx(-1)
    assert correlation([0, 0, 1, 1], [0, 1, 1, 0]) == pytest.approx(0)


@pytest.mark.parametrize(
    ("gold", "predicted", "right"),
    [
        ([0, 0, 0], [0, 0, 0], 1.0),
        ([0, 0, 0], [0.7, 0.7, 0.7], 1.0),
        ([0, 0, 0], [0, 1, 0], 0.0),
        ([0, 1, 0], [1, 1, 1], 0.0),
        ([0, 1, 0], [0.3, 0.3, 0.3 + 1e-10], 0.0),
        ([], [], 1.0),
    ],
)
def test_constant_sides_have_a_convention(
    gold: list[float], predicted: list[float], right: float
) -> None:
    """Two constant sides agree, even at different values; one alone does not."""
    assert correlation(gold, predicted) == right


def test_sides_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="2 and 3 characters"):
        correlation([0, 1], [0, 1, 2])


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=10))
def test_correlation_is_symmetric_and_bounded(pairs: list[tuple[float, float]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    value = correlation(one, other)
    assert value == pytest.approx(correlation(other, one))
    assert -1 - 1e-9 <= value <= 1 + 1e-9
