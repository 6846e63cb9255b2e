"""Solves equations with one unknown, and compares what a chain states for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from banglahallueval.judges.arithmetic.agreement import differ_by_factor, readings
from banglahallueval.judges.arithmetic.equations import Equation
from banglahallueval.judges.arithmetic.evaluation import UncheckableError, Value, evaluate
from banglahallueval.judges.arithmetic.report import Fault, Step
from banglahallueval.judges.arithmetic.steps import make_step

# Share of the larger side by which an equation may miss: the value of its variable may be rounded.
_VARIABLE_TOLERANCE = Fraction(1, 50)
_POINTS = (1, 2, 3)  # values at which an equation is tried, to tell whether it is linear


class _Solution(NamedTuple):
    """The one value that a chain finds for an unknown, where it last and how it first says so."""

    value: Value
    start: int
    equation: Equation


def check_unknowns(chain: str, equations: Sequence[Equation]) -> Iterator[Step]:
    """Check equations of one unknown against the one value that the chain finds for it.

    If its equations all have one solution, and the chain states another, that statement is proven
    wrong. Otherwise it is not known which of the two is: an equation that does not hold for the
    value is a fault without proof.
    """
    solutions = _solutions(equations)
    if not solutions:
        return
    for name, solution in list(solutions.items()):
        first = solution.equation
        root = _common_root(equations, name, first.left.start)
        if root is not None and _is_other(solution.value, root):
            yield make_step(chain, first.left, first.right, root, "wrong result")
            del solutions[name]
    values_of = {name: solution.value for name, solution in solutions.items()}
    for equation in equations:
        left, right = equation.left, equation.right
        found = solutions.get(_only_variable(equation))
        if found is None or left.start >= found.start:
            continue
        try:
            value, stated = evaluate(left.tokens, values_of), evaluate(right.tokens, values_of)
        except UncheckableError:
            continue
        holds = not _is_other(value, Fraction(stated)) or (
            left.maybe_minus and _nearly_equal(-value, stated)
        )
        fault: Fault = "" if holds else "contradicts variable"
        yield make_step(chain, left, right, value, fault)._replace(proven=False)


def _only_variable(equation: Equation) -> str:
    """Find the one variable of an equation; empty if no single value can check it."""
    left, right, echo = equation.left, equation.right, equation.echo
    names = left.variables | right.variables
    if len(names) != 1 or (echo and echo.variables) or not (left.understood and right.understood):
        return ""
    (name,) = names
    return name


def _solutions(equations: Iterable[Equation]) -> dict[str, _Solution]:
    """Solve the variables for which all equations `x = …` of a chain give the same value."""
    solutions: dict[str, _Solution] = {}
    ambiguous: set[str] = set()
    for equation in equations:
        left, right = equation.left, equation.right
        if not left.variables or len(left.tokens) != 1 or not right.has_value:
            continue
        name = left.tokens[0].text
        with suppress(UncheckableError):
            value = readings(right)[0].value
            first = solutions[name].equation if name in solutions else equation
            if name in solutions and solutions[name].value != value:
                ambiguous.add(name)
            solutions[name] = _Solution(value, left.start, first)
    return {name: solution for name, solution in solutions.items() if name not in ambiguous}


def _common_root(equations: Iterable[Equation], name: str, before: int) -> Fraction | None:
    """Solve the equations of one unknown that stand before a code point of the text.

    Returns:
        The solution that all of them have; None if there is none, or one is not linear.
    """
    roots = {
        _root(equation, name)
        for equation in equations
        if _only_variable(equation) == name
        and equation.left.start < before
        and not _is_assignment(equation)
    }
    return roots.pop() if len(roots) == 1 else None


def _is_assignment(equation: Equation) -> bool:
    return len(equation.left.tokens) == 1 and not equation.right.variables


def _root(equation: Equation, name: str) -> Fraction | None:
    """Solve a linear equation exactly; None if it is not linear or its numbers are not plain."""
    sides = equation.left, equation.right
    tokens = [token for side in sides for token in side.tokens]
    is_plain = all(token.scale == 1 and token.kind != "percent" for token in tokens)
    if not is_plain or equation.doubtful or equation.rough or equation.left.maybe_minus:
        return None
    try:
        at = [
            Fraction(evaluate(sides[0].tokens, {name: x})) - evaluate(sides[1].tokens, {name: x})
            for x in _POINTS
        ]
    except UncheckableError:
        return None
    slope = at[1] - at[0]
    if not slope or at[2] - at[1] != slope:
        return None
    return _POINTS[0] - at[0] / slope


def _is_other(stated: Value, root: Fraction) -> bool:
    """Whether a stated value is neither a solution, rounded, nor that in another unit."""
    return not _nearly_equal(stated, root) and not differ_by_factor(stated, root)


def _nearly_equal(left: Value, right: Value) -> bool:
    difference = abs(Fraction(left) - right)
    return difference <= _VARIABLE_TOLERANCE * max(abs(Fraction(left)), abs(Fraction(right)))
