"""What several annotators marked of the same answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from banglahallueval.spans.offsets import merge
from banglahallueval.spans.types import Sample, Span
from banglahallueval.text import spans as places
from banglahallueval.text.spans import Place

Marks = Collection[Place]


def union(marks: Iterable[Marks]) -> tuple[Span, ...]:
    """Collect the characters that any annotator of an answer marked."""
    return merge(places.union(marks))


def intersection(marks: Sequence[Marks]) -> tuple[Span, ...]:
    """Collect the characters that every annotator of an answer marked.

    Raises:
        ValueError: If there is no annotator.
    """
    return merge(places.intersection(marks))


def same_answer(one: Sample, other: Sample) -> bool:
    """Whether two annotators saw the same answer.

    PsiloQA's annotation files differ in line breaks that became spaces, which move no offset.
    """
    return one.answer.replace("\n", " ") == other.answer.replace("\n", " ")
