"""Several labels of one row become one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from banglahallueval.verdicts import Label, Verdict

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
    """The label that most judges give; `unknown` is no vote, and a tie decides nothing."""
    counts: dict[Label, int] = {"yes": 0, "no": 0, "unknown": 0}
    for label in labels:
        counts[label] += 1
    yes, no = counts["yes"], counts["no"]
    if yes == no:
        return Decision("unknown", TIE if yes else NO_VOTES, yes, no, counts["unknown"])
    return Decision("yes" if yes > no else "no", "", yes, no, counts["unknown"])


def proof_first(proven: bool, label: Label) -> Label:
    """The hybrid of a proof and a label: `yes` where the offline judge proves it, else the label."""
    return "yes" if proven else label


def jury_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """The majority of several verdicts on one item.

    Returns:
        A verdict with all findings of the verdicts that agree with it, and the votes in `raw`.
        Its probability is the mean of those that are known, or None where none is.
    """
    decision = majority(verdict.label for verdict in verdicts)
    known = [v.p_hallucinated for v in verdicts if v.p_hallucinated is not None]
    return Verdict(
        decision.label,
        decision.reason,
        sum(known) / len(known) if known else None,
        raw=f"yes {decision.yes}, no {decision.no}, unknown {decision.unknown}",
        findings=tuple(f for v in verdicts if v.label == decision.label for f in v.findings),
    )
