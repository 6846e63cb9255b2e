"""Thresholds and penalties: the right values, and what is refused."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.abstention.thresholds import check_thresholds, penalty, worth_of_answering
from banglahallueval.errors import UsageError


@pytest.mark.parametrize(
    ("t", "right"),
    [(0, 0), (0.25, 1 / 3), (0.5, 1), (0.75, 3), (0.8, 4), (0.9, 9), (0.95, 19), (0.99, 99)],
)
def test_penalty_right_values(t: float, right: float) -> None:
    """A wrong answer costs t/(1−t), exactly in decimal digits."""
    assert penalty(t) == right


@pytest.mark.parametrize("t", [-0.1, 1, 1.5, math.nan, math.inf])
def test_penalty_outside_is_an_error(t: float) -> None:
    """There is no penalty below 0, at 1 or above, and none of nan."""
    with pytest.raises(ValueError, match="not in"):
        penalty(t)


@pytest.mark.parametrize(("p", "t", "right"), [(0.6, 0.5, 0.2), (0.6, 0.75, -0.6), (0.7, 0.7, 0)])
def test_worth_of_answering_right_values(p: float, t: float, right: float) -> None:
    """Answering pays above t, costs below it, and is worth nothing at it."""
    assert worth_of_answering(p, t) == pytest.approx(right, abs=1e-9)


@given(st.integers(0, 100), st.integers(0, 99))
def test_answering_is_worth_the_expected_score(p: int, t: int) -> None:
    """The worth is the chance of being right minus that of being wrong times its penalty."""
    share, threshold = p / 100, t / 100
    expected = share - (1 - share) * penalty(threshold)
    assert worth_of_answering(share, threshold) == pytest.approx(expected, abs=1e-9)


def test_thresholds_are_sorted() -> None:
    """The order they are given in does not matter."""
    assert check_thresholds([0.9, 0, 0.75]) == (0, 0.75, 0.9)


@pytest.mark.parametrize("given_", [[], [1.0], [-0.5], [math.nan], [0.5, 1.5], [0.5, 0.9, 0.5]])
def test_wrong_thresholds_are_refused(given_: list[float]) -> None:
    """None at all, one outside [0, 1), and the same one twice are told in a line."""
    with pytest.raises(UsageError, match="--thresholds"):
        check_thresholds(given_)
