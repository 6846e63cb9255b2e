"""Soft labels as in Mu-SHROOM: the share of annotators who marked each character.

Source: Vázquez et al. 2025 (SemEval-2025 task 3) and its scorer.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from banglahallueval.scoring.bootstrap import Floats
from banglahallueval.spans.offsets import check, merge
from banglahallueval.spans.types import SoftSpan, Span

HARD = 0.5  # the share above which, not at which, a character counts as hallucinated


def hard_spans(soft: Iterable[SoftSpan]) -> tuple[Span, ...]:
    """Derive hard labels: soft spans with a probability above ½, those that touch made one."""
    return merge((start, end) for start, end, probability in soft if probability > HARD)


def character_probabilities(soft: Iterable[SoftSpan], length: int) -> Floats:
    """Spread soft spans over the characters of an answer; 0 where there is none.

    Where spans overlap, the highest probability counts, so that their order does not matter and
    hard labels are the characters above ½. The official scorer lets the last one in the file win.

    Raises:
        ValueError: If a span is outside the answer; the official scorer counts it or breaks off.
    """
    values = np.zeros(length)
    for start, end, probability in soft:
        check([(start, end)], length)
        np.maximum(values[start:end], probability, out=values[start:end])
    return values
