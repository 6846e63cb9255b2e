"""Tests of equations with unknowns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.arithmetic import check_chain


def test_a_solution_that_the_equations_contradict_is_proven_wrong() -> None:
    """Equations of one solution are right; a chain that states another value has a wrong result."""
    assert check_chain("২ক + ৬ = ৪০, তাই ক = ১৭।").faults == ()
    (fault,) = check_chain("২ক + ৬ = ৪০, তাই ক = ১৬।").faults
    assert (fault.expression, fault.stated, fault.value) == ("ক", "১৬", 17)
    assert fault.proven


def test_equations_of_several_solutions_prove_nothing() -> None:
    """Which of two equations is wrong is not known, so what does not hold is only doubted."""
    report = check_chain("২ক + ৪ = ১০, ৩ক = ১০, তাই ক = ৪")
    assert {fault.fault for fault in report.faults} == {"contradicts variable"}
    assert report.first_proven is None


@pytest.mark.parametrize(
    "chain",
    [
        "২ক = ৪০, ক = ২০। আবার ক = ৫।",  # one letter for two things
        "x + y = 10, x = 2y, y = 4",  # two unknowns
        "x² = 16, x = -4",  # not linear
        "0.15(12 + x) = 3.6, x = 12",
        "৩ক = ১০, ক = ৩.৩",  # rounded
        "২ক = ১ ঘণ্টা, ক = ৩০ মিনিট",  # in another unit
        "ক টাকা ধরি, ২ক + ৩",  # no equation
    ],
)
def test_what_may_hold_is_not_proven(chain: str) -> None:
    """Letters with two meanings, several unknowns and rounded solutions prove nothing."""
    assert check_chain(chain).first_proven is None


@given(st.integers(1, 99), st.integers(2, 9), st.integers(0, 99), st.integers(-3, 3))
def test_linear_equations_are_solved(root: int, factor: int, added: int, off: int) -> None:
    """The stated solution is proven wrong only where it is another than the exact one."""
    chain = f"{factor}x + {added} = {factor * root + added}, so x = {root + off}"
    found = check_chain(chain).first_proven
    if off == 0:
        assert check_chain(chain).faults == ()
    elif found is not None:
        assert found.value == root


@pytest.mark.parametrize(
    "chain", [r"\(2 \times 6 = 3x\), so \(x = 4\)", "12 = 3x", "3x + 5 = 20, x = 5", "5 x 4 = 20"]
)
def test_x_is_an_unknown_unless_an_operand_follows(chain: str) -> None:
    """`3x` is a product with an unknown, `3 x 4` one of two numbers."""
    assert check_chain(chain).faults == ()


def test_a_wrong_value_of_x_is_proven() -> None:
    """The letter x is solved like any other."""
    assert check_chain("3x + 5 = 20, x = 6").first_proven is not None
    assert check_chain("5 x 4 = 21").first_proven is not None
