"""The true rate of somebody's own outputs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from banglahallueval.errors import UsageError
from banglahallueval.scoring.estimate import Measured, estimate_rate, measure


def test_rogan_gladen_right_value() -> None:
    """Raw 0.30, detection 0.80, false alarms 0.10 is 0.2857; without row counts no interval."""
    found = estimate_rate(Measured(0.30), Measured(0.80), Measured(0.10))
    assert found.value == pytest.approx(0.2857, abs=5e-5)
    assert np.isnan(found.low)
    assert not found.clipped


def test_detection_not_above_false_alarms_is_refused() -> None:
    """A judge that alarms as often as it detects tells nothing."""
    with pytest.raises(UsageError, match="not above false alarms"):
        estimate_rate(Measured(0.3), Measured(0.4), Measured(0.4))


def test_an_impossible_rate_is_clipped_and_said() -> None:
    """A raw rate below the false alarms is 0, marked as clipped."""
    found = estimate_rate(
        Measured.parse("5/100"), Measured.parse("80/100"), Measured.parse("10/100")
    )
    assert (found.value, found.clipped, found.low) == (0, True, 0)
    assert 0 < found.high < 0.15


def test_the_interval_carries_both_uncertainties() -> None:
    """It widens when the outputs are fewer, and when the judge was measured on fewer rows."""

    def width(raw: float, judge: float) -> float:
        found = estimate_rate(Measured(0.3, raw), Measured(0.8, judge), Measured(0.1, judge))
        return found.high - found.low

    assert width(100, 10_000) > 1.5 * width(1000, 10_000)
    assert width(10_000, 100) > 1.5 * width(10_000, 1000)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """Over 300 simulated studies the true rate lies inside at least 92 % of the time."""
    rng = np.random.default_rng(5)
    inside = 0
    for _ in range(300):
        raw = rng.binomial(200, 0.2 * 0.7 + 0.8 * 0.15) / 200
        found = estimate_rate(
            Measured(raw, 200),
            Measured(rng.binomial(150, 0.7) / 150, 150),
            Measured(rng.binomial(150, 0.15) / 150, 150),
        )
        inside += found.low <= 0.2 <= found.high
    assert inside >= 276


@pytest.mark.parametrize("text", ["", "1.2", "-0.1", "5/0", "7/3", "a/b", "nan"])
def test_what_is_no_share_is_refused(text: str) -> None:
    """Shares are numbers from 0 to 1 or counts of rows."""
    with pytest.raises(UsageError):
        Measured.parse(text)


def test_rows_of_one_source_are_worth_less() -> None:
    """Four copies of each row measure as well as one."""
    rng = np.random.default_rng(0)
    label = np.repeat(np.where(rng.random(300) < 0.4, "yes", "no"), 4)
    found = measure(pd.DataFrame({"label": label, "source": np.repeat(np.arange(300), 4)}))
    assert found.rows == pytest.approx(300, rel=0.1)
