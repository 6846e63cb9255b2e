"""Dates of a text: day, month and year as far as they are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from banglahallueval.judges.evidence.token_types import Token, is_year


class Date(NamedTuple):
    """A date with at least a month.

    Attributes:
        month: Its number; Bangla months from 13 on.
        day, year: The numbers beside it; None where there is none.
        at: Index of the month's token.
    """

    month: int
    day: float | None
    year: float | None
    at: int


def dates(tokens: Sequence[Token]) -> list[Date]:
    """List the dates of a text, in order."""
    found = []
    for at, token in enumerate(tokens):
        if not token.word.month:
            continue
        beside = (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])
        around = (*tokens[at + 1 : at + 3], *tokens[max(0, at - 3) : at])  # 2005 saler 21 May
        day = next((t.value for t in beside if t.value is not None and 1 <= t.value <= 31), None)
        year = next((t.value for t in around if is_year(t) and t.sentence == token.sentence), None)
        found.append(Date(token.word.month, day, year, at))
    return found


class KnownDates:
    """The dates of an evidence text, to compare others with."""

    def __init__(self, known: Iterable[Date]) -> None:
        """Group dates by their month."""
        self._days: dict[int, set[float]] = {}
        self._years: dict[int, set[float]] = {}
        for date in known:
            if date.day is not None:
                self._days.setdefault(date.month, set()).add(date.day)
            if date.year is not None:
                self._years.setdefault(date.month, set()).add(date.year)

    def contradict(self, date: Date) -> bool:
        """Return whether a date's month is given, but with other days or in other years."""
        if date.day is not None and date.day not in self._days.get(date.month, ()):
            return True
        years = self._years.get(date.month)
        return date.year is not None and years is not None and date.year not in years
