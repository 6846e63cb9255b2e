"""Places in a raw text: start and end in code points, end exclusive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Place = tuple[int, int]


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
