"""Answers with their spans written into them: `The capital is [HAL]Chittagong[/HAL].`."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from banglahallueval.errors import UsageError
from banglahallueval.spans.offsets import check, merge
from banglahallueval.spans.types import Span
from banglahallueval.text.spans import Place

OPEN, CLOSE = "[HAL]", "[/HAL]"

_TAG = regex.compile(r"\[/?HAL\]")


def read_tagged(text: str, where: str) -> tuple[str, tuple[Span, ...]]:
    """Split a tagged text into the answer and the spans of its tags.

    Each span is where its tags stand, so that a repeated word is not taken for an earlier one.

    Args:
        text: The tagged text.
        where: File and row, for messages.

    Returns:
        The text without its tags, and the spans in it, merged.

    Raises:
        UsageError: If tags are unbalanced, nested, or hold nothing but white space.
    """
    plain: list[str] = []
    spans: list[Span] = []
    length = behind = 0
    start: int | None = None
    for tag in _TAG.finditer(text):
        piece = text[behind : tag.start()]
        behind = tag.end()
        plain.append(piece)
        length += len(piece)
        if tag[0] == OPEN:
            if start is not None:
                raise UsageError(f"{where}: {OPEN} inside another one; close each before the next")
            start = length
        elif start is None:
            raise UsageError(f"{where}: {CLOSE} without {OPEN} before it")
        elif not piece.strip():
            raise UsageError(f"{where}: {OPEN}{CLOSE} around nothing; take the tags out")
        else:
            spans.append(Span(start, length))
            start = None
    if start is not None:
        raise UsageError(f"{where}: {OPEN} is never closed; add {CLOSE}")
    plain.append(text[behind:])
    return "".join(plain), merge(spans)


def tagged(answer: str, spans: Iterable[Place]) -> str:
    """Write the spans of an answer into it, as tags.

    Raises:
        ValueError: If the answer holds a tag itself, or a span is outside it.
    """
    if _TAG.search(answer):
        raise ValueError(f"an answer that holds {OPEN} or {CLOSE} itself cannot be tagged")
    ordered = merge(spans)
    check(ordered, len(answer))
    parts: list[str] = []
    behind = 0
    for start, end in ordered:
        parts += [answer[behind:start], OPEN, answer[start:end], CLOSE]
        behind = end
    return "".join([*parts, answer[behind:]])
