"""Checks every calculation of a reasoning chain exactly."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from operator import attrgetter

from banglahallueval.judges.arithmetic.agreement import (
    adds_up_other_kind,
    agree,
    exchanges_money,
    first_number,
    multiplies_units,
    readings,
)
from banglahallueval.judges.arithmetic.equations import (
    Equation,
    NoteResult,
    echo_of,
    equations_in_note,
    equations_in_text,
    skip_currency,
)
from banglahallueval.judges.arithmetic.evaluation import UncheckableError, Value
from banglahallueval.judges.arithmetic.expressions import Expression
from banglahallueval.judges.arithmetic.in_words import in_signs
from banglahallueval.judges.arithmetic.mentions import Mention, mentions
from banglahallueval.judges.arithmetic.notation import Plain, plain
from banglahallueval.judges.arithmetic.report import ChainReport, Fault, Step
from banglahallueval.judges.arithmetic.steps import make_step
from banglahallueval.judges.arithmetic.tokens import Note, Token, read_number, tokenise
from banglahallueval.judges.arithmetic.unknowns import check_unknowns

_SENTENCE_END = re.compile(r"[\n।৷=;→⇒|]")
_REACH = 200  # code points of a sentence in which a result is looked for
_REMAINDER = re.compile("বাকি|অবশিষ্ট|ভাগশেষ|উদ্বৃত্ত")


def check_chain(chain: str) -> ChainReport:
    """Check every calculation that a chain writes down.

    Equations are read in the text and in `<<expression=result>>` annotations; `#### …` lines are
    not read. What is not understood (operations in words, two unknowns) is left out, never
    counted as wrong. A result is right if it is the exact value, or that value rounded at the
    last place written.

    Args:
        chain: The raw chain; offsets in the report are its code points.
    """
    written = plain(chain)
    tokens, notes = in_signs(written.text, *tokenise(written.text))
    steps = _check_tokens(written.text, tokens, notes)
    if written.at is not None:
        steps = [_in_raw(chain, step, written) for step in steps]
    steps.sort(key=attrgetter("start", "end"))
    return ChainReport(tuple(steps), partial(_numbers_from, tokens, written))


def _numbers_from(tokens: Sequence[Token], written: Plain, start: int) -> tuple[Mention, ...]:
    """List the numbers of a chain from a code point of it on, with their places in it."""
    first = 0 if written.at is not None else bisect_left(tokens, start, key=attrgetter("start"))
    numbers = (_number_in_raw(each, written) for each in mentions(tokens[first:]))
    return tuple(number for number in numbers if number.start >= start)


def _number_in_raw(number: Mention, written: Plain) -> Mention:
    """Give a number the place that it has in the raw chain."""
    if written.at is None:
        return number
    start, end = written.place(number.start, number.end)
    return number._replace(start=start, end=end)


def _in_raw(chain: str, step: Step, written: Plain) -> Step:
    """Give a step the places and texts of the raw chain."""
    start, end = written.place(step.start, step.end)
    stated_start, _ = written.place(step.end - len(step.stated), step.end)
    _, expression_end = written.place(step.start, step.start + len(step.expression))
    return step._replace(
        start=start,
        end=end,
        expression=chain[start:expression_end],
        stated=chain[stated_start:end],
    )


def _check_tokens(text: str, tokens: list[Token], notes: list[Note]) -> list[Step]:
    """Check every calculation of a text in plain notation."""
    groups = [equations_in_note(note) for note in notes]
    note_results = {
        note.at: NoteResult(equations[0].left, equations[-1].right)
        for note, equations in zip(notes, groups, strict=True)
        if equations
    }
    groups.append(equations_in_text(tokens, note_results))
    steps: list[Step | None] = []
    for equations in groups:
        for run in _runs(equations):
            steps += _check_run(text, run)
    for note, result in note_results.items():
        steps.append(_check_echo(text, tokens, note, result.stated))
    steps += check_unknowns(text, [equation for group in groups for equation in group])
    return [step for step in steps if step]


def _runs(equations: Sequence[Equation]) -> Iterator[Sequence[Equation]]:
    """Split equations into runs such as `a = b = c`, in which each right side is the next left."""
    first = 0
    for end, equation in enumerate(equations, 1):
        if end == len(equations) or equation.right.edge != equations[end].at:
            yield equations[first:end]
            first = end


def _check_run(chain: str, run: Sequence[Equation]) -> list[Step | None]:
    """Check a run `a = b = c`: a wrong b is a misprint if a is c, and proves nothing."""
    steps = [_check(chain, equation) for equation in run]
    if len(run) > 1 and any(step and step.fault for step in steps):
        whole = _check(chain, run[-1]._replace(left=run[0].left))
        if whole and whole.ok:
            return [step and step._replace(proven=False) for step in steps]
    return steps


def _check(chain: str, equation: Equation) -> Step | None:
    """Check one equation; None if it has variables or is not understood."""
    left, right, echo = equation.left, equation.right, equation.echo
    if not (left.has_value and right.has_value and (echo is None or echo.has_value)):
        return None
    rough = equation.rough
    try:
        value = readings(left)[0].value
        correct = agree(left, right, roughly=rough) or (
            echo is not None and agree(left, echo, roughly=rough)
        )
    except UncheckableError:
        return None
    other_kind = correct and adds_up_other_kind(left, right)
    correct = correct and not other_kind
    if not correct and not equation.in_note:
        correct = _is_stated_later(chain, right, value)
    if not correct and not equation.certain:
        return None
    fault: Fault = "wrong result" if right.is_single_number else "unequal sides"
    step = make_step(chain, left, right, value, "" if correct else fault)
    if step.fault and (
        equation.doubtful or other_kind or exchanges_money(left, right) or multiplies_units(left)
    ):
        step = step._replace(proven=False)
    return step


def _is_stated_later(chain: str, stated: Expression, value: Value) -> bool:
    """Whether the sentence goes on to state a value, or the remainder of a whole quotient.

    As in `50 / 5 = 5 rooms with 10 bunches each` and `50 / 3 = 16, remainder 2`.
    """
    end = _SENTENCE_END.search(chain, stated.end, stated.end + _REACH)
    rest = chain[stated.end : end.start() if end else stated.end + _REACH]
    if isinstance(value, Fraction) and stated.is_single_number and _REMAINDER.search(rest):
        return value.numerator // value.denominator == readings(stated)[0].value
    tokens = tokenise(rest)[0]
    for i, token in enumerate(tokens):
        if token.kind != "number" or _is_operand(tokens, i):
            continue
        number = read_number(token.text)
        if number is not None and number[0] == value:
            return True
    return False


def _is_operand(tokens: Sequence[Token], at: int) -> bool:
    beside = (*tokens[max(at - 1, 0) : at], *tokens[at + 1 : at + 2])
    return any(token.kind == "sign" and token.text != "of" for token in beside)


def _check_echo(chain: str, tokens: Sequence[Token], note: int, result: Expression) -> Step | None:
    """Report a fault if the text right after an annotation states another result."""
    after = skip_currency(tokens, note + 1)
    if after == len(tokens):
        return None
    if result.is_single_number and tokens[after].text == result.tokens[-1].text:
        return None
    echo = echo_of(tokens, note)
    if echo is None or not (result.has_value and echo.has_value):
        return None
    try:
        values = readings(result)
        same = agree(result, echo) or agree(echo, result)
        same = same or any(a.value == readings(first_number(echo))[0].value for a in values)
    except UncheckableError:
        return None
    if same or _is_stated_later(chain, echo, values[0].value):
        return None
    return make_step(chain, result, echo, values[0].value, "text differs")
