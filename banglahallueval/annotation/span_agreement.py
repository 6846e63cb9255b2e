"""Measure how far annotators mark the same characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from banglahallueval.annotation.labels import Labels
from banglahallueval.annotation.marks import Marks
from banglahallueval.annotation.unitizing import disagreement
from banglahallueval.scoring import bootstrap
from banglahallueval.scoring.rates import Rate
from banglahallueval.text.spans import intersection, iou, size, union


@dataclass(frozen=True, slots=True)
class PairOverlap:
    """How far two annotators mark the same characters.

    Attributes:
        iou: Mean IoU over the items that both judged.
        shared: Number of characters that both marked in these items.
        either: Number of characters that at least one marked.
    """

    iou: Rate
    shared: int
    either: int


@dataclass(frozen=True, slots=True)
class AnnotatorOverlap:
    """How far one annotator marks the same characters as the others.

    Attributes:
        union: Mean IoU against the characters that any of the others marked.
        intersection: Mean IoU against those that all the others marked.
    """

    union: Rate
    intersection: Rate


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """Agreement on what is hallucinated, over the items that at least two annotators judged.

    Who labels an item no judges that nothing is hallucinated; who labels it yes judges by marking,
    and does not judge without. Intervals are 95 % bootstrap intervals over items.

    Attributes:
        items: Number of these items.
        iou: Mean over items of the mean IoU of pairs of annotators.
        alpha: Krippendorff's alpha for unitizing, each item being a continuum of its own: 1 less
            the ratio of the items' observed to their expected disagreement, both summed. nan where
            nobody marked anything.
        pairs: Overlap of each pair of annotators.
        annotators: Overlap of each annotator with the others.
    """

    items: int
    iou: Rate
    alpha: Rate
    pairs: Mapping[tuple[str, str], PairOverlap]
    annotators: Mapping[str, AnnotatorOverlap]


def span_agreement(labels: Labels, texts: Mapping[str, str]) -> SpanAgreement:
    """Measure the agreement of two or more annotators on marks.

    Args:
        labels: The annotators' labels.
        texts: The judged text by blind id.
    """
    markings = {item: labels.markings_of(item) for item in labels.items}
    judged = {item: marks for item, marks in markings.items() if len(marks) > 1}
    names = labels.annotators
    return SpanAgreement(
        items=len(judged),
        iou=_mean([pairwise_iou(list(marks.values())) for marks in judged.values()]),
        alpha=_alpha(
            [disagreement(list(marks.values()), len(texts[i])) for i, marks in judged.items()]
        ),
        pairs={pair: _of_pair(pair, judged) for pair in combinations(names, 2)},
        annotators={name: _of_annotator(name, judged) for name in names},
    )


def pairwise_iou(markings: Sequence[Marks]) -> float:
    """Compute the mean IoU of all pairs of an item's markings; nan with fewer than two."""
    ious = [iou(first, second) for first, second in combinations(markings, 2)]
    return float(np.mean(ious)) if ious else float("nan")


def _of_pair(pair: tuple[str, str], judged: Mapping[str, Mapping[str, Marks]]) -> PairOverlap:
    first, second = pair
    both = [(marks[first], marks[second]) for marks in judged.values() if {*pair} <= marks.keys()]
    return PairOverlap(
        iou=_mean([iou(*marks) for marks in both]),
        shared=sum(size(intersection(marks)) for marks in both),
        either=sum(size(union(marks)) for marks in both),
    )


def _of_annotator(name: str, judged: Mapping[str, Mapping[str, Marks]]) -> AnnotatorOverlap:
    compared = [
        (marks[name], [other for annotator, other in marks.items() if annotator != name])
        for marks in judged.values()
        if name in marks
    ]
    return AnnotatorOverlap(
        union=_mean([iou(own, union(others)) for own, others in compared]),
        intersection=_mean([iou(own, intersection(others)) for own, others in compared]),
    )


def _mean(values: Sequence[float]) -> Rate:
    return _ratio([(value, 1.0) for value in values])


def _alpha(parts: Sequence[tuple[float, float]]) -> Rate:
    ratio = _ratio(parts)
    return Rate(1 - ratio.value, 1 - ratio.high, 1 - ratio.low, ratio.rows)


def _ratio(parts: Sequence[tuple[float, float]]) -> Rate:
    """Compute the ratio of two sums over items with its interval; nan where the second is 0."""
    if not parts:
        return Rate(float("nan"), float("nan"), float("nan"), 0)
    items, addends = np.arange(len(parts)), np.array(parts)
    with np.errstate(invalid="ignore", divide="ignore"):
        above, below = addends.sum(axis=0)
        resampled = bootstrap.Resamples(items).sums(items, addends)
        replicates = resampled[:, 0] / resampled[:, 1]
        return Rate(float(above / below), *bootstrap.interval(replicates), len(parts))
