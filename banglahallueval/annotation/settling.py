"""Settle what annotators and adjudicator say of an item into one label and one set of marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from banglahallueval.annotation.agreement import majority
from banglahallueval.annotation.forms import Question
from banglahallueval.annotation.labels import Labels
from banglahallueval.annotation.marks import Marks, agreed
from banglahallueval.text.spans import shares

# Answers on a scale this far apart are a disagreement; neighbours are within its precision.
_STEPS_APART = 2
# One person's marked text is no agreement; such an item goes to the adjudicator.
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class SettledMarks:
    """What is hallucinated in an item.

    Attributes:
        marks: The hallucinated characters; None while they are undecided.
        origin: `majority`, `adjudicated` or `undecided`; of an item labelled no the label's origin.
        shares: Start, end and share of the annotators, where the marks are theirs.
    """

    marks: Marks | None
    origin: str
    shares: Sequence[tuple[int, int, float]] = ()


def is_split(question: Question, answers: Sequence[str]) -> bool:
    """Tell whether an item needs a decision: under two labels, or unlike ones (a scale: by 2)."""
    if len(answers) < 2:
        return True
    if question.is_scale:
        steps = [question.answers.index(answer) for answer in answers]
        return max(steps) - min(steps) >= _STEPS_APART
    return len(set(answers)) > 1


def final_label(
    labels: Labels, decisions: Labels | None, question: Question, item: str
) -> tuple[str, str]:
    """Settle a label: the annotators' where they agree, the adjudicator's where they do not.

    Returns:
        The label, and its origin: `unanimous`, `median`, `adjudicated` or `undecided`.
    """
    decided = decisions.answers_to(question.name, item) if decisions is not None else []
    return _settle(question, labels.answers_to(question.name, item), decided)


def _settle(question: Question, answers: Sequence[str], decided: Sequence[str]) -> tuple[str, str]:
    if decided:
        return decided[0], "adjudicated"
    if is_split(question, answers):
        return "unknown", "undecided"
    return majority(question, answers), "unanimous" if len(set(answers)) == 1 else "median"


def settled_marks(labels: Labels, decisions: Labels | None) -> dict[str, SettledMarks]:
    """Settle the marks of each item, by blind id."""
    question = labels.form.questions[0]
    return {
        item: settle_marks(labels, decisions, item, *final_label(labels, decisions, question, item))
        for item in labels.items
    }


def settle_marks(
    labels: Labels, decisions: Labels | None, item: str, label: str, origin: str
) -> SettledMarks:
    """Settle an item's marks: the adjudicator's if there are any, else the majority's.

    A majority is more than half of those who marked anything, and at least two. The marks of an
    item whose label is undecided are, too.

    Args:
        labels: The annotators' labels.
        decisions: The adjudicator's labels; None before anything is decided.
        item: The item's blind id.
        label: Its final label.
        origin: The origin of that label.
    """
    if label == "no":
        return SettledMarks((), origin)
    if label != "yes":
        return SettledMarks(None, "label undecided")
    decided = decisions.markings_of(item).values() if decisions is not None else ()
    if marks := next(filter(None, decided), None):
        return SettledMarks(marks, "adjudicated")
    markings = [marks for marks in labels.markings_of(item).values() if marks]
    if len(markings) >= _FEWEST and (marks := agreed(markings)):
        return SettledMarks(marks, "majority", shares(markings))
    return SettledMarks(None, "undecided")
