"""How well a model names the type of hallucination in a caption, or that there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from banglahallueval.scoring.bootstrap import Floats
from banglahallueval.scoring.clustered import UNDEFINED, Clusters, Measure, Sample
from banglahallueval.vision.discriminative.metrics import Scoring, counted
from banglahallueval.vision.discriminative.naming import TYPE_LABELS, TypeLabel
from banglahallueval.vision.discriminative.results import Result, type_of

UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class LabelScores:
    """One label; what is undefined is nan.

    Attributes:
        label: The label.
        captions: Captions that have it.
        precision: Share of right ones among the captions that the model gave it.
        recall: Share of the captions that have it that the model gave it.
        f1: Harmonic mean of the two.
    """

    label: TypeLabel
    captions: int
    precision: Measure
    recall: Measure
    f1: Measure


@dataclass(frozen=True, slots=True)
class Confusion:
    """The labels that a model gave.

    Attributes:
        matrix: Captions by the label they have and the one they were given; `unknown` for
            replies that hold no label.
        accuracy: Share of right labels.
        macro_f1: Mean of the labels' F1; undefined where one is.
        labels: The labels that captions have.
        unparsed: Replies that hold no label.
        left_out: Captions without a reply.
    """

    matrix: Mapping[tuple[TypeLabel, str], int]
    accuracy: Measure
    macro_f1: Measure
    labels: tuple[LabelScores, ...]
    unparsed: int
    left_out: int


def confuse(results: Sequence[Result], scoring: Scoring) -> Confusion:
    """Score the labels.

    Args:
        results: The answers, in any order.
        scoring: What is counted how; its positive class has no meaning here.
    """
    every = counted(results, scoring)
    asked = [each for each in every if not each.is_open]
    gold = np.array([type_of(each.kind) for each in asked], dtype=object)
    given = np.array([each.answer for each in asked], dtype=object)
    present = [label for label in TYPE_LABELS if (gold == label).any()]
    left = np.ones(len(asked), dtype=bool)
    if scoring.unparsed == "drop":
        left = given != UNKNOWN
    columns: dict[str, Floats] = {
        "right": (left & (gold == given)).astype(float),
        "all": left.astype(float),
    }
    for label in present:
        hits = left & (gold == label) & (given == label)
        columns[f"{label}/hits"] = hits.astype(float)
        columns[f"{label}/given"] = (left & (given == label)).astype(float)
        columns[f"{label}/gold"] = (left & (gold == label)).astype(float)
        columns[f"{label}/f1_top"] = 2.0 * hits
        columns[f"{label}/f1_bottom"] = columns[f"{label}/given"] + columns[f"{label}/gold"]
    pictures = [each.picture for each in asked]
    sample = Sample(Clusters(pictures), pictures, columns)
    f1 = [(f"{label}/f1_top", f"{label}/f1_bottom") for label in present]
    return Confusion(
        Counter((type_of(each.kind), each.answer) for each in asked),
        sample.ratio("right", "all"),
        sample.mean_of_ratios(f1) if present else UNDEFINED,
        tuple(
            LabelScores(
                label,
                int((gold == label).sum()),
                sample.ratio(f"{label}/hits", f"{label}/given"),
                sample.ratio(f"{label}/hits", f"{label}/gold"),
                sample.ratio(f"{label}/f1_top", f"{label}/f1_bottom"),
            )
            for label in present
        ),
        int((given == UNKNOWN).sum()),
        len(every) - len(asked),
    )
