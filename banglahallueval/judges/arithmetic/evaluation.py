"""Exact evaluation of an expression's tokens: operator precedence with two stacks, no recursion."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from banglahallueval.judges.arithmetic.tokens import Kind, Token, read_number

Value = Fraction | int
# What a number is: its digits, those times its scale word, or that in the smallest unit.
Measure = Literal["digits", "scaled", "measured"]

_MAX_EXPONENT = 32
_SIMPLE = 3  # tokens of `a + b`
_VALUE_LIMIT = 2**512  # of a value's numerator and denominator


class UncheckableError(Exception):
    """An expression without a single value: an unknown, a missing operand, a huge number."""


def evaluate(
    tokens: Sequence[Token],
    values_of: Mapping[str, Value] = MappingProxyType({}),
    *,
    tight_fractions: bool = False,
    measure: Measure = "digits",
) -> Value:
    """Compute the exact value of an expression.

    Args:
        tokens: Numbers, variables, signs, brackets and percent signs; units, currency and labels
            are left out by the caller. p% is p/100; a number before a bracket or a variable
            multiplies it.
        values_of: The value of each variable.
        tight_fractions: Evaluate the last of several divisions first, as in 60/3/4 meant as
            60 / ¾.
        measure: Whether scale words and units of measure count.

    Raises:
        UncheckableError: If there is no single value, or it or a step on the way exceeds what a
            quantity can be.
    """
    if len(tokens) == 1 and tokens[0].kind == "number":
        return quantity(tokens[0], measure)
    if len(tokens) == _SIMPLE:  # most are no longer, and need no stacks
        one, sign, other = tokens
        if one.kind == other.kind == "number" and sign.kind == "sign":
            return _bounded(_COMPUTE[sign.text](quantity(one, measure), quantity(other, measure)))
    evaluation = _Evaluation(values_of, tight_fractions, measure)
    for token in tokens:
        take = _METHODS.get(token.kind)
        if take is None:
            raise UncheckableError
        take(evaluation, token)
    return evaluation.result()


def _divide(left: Value, right: Value) -> Value:
    if right == 0:
        raise UncheckableError
    # Whole quotients stay ints, which are many times faster than Fractions.
    whole = left // right
    return whole if whole * right == left else Fraction(left) / right


def _power(left: Value, right: Value) -> Value:
    if not isinstance(right, int) or abs(right) > _MAX_EXPONENT or (left == 0 and right < 0):
        raise UncheckableError
    return Fraction(left) ** right


# Stack entries beside the signs: an open bracket, a minus before an operand, and the product of a
# number with the bracket or variable right after it.
_OPEN, _NEGATE, _IMPLICIT = "(", "negate", "implicit"
_PRECEDENCE = {
    _OPEN: 0, "+": 1, "-": 1, "*": 2, "/": 2, "of": 2, _NEGATE: 3, _IMPLICIT: 3, "^": 4,
}  # fmt: skip
_COMPUTE: Mapping[str, Callable[[Value, Value], Value]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "of": operator.mul,
    _IMPLICIT: operator.mul,
    "/": _divide,
    "^": _power,
}


class _Evaluation:
    """The two stacks of an evaluation, with one method per kind of token.

    Attributes:
        values: Operands whose operator is still to be applied.
        operators: Operators still to be applied, and brackets still open.
        operand_due: Whether an operand has to come next.
        values_of: The value of each variable.
        tight_fractions: Whether the last of several divisions comes first.
        measure: Whether scale words and units of measure count.
    """

    __slots__ = ("measure", "operand_due", "operators", "tight_fractions", "values", "values_of")

    def __init__(
        self, values_of: Mapping[str, Value], tight_fractions: bool, measure: Measure
    ) -> None:
        self.values: list[Value] = []
        self.operators: list[str] = []
        self.operand_due = True
        self.values_of = values_of
        self.tight_fractions = tight_fractions
        self.measure: Measure = measure

    def number(self, token: Token) -> None:
        """Push a number where an operand is due."""
        if not self.operand_due:
            raise UncheckableError
        self.values.append(quantity(token, self.measure))
        self.operand_due = False

    def variable(self, token: Token) -> None:
        """Push a variable's value, also as a factor of the operand before it."""
        if token.text not in self.values_of:
            raise UncheckableError
        if not self.operand_due:
            self.operators.append(_IMPLICIT)
        self.values.append(self.values_of[token.text])
        self.operand_due = False

    def sign(self, token: Token) -> None:
        """Push an operator, once those that bind at least as tightly have been applied."""
        sign = token.text
        if self.operand_due:
            if sign == "-":
                self.operators.append(_NEGATE)
            elif sign != "+":
                raise UncheckableError
            return
        operators, precedence = self.operators, _PRECEDENCE[sign]
        while operators and _PRECEDENCE[operators[-1]] >= precedence:
            if self.tight_fractions and sign == operators[-1] == "/":
                break
            self.apply_last()
        operators.append(sign)
        self.operand_due = True

    def percent(self, token: Token) -> None:
        """Divide the last operand by 100."""
        if self.operand_due:
            raise UncheckableError
        self.values[-1] = _bounded(Fraction(self.values[-1]) / 100)

    def open(self, token: Token) -> None:
        """Push a bracket, also as a factor of the operand before it."""
        if not self.operand_due:
            self.operators.append(_IMPLICIT)
        self.operators.append(_OPEN)
        self.operand_due = True

    def close(self, token: Token) -> None:
        """Apply all operators since the matching bracket."""
        if self.operand_due:
            raise UncheckableError
        operators = self.operators
        while operators and operators[-1] != _OPEN:
            self.apply_last()
        if not operators:
            raise UncheckableError
        operators.pop()

    def apply_last(self) -> None:
        """Replace the operands of the last operator by its result."""
        sign = self.operators.pop()
        values = self.values
        right = values.pop()
        if sign == _NEGATE:
            values.append(-right)
        else:
            values.append(_bounded(_COMPUTE[sign](values.pop(), right)))

    def result(self) -> Value:
        """Apply all remaining operators and return the one value left."""
        if self.operand_due or _OPEN in self.operators:
            raise UncheckableError
        while self.operators:
            self.apply_last()
        return self.values[0]


_METHODS: Mapping[Kind, Callable[[_Evaluation, Token], None]] = {
    "number": _Evaluation.number,
    "variable": _Evaluation.variable,
    "sign": _Evaluation.sign,
    "percent": _Evaluation.percent,
    "open": _Evaluation.open,
    "close": _Evaluation.close,
}


def quantity(token: Token, measure: Measure = "digits") -> Value:
    """Read the value of a number token.

    Raises:
        UncheckableError: If it has more digits than a quantity has.
    """
    read = read_number(token.text)
    if read is None:
        raise UncheckableError
    if measure == "digits" or (token.scale == 1 and token.unit is None):
        return read[0]
    return read[0] * multiplier(token, measure)


def multiplier(token: Token, measure: Measure) -> Value:
    """Return what the words behind a number token multiply it by."""
    if measure == "digits":
        return 1
    if measure == "scaled" or token.unit is None or not token.unit.dimension:
        return token.scale
    return token.scale * token.unit.factor


def _bounded(value: Value) -> Value:
    """Check the size of a value, and make it an int where it is whole.

    Raises:
        UncheckableError: If it exceeds what a quantity can be.
    """
    if value.denominator == 1:
        value = value.numerator
    elif value.denominator >= _VALUE_LIMIT:
        raise UncheckableError
    if not -_VALUE_LIMIT < value.numerator < _VALUE_LIMIT:
        raise UncheckableError
    return value
