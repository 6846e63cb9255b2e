"""Tests of exact evaluation."""

from __future__ import annotations

from fractions import Fraction

import pytest

from banglahallueval.judges.arithmetic.evaluation import UncheckableError, Value, evaluate
from banglahallueval.judges.arithmetic.tokens import tokenise


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4", 14),
        ("2 * 3 + 4", 10),
        ("20 - 5 - 3", 12),
        ("24 / 4 / 2", 3),
        ("-2^2", -4),
        ("2^-3", Fraction(1, 8)),
        ("2 * -3", -6),
        ("+3", 3),
        ("6 / 2(3)", 1),
        ("2(3 + 4)(1 + 1)", 28),
        ("20% of 50", 10),
        ("50%^2", Fraction(1, 4)),
        ("[2 + {3 * (4 - 1)}]", 11),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("7 / 2 * 2", 7),
    ],
)
def test_operators_apply_by_precedence(text: str, value: Value) -> None:
    """Operators bind by precedence, from the left, and give exact values."""
    assert evaluate(tokenise(text)[0]) == value


def test_variables_multiply_the_operand_before_them() -> None:
    """A variable after an operand is its factor, and binds more tightly than a division."""
    tokens = tokenise("12 / 2ক")[0]
    assert evaluate(tokens, {"ক": 3}) == 2
    with pytest.raises(UncheckableError):
        evaluate(tokens)


def test_the_last_division_can_be_a_fraction() -> None:
    """With tight fractions a further division is evaluated before the one on its left."""
    tokens = tokenise("60 / 3 / 4")[0]
    assert evaluate(tokens) == 5
    assert evaluate(tokens, tight_fractions=True) == 80


def test_deep_brackets_have_a_value() -> None:
    """Brackets are evaluated without recursion."""
    assert evaluate(tokenise("(" * 9999 + "3" + ")" * 9999)[0]) == 3


@pytest.mark.parametrize(
    "text",
    [
        "", "3 +", "* 3", "(3", "3)", "3 4", "3 (", "5 / (2 - 2)", "()", "%", "3 আম", "9^33",
        "2^0.5", "0^-1", "(2^32)^32", "(1 / 2^32)^32", "1234567890123456789012345678901",
    ],
)  # fmt: skip
def test_expressions_without_a_value_are_uncheckable(text: str) -> None:
    """An incomplete, unreadable or oversized expression has no value instead of a guessed one."""
    with pytest.raises(UncheckableError):
        evaluate(tokenise(text)[0])
