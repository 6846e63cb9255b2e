"""Several labels of one row become one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from banglahallueval.verdicts import Label

TIE = "tie"
NO_VOTES = "no votes"


class Decision(NamedTuple):
    """What several labels come to.

    Attributes:
        label: The label; `unknown` where nothing decides.
        reason: Why it is unknown: `tie` or `no votes`; empty otherwise.
        yes: Votes for `yes`.
        no: Votes for `no`.
        unknown: Labels that are no vote.
    """

    label: Label
    reason: str
    yes: int
    no: int
    unknown: int


def majority(labels: Iterable[Label]) -> Decision:
    """Return the label that most judges give; `unknown` is no vote, a tie decides nothing."""
    counts: dict[Label, int] = {"yes": 0, "no": 0, "unknown": 0}
    for label in labels:
        counts[label] += 1
    yes, no = counts["yes"], counts["no"]
    if yes == no:
        return Decision("unknown", TIE if yes else NO_VOTES, yes, no, counts["unknown"])
    return Decision("yes" if yes > no else "no", "", yes, no, counts["unknown"])
