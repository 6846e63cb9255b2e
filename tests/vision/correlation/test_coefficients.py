"""Coefficients: the right values, and what must always hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from banglahallueval.vision.correlation.coefficients import (
    COEFFICIENTS,
    TOO_FEW,
    Correlation,
    correlate,
    replicated,
)

NAN = math.nan

pytestmark = pytest.mark.filterwarnings("error")


def of(human: list[float], metric: list[float]) -> Correlation:
    return correlate(("metric", np.array(metric)), ("human", np.array(human)), resamples=200)


def values(found: Correlation) -> list[float]:
    return [found.estimates[name].value for name in COEFFICIENTS]


def digits(text: str) -> list[float]:
    return [float(digit) for digit in text]


def test_binary_scores_give_one_number_three_times() -> None:
    found = of(digits("0110101101"), digits("0110001111"))
    assert values(found) == pytest.approx([0.583333] * 3, abs=1e-6)


def test_ranks_without_ties() -> None:
    found = of([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    assert values(found) == pytest.approx([0.8, 0.8, 0.6])


def test_ties_count_as_in_tau_b() -> None:
    found = of([0, 1, 1, 2, 3, 3], [0.1, 0.4, 0.3, 0.3, 0.9, 0.8])
    assert values(found) == pytest.approx([0.9113, 0.850841, 0.741249], abs=5e-5)


@pytest.mark.parametrize(
    ("human", "metric", "reason"),
    [
        ([1, 1, 1], [1, 2, 3], "human is constant"),
        ([1, 2, 3], [0.1, 0.1, 0.1], "metric is constant"),
        ([1], [2], TOO_FEW),
        ([1, NAN, 3], [1, 2, NAN], TOO_FEW),
    ],
)
def test_what_is_undefined_is_nan_with_a_reason(
    human: list[float], metric: list[float], reason: str
) -> None:
    found = of(human, metric)
    assert found.reason == reason
    assert all(math.isnan(value) for value in values(found))


def test_missing_cells_are_left_out_in_pairs() -> None:
    found = of([1, 2, 3, 4, 5, NAN, 7], [2, 1, 4, 3, 5, 9, NAN])
    assert (found.pairs, found.missing) == (5, 2)
    assert values(found) == pytest.approx([0.8, 0.8, 0.6])


def test_resamples_without_variation_are_counted() -> None:
    found = of([0, 1, 0], [1, 5, 2])
    assert 0 < found.estimates["pearson"].undefined < 200


def test_rows_of_one_source_are_drawn_together() -> None:
    x, y = np.arange(8.0), np.array([1.0, 0, 3, 2, 5, 4, 7, 6])
    apart = correlate(("x", x), ("y", y))
    together = correlate(("x", x), ("y", y), sources=list("aabbccdd"))
    assert (apart.sources, together.sources) == (8, 4)
    assert apart.estimates["kendall"].low != together.estimates["kendall"].low


SCORES = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from([0.1, 0.3, 0.4, 0.7, 1.0])), min_size=2, max_size=9
)


@settings(max_examples=60)
@given(SCORES, st.integers(0, 2**16))
def test_each_resample_is_what_scipy_says_of_its_rows(
    pairs: list[tuple[int, float]], seed: int
) -> None:
    x, y = np.array(pairs, dtype=float).T
    drawn = np.random.default_rng(seed).integers(len(x), size=(3, len(x)))
    counts = np.stack([np.bincount(each, minlength=len(x)) for each in drawn]).astype(np.uint8)
    found = replicated(x, y, counts)
    for place, rows in enumerate(drawn):
        a, b = x[rows], y[rows]
        if np.ptp(a) == 0 or np.ptp(b) == 0:
            assert all(math.isnan(found[name][place]) for name in COEFFICIENTS)
            continue
        assert found["pearson"][place] == pytest.approx(stats.pearsonr(a, b).statistic, abs=1e-9)
        assert found["spearman"][place] == pytest.approx(stats.spearmanr(a, b).statistic, abs=1e-9)
        assert found["kendall"][place] == pytest.approx(stats.kendalltau(a, b).statistic, abs=1e-9)


@settings(max_examples=40)
@given(SCORES)
def test_the_order_of_the_columns_makes_no_difference(pairs: list[tuple[int, float]]) -> None:
    x, y = np.array(pairs, dtype=float).T
    one = correlate(("x", x), ("y", y), resamples=50)
    other = correlate(("y", y), ("x", x), resamples=50)
    for name in COEFFICIENTS:
        a, b = one.estimates[name], other.estimates[name]
        assert [a.value, a.low, a.high] == pytest.approx([b.value, b.low, b.high], nan_ok=True)
        if not one.reason:
            assert -1 <= a.low <= a.high <= 1


def test_huge_values_correlate_as_small_ones() -> None:
    human, metric = [1.0, 2, 3, 4, 5], [2.0, 1, 4, 3, 5]
    small = of(human, metric)
    for scale in (1e200, 1e-200, 1e307):
        found = of(human, [value * scale for value in metric])
        for name in COEFFICIENTS:
            one, other = small.estimates[name], found.estimates[name]
            assert [one.value, one.low, one.high] == pytest.approx(
                [other.value, other.low, other.high]
            )
        assert found.estimates["pearson"].undefined == small.estimates["pearson"].undefined


def test_a_column_that_hardly_varies_says_so() -> None:
    found = of([1, 2, 3, 5], [1e16, 1e16 + 2, 1e16 + 4, 1e16 + 6])
    assert "metric varies in its last digits alone" in found.reason
    assert found.estimates["spearman"].value == pytest.approx(1)


def test_many_rows_are_correlated() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=6000)
    found = correlate(("x", x), ("y", x + rng.normal(size=6000)), resamples=20)
    assert found.estimates["kendall"].low < found.estimates["kendall"].value
