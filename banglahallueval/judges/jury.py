"""Several labels of one row become one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
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
        share: Weight of the votes for `yes` by that of all votes; None without votes.
    """

    label: Label
    reason: str
    yes: int
    no: int
    unknown: int
    share: float | None

    @property
    def agreement(self) -> float | None:
        """Weight of the larger side by that of all votes, from 1/2 to 1; None without votes."""
        return None if self.share is None else max(self.share, 1 - self.share)

    def __str__(self) -> str:
        """Count the votes, as in `yes 2, no 1, unknown 0`."""
        return f"yes {self.yes}, no {self.no}, unknown {self.unknown}"


def majority(labels: Sequence[Label], weights: Sequence[Fraction] = ()) -> Decision:
    """Return the label that more than half of the weight of the votes is for.

    `unknown` is no vote, whatever its weight, and a tie decides nothing.

    Args:
        labels: The labels.
        weights: The weight of each, above 0 and exact, so that 0.1 and 0.2 tie with 0.3; empty for
            equal ones.
    """
    weighed = list(zip(labels, weights or [Fraction(1)] * len(labels), strict=True))
    yes, no = (
        sum((weight for label, weight in weighed if label == side), Fraction())
        for side in ("yes", "no")
    )
    counts = {each: list(labels).count(each) for each in ("yes", "no", "unknown")}
    share = float(yes / (yes + no)) if yes + no else None
    if yes == no:
        return Decision("unknown", TIE if yes else NO_VOTES, **counts, share=share)
    return Decision("yes" if yes > no else "no", "", **counts, share=share)
