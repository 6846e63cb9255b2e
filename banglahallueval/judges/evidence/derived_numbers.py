"""Numbers that follow from those of the evidence: sums, differences, other units, later years."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations, pairwise, zip_longest

from banglahallueval.judges.evidence.evidence_index import EvidenceIndex
from banglahallueval.judges.evidence.token_types import Token, is_number, is_year
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
_WHOLE = 100.0  # per cent
_FACTORS = (7, 12, 24, 30, 60, 100, 1000)
# Beginnings of a unit's names, the factor to the metric one, and what to add before.
_METRIC = (
    (("মাইল", "mile", "mail"), 1.609, 0), (("ইঞ্চি", "inch"), 2.54, 0),
    (("ফুট", "foot", "feet"), 0.3048, 0), (("পাউন্ড", "pound"), 0.4536, 0),
    (("ডিগ্রি", "degree", "ফারেনহাইট"), 1 / 1.8, -32),
)  # fmt: skip
_ERAS = (593, 594)  # years between the Bangla era and the common one
_RANGES = ("-", "–", "/")
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


def may_follow(evidence: EvidenceIndex, token: Token, unit: str) -> bool:
    """Return whether any reading makes a number follow from the evidence's numbers.

    A sum, difference, product or quotient of two of them (or of one and a hundred per cent), a
    number in two units (2 kg 700), another unit or era, a sum of several, the length of a list, or
    one rounded: wide on purpose, since what follows in no way is proven wrong.
    """
    value = token.value or 0.0
    numbers = _numbers(evidence)
    if value <= _SMALL or _is_on_other_clock(evidence, token):
        return True
    if any(_is_rounded(value, number) for number in numbers):
        return True
    if (unit, value) in _sums(evidence) or value in _converted(evidence):
        return True
    if unit not in _UNITS and (
        value in _lengths_of_lists(evidence) or ("", value) in _sums(evidence)
    ):
        return True
    results, slack = _all_results(evidence), 1e-6 * max(1.0, abs(value))
    if bisect_left(results, value - slack) < bisect_right(results, value + slack):
        return True
    return any(_is_converted(value, number) for number in numbers)


@lru_cache(maxsize=8)
def _numbers(evidence: EvidenceIndex) -> tuple[float, ...]:
    """Return the first numbers of a text, without the years of two digits that its index knows."""
    written = {t.value for t in evidence.tokens[:_MOST_READ] if is_number(t)}
    return tuple(n for n in evidence.values if n in written or n % 1)[: _MOST * _MOST]


@lru_cache(maxsize=8)
def _all_results(evidence: EvidenceIndex) -> list[float]:
    """Return all that two numbers of a text, or one and a hundred, give; sorted."""
    pairs = combinations((_WHOLE, *_numbers(evidence)), 2)
    found = {result for one, other in pairs for result in _results(one, other)}
    return sorted(found.union(derived for _, derived in derived_numbers(evidence)))


def unit_of(tokens: Sequence[Token], at: int) -> str:
    """Return what a number counts: a concept, else a stem; empty if nothing follows it."""
    if at + 1 >= len(tokens):
        return ""
    token, after = tokens[at], tokens[at + 1]
    if after.sentence != token.sentence or after.value is not None or not after.word.key:
        return ""
    concepts = after.word.concepts or after.word.stems[-1:]
    return next((concept for concept in concepts if concept in _UNITS), concepts[0])


def _is_converted(value: float, number: float) -> bool:
    """Return whether a value is a number in another unit or era."""
    return abs(value - number) in _ERAS or any(abs(number * f - value) < 1e-6 for f in _FACTORS)


@lru_cache(maxsize=8)
def _converted(evidence: EvidenceIndex) -> frozenset[float]:
    """Return numbers of imperial units in metric ones, ends of years, and numbers in two units."""
    found: set[float] = set()
    tokens = evidence.tokens[:_MOST_READ]
    for token, after, third in zip_longest(tokens, tokens[1:], tokens[2:]):
        if token.value is None or after is None:
            continue
        if after.value is not None:
            if is_year(token) and evidence.text[token.end : after.start] in _RANGES:
                found.add(token.value // 100 * 100 + after.value)  # 2020-21
            continue
        if third is not None and third.value is not None and not is_year(token):
            small = third.value  # 5 feet 6 inches are 5.5 feet
            found.update(token.value + small / parts for parts in _PARTS if small < parts)
        for names, factor, offset in _METRIC:
            if after.word.text.startswith(names):
                found.add(float(round((token.value + offset) * factor)))
    return frozenset(found)


@lru_cache(maxsize=8)
def _sums(evidence: EvidenceIndex) -> frozenset[tuple[str, float]]:
    """Return the sums of numbers in a row: of one unit, or (without a unit) of one sentence."""
    rows: dict[tuple[str, int], list[float]] = {}
    for at, token in enumerate(evidence.tokens[:_MOST_READ]):
        if token.value is None or not is_number(token) or is_year(token):
            continue
        for row in {(unit_of(evidence.tokens, at), 0), ("", token.sentence)}:
            if len(numbers := rows.setdefault(row, [])) < _MOST:
                numbers.append(token.value)
    return frozenset(
        (unit, _rounded(total))
        for (unit, _), numbers in rows.items()
        for first in range(len(numbers))
        for total in [*accumulate(numbers[first:])][1:]
    )


@lru_cache(maxsize=8)
def _lengths_of_lists(evidence: EvidenceIndex) -> frozenset[int]:
    """Return how many things a sentence may list, by its commas: `a, b ও c` and `a, b, c`."""
    commas = Counter(
        token.sentence
        for token, after in pairwise(evidence.tokens)
        if after.sentence == token.sentence and "," in evidence.text[token.end : after.start]
    )
    return frozenset(count + more for count in commas.values() for more in (1, 2))


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
