"""How far annotators mark the same characters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from banglahallueval.spans.metrics import iou
from banglahallueval.spans.offsets import mask, merge, runs
from banglahallueval.spans.types import Sample, Span
from banglahallueval.text.spans import Place

Marks = Collection[Place]


def union(marks: Iterable[Marks]) -> tuple[Span, ...]:
    """Collect the characters that any annotator of an answer marked."""
    return merge(place for each in marks for place in each)


def intersection(marks: Sequence[Marks], length: int) -> tuple[Span, ...]:
    """Collect the characters that every annotator of an answer marked.

    Raises:
        ValueError: If there is no annotator.
    """
    if not marks:
        raise ValueError("no annotator, so nothing that all of them marked")
    return runs(np.logical_and.reduce([mask(each, length) for each in marks]))


def mean_iou(one: Sequence[Marks], other: Sequence[Marks], lengths: Sequence[int]) -> float:
    """Compute the mean IoU of two markings of the same answers, in order; nan without answers."""
    values = [iou(a, b, length) for a, b, length in zip(one, other, lengths, strict=True)]
    return float(np.mean(values)) if values else float("nan")


def pairwise_iou(
    annotators: Mapping[str, Sequence[Marks]], lengths: Sequence[int]
) -> dict[tuple[str, str], float]:
    """Compute the mean IoU of each pair of annotators."""
    return {
        (one, other): mean_iou(annotators[one], annotators[other], lengths)
        for one, other in combinations(annotators, 2)
    }


def same_answer(one: Sample, other: Sample) -> bool:
    """Whether two annotators saw the same answer.

    PsiloQA's annotation files differ in line breaks that became spaces, which move no offset.
    """
    return one.answer.replace("\n", " ") == other.answer.replace("\n", " ")
