"""Krippendorff's alpha for unitizing: agreement, beyond chance, on which stretches are marked.

Krippendorff, K. (1995), On the reliability of unitizing continuous data, Sociological Methodology
25, 47-76; the expected disagreement as corrected in Krippendorff, K. (2004), Content Analysis, 2nd
edition, section 11.6. No maintained Python package offers it: `krippendorff` and `simpledorff` have
alpha for coding alone, `pygamma-agreement` has gamma.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from banglahallueval.text.spans import Place


class Disagreement(NamedTuple):
    """Disagreement on one text; alpha is 1 - observed / expected.

    Attributes:
        observed: As it was, from 0.
        expected: As it would be if the same units and gaps lay in the text by chance; 0 where there
            is no unit.
    """

    observed: float
    expected: float


class _Section(NamedTuple):
    """A unit, or the gap between two units; together they cover the text."""

    start: int
    end: int
    is_unit: bool

    @property
    def length(self) -> int:
        return self.end - self.start


def disagreement(markings: Sequence[Sequence[Place]], length: int) -> Disagreement:
    """Compute the observed and the expected disagreement of m observers on a text.

    Args:
        markings: The units of each of two or more observers, in order and disjoint.
        length: Number of characters of the text, L.
    """
    sections = [list(_sections(units, length)) for units in markings]
    observers = len(sections)
    observed = 2 * sum(
        _difference(one, other)
        for first, second in combinations(sections, 2)
        for one in first
        for other in second
    )
    everything = [section for each in sections for section in each]
    units = [section.length for section in everything if section.is_unit]
    gaps = [section.length for section in everything if not section.is_unit]
    # A unit meets the other units, and the gaps it fits in, at every offset they allow.
    chance = sum(
        (len(units) - 1) * (2 * unit**3 - 3 * unit**2 + unit) / 3
        + unit**2 * sum(gap - unit + 1 for gap in gaps if gap >= unit)
        for unit in units
    )
    characters = observers * length
    pairs = characters * (characters - 1) - sum(unit * (unit - 1) for unit in units)
    return Disagreement(
        observed / (observers * (observers - 1) * length**2), 2 / length * chance / pairs
    )


def _sections(units: Sequence[Place], length: int) -> Iterator[_Section]:
    at = 0
    for start, end in units:
        if start > at:
            yield _Section(at, start, False)
        yield _Section(start, end, True)
        at = end
    if at < length:
        yield _Section(at, length, False)


def _difference(one: _Section, other: _Section) -> int:
    """Compute the squared difference of two observers' sections.

    Units that overlap differ by the squares of the distances of their starts and of their ends; a
    unit within a gap differs by the square of its length; nothing else differs.
    """
    if one.is_unit and other.is_unit:
        if one.start < other.end and other.start < one.end:
            return (one.start - other.start) ** 2 + (one.end - other.end) ** 2
        return 0
    unit, gap = (one, other) if one.is_unit else (other, one)
    is_within = unit.is_unit and gap.start <= unit.start and unit.end <= gap.end
    return unit.length**2 if is_within else 0
