"""What annotators mark of a text: stretches in code points, read from label files and combined."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

from banglahallueval.errors import UsageError
from banglahallueval.text.spans import Place, merged, shares

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


def agreed(markings: Sequence[Marks]) -> Marks:
    """Return the characters that more than half of the people marked."""
    return tuple(merged((start, end) for start, end, share in shares(markings) if share > 1 / 2))
