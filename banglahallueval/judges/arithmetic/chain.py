"""Every calculation of a reasoning chain, checked exactly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from banglahallueval.judges.arithmetic.agreement import agree, first_number, readings
from banglahallueval.judges.arithmetic.evaluation import UncheckableError, Value, evaluate
from banglahallueval.judges.arithmetic.expressions import Expression
from banglahallueval.judges.arithmetic.left_side import expression_left_of
from banglahallueval.judges.arithmetic.report import ChainReport, Fault, Step
from banglahallueval.judges.arithmetic.right_side import expression_right_of
from banglahallueval.judges.arithmetic.tokens import Token, number, tokenise

_SENTENCE_END = re.compile(r"[\n।৷=]")
_REST = re.compile("বাকি|অবশিষ্ট|ভাগশেষ|উদ্বৃত্ত")
# A variable's value may be rounded; an equation it contradicts is off by more than this share.
_ROUNDED_VARIABLE = Fraction(1, 50)


class _Result(NamedTuple):
    """An annotation's first calculation, and what it says that is."""

    calculation: Expression
    stated: Expression


class _Equation(NamedTuple):
    """Two sides of an `=`.

    Attributes:
        at: Index of the `=`.
        echo: What the text repeats behind an annotation that is the right side.
        in_note: Whether it is written inside an annotation.
    """

    at: int
    left: Expression
    right: Expression
    echo: Expression | None
    in_note: bool


def check_chain(chain: str) -> ChainReport:
    """Check every calculation that a chain writes down.

    Equations are read in the text and in `<<expression=result>>` annotations; `#### …` lines are
    not read. What the grammar does not understand (words as operations, two unknowns) is left
    out, never counted as wrong. A result counts as right if what is written is the exact value
    rounded at the last written place.

    Args:
        chain: The raw chain; offsets in the report are its code points.
    """
    tokens, notes = tokenise(chain)
    groups = [_equations(note.inside, {}, in_note=True) for note in notes]
    results = {
        note.at: _Result(inside[0].left, inside[-1].right)
        for note, inside in zip(notes, groups, strict=True)
        if inside
    }
    groups.append(_equations(tokens, results, in_note=False))
    found: list[Step | None] = []
    for equations in groups:
        found += _check_runs(chain, equations)
    found += [_check_echo(chain, tokens, at, result.stated) for at, result in results.items()]
    found += _check_variables(chain, [equation for group in groups for equation in group])
    steps = sorted((step for step in found if step), key=lambda step: (step.start, step.end))
    return ChainReport(tuple(steps))


def _equations(
    tokens: Sequence[Token], results: Mapping[int, _Result], in_note: bool
) -> list[_Equation]:
    found = []
    for at, token in enumerate(tokens):
        if token.kind != "equals" or (left := expression_left_of(tokens, at)) is None:
            continue
        goes_on = left.edge >= 0 and tokens[left.edge].kind == "equals"
        if in_note:
            left.understood &= goes_on or left.edge < 0
        note = _over_currency(tokens, at + 1)
        if note in results:
            # The annotation is checked by itself; the text before it only where it differs.
            calculation, right = results[note]
            if not (left.is_single_number or _repeats(calculation, right, left)):
                found.append(_Equation(at, left, right, _echo(tokens, note), in_note))
        elif (stated := expression_right_of(tokens, at)) is not None:
            # "Day 3 = 2 + 5", "… = 24 = 2 dozen": a single number before `=` may be a name, and two
            # may be one quantity in two units.
            calculated = in_note or stated.variables or (goes_on and not stated.is_single_number)
            if left.is_single_number and not calculated:
                continue
            found.append(_Equation(at, left, stated, None, in_note))
    return found


def _over_currency(tokens: Sequence[Token], at: int) -> int:
    while at < len(tokens) and tokens[at].kind == "currency":
        at += 1
    return at


def _repeats(calculation: Expression, stated: Expression, left: Expression) -> bool:
    """Whether checking `left` too would say nothing more than checking the annotation."""
    if [t.text for t in calculation.tokens] == [t.text for t in left.tokens]:
        return True
    try:
        return not agree(calculation, stated)
    except UncheckableError:
        return False


def _echo(tokens: Sequence[Token], note: int) -> Expression | None:
    """The result that the text says right behind an annotation."""
    behind = _over_currency(tokens, note + 1)
    if behind == len(tokens) or tokens[behind].kind not in {"number", "sign", "open"}:
        return None
    return expression_right_of(tokens, note)


def _check_runs(chain: str, equations: Sequence[_Equation]) -> list[Step | None]:
    """Check equations; in `a = b = c` a wrong b is a misprint where a is c, and proves nothing."""
    steps: list[Step | None] = []
    run: list[_Equation] = []
    for i, equation in enumerate(equations):
        run.append(equation)
        if i + 1 < len(equations) and equation.right.edge == equations[i + 1].at:
            continue
        checked = [_check(chain, e) for e in run]
        if len(run) > 1 and any(step and step.fault for step in checked):
            whole = _check(chain, run[-1]._replace(left=run[0].left))
            if whole and whole.ok:
                checked = [step and step._replace(proven=False) for step in checked]
        steps += checked
        run = []
    return steps


def _check(chain: str, equation: _Equation) -> Step | None:
    left, right, echo = equation.left, equation.right, equation.echo
    if not (left.understood and right.understood) or left.variables or right.variables:
        return None
    if echo and (echo.variables or not echo.understood):
        return None
    try:
        values = readings(left)
        fine = agree(left, right) or (echo is not None and agree(left, echo))
    except UncheckableError:
        return None
    if not fine and not equation.in_note:
        fine = _said_later(chain, right, values[0])
    fault: Fault = "wrong result" if right.is_single_number else "unequal sides"
    return _step(chain, left, right, values[0], "" if fine else fault)


def _step(chain: str, left: Expression, right: Expression, value: Value, fault: Fault) -> Step:
    return Step(
        left.start,
        right.end,
        chain[left.start : left.end],
        chain[right.start : right.end],
        value if isinstance(value, Fraction) else Fraction(value),
        fault,
        proven=bool(fault),
    )


def _said_later(chain: str, stated: Expression, value: Value) -> bool:
    """Whether the sentence goes on to say a value, or the rest that a whole quotient leaves.

    As in `50 / 5 = 5 rooms' 10 bunches` and `50 / 3 = 16, rest 2`.
    """
    end = _SENTENCE_END.search(chain, stated.end)
    sentence = chain[stated.end : end.start() if end else len(chain)]
    if isinstance(value, Fraction) and stated.is_single_number and _REST.search(sentence):
        return value.numerator // value.denominator == readings(stated)[0]
    said = (number(t.text) for t in tokenise(sentence)[0] if t.kind == "number")
    return any(read is not None and read[0] == value for read in said)


def _check_echo(chain: str, tokens: Sequence[Token], note: int, result: Expression) -> Step | None:
    """The fault where the text behind an annotation says another result than the annotation."""
    behind = _over_currency(tokens, note + 1)
    if (
        result.is_single_number
        and behind < len(tokens)
        and tokens[behind].text == result.tokens[-1].text
    ):
        return None
    echo = _echo(tokens, note)
    if echo is None or not (result.understood and echo.understood):
        return None
    if result.variables or echo.variables:
        return None
    try:
        values = readings(result)
        fine = agree(result, echo) or agree(echo, result) or first_number(echo) in values
    except UncheckableError:
        return None
    if fine or _said_later(chain, echo, values[0]):
        return None
    return _step(chain, result, echo, values[0], "text differs")


def _check_variables(chain: str, equations: Sequence[_Equation]) -> list[Step | None]:
    """Equations of one variable, checked with the one value that the chain later gives it."""
    found: dict[str, set[Value]] = {}
    last: dict[str, int] = {}
    for _, left, right, _, _ in equations:
        if left.variables and len(left.tokens) == 1 and right.understood and not right.variables:
            with suppress(UncheckableError):
                found.setdefault(left.tokens[0].text, set()).add(readings(right)[0])
                last[left.tokens[0].text] = left.start
    value_of = {letter: values.pop() for letter, values in found.items() if len(values) == 1}
    steps: list[Step | None] = []
    for _, left, right, echo, _ in equations:
        letters = left.variables | right.variables
        if len(letters) != 1 or not letters <= value_of.keys():
            continue
        if not (left.understood and right.understood) or (echo and echo.variables):
            continue
        if left.start >= max(last[letter] for letter in letters):
            continue
        try:
            value, stated = evaluate(left.tokens, value_of), evaluate(right.tokens, value_of)
        except UncheckableError:
            continue
        off = abs(Fraction(value) - stated)
        fine = off <= _ROUNDED_VARIABLE * max(abs(Fraction(value)), abs(Fraction(stated)))
        steps.append(_step(chain, left, right, value, "" if fine else "contradicts variable"))
    return steps
