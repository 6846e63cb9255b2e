"""Places in a raw text: start and end in code points, end exclusive."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

import regex

Place = tuple[int, int]

# A letter with its signs (a grapheme cluster), or a run of digits: half of either says nothing.
_UNIT = regex.compile(r"(?:(?=\p{Nd})\X)+|\X")


def merged(places: Iterable[Place]) -> Iterator[Place]:
    """Merge places that overlap or touch; empty ones are left out.

    Yields:
        The merged places in order.
    """
    start, end = -1, -1
    for first, last in sorted(places):
        if first > end:
            if end > start:
                yield start, end
            start, end = first, last
        end = max(end, last)
    if end > start:
        yield start, end


def whole(text: str, places: Iterable[Place]) -> Iterator[Place]:
    """Widen places to whole letters and numbers, and merge them.

    A letter keeps its vowel signs and conjuncts; a number is a run of digits, without the marks
    between them, since a list of numbers has these, too.

    Yields:
        The widened places in order.
    """
    edges = [*(unit.start() for unit in _UNIT.finditer(text)), len(text)]
    yield from merged(
        (edges[bisect_right(edges, start) - 1], edges[bisect_left(edges, end)])
        for start, end in places
        if start < end
    )


def size(places: Iterable[Place]) -> int:
    """Count the characters that places cover, each once."""
    return sum(end - start for start, end in merged(places))


def iou(one: Collection[Place], other: Collection[Place]) -> float:
    """Compute the intersection over union of the characters that two sets of places cover.

    1 if both are empty (Mu-SHROOM's convention): nothing to find, and nothing found.
    """
    either = size([*one, *other])
    return (size(one) + size(other) - either) / either if either else 1.0


def shares(markings: Sequence[Collection[Place]]) -> list[tuple[int, int, float]]:
    """List the stretches that anyone marked, each with the share of people who marked it.

    Args:
        markings: The places that each person marked.

    Returns:
        Start, end and share of each, in order; the share is the same all over a stretch.
    """
    edges = sorted({end for places in markings for place in places for end in place})
    found: list[tuple[int, int, float]] = []
    for start, end in pairwise(edges):
        voices = sum(any(a <= start < b for a, b in places) for places in markings)
        if not voices:
            continue
        share = voices / len(markings)
        if found and found[-1][1:] == (start, share):
            start = found.pop()[0]
        found.append((start, end, share))
    return found


def union(markings: Iterable[Iterable[Place]]) -> tuple[Place, ...]:
    """Collect the characters that anyone marked."""
    return tuple(merged(place for places in markings for place in places))


def intersection(markings: Sequence[Collection[Place]]) -> tuple[Place, ...]:
    """Collect the characters that everyone marked.

    Raises:
        ValueError: If there is nobody.
    """
    if not markings:
        raise ValueError("no annotator, so nothing that all of them marked")
    return tuple(merged((start, end) for start, end, share in shares(markings) if share == 1))
