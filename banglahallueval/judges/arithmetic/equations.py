"""Finds the equations of a text and of its annotations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from banglahallueval.judges.arithmetic.agreement import agree
from banglahallueval.judges.arithmetic.evaluation import UncheckableError
from banglahallueval.judges.arithmetic.expressions import Expression
from banglahallueval.judges.arithmetic.left_side import expression_left_of
from banglahallueval.judges.arithmetic.right_side import expression_right_of
from banglahallueval.judges.arithmetic.tokens import Note, Token


class Equation(NamedTuple):
    """Two sides of an `=`.

    Attributes:
        at: Index of the `=` among the tokens.
        left: The calculation.
        right: Its stated result.
        echo: The result that the text repeats after an annotation, if that is the right side.
        in_note: Whether the equation is written inside an annotation.
    """

    at: int
    left: Expression
    right: Expression
    echo: Expression | None
    in_note: bool


class NoteResult(NamedTuple):
    """The first calculation of an annotation, and the last result it states."""

    calculation: Expression
    stated: Expression


def equations_in_note(note: Note) -> list[Equation]:
    """Find the equations inside an annotation, in order."""
    tokens = note.inside
    found = []
    for at, left in _left_sides(tokens):
        # An annotation is nothing but calculation: whatever else stands before it is unclear.
        left.understood &= left.edge < 0 or tokens[left.edge].kind == "equals"
        if (right := expression_right_of(tokens, at)) is not None:
            found.append(Equation(at, left, right, None, in_note=True))
    return found


def equations_in_text(
    tokens: Sequence[Token], note_results: Mapping[int, NoteResult]
) -> list[Equation]:
    """Find the equations of a text outside its annotations, in order.

    An equation whose right side is an annotation is left out if it only repeats the annotation,
    which is checked by itself.

    Args:
        tokens: All tokens of the text.
        note_results: What each annotation states, by the index of its token.
    """
    found = []
    for at, left in _left_sides(tokens):
        note = skip_currency(tokens, at + 1)
        if note in note_results:
            equation = _with_note(tokens, at, left, note, note_results[note])
        else:
            equation = _with_right_side(tokens, at, left)
        if equation is not None:
            found.append(equation)
    return found


def _left_sides(tokens: Sequence[Token]) -> Iterator[tuple[int, Expression]]:
    """Yield the index of each `=` that has an expression on its left, with that expression."""
    for at, token in enumerate(tokens):
        if token.kind == "equals" and (left := expression_left_of(tokens, at)) is not None:
            yield at, left


def _with_note(
    tokens: Sequence[Token], at: int, left: Expression, note: int, result: NoteResult
) -> Equation | None:
    """Make the equation of a calculation and the annotation on its right."""
    if left.is_single_number or _adds_nothing(left, result):
        return None
    return Equation(at, left, result.stated, echo_of(tokens, note), in_note=False)


def _with_right_side(tokens: Sequence[Token], at: int, left: Expression) -> Equation | None:
    """Make the equation of two expressions in the text."""
    right = expression_right_of(tokens, at)
    if right is None:
        return None
    if left.is_single_number and not right.variables:
        # A single number before `=` may be a name, as in "day 3 = 2 + 5", and two single numbers
        # one quantity in two units, as in "… = 24 = 2 dozen".
        continues = left.edge >= 0 and tokens[left.edge].kind == "equals"
        if right.is_single_number or not continues:
            return None
    return Equation(at, left, right, None, in_note=False)


def _adds_nothing(left: Expression, result: NoteResult) -> bool:
    """Whether checking `left` as well would find nothing beyond the annotation's own check."""
    if [token.text for token in result.calculation.tokens] == [token.text for token in left.tokens]:
        return True
    try:
        return not agree(result.calculation, result.stated)
    except UncheckableError:
        return False


def echo_of(tokens: Sequence[Token], note: int) -> Expression | None:
    """Read the result that the text repeats right after an annotation.

    Args:
        tokens: All tokens of the text.
        note: Index of the annotation's token.

    Returns:
        None if no expression follows.
    """
    after = skip_currency(tokens, note + 1)
    if after == len(tokens) or tokens[after].kind not in {"number", "sign", "open"}:
        return None
    return expression_right_of(tokens, note)


def skip_currency(tokens: Sequence[Token], at: int) -> int:
    """Return the index of the first token from `at` on that is no currency sign."""
    while at < len(tokens) and tokens[at].kind == "currency":
        at += 1
    return at
