"""Which values an expression may have, and whether a stated result agrees with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from banglahallueval.judges.arithmetic.evaluation import UncheckableError, Value, evaluate
from banglahallueval.judges.arithmetic.expressions import Expression
from banglahallueval.judges.arithmetic.tokens import Token, read_number, spellings

# Units of measure: two sides in two of them may be equal under different numbers, as in
# ½ hour = 30 minutes.
_MEASURES = spellings(
    "সেকেন্ড", "মিনিট", "ঘন্টা", "ঘণ্টা", "দিন", "সপ্তাহ", "মাস", "বছর", "গ্রাম", "কেজি", "কিলো",
    "টন", "পাউন্ড", "আউন্স", "মিলি", "লিটার", "গ্যালন", "সেমি", "সেন্টি", "মিটার", "কিমি", "মাইল",
    "ইঞ্চি", "ফুট", "গজ", "ডজন", "সেন্ট", "পয়সা", "টাকা", "ডলার", "second", "minute", "hour",
    "day", "week", "month", "year", "g", "kg", "cm", "km", "ml", "inch", "feet", "foot", "ft",
    "yard", "mile", "pound", "lb", "ounce", "oz", "dozen", "cent",
)  # fmt: skip
_CONVERSION_FACTORS = frozenset(
    {3, 4, 7, 8, 10, 12, 16, 24, 30, 31, 36, 52, 60, 100, 128, 365, 1000, 1440, 1760, 3600, 5280}
)


def readings(side: Expression) -> tuple[Value, ...]:
    """Work out the values an expression may have, the plainest reading first.

    A percent sign may divide by 100, be a unit, or (in `a + p%`) take a share of what stands
    before it; of several divisions the last may be one fraction (60/3/4 as 60 / ¾); a dash before
    the expression may be a minus.

    Raises:
        UncheckableError: If the expression has no value.
    """
    if not side.readings:
        side.readings = tuple(_work_out(side))
    return side.readings


def _work_out(side: Expression) -> list[Value]:
    tokens = side.tokens
    values = [evaluate(tokens)]
    if len(tokens) == 1 and not side.maybe_minus:
        return values
    texts = [token.text for token in tokens]
    if "%" in texts:
        values += _percent_readings(tokens)
    if texts.count("/") > 1:
        values.append(evaluate(tokens, tight_fractions=True))
    if side.maybe_minus:
        values.append(evaluate([tokens[0]._replace(kind="sign", text="-"), *tokens]))
    return values


def _percent_readings(tokens: Sequence[Token]) -> Iterable[Value]:
    """List the readings in which a percent sign is a unit, or takes a share of what precedes it."""
    yield evaluate([token for token in tokens if token.kind != "percent"])
    if len(tokens) > 3 and tokens[-1].kind == "percent" and tokens[-3].text in "+-":
        share = Fraction(evaluate(tokens[-2:]))
        base = evaluate(tokens[:-3])
        yield base * (1 + share if tokens[-3].text == "+" else 1 - share)


def agree(left: Expression, right: Expression) -> bool:
    """Compare two sides as exactly as the written result is written.

    A side that is one written number stands for all that rounds to it. A right side that goes on
    after its first number may also be meant as that number alone, as in `3 + 4 = 7 * 2 = 14`.

    Args:
        left: The calculation.
        right: Its stated result.

    Raises:
        UncheckableError: If a side has no value.
    """
    values, stated = readings(left), readings(right)
    if values[0] == stated[0] or any(a == b for a in values for b in stated):
        return True
    if right.is_single_number:
        return _any_rounds_to(values, stated, right) or (
            _are_convertible(left.unit, right.unit)
            and any(_differ_by_factor(a, b) for a in values for b in stated)
        )
    if left.is_single_number:
        return _any_rounds_to(stated, values, left)
    return _any_rounds_to(values, (first_number(right),), right)


def first_number(side: Expression) -> Value:
    """Read the first number written in an expression.

    Raises:
        UncheckableError: If it has more digits than a quantity has.
    """
    return _first_written(side)[0]


def _first_written(side: Expression) -> tuple[Value, int]:
    """Find the first number of an expression, and the decimal places it is written with."""
    read = read_number(next(token.text for token in side.tokens if token.kind == "number"))
    if read is None:
        raise UncheckableError
    return read


def _any_rounds_to(exact: Iterable[Value], written: Sequence[Value], side: Expression) -> bool:
    """Whether an exact value rounds to a written one, at the last place that a side writes."""
    tolerance = Fraction(1, 2 * 10 ** _first_written(side)[1])
    return any(abs(Fraction(a) - b) <= tolerance for a in exact for b in written)


def _are_convertible(left_unit: str, right_unit: str) -> bool:
    return (
        left_unit != right_unit
        and left_unit.startswith(_MEASURES)
        and right_unit.startswith(_MEASURES)
    )


def _differ_by_factor(left: Value, right: Value) -> bool:
    """Whether one value is the other times a factor between two common units of measure."""
    if not left or not right:
        return False
    ratio = Fraction(left) / right
    return ratio in _CONVERSION_FACTORS or 1 / ratio in _CONVERSION_FACTORS
