"""Judged descriptions for tests."""

from __future__ import annotations

from collections.abc import Iterable

from banglahallueval.vision.generative.types import (
    Description,
    HallucinationType,
    Judgement,
    Outcome,
    Trial,
)
from banglahallueval.vision.types import PictureItem

LETTERS: dict[str, HallucinationType] = {
    "o": "object",
    "r": "relation",
    "a": "attribute",
    "e": "event",
    "m": "multiple",
    "x": "other",
}


def item(index: int, image: str = "") -> PictureItem:
    return PictureItem(index, image or f"val2014/{index}.jpg", "", f"caption {index}", {})


def trial(
    index: int,
    outcome: Outcome,
    types: str = "",
    *,
    words: int = 10,
    reason: str = "",
    prompt: str = "long",
    image: str = "",
    cut: bool = False,
) -> Trial:
    """A description of so many words; types by their first letters, `x` for other."""
    text = "" if outcome == "undescribed" else " ".join(["word"] * words)
    return Trial(
        item(index, image),
        prompt,
        Description(text, reason if outcome == "undescribed" else "", cut),
        Judgement(outcome, reason, frozenset(LETTERS[letter] for letter in types)),
    )


def typed(sets: Iterable[str]) -> list[Trial]:
    """One judged description per set of types; none is clean."""
    return [
        trial(place, "hallucinated" if types else "clean", types)
        for place, types in enumerate(sets)
    ]
