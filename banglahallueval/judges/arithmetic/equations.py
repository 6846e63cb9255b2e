"""Finds the equations of a text and of its annotations."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from banglahallueval.judges.arithmetic.agreement import agree, convert
from banglahallueval.judges.arithmetic.evaluation import UncheckableError
from banglahallueval.judges.arithmetic.expressions import NO_VARIABLES, Expression
from banglahallueval.judges.arithmetic.left_side import expression_left_of
from banglahallueval.judges.arithmetic.right_side import expression_right_of
from banglahallueval.judges.arithmetic.tokens import (
    LOOSE_EQUALS,
    MAYBE_EQUALS,
    ROUGH_EQUALS,
    Note,
    Token,
    spellings,
)

_NAMES = frozenset(spellings("ধাপ", "ধাপঃ", "পর্ব", "নং", "সমীকরণ", "পদ্ধতি", "Step", "step"))
# Words after which a number before `=` is a result, not the name of something.
_BEFORE_RESULT = frozenset(
    spellings("মোট", "তাই", "সুতরাং", "অতএব", "অর্থাৎ", "এবং", "ও", "আর", "ফলে", "কাজেই", "বা")
)
_WORDS_BEFORE = 3  # that tell a calculation from the end of a longer one
_SHORTEST = 3  # tokens of a calculation


class Equation(NamedTuple):
    """Two sides of an `=`.

    Attributes:
        at: Index of the `=` among the tokens.
        left: The calculation.
        right: Its stated result.
        echo: The result that the text repeats after an annotation, if that is the right side.
        in_note: Whether the equation is written inside an annotation.
        certain: Whether this is an equation even if its sides differ: in `দিন ৩ = ২ + ৫` the
            number may be a name.
        doubtful: Whether sides that differ may still not be meant as equal.
        rough: Whether the sign says that the result is rounded.
    """

    at: int
    left: Expression
    right: Expression
    echo: Expression | None
    in_note: bool
    certain: bool = True
    doubtful: bool = False
    rough: bool = False


class NoteResult(NamedTuple):
    """The first calculation of an annotation, and the last result it states."""

    calculation: Expression
    stated: Expression


def equations_in_note(note: Note) -> list[Equation]:
    """Find the equations inside an annotation, in order."""
    tokens = note.inside
    if (plain := _plain_equation(tokens)) is not None:
        return [plain]
    found = []
    for at, left in _left_sides(tokens):
        # An annotation is nothing but calculation: whatever else stands before it is unclear.
        left.understood &= left.edge < 0 or tokens[left.edge].kind == "equals"
        if (right := expression_right_of(tokens, at)) is not None:
            found.append(Equation(at, left, right, None, in_note=True))
    return found


def _plain_equation(tokens: Sequence[Token]) -> Equation | None:
    """Make the equation of an annotation such as `<<2*3+1=7>>`: nearly all are written so."""
    at = len(tokens) - 2
    if at < _SHORTEST or at % 2 == 0 or tokens[at].kind != "equals":
        return None
    kinds = [token.kind for token in tokens]
    if kinds != [*["number", "sign"] * (at // 2), "number", "equals", "number"]:
        return None
    left = Expression(tokens[:at], -1, True, "", False, NO_VARIABLES, False)
    right = Expression(tokens[at + 1 :], len(tokens), True, "", False, NO_VARIABLES, True)
    return Equation(at, left, right, None, in_note=True)


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
    repeated = _repeated(tokens, note_results) if note_results else frozenset()
    for at, left in _left_sides(tokens, repeated):
        note = skip_currency(tokens, at + 1)
        if note in note_results:
            equation = _with_note(tokens, at, left, note, note_results[note])
        else:
            equation = _with_right_side(tokens, at, left)
        if equation is not None:
            found.append(equation)
    return found


def _repeated(tokens: Sequence[Token], note_results: Mapping[int, NoteResult]) -> frozenset[int]:
    """Find each `=` before an annotation whose left side is plainly the annotation's own.

    As in `১২ টি: ৩ × ৪ = <<৩*৪=১২>>১২`; most equations of annotated chains are written so.
    """
    found = []
    for note, result in note_results.items():
        at = note - 1
        while at >= 0 and tokens[at].kind == "currency":
            at -= 1
        calculation = result.calculation.tokens
        first = at - len(calculation)
        if first < _WORDS_BEFORE or tokens[at].kind != "equals":
            continue
        before = tokens[first - 1].kind
        stands_alone = before == "boundary" or (
            before == tokens[first - 2].kind == "word"
            and tokens[first - _WORDS_BEFORE].kind in {"word", "boundary"}
        )
        if stands_alone and [t.text for t in tokens[first:at]] == [t.text for t in calculation]:
            found.append(at)
    return frozenset(found)


def _left_sides(
    tokens: Sequence[Token], without: Container[int] = ()
) -> Iterator[tuple[int, Expression]]:
    """Yield the index of each `=` that has an expression on its left, with that expression."""
    places = [at for at, token in enumerate(tokens) if token.kind == "equals"]
    for at in places:
        if at in without:
            continue
        if (left := expression_left_of(tokens, at)) is not None:
            yield at, _without_name(tokens, left)


def _without_name(tokens: Sequence[Token], left: Expression) -> Expression:
    """Leave out the number of a step, as in `ধাপ ২ - ৫ × ৪ = ২০`."""
    is_named = (
        len(left.tokens) > 3
        and left.tokens[1].text == "-"
        and left.edge >= 0
        and tokens[left.edge].text in _NAMES
    )
    return replace(left, tokens=left.tokens[2:]) if is_named else left


def _with_note(
    tokens: Sequence[Token], at: int, left: Expression, note: int, result: NoteResult
) -> Equation | None:
    """Make the equation of a calculation and the annotation on its right."""
    if left.is_single_number or _adds_nothing(left, result):
        return None
    echo = echo_of(tokens, note)
    return Equation(at, left, result.stated, echo, in_note=False, doubtful=left.guessed)


def _with_right_side(tokens: Sequence[Token], at: int, left: Expression) -> Equation | None:
    """Make the equation of two expressions in the text."""
    right = expression_right_of(tokens, at)
    if right is None:
        return None
    sign = tokens[at].text
    loose = sign in {LOOSE_EQUALS, MAYBE_EQUALS}
    doubtful = left.guessed or sign == MAYBE_EQUALS or (loose and not right.is_single_number)
    equation = Equation(at, left, right, None, False, True, doubtful, sign in ROUGH_EQUALS)
    is_implied = loose and bool(left.variables or right.variables)  # `⇒ R = 4`
    if is_implied or _tells_time(left, right):
        return None
    if not left.is_single_number or right.variables:
        return equation
    if right.is_single_number:
        is_converted = convert(left, right) and _have_bare_units(tokens, at)
        return equation if is_converted else None
    if loose or _goes_on(left, right):
        return None
    before = tokens[left.edge] if left.edge >= 0 else None
    if before is not None and before.kind == "equals":
        return equation if before.text not in {LOOSE_EQUALS, MAYBE_EQUALS} else None
    stands_alone = before is None or before.kind in {"boundary", "close"}
    named = before is not None and before.text in _BEFORE_RESULT
    return equation._replace(certain=(stands_alone or named) and not left.unit)


def _have_bare_units(tokens: Sequence[Token], at: int) -> bool:
    """Whether the units on both sides of an `=` are not parts of `km/h` or `m^3`."""
    before = tokens[max(0, at - 2) : at]
    after = tokens[at + 1 : at + 5]
    right = next((i for i, token in enumerate(after) if token.kind == "number"), len(after))
    is_bare = len(before) == 2 and before[0].kind == "number" and before[1].kind == "word"
    return is_bare and not any(
        token.text in {"/", "^"} or token.kind == "raised" for token in after[right:]
    )


def _tells_time(left: Expression, right: Expression) -> bool:
    """Whether a result is a time of the day, as in `৪ + ২ ঘণ্টা = ৬টা`."""
    times = any(token.unit and token.unit.dimension == "time" for token in left.tokens)
    return times and right.unit in {"টা", "টায়", "ঘটিকা", "AM", "PM"}


def _goes_on(left: Expression, right: Expression) -> bool:
    """Whether a number before `=` is counted with on its right, as in `৫ কেজি = ৫ × ৬০ টাকা`."""
    number = left.tokens[-1].text
    return any(token.text == number for token in right.tokens)


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
