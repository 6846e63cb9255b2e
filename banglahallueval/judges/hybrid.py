"""Offline first: what it settles stands, the rest goes to an LLM judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from banglahallueval.judges.abstained import ABSTAINED
from banglahallueval.judges.types import Judge
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Label, Verdict


def proves(verdict: Verdict) -> bool:
    """Whether an offline verdict has a proof: a wrong calculation, a contradicted number."""
    return any(finding.proven for finding in verdict.findings)


def settled_label(verdict: Verdict) -> Label | None:
    """Find the label that an offline verdict settles: `yes` by a proof, `no` if it abstains."""
    if proves(verdict):
        return "yes"
    return "no" if verdict == ABSTAINED else None


class HybridJudge:
    """An offline judge's proofs, and an LLM judge for everything else.

    A proven finding makes the label `yes`, an output that abstains is `no`, and for neither is the
    model asked. What the offline judge merely suspects decides nothing.

    Attributes:
        name: `hybrid`.
        columns: `decided_by` (`offline` or `llm`) and `offline_reason` (what the offline judge
            says, whichever decided), before the LLM judge's own.
    """

    name = "hybrid"
    columns: tuple[str, ...] = ("decided_by", "offline_reason")

    def __init__(self, offline: Callable[[Item], Verdict], llm: Judge) -> None:
        """Put the two together.

        Args:
            offline: Judges an item without a model.
            llm: Judges what is left.
        """
        self._offline = offline
        self._llm = llm
        self.columns = (*HybridJudge.columns, *llm.columns)

    async def judge(self, item: Item, again: int = 0) -> Verdict:
        """Return the offline verdict where it is settled, else the LLM judge's.

        The LLM judge's verdict keeps its own label, probability and reply; the places that the
        offline judge suspects are added to its findings.
        """
        first = self._offline(item)
        label = settled_label(first)
        if label:
            details = {"decided_by": "offline", "offline_reason": first.raw}
            return replace(first, label=label, reason="", details=details)
        verdict = await self._llm.judge(item, again)
        return replace(
            verdict,
            findings=(*verdict.findings, *first.findings),
            details={"decided_by": "llm", "offline_reason": first.raw, **verdict.details},
        )

    def record(self) -> dict[str, Any]:
        """Record that proofs come first, and what the LLM judge records."""
        return {"offline_first": True, "llm": self._llm.record()}
