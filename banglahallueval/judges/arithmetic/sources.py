"""Whether the numbers that a chain calculates with are those of the problem."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from banglahallueval.judges.arithmetic.evaluation import Value
from banglahallueval.judges.arithmetic.mentions import Mention
from banglahallueval.judges.arithmetic.report import ChainReport, Step

# Counts and factors that need no source.
_CONSTANTS: frozenset[Value] = frozenset(
    {0, 1, 2, 3, 4, 7, 10, 100, 1000, 3600, 10000, 100000, 1000000, 10000000}
)
_FACTORS = (100, 1000)
_LARGEST_SCALE = 100000
_RECENT = 4  # results that a calculation may add up without saying so
_MOST = 60  # numbers and results of which one may be the product or quotient of two others
_LONG_NUMBER = re.compile(r"[0-9০-৯][0-9০-৯.]*[0-9০-৯]")
_DIGITS_END = re.compile("[0-9০-৯.]")
_DIGITS_GO_ON = re.compile("[.]?[0-9০-৯]")
_PLAIN_DIGITS = str.maketrans("০১২৩৪৫৬৭৮৯", "0123456789")


def has_unused_number(problem: str, chain: str) -> bool:
    """Whether a problem has a number of two digits or more that its chain does not write so."""
    for number in _LONG_NUMBER.findall(problem):
        if not _writes(chain, number) and not _writes(
            chain.translate(_PLAIN_DIGITS), number.translate(_PLAIN_DIGITS)
        ):
            return True
    return False


def _writes(chain: str, number: str) -> bool:
    """Whether a chain writes a number, and not only as part of a longer one."""
    at = chain.find(number)
    while at >= 0:
        end = at + len(number)
        if not (_DIGITS_END.match(chain[at - 1 : at]) or _DIGITS_GO_ON.match(chain, end)):
            return True
        at = chain.find(number, end)
    return False


class Miscopied(NamedTuple):
    """A number that a calculation uses, much like one of the problem that the chain never uses.

    Attributes:
        step: The calculation.
        value: The number.
        original: The number of the problem.
    """

    step: Step
    value: Value
    original: Value


def miscopied(
    report: ChainReport, given: Sequence[Mention], written: Sequence[Mention]
) -> Iterator[Miscopied]:
    """Find numbers that a chain seems to have copied wrong from its problem.

    Args:
        report: The checked chain.
        given: The numbers of the problem.
        written: The numbers of the chain, in text order.
    """
    used = {mention.value for mention in written}
    used.update(value for step in report.steps for value in step.operands)
    unused = [mention.value for mention in given if mention.value not in used]
    if not unused:
        return
    known = _with_plain_changes(mention.value for mention in given)
    found = _Numbers(given)
    recent: list[Value] = []
    at = 0
    for step in report.steps:
        while at < len(written) and written[at].start < step.end:
            if written[at].start < step.start:
                found.add(written[at].value)
            at += 1
        for value in step.operands:
            if value in known or value in _CONSTANTS or value in found:
                continue
            known.add(value)
            original = next((other for other in unused if looks_like(value, other)), None)
            if original is None or value in _combined(recent) or found.make(value):
                continue
            yield Miscopied(step, value, original)
        results = [step.value] if step.result is None else [step.value, step.result]
        for result in results:
            found.add(result)
        recent = [*recent, *results][-_RECENT:]


class _Numbers:
    """The numbers of a problem, in the smallest unit too, and what a chain has found from them."""

    def __init__(self, given: Sequence[Mention]) -> None:
        self._values: dict[Value, None] = {}
        self._shares = [Fraction(mention.value) / 100 for mention in given]
        for mention in given:
            self.add(mention.value)
            if mention.unit is not None and mention.unit.dimension:
                self.add(mention.value * mention.unit.factor)

    def add(self, value: Value) -> None:
        """Add a number."""
        if len(self._values) < _MOST:
            self._values[value] = None

    def __contains__(self, value: Value) -> bool:
        return value in self._values

    def make(self, value: Value) -> bool:
        """Whether a value is the product or the quotient of two, or a percentage of it is one."""
        exact, values = Fraction(value), self._values
        return any(exact * share in values for share in self._shares) or any(
            exact * one in values or exact / one in values for one in values if one
        )


def looks_like(value: Value, other: Value) -> bool:
    """Whether a number differs from another in one digit, or in the order of its digits."""
    one, two = _decimal(value), _decimal(other)
    if len(one) != len(two) or len(one) < 2 or one.find(".") != two.find("."):
        return False
    differing = sum(a != b for a, b in zip(one, two, strict=True))
    return differing == 1 or (differing > 1 and sorted(one) == sorted(two))


def _decimal(value: Value) -> str:
    """Write a number in digits; empty for an endless decimal."""
    exact = Fraction(value)
    if exact.denominator == 1:
        return str(exact.numerator)
    scaled = exact * 10**6
    return f"{float(exact):.6f}".rstrip("0") if scaled.denominator == 1 else ""


def _with_plain_changes(given: Iterable[Value]) -> set[Value]:
    """Return numbers with what percentages, scale words and metric units make of them."""
    known: set[Value] = set()
    for value in given:
        share = Fraction(value) / 100
        known.update((value, share, 1 - share, 1 + share, 100 - value, 100 + value, 2 * value))
        known.update(value * factor for factor in _FACTORS)
        known.update(Fraction(value) / factor for factor in (*_FACTORS, _LARGEST_SCALE))
    return known


def _combined(recent: Sequence[Value]) -> set[Value]:
    """Add and subtract results that stand just before."""
    pairs = [(a, b) for a in recent for b in recent]
    return {a + b for a, b in pairs} | {a - b for a, b in pairs}
