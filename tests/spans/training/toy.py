"""A toy of hallucinated numbers: an answer repeats its passage's number, or states another."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from banglahallueval.spans.types import Sample, Span
from tests.models.classifiers import random_classifier

_BENGALI = str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")
_NUMBERS = [str(number).translate(_BENGALI) for number in range(10, 16)]
# Pairs of right and wrong numbers that no training row has.
UNSEEN = [(_NUMBERS[0], _NUMBERS[3]), (_NUMBERS[4], _NUMBERS[1]), (_NUMBERS[2], _NUMBERS[5])]
_SEEN = [(a, b) for a in _NUMBERS for b in _NUMBERS if a != b and (a, b) not in UNSEEN]


def toy(count: int, seed: int, pairs: Sequence[tuple[str, str]] = ()) -> list[Sample]:
    """Make rows; half of the answers state the wrong number of a pair, and that is marked."""
    draw = random.Random(seed)
    found = []
    for number in range(count):
        right, wrong = draw.choice(list(pairs) or _SEEN)
        shown = wrong if number % 2 else right
        answer = f"দৈর্ঘ্য {shown} কিমি।"
        at = answer.index(shown)
        found.append(
            Sample(
                f"{seed}-{number}",
                answer,
                (Span(at, at + len(shown)),) if number % 2 else (),
                evidence=f"নদীর দৈর্ঘ্য {right} কিমি।",
                question="কত?",
                language="bn",
            )
        )
    return found


def base(folder: Path) -> str:
    """Write the encoder that is trained: a tiny ModernBERT whose vocabulary has the numbers."""
    lines = [f"নদীর দৈর্ঘ্য {number} কিমি। কত? User request:" for number in _NUMBERS]
    return random_classifier(
        folder, "ModernBertModel", positions=128, spread=0.3, lines=lines, vocabulary=420
    )
