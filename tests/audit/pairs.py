"""Pairs of benchmark files that are told apart in a chosen way, or in none."""

from __future__ import annotations

import random
from collections.abc import Callable

import pandas as pd

from banglahallueval.audit import Side, make_side

_WORDS = (
    *("নদী", "পাহাড়", "সাগর", "গ্রাম", "শহর", "বন", "মাঠ", "আকাশ", "বাতাস"),
    *("মাটি", "ফুল", "ফল", "পাখি", "মাছ", "নৌকা", "ঘর", "পথ"),
)
_PATTERNS = ("factualness", "comprehension", "specificity", "inference")

Rewrite = Callable[[int, str], str]


def qa_pair(
    sources: int = 60,
    *,
    candidate: Rewrite = lambda number, text: text,
    gold: Rewrite = lambda number, text: text,
    main_of: Callable[[int], int] = lambda number: number,
    **more: list[str],
) -> tuple[Side, Side]:
    """Make a main and a candidates file whose answers are three random words each.

    Args:
        sources: Number of main rows; each has four candidates.
        candidate: Rewrites an answer, given its number.
        gold: Rewrites a gold answer, given its source's number.
        main_of: The source that a main row is of.
        more: Columns to add to the candidates.
    """
    rng = random.Random(7)

    def answer() -> str:
        return " ".join(rng.sample(_WORDS, 3))

    golds = [gold(number, answer()) for number in range(sources)]
    rows = [(number, pattern) for number in range(sources) for pattern in _PATTERNS]
    main = {
        "id": [f"q{number}" for number in map(main_of, range(sources))],
        "context": [f"{number} নম্বর পাতা।" for number in map(main_of, range(sources))],
        "question": [f"{number} নম্বর পাতায় কী আছে?" for number in map(main_of, range(sources))],
        "correct_answer": golds,
    }
    candidates = {
        "id": [f"q{number}::{pattern}" for number, pattern in rows],
        "source_id": [f"q{number}" for number, _ in rows],
        "pattern": [pattern for _, pattern in rows],
        "context": [f"{number} নম্বর পাতা।" for number, _ in rows],
        "question": [f"{number} নম্বর পাতায় কী আছে?" for number, _ in rows],
        "right_answer": [golds[number] for number, _ in rows],
        "hallucinated_answer": [candidate(place, answer()) for place in range(len(rows))],
    }
    frames = (pd.DataFrame(main, dtype=str), pd.DataFrame(candidates | more, dtype=str))
    made = [make_side(frame, "qa", None, "file") for frame in frames]
    return made[0], made[1]
