"""Which values an expression may have, and whether a stated result agrees with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from banglahallueval.judges.arithmetic.evaluation import (
    Measure,
    UncheckableError,
    Value,
    evaluate,
    multiplier,
)
from banglahallueval.judges.arithmetic.expressions import Expression, Reading
from banglahallueval.judges.arithmetic.tokens import Token, read_number, spellings
from banglahallueval.judges.arithmetic.units import Dimension

# Units of measure: two sides in two of them may be equal under different numbers, as in
# ½ hour = 30 minutes.
_MEASURES = spellings(
    "সেকেন্ড", "মিনিট", "ঘন্টা", "ঘণ্টা", "দিন", "সপ্তাহ", "মাস", "বছর", "গ্রাম", "কেজি", "কিলো",
    "টন", "পাউন্ড", "আউন্স", "মিলি", "লিটার", "গ্যালন", "সেমি", "সেন্টি", "মিটার", "কিমি", "মাইল",
    "ইঞ্চি", "ফুট", "গজ", "ডজন", "হালি", "সেন্ট", "পয়সা", "টাকা", "ডলার", "second", "minute",
    "hour", "day", "week", "month", "year", "g", "kg", "cm", "km", "ml", "inch", "feet", "foot",
    "ft", "yard", "mile", "pound", "lb", "ounce", "oz", "dozen", "cent", "MB", "GB", "KB", "kW",
)  # fmt: skip
_MONEY = spellings("সেন্ট", "পয়সা", "টাকা", "ডলার", "ইউরো", "রুপি", "cent")
_CONVERSION_FACTORS = frozenset(
    {3, 4, 7, 8, 10, 12, 16, 24, 30, 31, 36, 52, 60, 100, 128, 365, 1000, 1440, 1760, 3600, 5280}
)
_KINDS: frozenset[Dimension] = frozenset({"time", "length", "mass", "data"})
_CLASSIFIER = 3  # code points of `টি ` behind a number, which names nothing
_SIMPLE = (1, 3)  # tokens of a number, and of `a + b`
_BINARY = Fraction(1024, 1000)
_MONTH = 2592000  # seconds
_ROUGH_UNIT = Fraction(1, 12)  # share by which months or inches may miss
_ROUGHLY = Fraction(1, 50)  # share by which an approximation may miss


def readings(side: Expression) -> tuple[Reading, ...]:
    """Work out the values an expression may have, the plainest reading first.

    Scale words and units may count or not (`৪.৫ - ৩ = ১.৫ লাখ`, `৫০০ × ২৪০০ = ১২ লাখ`); a percent
    sign may divide by 100, be a unit, or (in `a + p%`) take a share of what stands before it; of
    several divisions the last may be one fraction (60/3/4 as 60 / ¾); a dash before the
    expression may be a minus, and one behind a first quantity may set that apart.

    Raises:
        UncheckableError: If the expression has no value.
    """
    if not side.readings:
        tokens = side.tokens
        length = len(tokens)
        if length not in _SIMPLE or side.maybe_minus or any(map(_has_readings, tokens)):
            side.readings = tuple(_work_out(side))
        elif length == 1:
            side.readings = (_plain_number(tokens[0]),)
        else:
            side.readings = (Reading(evaluate(tokens), 0),)
    return side.readings


def _has_readings(token: Token) -> bool:
    """Whether a token may count or not: a percent sign, a number with a scale word."""
    return token.scale != 1 or token.kind == "percent"


def _plain_number(token: Token) -> Reading:
    """Return the one reading of a number without a scale word."""
    read = read_number(token.text)
    if token.kind != "number" or read is None:
        raise UncheckableError
    return Reading(read[0], Fraction(1, 10 ** read[1]) if read[1] else 1)


def _work_out(side: Expression) -> Iterator[Reading]:
    tokens = side.tokens
    for measure in _measures(tokens):
        step = _last_place(side, measure)
        value = evaluate(tokens, measure=measure)
        yield Reading(value, step)
        if len(tokens) == 1 and not side.maybe_minus:
            continue
        texts = [token.text for token in tokens]
        if "%" in texts:
            yield from _percent_readings(tokens, step, measure)
        if texts.count("/") > 1:
            yield Reading(evaluate(tokens, tight_fractions=True, measure=measure), step)
        if len(tokens) > 4 and tokens[1].text == "-" and _stands_apart(tokens):
            yield Reading(evaluate(tokens[2:], measure=measure), 0)  # `৩টি খাতা - ৩ × ৪০ = ১২০`
        if side.maybe_minus:
            minus = tokens[0]._replace(kind="sign", text="-")
            yield Reading(evaluate([minus, *tokens], measure=measure), step)


def _stands_apart(tokens: Sequence[Token]) -> bool:
    """Whether a first quantity counts things by name, and a dash with blanks follows it."""
    between = tokens[1].start - tokens[0].end
    is_named = tokens[0].unit is None and between > _CLASSIFIER
    return is_named and tokens[2].start > tokens[1].end


def _measures(tokens: Sequence[Token]) -> Iterator[Measure]:
    """List how the numbers of an expression can be read."""
    yield "digits"
    if any(token.scale != 1 for token in tokens):
        yield "scaled"


def _percent_readings(tokens: Sequence[Token], step: Value, measure: Measure) -> Iterator[Reading]:
    """List the readings in which a percent sign is a unit, or takes a share of what precedes it."""
    bare = [token for token in tokens if token.kind != "percent"]
    yield Reading(evaluate(bare, measure=measure), step)
    if len(tokens) > 3 and tokens[-1].kind == "percent" and tokens[-3].text in "+-":
        share = Fraction(evaluate(tokens[-2:]))
        base = evaluate(tokens[:-3], measure=measure)
        yield Reading(base * (1 + share if tokens[-3].text == "+" else 1 - share), step)


def _last_place(side: Expression, measure: Measure) -> Value:
    """Return what the last written digit of one number is worth, as in `5.2` or `5.2 × 10^3`.

    Returns:
        0 if the expression is more than one number, or if it is too long.
    """
    tokens = side.tokens
    power: Value = 1
    if not side.is_single_number:
        if len(tokens) < 5 or [token.text for token in tokens[1:4:2]] != ["*", "^"]:
            return 0
        power = evaluate(tokens[2:])
    token = next(token for token in tokens if token.kind == "number")
    read = read_number(token.text)
    if read is None:
        return 0
    unit = power * multiplier(token, measure)
    return Fraction(unit) / 10 ** read[1] if read[1] else unit


def agree(left: Expression, right: Expression, *, roughly: bool = False) -> bool:
    """Compare two sides as exactly as the written result is written.

    A side that is one written number stands for all that rounds to it, or that it cuts off. A
    right side that goes on after its first number may also be meant as that number alone, as in
    `3 + 4 = 7 * 2 = 14`.

    Args:
        left: The calculation.
        right: Its stated result.
        roughly: Whether the text calls the result an approximation.

    Raises:
        UncheckableError: If a side has no value.
    """
    if convert(left, right):
        return _is_converted(left, right)
    values, stated = readings(left), readings(right)
    if values[0].value == stated[0].value:
        return True
    if any(_fits(a, b, roughly) for a in values for b in stated):
        return True
    if _mix_units(left, right) and _agree_measured(left, right):
        return True
    if right.is_single_number:
        return _are_convertible(left, right) and any(
            differ_by_factor(a.value, b.value) for a in values for b in stated
        )
    return not left.is_single_number and any(
        _fits(a, b, roughly) for a in values for b in readings(first_number(right))
    )


def convert(left: Expression, right: Expression) -> bool:
    """Whether two single numbers are one quantity in two units of one kind."""
    if not (left.is_single_number and right.is_single_number):
        return False
    one, other = left.tokens[-1].unit, right.tokens[-1].unit
    return (
        one is not None
        and other is not None
        and one.dimension == other.dimension != ""
        and one.factor != other.factor
    )


def _is_converted(left: Expression, right: Expression) -> bool:
    """Whether a quantity is written right in another unit.

    Months and years have several lengths, a kilobyte has two, and inches are often rounded.
    """
    one, other = (Fraction(evaluate(side.tokens, measure="measured")) for side in (left, right))
    if 2 * abs(one - other) <= _last_place(right, "measured"):  # the first is no rounded result
        return True
    units = [unit for side in (left, right) if (unit := side.tokens[-1].unit)]
    if not other or not units:
        return False
    ratio = one / other
    if units[0].dimension == "data":
        return any(ratio == _BINARY**power for power in range(-3, 4))
    is_loose = any(unit.factor >= _MONTH or unit.factor.denominator > 1 for unit in units)
    return is_loose and abs(ratio - 1) <= _ROUGH_UNIT


def _mix_units(left: Expression, right: Expression) -> bool:
    """Whether two sides count something in several units of one kind."""
    units = {token.unit for side in (left, right) for token in side.tokens if token.unit}
    dimensions = [unit.dimension for unit in units if unit.dimension]
    return len(dimensions) > len(set(dimensions)) or "count" in dimensions


def _agree_measured(left: Expression, right: Expression) -> bool:
    """Compare two sides with each number in the smallest unit of its kind."""
    one, other = (
        Reading(evaluate(side.tokens, measure="measured"), _last_place(side, "measured"))
        for side in (left, right)
    )
    return _fits(one, other, roughly=False)


def first_number(side: Expression) -> Expression:
    """Return the first number written in an expression, as an expression."""
    token = next(token for token in side.tokens if token.kind == "number")
    return Expression((token,), side.edge, True, "", False, frozenset(), True)


def _fits(one: Reading, other: Reading, roughly: bool) -> bool:
    """Whether two readings are equal, rounded or cut off at the last place that either writes."""
    a, b = one.value, other.value
    if a == b:
        return True
    step = max(one.step, other.step)
    if not step:
        return False
    gap = abs(Fraction(a) - b)
    if roughly and gap <= _ROUGHLY * abs(Fraction(a)):
        return True
    exact, written = (b, a) if one.step > other.step else (a, b)
    is_cut = step <= Fraction(1, 100) and 0 <= abs(Fraction(exact)) - abs(Fraction(written)) < step
    return 2 * gap <= step or (is_cut and exact * written >= 0)


def _are_convertible(left: Expression, right: Expression) -> bool:
    """Whether the numbers of two sides may differ by the factor between their units."""
    if any(token.joined and token.unit and token.unit.dimension for token in right.tokens):
        return True
    if left.unit == right.unit or not right.unit.startswith(_MEASURES):
        return False
    if adds_up_other_kind(left, right):
        return False
    return left.unit.startswith(_MEASURES)


def adds_up_other_kind(left: Expression, right: Expression) -> bool:
    """Whether a sum of one kind is stated in a unit of another, as kilograms in metres."""
    result = right.tokens[-1].unit
    if result is None or any(token.text in {"*", "/", "^", "of"} for token in left.tokens):
        return False
    kinds = {token.unit.dimension for token in left.tokens if token.unit}
    return result.dimension in _KINDS and len(kinds) == 1 and kinds < _KINDS - {result.dimension}


def multiplies_units(side: Expression) -> bool:
    """Whether an expression multiplies several units of one kind, as in `3 m × 200 cm`."""
    units = {token.unit for token in side.tokens if token.unit}
    kinds = [unit.dimension for unit in units if unit.dimension]
    return len(kinds) > len(set(kinds)) and any(token.text in {"*", "/"} for token in side.tokens)


def exchanges_money(left: Expression, right: Expression) -> bool:
    """Whether two sides are in two currencies, whose rate the numbers alone do not tell."""
    units = {left.unit, right.unit}
    return len(units) == 2 and all(unit.startswith(_MONEY) for unit in units)


def differ_by_factor(left: Value, right: Value) -> bool:
    """Whether one value is the other times a factor between two common units of measure."""
    if not left or not right:
        return False
    ratio = Fraction(left) / right
    return ratio in _CONVERSION_FACTORS or 1 / ratio in _CONVERSION_FACTORS


def has_value(side: Expression) -> bool:
    """Whether an expression has a value that can be computed."""
    try:
        return side.has_value and bool(readings(side))
    except UncheckableError:
        return False
