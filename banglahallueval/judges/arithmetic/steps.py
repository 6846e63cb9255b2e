"""Makes a step of a chain from the two sides of an equation."""

from __future__ import annotations

from banglahallueval.judges.arithmetic.evaluation import Value, evaluate, quantity
from banglahallueval.judges.arithmetic.expressions import Expression
from banglahallueval.judges.arithmetic.report import Fault, Step


def make_step(chain: str, left: Expression, right: Expression, value: Value, fault: Fault) -> Step:
    """Make the step of a calculation and its stated result; a fault is taken for proven."""
    start, end = left.start, right.end
    expression, stated = chain[start : left.end], chain[right.start : end]
    operands, result = _numbers(left, right)
    return Step(start, end, expression, stated, value, fault, bool(fault), operands, result)


def _numbers(left: Expression, right: Expression) -> tuple[tuple[Value, ...], Value | None]:
    """List the numbers that two sides calculate with, and find the one that is their result."""
    single = right if right.is_single_number else left if left.is_single_number else None
    operands = [
        quantity(token, "scaled")
        for side in (left, right)
        if side is not single
        for token in side.tokens
        if token.kind == "number"
    ]
    if single is None or not single.has_value:
        return tuple(operands), None
    return tuple(operands), evaluate(single.tokens, measure="scaled")
