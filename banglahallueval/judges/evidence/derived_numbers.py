"""Numbers that follow from those of the evidence: sums, differences, other units, later years."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from banglahallueval.judges.evidence.evidence_index import EvidenceIndex
from banglahallueval.judges.evidence.tokens import Token, is_number, is_year
from banglahallueval.judges.evidence.word_analysis import CLOCK

_YEAR = "year's number"  # the unit of 1971, which is no count of years
# Units by the concepts of the thesaurus -> the smaller unit, and how many of it make one.
_CONVERSIONS = (
    ("year", "month", 12), ("year", "week", 52), ("month", "day", 30), ("week", "day", 7),
    ("day", "hour", 24), ("hour", "minute", 60), ("minute", "second_unit", 60),
)  # fmt: skip
_UNITS = frozenset(unit for large, small, _ in _CONVERSIONS for unit in (large, small))
_MOST_READ = 10_000  # tokens whose numbers are tried
_PARTS = (12, 60, 100, 1000)  # months, minutes, paisa, grams
_NEAR = 0.05  # share by which a number that is no whole may be off
_MOST = 12  # numbers of one unit: the pairs of more would make nearly any number
_SMALL = 3  # up to here people count what they read themselves: both, all three


@lru_cache(maxsize=8)
def derived_numbers(evidence: EvidenceIndex) -> frozenset[tuple[str, float]]:
    """Return numbers that follow from an evidence text, each with its unit."""
    by_unit: dict[str, list[float]] = {}
    for at, token in enumerate(evidence.tokens):
        if is_number(token) and token.value is not None:
            unit = _YEAR if is_year(token) else unit_of(evidence.tokens, at)
            numbers = by_unit.setdefault(unit, [])
            if len(numbers) < _MOST and token.value not in numbers:
                numbers.append(token.value)
    found: set[tuple[str, float]] = set()
    for unit, numbers in by_unit.items():
        for one, other in combinations(numbers, 2):
            found.add(("year" if unit == _YEAR else unit, _rounded(abs(one - other))))
            if unit != _YEAR:
                found.add((unit, _rounded(one + other)))
    for large, small, factor in _CONVERSIONS:
        found.update((small, _rounded(n * factor)) for n in by_unit.get(large, ()))
        found.update((large, _rounded(n / factor)) for n in by_unit.get(small, ()))
    for year in by_unit.get(_YEAR, ()):
        for span in by_unit.get("year", ()):
            found.update(((_YEAR, year + span), (_YEAR, year - span)))
    return frozenset(found)


def follows(evidence: EvidenceIndex, tokens: Sequence[Token], at: int) -> bool:
    """Return whether a number of an output may follow from the evidence.

    Args:
        evidence: The evidence.
        tokens: The output's tokens.
        at: Index of the number.
    """
    token = tokens[at]
    value = token.value or 0.0
    if not token.word.is_digits and value <= _SMALL:
        return True
    if any(t.word.month for t in tokens[max(0, at - 1) : at + 2]):
        return False
    unit = _YEAR if is_year(token) else unit_of(tokens, at)
    if (unit, _rounded(value)) in derived_numbers(evidence):
        return unit != ""
    return _is_on_other_clock(evidence, token)


def may_follow(evidence: EvidenceIndex, token: Token) -> bool:
    """Return whether any reading makes a number follow from the evidence's numbers.

    A sum, difference, product or quotient of two of them, a number in two units (2 kg 700), another
    unit, or one rounded: wide on purpose, since what follows in no way is proven wrong.
    """
    value = token.value or 0.0
    written = {t.value for t in evidence.tokens[:_MOST_READ] if is_number(t)}
    # Without the years of two digits that the index knows too.
    numbers = [n for n in evidence.values if n in written or n % 1][: _MOST * _MOST]
    if value <= _SMALL or _is_on_other_clock(evidence, token):
        return True
    if any(_is_rounded(value, number) for number in numbers):
        return True
    if any(_rounded(value) == derived for _, derived in derived_numbers(evidence)):
        return True
    return any(
        abs(result - value) < 1e-6 * max(1.0, abs(value))
        for one, other in combinations(numbers, 2)
        for result in _results(one, other)
    ) or any(abs(n * f - value) < 1e-6 for n in numbers for f in (7, 12, 24, 30, 60, 100, 1000))


def unit_of(tokens: Sequence[Token], at: int) -> str:
    """Return what a number counts: a concept, else a stem; empty if nothing follows it."""
    if at + 1 >= len(tokens):
        return ""
    token, after = tokens[at], tokens[at + 1]
    if after.sentence != token.sentence or after.value is not None or not after.word.key:
        return ""
    concepts = after.word.concepts or after.word.stems[-1:]
    return next((concept for concept in concepts if concept in _UNITS), concepts[0])


def _is_on_other_clock(evidence: EvidenceIndex, token: Token) -> bool:
    """Return whether the evidence has a time of day on the clock of 24 hours, or of 12."""
    value = token.value or 0.0
    return any(
        token.word is CLOCK or evidence.tokens[at].word is CLOCK
        for other in (value - 12, value + 12)
        if other in evidence.values
        for at in evidence.values[other].indices
    )


def _results(one: float, other: float) -> tuple[float, ...]:
    quotients = (one / other, other / one) if one and other else ()
    parts = (a * f + b for f in _PARTS for a, b in ((one, other), (other, one)))  # 2 kg 700
    return (one + other, abs(one - other), one * other, *quotients, *parts)


def _is_rounded(value: float, number: float) -> bool:
    """Return whether a value is a number rounded."""
    if value % 1:  # সাড়ে পাঁচ of 5.7
        return abs(number - value) <= _NEAR * value
    return any(value == round(number, -digits) for digits in range(1, 10) if value % 10 == 0)


def _rounded(value: float) -> float:
    return round(value, 6)
