"""Offsets into an answer: checked, merged, as a mask, and from a client that counts UTF-16."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from banglahallueval.errors import UsageError
from banglahallueval.spans.types import SoftSpan, Span
from banglahallueval.text.spans import Place, merged

_LONGEST_SHOWN = 40

Bools = npt.NDArray[np.bool_]


def merge(places: Iterable[Place]) -> tuple[Span, ...]:
    """Bring spans into their one form: sorted, disjoint, those that overlap or touch made one."""
    return tuple(Span(start, end) for start, end in merged(places))


def check(places: Iterable[Place], length: int) -> None:
    """Refuse spans that reach outside an answer of so many code points, or are reversed.

    Raises:
        ValueError: Naming the span.
    """
    for start, end in places:
        if not 0 <= start <= end <= length:
            raise ValueError(f"the span [{start}, {end}] is none of an answer of {length}")


def mask(places: Iterable[Place], length: int) -> Bools:
    """Mark which characters of an answer spans cover."""
    covered = np.zeros(length, dtype=bool)
    for start, end in places:
        covered[start:end] = True
    return covered


def runs(covered: npt.ArrayLike) -> tuple[Span, ...]:
    """Find the runs of marked characters; the way back from `mask`."""
    marks = np.asarray(covered, dtype=bool).astype(np.int8)
    edges = np.flatnonzero(np.diff(marks, prepend=0, append=0))
    return tuple(Span(int(start), int(end)) for start, end in edges.reshape(-1, 2))


def from_utf16(text: str, span: Place) -> Span:
    """Convert offsets in UTF-16 units, as JavaScript counts, to code points.

    Raises:
        UsageError: If one of them is outside the text or within a character, or they are reversed.
    """
    units = accumulate((2 if char > "\uffff" else 1 for char in text), initial=0)
    place = {unit: at for at, unit in enumerate(units)}
    start, end = span
    if start not in place or end not in place or start > end:
        raise UsageError(
            f"the UTF-16 span [{start}, {end}] does not lie between characters of a text of "
            f"{max(place)} units"
        )
    return Span(place[start], place[end])


def read_spans(value: object, length: int, where: str) -> tuple[Span, ...]:
    """Read spans out of a file: a list of `[start, end]` or of objects with `start` and `end`.

    Args:
        value: What the file holds.
        length: Code points of the answer.
        where: File and row, for messages.

    Returns:
        The spans, merged; empty ones are left out.

    Raises:
        UsageError: If one is reversed, outside the answer, or no pair of whole numbers.
    """
    return merge(_ends(span, length, where) for span in _items(value, "spans", where))


def read_spans_of(value: object, answer: str, where: str) -> tuple[Span, ...]:
    """Read the spans of an answer; those that repeat their text must cut it out.

    Raises:
        UsageError: As `read_spans`, or if a text is another, as when bytes were counted.
    """
    spans = read_spans(value, len(answer), where)
    for span in _items(value, "spans", where):
        text = span.get("text") if isinstance(span, Mapping) else None
        if not isinstance(span, Mapping) or not isinstance(text, str):
            continue
        cut = answer[span["start"] : span["end"]]
        if text != cut:
            raise UsageError(
                f"{where}: the span [{span['start']}, {span['end']}] cuts out {cut[:40]!r}, not "
                f"its text {text[:40]!r}; count code points of the answer"
            )
    return spans


def read_soft_spans(value: object, length: int, where: str) -> tuple[SoftSpan, ...]:
    """Read soft spans: `[start, end, probability]` or objects with `start`, `end` and `prob`.

    Returns:
        The spans as they are, sorted; those that overlap are kept apart.

    Raises:
        UsageError: As `read_spans`, or if a probability is none.
    """
    found = []
    for item in _items(value, "soft spans", where):
        parts = [item.get("start"), item.get("end")] if isinstance(item, Mapping) else item
        share = item.get("prob") if isinstance(item, Mapping) else None
        if share is None and isinstance(parts, Sequence) and len(parts) == 3:
            parts, share = parts[:2], parts[2]
        start, end = _ends(parts, length, where)
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise UsageError(f"{where}: {shown(share)} of a soft span is not a number from 0 to 1")
        if end > start:
            found.append(SoftSpan(start, end, float(share)))
    return tuple(sorted(found))


def shown(value: object) -> str:
    """Write what a file holds for a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _items(value: object, name: str, where: str) -> Sequence[object]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise UsageError(
            f"{where}: {str(value)[:40]!r} is no list of {name}; a clean answer has []"
        )
    return value


def _ends(span: object, length: int, where: str) -> Span:
    if isinstance(span, Mapping):
        span = [span.get("start"), span.get("end")]
    if isinstance(span, str) or not isinstance(span, Sequence) or len(span) != 2:
        raise UsageError(f"{where}: {str(span)[:40]!r} is no span; write [start, end]")
    start, end = span
    for offset in (start, end):
        if isinstance(offset, bool) or not isinstance(offset, int):
            raise UsageError(f"{where}: the offset {shown(offset)} of a span is not a whole number")
    if start > end:
        raise UsageError(f"{where}: the span [{shown(start)}, {shown(end)}] is reversed")
    if start < 0 or end > length:
        raise UsageError(
            f"{where}: the span [{shown(start)}, {shown(end)}] reaches outside the answer's "
            f"{length} code points"
        )
    return Span(start, end)
