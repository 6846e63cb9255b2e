"""Answers about captions, as if a model had given them."""

from __future__ import annotations

from collections.abc import Sequence

from banglahallueval.vision.discriminative.metrics import Group, Scoring, score
from banglahallueval.vision.discriminative.results import Result
from banglahallueval.vision.types import Hallucination, Kind

_LABELS = {"Y": "yes", "N": "no", "?": "unknown"}


def result(
    index: int, kind: Kind, answer: str, reason: str = "", *, image: str = "", defect: str = ""
) -> Result:
    """Make the answer to one question; the picture is the item's own unless it is named."""
    if answer == "unknown" and not reason:
        reason = "unparsed"
    return Result(index, image or f"{index}.jpg", "", kind, "a boat", answer, reason, defect)


def results(true: str, kind: Hallucination, wrong: str) -> list[Result]:
    """Make answers, `Y`, `N` or `?`, to the true and to the wrong captions of as many items."""
    assert len(true) == len(wrong)
    asked: list[tuple[Kind, str]] = [("true", true), (kind, wrong)]
    return [
        result(index, of, _LABELS[answer])
        for of, answers in asked
        for index, answer in enumerate(answers)
    ]


def pair(index: int, kind: Hallucination, true: str, wrong: str, image: str = "") -> list[Result]:
    """Make the answers to the two captions of an item."""
    return [result(index, "true", true, image=image), result(index, kind, wrong, image=image)]


def groups(answers: Sequence[Result], scoring: Scoring | None = None) -> dict[str, Group]:
    """Score answers; the groups by their names."""
    return {group.name: group for group in score(answers, scoring or Scoring())}


def counts(kind: Hallucination, tp: int, fp: int, tn: int, fn: int) -> list[Result]:
    """Make answers of which so many are right and wrong where yes is the positive class."""
    return results("Y" * tp + "N" * fn, kind, "Y" * fp + "N" * tn)
