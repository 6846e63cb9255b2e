"""Several labels of one row become one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.jury import NO_VOTES, TIE, majority
from banglahallueval.verdicts import Label


@pytest.mark.parametrize(
    ("labels", "label", "reason"),
    [
        (["yes", "yes", "no"], "yes", ""),
        (["yes", "no", "no"], "no", ""),
        (["yes", "no"], "unknown", TIE),
        (["yes", "unknown", "unknown"], "yes", ""),
        (["unknown", "unknown"], "unknown", NO_VOTES),
        ([], "unknown", NO_VOTES),
    ],
)
def test_majority(labels: list[Label], label: Label, reason: str) -> None:
    """Most votes win, unknown is no vote, a tie decides nothing."""
    assert majority(labels)[:2] == (label, reason)


@given(st.lists(st.sampled_from(["yes", "no", "unknown"])))
def test_majority_does_not_depend_on_order(labels: list[Label]) -> None:
    """The same labels in any order come to the same decision, and all are counted."""
    decision = majority(labels)
    assert majority(sorted(labels)) == decision
    assert decision.yes + decision.no + decision.unknown == len(labels)


def test_weights_are_exact() -> None:
    """0.1 and 0.2 tie with 0.3; the weight of an unknown label is no vote."""
    weights = [Fraction(text) for text in ("0.1", "0.2", "0.3")]
    assert majority(["yes", "yes", "no"], weights)[:2] == ("unknown", TIE)
    assert majority(["yes", "unknown", "no"], weights)[:2] == ("no", "")
    decision = majority(["unknown", "yes", "no"], weights)
    assert decision.share == pytest.approx(0.4)
    assert decision.agreement == pytest.approx(0.6)
