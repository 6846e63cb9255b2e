"""p_hallucinated: the right values of calibration, risk and coverage, thresholds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.scoring.bhs import bhs_of_rows
from banglahallueval.scoring.calibration import (
    aurc,
    best_threshold,
    calibrate,
    cross_validated_bhs,
    ece,
    risk_coverage,
)

CONFIDENCE = np.array([0.95, 0.85, 0.85, 0.65, 0.55])
CORRECT = np.array([1, 1, 0, 1, 0])


def test_ece_right_values() -> None:
    """The known case gives .33 in 10 bins and .31 in 5; 1.0 falls into the last bin."""
    assert ece(CONFIDENCE, CORRECT, bins=10) == pytest.approx(0.33)
    assert ece(CONFIDENCE, CORRECT, bins=5) == pytest.approx(0.31)
    assert ece(np.array([1.0]), [1], bins=10) == 0


def test_aurc_right_values() -> None:
    """The step form gives .1966667 on the known case and .7133333 on the worst order."""
    confidence = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    assert aurc(confidence, [1, 1, 0, 1, 0]) == pytest.approx(0.1966667, abs=1e-7)
    assert aurc(confidence, [0, 0, 1, 1, 1]) == pytest.approx(0.7133333, abs=1e-7)


@pytest.mark.parametrize("correct", [[1, 0, 1, 0], [0, 1, 0, 1]])
def test_ties_are_one_point(correct: list[int]) -> None:
    """Four equal confidences are one point (1, .5), whatever the order of the rows."""
    confidence = np.full(4, 0.5)
    coverage, risk = risk_coverage(confidence, correct)
    assert (coverage.tolist(), risk.tolist()) == ([1.0], [0.5])
    assert aurc(confidence, correct) == 0.5


def test_calibration_of_one_judge() -> None:
    """AUROC, average precision, Brier and BHS of a small case, rows without p left out."""
    p = np.array([0.9, 0.8, 0.3, 0.2, 0.4, np.nan])
    candidate = np.array([True, True, True, False, False, True])
    label = np.array(["yes", "yes", "no", "no", "no", "unknown"])
    found = calibrate(p, candidate, label, np.arange(6))
    assert found is not None
    assert (found.rows, found.candidates) == (5, 3)
    assert found.auroc == pytest.approx(5 / 6)
    assert found.average_precision == pytest.approx((1 + 1 + 3 / 4) / 3)
    assert found.brier == pytest.approx((0.01 + 0.04 + 0.49 + 0.04 + 0.16) / 5)
    assert found.bhs == pytest.approx(50 / 3)
    assert found.threshold == pytest.approx(0.6)
    assert np.isnan(found.gain)


def test_no_calibration_without_p_on_both_tracks() -> None:
    """Where p is absent, or one track is, nothing is made up."""
    assert calibrate(np.full(2, np.nan), np.array([True, False]), ["yes", "no"], [1, 2]) is None
    assert calibrate(np.ones(2), np.array([True, True]), ["yes", "yes"], [1, 2]) is None


@given(st.lists(st.tuples(st.integers(0, 10), st.booleans()), min_size=2, max_size=40))
def test_the_threshold_is_the_best_of_all(rows: list[tuple[int, bool]]) -> None:
    """No other threshold has a lower BHS."""
    p, candidate = np.array([r[0] for r in rows]) / 10, np.array([r[1] for r in rows])
    if candidate.all() or not candidate.any():
        return
    found = bhs_of_rows(candidate, p >= best_threshold(p, candidate))
    every = [bhs_of_rows(candidate, p >= t) for t in np.arange(-0.05, 1.1, 0.1)]
    assert found == pytest.approx(min(every))


def test_cross_validation_keeps_sources_whole() -> None:
    """Where p is right only by knowing the source, the fitted threshold gains nothing held out."""
    rng = np.random.default_rng(0)
    sources = np.repeat(np.arange(60), 5)
    candidate = np.tile([True, True, True, True, False], 60)
    p = rng.random(300)
    fitted = bhs_of_rows(candidate, p >= best_threshold(p, candidate))
    assert fitted < 48
    assert cross_validated_bhs(p, candidate, sources) == pytest.approx(50, abs=6)
    assert cross_validated_bhs(candidate * 1.0, candidate, sources) == 0
