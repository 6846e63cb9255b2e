"""Intervals of figures over rows that may share sources."""

from __future__ import annotations

import math

import numpy as np
import pytest

from banglahallueval.scoring.clustered import Clusters, Measure, Sample
from banglahallueval.scoring.rates import wilson


def share(flags: str, sources: str) -> Measure:
    """The share of ones among rows whose sources are named by letters."""
    keys = [(letter,) for letter in sources]
    columns = {"flag": np.array([*flags], dtype=float), "all": np.ones(len(flags))}
    return Sample(Clusters(keys), keys, columns).share("flag", "all")


def test_shares_of_independent_rows_have_wilsons_interval() -> None:
    found = share("1100", "abcd")
    expected = wilson(2, 4)
    assert (found.low, found.high, found.method) == (expected.low, expected.high, "Wilson")


def test_rows_of_one_source_tell_less_than_as_many_independent_ones() -> None:
    apart, together = share("11110000", "abcdefgh"), share("11110000", "aabbccdd")
    assert together.method == "clustered Wilson"
    assert together.high - together.low > apart.high - apart.low


def test_sources_that_agree_have_wilsons_bound() -> None:
    found = share("1111", "aabb")
    assert (found.value, found.high, found.method) == (1, 1, "clustered Wilson")
    assert found.low == pytest.approx(wilson(2, 2).low)


def test_a_share_of_nothing_is_undefined() -> None:
    assert math.isnan(share("", "").value)
