"""Shares of rows that belong to sources: what always holds of their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.scoring.rates import clustered_rate, wilson
from banglahallueval.scoring.shares import WeightedSum, share_of, share_of_rows

# Per source the number of rows that count, and of those that do not.
sources_of_rows = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(any), min_size=1, max_size=30
)


def test_rows_of_one_source_that_agree_count_once() -> None:
    """8 of 10 sources of 4 equal rows: nearly Wilson's interval of 8 in 10, not of 32 in 40."""
    share = share_of([4] * 8 + [0] * 2, [4] * 10)
    assert (share.value, share.rows, share.sources) == (0.8, 40, 10)
    assert share.effective == pytest.approx(10)
    assert share.interval() == pytest.approx((wilson(8, 10).low, wilson(8, 10).high))


def test_the_design_effect_is_that_between_sources_drawn_to_the_largest() -> None:
    """20 sources of 4 rows, half with 3 hits and half with 1.

    Between sources the variance is 20/19 · 20 · (1/80)² = 0.003289, of independent rows 0.25/80 =
    0.003125: design effect 1.0526. There are 40 / 1.0526 = 38 effective hits, and the largest
    effect, 4, weighs as much as one: (38 · 1.0526 + 4) / 39 = 1.1282.
    """
    share = share_of([3, 1] * 10, [4] * 20)
    assert 80 / share.effective == pytest.approx(1.1282, abs=1e-4)


def test_sources_of_one_make_tell_more_than_independent_rows() -> None:
    """Each source has its hit in the same one of two rows; yet the interval keeps a width."""
    share = share_of([1] * 20, [2] * 20)
    assert 40 < share.effective < 500
    low, high = share.interval()
    assert wilson(20, 40).low < low < 0.5 < high < wilson(20, 40).high


def test_no_hits_are_known_as_well_as_there_are_sources() -> None:
    assert share_of([0] * 12, [4] * 12).interval()[1] == pytest.approx(wilson(0, 12).high)


@given(sources_of_rows)
def test_the_interval_holds_the_share_and_stays_within_0_and_1(
    counts: list[tuple[int, int]],
) -> None:
    hits, others = np.array(counts).T
    share = share_of(hits, hits + others)
    low, high = share.interval()
    assert 0 <= low <= share.value <= high <= 1
    assert share.value == pytest.approx(hits.sum() / np.sum(counts))
    # Never wider than where all rows of a source agree.
    assert share.effective >= share.rows**2 / ((hits + others) ** 2).sum() - 1e-9


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_with_one_row_a_source_it_is_wilsons(flags: list[bool]) -> None:
    found = clustered_rate(flags, np.arange(len(flags)))
    expected = wilson(sum(flags), len(flags))
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@given(st.integers(2, 20), st.integers(1, 3))
def test_the_interval_widens_with_the_design_effect(sources: int, alike: int) -> None:
    """The more rows of a source say the same, the wider it is; the share is ½ throughout."""
    widths = []
    for equal in (alike, 4):  # how many of a source's 4 rows are all alike; the others alternate
        rows = [[side] * equal + [True, False, True][: 4 - equal] for side in (True, False)]
        hits = np.array([sum(rows[n % 2]) for n in range(2 * sources)])
        low, high = share_of(hits, np.full(2 * sources, 4)).interval()
        widths.append(high - low)
    assert widths[0] <= widths[1]


@given(sources_of_rows, st.randoms(use_true_random=False))
def test_neither_the_order_nor_the_run_makes_a_difference(
    counts: list[tuple[int, int]],
    random: object,
) -> None:
    hits, others = np.array(counts).T
    once, again = share_of(hits, hits + others), share_of(hits[::-1], (hits + others)[::-1])
    assert once.interval() == pytest.approx(again.interval())


def test_a_sum_of_equal_shares_that_move_together_is_as_wide_as_one() -> None:
    """What both say of every source is no difference; independent ones add as squares do."""
    at = np.arange(20)
    hits = at % 2 == 0
    share = share_of_rows(at, hits, np.ones(20))
    opposite = share_of_rows(at, ~hits, np.ones(20))
    assert WeightedSum([(1, share), (-1, share)]).interval() == pytest.approx((0, 0), abs=1e-7)
    assert WeightedSum([(1, share), (1, opposite)]).interval() == pytest.approx((1, 1))
    crossed = share_of_rows(at, at % 4 < 2, np.ones(20))
    low, high = WeightedSum([(1, share), (-1, crossed)]).interval()
    assert high == pytest.approx(share.reach(0.95)[1] * 2**0.5)
    assert low == pytest.approx(-high)


def test_a_difference_of_0_has_p_1_and_a_certain_one_nearly_none() -> None:
    at = np.arange(60)
    half, none = (share_of_rows(at, flags, np.ones(60)) for flags in (at % 2 == 0, at < 0))
    all_of = share_of_rows(at, at >= 0, np.ones(60))
    assert WeightedSum([(1, half), (-1, half)]).p_of_zero() == 1
    assert WeightedSum([(1, all_of), (-1, none)]).p_of_zero() < 1e-8
    assert np.isnan(WeightedSum([(1, share_of([0, 0], [0, 0]))]).p_of_zero())
