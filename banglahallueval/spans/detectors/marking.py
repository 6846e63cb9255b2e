"""From marked characters to spans."""

from __future__ import annotations

import numpy.typing as npt

from banglahallueval.spans.offsets import runs
from banglahallueval.spans.types import Span


def marked_words(answer: str, covered: npt.ArrayLike) -> tuple[Span, ...]:
    """Find the runs of marked characters, without the blanks at their edges."""
    spans = []
    for start, end in runs(covered):
        text = answer[start:end]
        if text.strip():
            first = start + len(text) - len(text.lstrip())
            spans.append(Span(first, start + len(text.rstrip())))
    return tuple(spans)
