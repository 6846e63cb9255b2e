"""What annotators mark of a text: stretches in code points, read from label files and combined."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

from banglahallueval.errors import UsageError
from banglahallueval.text.spans import Place, merged

Marks = tuple[Place, ...]


def read_marks(cell: str, where: str, text: str | None = None) -> Marks:
    """Read the marks of a cell, a JSON list of `[start, end]`; blank is none.

    Args:
        cell: The cell.
        where: File and row, for the message.
        text: The marked text; None if it is not known, and marks beyond its end are not noticed.

    Returns:
        The marks in order; those that touch are one.

    Raises:
        UsageError: If the cell is no list of spans of the text.
    """
    try:
        found = json.loads(cell) if cell.strip() else []
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(map(_is_pair, found)):
        raise UsageError(
            f"{where}: spans {_shown(cell)} is no JSON list such as [[0, 4], [9, 13]]; export the "
            "labels again"
        )
    places = sorted((start, end) for start, end in found)
    for start, end in places:
        if not 0 <= start < end:
            raise UsageError(f"{where}: the span [{start}, {end}] holds no character")
        if text is not None and end > len(text):
            raise UsageError(
                f"{where}: the span [{start}, {end}] ends outside the text, which has "
                f"{len(text)} characters"
            )
    for (_, end), (start, after) in pairwise(places):
        if start < end:
            raise UsageError(f"{where}: the span [{start}, {after}] overlaps the one before it")
    return tuple(merged(places))


def _is_pair(found: object) -> bool:
    return isinstance(found, list) and len(found) == 2 and all(type(end) is int for end in found)


def _shown(cell: str) -> str:
    return repr(cell if len(cell) <= 40 else f"{cell[:40]}…")


def write_marks(marks: Marks) -> str:
    """Write marks as a cell."""
    return json.dumps(marks, separators=(",", ":"))


def shares(markings: Sequence[Marks]) -> list[tuple[int, int, float]]:
    """List the stretches that anyone marked, each with the share of people who marked it.

    Args:
        markings: The marks of each person.

    Returns:
        Start, end and share of each, in order; the share is the same all over a stretch.
    """
    edges = sorted({end for marks in markings for place in marks for end in place})
    found: list[tuple[int, int, float]] = []
    for start, end in pairwise(edges):
        voices = sum(any(a <= start < b for a, b in marks) for marks in markings)
        if not voices:
            continue
        share = voices / len(markings)
        if found and found[-1][1:] == (start, share):
            start = found.pop()[0]
        found.append((start, end, share))
    return found


def agreed(markings: Sequence[Marks]) -> Marks:
    """Return the characters that more than half of the people marked."""
    return tuple(merged((start, end) for start, end, share in shares(markings) if share > 1 / 2))


def union(markings: Sequence[Marks]) -> Marks:
    """Return the characters that anyone marked."""
    return tuple(merged(place for marks in markings for place in marks))


def intersection(markings: Sequence[Marks]) -> Marks:
    """Return the characters that everyone marked."""
    return tuple(merged((start, end) for start, end, share in shares(markings) if share == 1))
