"""How well the characters that a detector marks, or ranks first, are the hallucinated ones.

Source: Rykov et al. 2025 (PsiloQA): the intersection over union (IoU) of marked characters, and
average precision (AP) over their ranking, both per answer. Shares are 0 to 1.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from banglahallueval.scoring.bootstrap import Floats
from banglahallueval.spans.characters import Characters
from banglahallueval.spans.offsets import check
from banglahallueval.text import spans as places
from banglahallueval.text.spans import Place


def iou(gold: Collection[Place], predicted: Collection[Place], length: int) -> float:
    """Compute the IoU of the characters that two sets of spans cover.

    1 if both are empty (Mu-SHROOM's convention): nothing to find, and nothing found. Spans are sets
    of characters, so their order, and whether they overlap or touch, does not matter.

    Args:
        gold: The spans of one side.
        predicted: Those of the other; the two may change places.
        length: Code points of the answer.

    Raises:
        ValueError: If a span is outside the answer.
    """
    check(gold, length)
    check(predicted, length)
    return places.iou(gold, predicted)


def average_precision(gold: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """Compute the AP of one answer; see `average_precisions`.

    Raises:
        ValueError: If the two differ in length.
    """
    marks, values = np.asarray(gold, dtype=bool), np.asarray(scores, dtype=float)
    if marks.shape != values.shape:
        raise ValueError(f"{len(values)} scores for {len(marks)} characters")
    count = len(marks)
    one = Characters(np.array([0, count]), np.zeros(count, dtype=np.int64), marks, values)
    return float(average_precisions(one)[0])


def average_precisions(characters: Characters) -> Floats:
    """Compute the AP of each answer: Σ (recall - recall before) · precision.

    The sum goes over the distinct scores from the highest down, as scikit-learn's, so that equal
    scores are one step. It is 0 where no character is hallucinated, whatever the scores: report
    such answers beside it.
    """
    answer = characters.answer
    order = np.lexsort((-characters.scores, answer))
    scores = characters.scores[order]
    found = np.cumsum(characters.gold[order])
    last = np.flatnonzero(np.append((np.diff(answer) != 0) | (np.diff(scores) != 0), True))
    if not len(answer):
        return np.zeros(characters.answers)
    of = answer[last]
    start = characters.bounds[:-1]
    # Characters found in earlier answers; an empty answer stands before the same one as the next.
    before = np.concatenate([[0], found])[start]
    step = np.diff(found[last], prepend=0)
    precision = (found[last] - before[of]) / (last + 1 - start[of])
    positives = characters.per_answer(characters.gold)
    total = np.bincount(of, weights=step * precision, minlength=characters.answers)
    return np.divide(total, positives, out=np.zeros_like(total), where=positives > 0)
