"""Areas under risk over coverage: the right values, and what must always hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.abstention.curves import asymptotic_best_aurc, best_aurc, rank, sweep
from banglahallueval.scoring.calibration import ece, mce

ANSWERS = st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=1, max_size=30)


def test_areas_right_values() -> None:
    """Five answers, the third and fifth wrong: every area of the known case."""
    found = rank(np.array([0.9, 0.8, 0.7, 0.6, 0.5]), [1, 1, 0, 1, 0])
    assert found.aurc == pytest.approx((1 / 3 + 1 / 4 + 2 / 5) / 5, abs=1e-9)
    assert found.aurc_trapezoid == pytest.approx(0.47 / 3, abs=1e-9)
    assert found.e_aurc == pytest.approx(0.2 / 3, abs=1e-9)
    assert found.e_aurc_asymptotic == pytest.approx(0.1031620, abs=1e-7)
    assert found.augrc == pytest.approx(0.16, abs=1e-9)
    assert found.augrc_trapezoid == pytest.approx(0.12, abs=1e-9)


def test_best_and_worst_orders_right_values() -> None:
    """The discrete optimum is .13, the asymptotic .0935046, the worst order .7133333."""
    assert best_aurc(5, 2) == pytest.approx(0.13, abs=1e-9)
    assert asymptotic_best_aurc(0.4) == pytest.approx(0.4 + 0.6 * math.log(0.6), abs=1e-9)
    assert asymptotic_best_aurc(0.4) == pytest.approx(0.0935046, abs=1e-7)
    worst = rank(np.array([0.9, 0.8, 0.7, 0.6, 0.5]), [0, 0, 1, 1, 1])
    assert worst.aurc == pytest.approx(2.14 / 3, abs=1e-9)


@pytest.mark.parametrize("correct", [[1, 0, 1, 0], [0, 1, 0, 1]])
def test_ties_are_one_point(correct: list[int]) -> None:
    """Four equal confidences give .5, whatever the order of the rows."""
    found = rank(np.full(4, 0.5), correct)
    assert (found.aurc, found.aurc_trapezoid) == (0.5, 0.5)


def test_calibration_right_values() -> None:
    """ECE .33 in ten bins and .31 in five, MCE .55 in either, Brier .2345."""
    confidence, correct = np.array([0.95, 0.85, 0.85, 0.65, 0.55]), [1, 1, 0, 1, 0]
    assert ece(confidence, correct, bins=10) == pytest.approx(0.33, abs=1e-9)
    assert ece(confidence, correct, bins=5) == pytest.approx(0.31, abs=1e-9)
    assert mce(confidence, correct, bins=10) == pytest.approx(0.55, abs=1e-9)
    assert mce(confidence, correct, bins=5) == pytest.approx(0.55, abs=1e-9)
    assert rank(confidence, correct).brier == pytest.approx(0.2345, abs=1e-9)


def test_full_confidence_falls_into_the_last_bin() -> None:
    """1.0 is in the bin that ends there."""
    found = rank(np.array([1.0]), [1])
    assert (found.ece, found.mce, found.brier) == (0, 0, 0)


def test_sweep_right_values() -> None:
    """The known sweep: .0708333 over [.4, .8], a mean risk of .1770833."""
    found = sweep([(0.8, 3 / 8), (0.6, 1 / 6), (0.4, 0)])
    assert (found.least, found.most) == (0.4, 0.8)
    assert found.area == pytest.approx(0.85 / 12, abs=1e-9)
    assert found.mean_risk == pytest.approx(2.125 / 12, abs=1e-9)


def test_a_sweep_without_width_has_no_area() -> None:
    """One coverage, or nothing answered, gives no area."""
    assert math.isnan(sweep([(0.5, 0.1), (0.5, 0.3)]).area)
    assert math.isnan(sweep([]).least)


def test_points_of_one_coverage_count_with_their_mean() -> None:
    """Their order does not matter."""
    points = [(0.2, 0.0), (0.4, 0.1), (0.4, 0.3)]
    assert sweep(points).area == pytest.approx(0.02)
    assert sweep(points[::-1]) == sweep(points)


@given(ANSWERS)
def test_aurc_lies_between_the_best_and_the_worst_order(answers: list[tuple[int, bool]]) -> None:
    """No order beats wrong ones last, none is worse than wrong ones first."""
    confidence = np.array([c for c, _ in answers]) / 8
    correct = np.array([right for _, right in answers])
    rows, wrong = len(answers), int((~correct).sum())
    worst = float(np.mean([min(k, wrong) / k for k in range(1, rows + 1)]))
    found = rank(confidence, correct)
    assert best_aurc(rows, wrong) - 1e-9 <= found.aurc <= worst + 1e-9
    assert found.e_aurc >= -1e-9
    assert 0 <= found.augrc <= found.aurc + 1e-9
    assert 0 <= found.ece <= found.mce + 1e-9 <= 1 + 2e-9


@given(ANSWERS)
def test_the_order_of_answers_makes_no_difference(answers: list[tuple[int, bool]]) -> None:
    """Ties are one point, so sorting changes no area."""
    shuffled = sorted(answers, key=lambda each: (each[1], -each[0]))
    one, other = (
        rank(np.array([c for c, _ in rows]) / 8, [right for _, right in rows])
        for rows in (answers, shuffled)
    )
    assert one.aurc == pytest.approx(other.aurc)
    assert one.augrc_trapezoid == pytest.approx(other.augrc_trapezoid)
    assert one.ece == pytest.approx(other.ece)
