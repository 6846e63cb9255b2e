"""Multiple-choice questions of made-up words, for tests."""

from __future__ import annotations

import random
from collections.abc import Sequence

from banglahallueval.abstention.choices import LETTERS, show_options
from banglahallueval.abstention.types import Question

_SYLLABLES = ("ka", "lo", "mi", "ne", "ru", "ta", "vo", "sha", "bi", "du", "go", "pe", "zu", "hi")


def question(
    stem: str, options: Sequence[str], gold: str = "A", subject: str = "maths", name: str = "1"
) -> Question:
    text = show_options(stem, options)
    return Question(name, text, gold, options=tuple(options), subject=subject)


def word(rng: random.Random) -> str:
    return "".join(rng.choices(_SYLLABLES, k=rng.randint(2, 6)))


def questions(n: int, seed: int, subjects: int = 1) -> list[Question]:
    """Make questions; as in real data, the right option tends to be the longest."""
    rng = random.Random(seed)
    made = []
    for number in range(n):
        options = [f"{word(rng)} {word(rng)}" for _ in range(4)]
        gold = rng.randrange(4)
        if rng.random() < 0.5:
            options[gold] = max(options[gold], f"{word(rng)} {word(rng)}", key=len)
        subject = f"subject {number % subjects}"
        stem = f"What is a {word(rng)}?"
        made.append(question(stem, options, LETTERS[gold], subject, str(number)))
    return made
