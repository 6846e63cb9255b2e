"""Exact evaluation of an expression's tokens, by precedence and without recursion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from banglahallueval.judges.arithmetic.tokens import Token, number

Value = Fraction | int

_STRENGTH = {"(": 0, "+": 1, "-": 1, "*": 2, "/": 2, "of": 2, "neg": 3, "tight": 3, "^": 4}
_PRODUCTS = frozenset({"*", "of", "tight"})
_HIGHEST_POWER = 32
_LARGEST = 2**512


class UncheckableError(Exception):
    """An expression that says no single value: a variable, a missing operand, a huge number."""


def evaluate(
    tokens: Sequence[Token],
    values_of: Mapping[str, Value] = MappingProxyType({}),
    *,
    tight_fractions: bool = False,
) -> Value:
    """The exact value of an expression.

    Args:
        tokens: Numbers, variables, signs, brackets and percent signs; units, currency and labels
            are left out by the caller. p% is p/100; a number before a bracket or a variable
            multiplies it.
        values_of: The value of each variable.
        tight_fractions: Read the last of several divisions first, as in 60/3/4 meant as 60 / ¾.

    Raises:
        UncheckableError: Where there is no value.
    """
    values: list[Value] = []
    signs: list[str] = []
    want_operand = True
    for token in tokens:
        kind = token.kind
        if kind == "number" or kind == "variable":
            if kind == "variable":
                if token.text not in values_of:
                    raise UncheckableError
                value = values_of[token.text]
                if not want_operand:
                    signs.append("tight")
            else:
                read = number(token.text)
                if read is None or not want_operand:
                    raise UncheckableError
                value = read[0]
            values.append(value)
            want_operand = False
        elif kind == "sign":
            sign = token.text
            if want_operand:
                if sign == "-":
                    signs.append("neg")
                elif sign != "+":
                    raise UncheckableError
                continue
            strength = _STRENGTH[sign]
            while signs and _STRENGTH[signs[-1]] >= strength:
                if tight_fractions and sign == signs[-1] == "/":
                    break
                _apply(signs.pop(), values)
            signs.append(sign)
            want_operand = True
        elif kind == "open":
            if not want_operand:
                signs.append("tight")
            signs.append("(")
            want_operand = True
        elif kind == "close":
            if want_operand:
                raise UncheckableError
            while signs and signs[-1] != "(":
                _apply(signs.pop(), values)
            if not signs:
                raise UncheckableError
            signs.pop()
        elif kind == "percent" and not want_operand:
            values[-1] = _tidy(Fraction(values[-1]) / 100)
        else:
            raise UncheckableError
    if want_operand:
        raise UncheckableError
    while signs:
        _apply(signs.pop(), values)
    if len(values) != 1:
        raise UncheckableError
    return values[0]


def _apply(sign: str, values: list[Value]) -> None:
    if sign == "(":
        raise UncheckableError
    right = values.pop()
    if sign == "neg":
        values.append(-right)
        return
    left = values.pop()
    if sign == "+":
        value = left + right
    elif sign == "-":
        value = left - right
    elif sign in _PRODUCTS:
        value = left * right
    elif sign == "/":
        if right == 0:
            raise UncheckableError
        # Whole quotients stay ints, which are many times faster than Fractions.
        whole = left // right
        value = whole if whole * right == left else Fraction(left) / right
    else:
        if not isinstance(right, int) or abs(right) > _HIGHEST_POWER or (left == 0 and right < 0):
            raise UncheckableError
        value = Fraction(left) ** right
    values.append(_tidy(value))


def _tidy(value: Value) -> Value:
    """The value as an int where it is whole.

    Raises:
        UncheckableError: If it has grown beyond what a quantity can be.
    """
    if isinstance(value, int):
        if -_LARGEST < value < _LARGEST:
            return value
        raise UncheckableError
    if value.denominator == 1:
        return _tidy(value.numerator)
    if not (-_LARGEST < value.numerator < _LARGEST and value.denominator < _LARGEST):
        raise UncheckableError
    return value
