"""What an expression may mean, and whether a stated result agrees with it."""

from __future__ import annotations

from fractions import Fraction

from banglahallueval.judges.arithmetic.evaluation import UncheckableError, Value, evaluate
from banglahallueval.judges.arithmetic.expressions import Expression
from banglahallueval.judges.arithmetic.tokens import number, spellings

# Measures whose sides may be equal under two different numbers, as in ½ hour = 30 minutes.
_MEASURES = spellings(
    "সেকেন্ড", "মিনিট", "ঘন্টা", "ঘণ্টা", "দিন", "সপ্তাহ", "মাস", "বছর", "গ্রাম", "কেজি", "কিলো",
    "টন", "পাউন্ড", "আউন্স", "মিলি", "লিটার", "গ্যালন", "সেমি", "সেন্টি", "মিটার", "কিমি", "মাইল",
    "ইঞ্চি", "ফুট", "গজ", "ডজন", "সেন্ট", "পয়সা", "টাকা", "ডলার", "second", "minute", "hour",
    "day", "week", "month", "year", "g", "kg", "cm", "km", "ml", "inch", "feet", "foot", "ft",
    "yard", "mile", "pound", "lb", "ounce", "oz", "dozen", "cent",
)  # fmt: skip
_FACTORS = frozenset(
    {3, 4, 7, 8, 10, 12, 16, 24, 30, 31, 36, 52, 60, 100, 128, 365, 1000, 1440, 1760, 3600, 5280}
)


def readings(side: Expression) -> tuple[Value, ...]:
    """The values an expression may have, the plainest reading first.

    A percent sign may divide by 100, be a unit, or (in `a + p%`) take a share of what stands
    before it; of several divisions the last may be one fraction (60/3/4 as 60 / ¾); a dash before
    the expression may be a minus.

    Raises:
        UncheckableError: Where it has none.
    """
    if side.readings:
        return side.readings
    tokens = side.tokens
    if len(tokens) == 1 and tokens[0].kind == "number" and not side.maybe_minus:
        side.readings = (first_number(side),)
        return side.readings
    values = [evaluate(tokens)]
    if any(t.kind == "percent" for t in tokens):
        values.append(evaluate([t for t in tokens if t.kind != "percent"]))
        if len(tokens) > 3 and tokens[-1].kind == "percent" and tokens[-3].text in "+-":
            share = Fraction(evaluate(tokens[-2:]))
            base = evaluate(tokens[:-3])
            values.append(base * (1 + share if tokens[-3].text == "+" else 1 - share))
    if sum(t.text == "/" for t in tokens) > 1:
        values.append(evaluate(tokens, tight_fractions=True))
    if side.maybe_minus:
        values.append(evaluate([tokens[0]._replace(kind="sign", text="-"), *tokens]))
    side.readings = tuple(values)
    return side.readings


def agree(left: Expression, right: Expression) -> bool:
    """Whether two sides are equal, as exactly as the written one is written.

    A side that is one written number stands for all that rounds to it. A right side that goes on
    behind its first number may also be meant as that number alone, as in `3 + 4 = 7 * 2 = 14`.

    Args:
        left: The calculation.
        right: What it is said to be.

    Raises:
        UncheckableError: Where a side has no value.
    """
    values, stated = readings(left), readings(right)
    if values[0] == stated[0] or any(a == b for a in values for b in stated):
        return True
    unit = places_unit(right if right.is_single_number or not left.is_single_number else left)
    if not right.is_single_number and not left.is_single_number:
        first = first_number(right)
        return any(_rounds_to(a, first, unit) for a in values)
    if right.is_single_number:
        return any(_rounds_to(a, b, unit) for a in values for b in stated) or (
            _converts(left.unit, right.unit)
            and any(a and b and _factor(a, b) for a in values for b in stated)
        )
    return any(_rounds_to(b, a, unit) for a in values for b in stated)


def first_number(side: Expression) -> Value:
    """The first number written in an expression.

    Raises:
        UncheckableError: If it has more digits than a quantity has.
    """
    read = number(next(t.text for t in side.tokens if t.kind == "number"))
    if read is None:
        raise UncheckableError
    return read[0]


def places_unit(side: Expression) -> Fraction:
    """One unit of the last place that an expression's first number is written with."""
    read = number(next(t.text for t in side.tokens if t.kind == "number"))
    if read is None:
        raise UncheckableError
    return Fraction(1, 10 ** read[1])


def _rounds_to(exact: Value, written: Value, unit: Fraction) -> bool:
    return abs(Fraction(exact) - written) <= unit / 2


def _converts(left: str, right: str) -> bool:
    return left != right and left.startswith(_MEASURES) and right.startswith(_MEASURES)


def _factor(left: Value, right: Value) -> bool:
    ratio = Fraction(left) / right
    return ratio in _FACTORS or 1 / ratio in _FACTORS
