"""Rates, intervals and comparisons: the right values, and what must always hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, matthews_corrcoef

from banglahallueval.scoring.bootstrap import Resamples, interval
from banglahallueval.scoring.rates import mean_bhs, score, wilson
from banglahallueval.scoring.results import Results

# Detection, false alarms, BHS on the rows of the first halves.
RIGHT = {
    ("codemix", "gpt_4_1_mini"): (0.7955, 0.216, 21.025),
    ("codemix", "qwen2_5_32b"): (0.690, 0.174, 24.200),
    ("codemix", "gemma2_27b"): (0.6205, 0.206, 29.275),
    ("codemix", "mistral_nemo"): (0.741, 0.850, 55.45),
    ("codemix", "llama3_1_8b"): (0.215, 0.164, 47.45),
    ("codemix", "deepseek_r1_14b"): (0.852, 0.404, 27.60),
    ("reasoning", "deepseek_r1_14b"): (0.830, 0.188, 17.90),
    ("reasoning", "qwen2_5_32b"): (0.698, 0.208, 25.50),
    ("reasoning", "gemma2_27b"): (0.306, 0.066, 38.00),
    ("reasoning", "mistral_nemo"): (0.038, 0.022, 49.20),
    ("reasoning", "llama3_1_8b"): (0.118, 0.172, 52.70),
    ("reasoning", "tigerllm_9b"): (0.168, 0.200, 51.60),
    ("summarization", "tigerllm_9b"): (0.522, 0.066, 27.20),
}


@pytest.mark.parametrize(("name", "right"), RIGHT.items(), ids=["-".join(name) for name in RIGHT])
def test_published_labels_give_the_published_rates(
    published_results: Results, name: tuple[str, str], right: tuple[float, float, float]
) -> None:
    """Detection, false alarms and BHS of the published labels come out exactly."""
    found = published_results.scores[name]
    rates = (found.detection.value, found.false_alarms.value, found.bhs.value)
    assert rates == pytest.approx(right, abs=1e-9)
    assert found.bhs.low < found.bhs.value < found.bhs.high


def test_wilson_right_values() -> None:
    """7 of 10, 5 of 8 and 10 of 10 have the known Wilson intervals."""
    for count, rows, ends in [
        (7, 10, (0.3968, 0.8922)),
        (5, 8, (0.3057, 0.8632)),
        (10, 10, (0.7225, 1)),
    ]:
        rate = wilson(count, rows)
        assert (rate.low, rate.high) == pytest.approx(ends, abs=1e-4)
    assert np.isnan(wilson(0, 0).value)


def test_unknown_is_a_miss_and_no_alarm() -> None:
    """A row that is not yes is missed on candidates and not alarmed on main."""
    candidate = np.array([True] * 4 + [False] * 4)
    yes = np.array([True, True, True, False, True, False, False, False])
    found = score(candidate, yes, np.arange(8))
    assert (found.detection.value, found.false_alarms.value, found.bhs.value) == (0.75, 0.25, 25)
    assert (found.precision, found.f1, found.balanced_accuracy) == (0.75, 0.75, 0.75)
    assert found.mcc == pytest.approx(0.5)


def test_one_track_has_its_rate_and_no_bhs() -> None:
    """Without main rows there is a detection rate but no BHS, precision or MCC."""
    found = score(np.array([True, True]), np.array([True, False]), np.array([1, 2]))
    assert found.detection.value == 0.5
    assert np.isnan([found.false_alarms.value, found.bhs.value, found.precision, found.mcc]).all()


def test_resampling_is_that_of_whole_sources() -> None:
    """The spread over resamples is that of cluster means, not of independent rows."""
    rng = np.random.default_rng(1)
    sources = np.repeat(np.arange(200), 4)
    values = np.repeat(rng.random(200) < 0.5, 4).astype(float)
    total, said = Resamples(sources).sums(sources, np.column_stack([np.ones(800), values])).T
    assert (total == 800).all()
    share = values.mean()
    assert (said / total).std() == pytest.approx((share * (1 - share) / 200) ** 0.5, rel=0.05)


def test_strata_keep_the_rows_of_each_track() -> None:
    """With sources of one track only, every resample has as many main rows as the data."""
    sources = np.arange(60)
    main = (sources < 40).astype(float)
    draws = Resamples(sources, np.where(main > 0, 1, 2))
    assert (draws.sums(sources, main[:, None]) == 40).all()


def test_resampling_is_seeded_and_counts_each_source_right() -> None:
    """Equal seeds draw equally, and N draws are made of N sources also above a byte's 255."""
    sources = np.arange(1000)
    first, second = (
        Resamples(sources, resamples=300).sums(sources, np.eye(1000)) for _ in range(2)
    )
    assert (first == second).all()
    assert (first.sum(axis=1) == 1000).all()
    assert first.mean(axis=0) == pytest.approx(np.ones(1000), abs=0.4)


def test_undefined_resamples_are_left_out() -> None:
    """Replicates without the needed rows do not move the interval."""
    replicates = np.array([1.0, 2.0, np.nan])
    assert interval(replicates) == pytest.approx((1.025, 1.975))
    assert np.isnan(interval(np.array([np.nan]))).all()


def test_mean_over_tasks_weighs_tasks_equally() -> None:
    """The mean BHS is the mean of the tasks', whatever their sizes."""
    small = score(np.array([True, False]), np.array([True, False]), np.array([1, 2]))
    big = score(np.arange(200) < 100, np.ones(200, dtype=bool), np.arange(200))
    mean = mean_bhs([small, big])
    assert (mean.value, mean.rows) == (25.0, 202)


def test_where_all_sources_agree_the_interval_of_bhs_has_a_width() -> None:
    """Fault: a judge without an error on 4 + 4 rows had the BHS interval [0, 0].

    None of 4 has the Wilson bound t² / (4 + t²), t = 3.182 at 3 degrees of freedom, which is
    0.7168; two such rates are 50 · √(0.7168² + 0.7168²) = 50.69 away from 0 at most.
    """
    candidate = np.array([False] * 4 + [True] * 4)
    found = score(candidate, candidate, np.tile(np.arange(4), 2))
    assert (found.bhs.value, found.bhs.low) == (0, 0)
    assert found.bhs.high == pytest.approx(50.69, abs=0.005)
    # Of two such tasks, the mean is known better by a root of two.
    assert mean_bhs([found, found]).high == pytest.approx(50.69 / 2**0.5, abs=0.005)
    # All wrong: the same from the other end.
    wrong = score(candidate, ~candidate, np.tile(np.arange(4), 2))
    assert (wrong.bhs.low, wrong.bhs.high) == (pytest.approx(100 - 50.69, abs=0.005), 100)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_bhs_is_the_complement_of_balanced_accuracy(rows: list[tuple[bool, bool]]) -> None:
    """BHS is 100 less balanced accuracy in percent, whatever the rows."""
    candidate, yes = (np.array(side) for side in zip(*rows, strict=True))
    found = score(candidate, yes, np.arange(len(rows)) // 2)
    if found.bhs.rows:
        assert found.bhs.value == pytest.approx(100 * (1 - found.balanced_accuracy))
        assert 0 <= found.bhs.low <= found.bhs.value <= found.bhs.high <= 100
        assert found.mcc == pytest.approx(matthews_corrcoef(candidate, yes))
        assert found.f1 == pytest.approx(f1_score(candidate, yes))
