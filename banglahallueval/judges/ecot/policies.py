"""From claims to a verdict: the rule, the model's own, or per task as published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from banglahallueval.tasks import TaskName
from banglahallueval.verdicts import Label

Policy = Literal["published", "rule", "model"]
Source = Literal["rule", "model"]
POLICIES: tuple[Policy, ...] = ("published", "rule", "model")

MISSING_SHARE = 0.3  # as published


@dataclass(frozen=True, slots=True)
class Counts:
    """Claims by status, after verification.

    Attributes:
        supported, contradicted, missing: As named.
        unstated: Claims whose status cannot be read.
        open_end: Whether further claims were cut off.
    """

    supported: int
    contradicted: int
    missing: int
    unstated: int = 0
    open_end: bool = False

    @property
    def total(self) -> int:
        """All claims that were read."""
        return self.supported + self.contradicted + self.missing + self.unstated


def source_of(policy: Policy, task: TaskName) -> Source:
    """Decide whose verdict counts: the rule's or the model's.

    The published study took the model's own in summarization and the rule's elsewhere, chosen on
    the rows that it reported. Code-mixed QA had no such study; it goes with QA.
    """
    if policy == "published":
        return "model" if task == "summarization" else "rule"
    return policy


def by_rule(counts: Counts, missing_share: float = MISSING_SHARE) -> Label:
    """Apply the rule: hallucinated if a claim is contradicted, or too many are missing.

    Claims without a status, or cut off, leave it undecided unless it comes out the same whatever
    they are; without any claim it is undecided.

    Args:
        counts: The claims.
        missing_share: Largest share of missing claims, 0 to 1, that is still no hallucination; at
            1 only contradictions count.
    """
    if counts.contradicted:
        return "yes"
    if not counts.total or counts.open_end:
        return "unknown"
    if counts.missing > missing_share * counts.total:
        return "yes"
    # An unread status may also be `contradicted`.
    return "unknown" if counts.unstated else "no"
