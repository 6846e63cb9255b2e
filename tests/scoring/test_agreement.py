"""Agreement among judges."""

from __future__ import annotations

import numpy as np
import pytest

from banglahallueval.scoring.agreement import agreement
from banglahallueval.scoring.results import Results


def test_fleiss_of_a_published_sample_shape() -> None:
    """231 of 241 items unanimous among three is an exact agreement of 97.23 %.

    Pairs agree in (231 + 10 / 3) / 241 = 0.97234, by chance in 0.79945² + 0.20055² = 0.67934.
    """
    yes = np.concatenate([np.full(186, 3), np.full(45, 0), np.full(10, 2)])
    votes = {f"rater{i}": (yes > i).astype(float) for i in range(3)}
    found = agreement(votes, np.arange(241))
    assert found.exact == pytest.approx(0.9723, abs=1e-4)
    assert found.unanimous == pytest.approx(0.9585, abs=1e-4)
    assert found.fleiss.value == pytest.approx((0.97234 - 0.67934) / (1 - 0.67934), abs=1e-4)
    assert found.fleiss.low < found.fleiss.value < found.fleiss.high


def test_gaps_are_gaps_not_votes() -> None:
    """An unlabelled item leaves κ's items and stays in α; pairs take what both labelled."""
    a = np.array([1, 1, 0, 0, 1, 0, np.nan])
    b = np.array([1, 1, 0, 1, 1, 0, 1])
    c = np.array([1, 0, 0, 0, 1, 0, 1])
    found = agreement({"a": a, "b": b, "c": c}, np.arange(7))
    assert (found.items, found.complete) == (7, 6)
    assert found.pairs["a", "b"].rows == 6
    assert found.pairs["b", "c"].rows == 7
    assert found.pairs["a", "b"].value == pytest.approx(2 / 3)
    assert found.pairs["a", "b"].low <= 2 / 3 <= found.pairs["a", "b"].high


def test_one_label_alone_defines_no_coefficient() -> None:
    """Where everybody says yes there is no κ and no α, and no invented number."""
    votes = {"a": np.ones(5), "b": np.ones(5)}
    found = agreement(votes, np.arange(5))
    assert np.isnan([found.fleiss.value, found.alpha.value, found.pairs["a", "b"].value]).all()
    assert found.exact == 1


def test_bootstrap_formulas_are_those_of_the_libraries(published_results: Results) -> None:
    """The point values of the libraries lie in the middle of the resampled ones."""
    for found in published_results.agreements.values():
        for rate in (found.fleiss, found.alpha, *found.pairs.values()):
            middle = (rate.low + rate.high) / 2
            assert rate.value == pytest.approx(middle, abs=(rate.high - rate.low) / 6)
