"""The offline judge: evidence support, and checked arithmetic for reasoning. Needs no model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from banglahallueval import __version__
from banglahallueval.tasks import TASKS, Item
from banglahallueval.verdicts import Verdict

EXPLAIN_COLUMNS = ("explanation", "unsupported_spans")


def judge_offline(item: Item) -> Verdict:
    """Judge one item of any task without a model; only the judge of its kind is loaded."""
    if TASKS[item.task].is_chain:
        from banglahallueval.judges import arithmetic

        return arithmetic.judge_item(item)
    from banglahallueval.judges import evidence

    return evidence.judge_item(item)


class OfflineJudge:
    """`judge_offline` as a judge; implements `judges.types.Judge`."""

    name = "offline"

    def __init__(self, *, explain: bool = False) -> None:
        """Make the judge.

        Args:
            explain: Whether to add columns with the explanation and the spans that gave it away.
        """
        self.columns: tuple[str, ...] = EXPLAIN_COLUMNS if explain else ()

    async def judge(self, item: Item, again: int = 0) -> Verdict:
        """Judge one item; the same item always gets the same verdict."""
        return self._judged(item)

    def judge_all(self, items: Sequence[Item]) -> list[Verdict]:
        """Judge several items; those that share their evidence are best side by side."""
        return [self._judged(item) for item in items]

    def _judged(self, item: Item) -> Verdict:
        verdict = judge_offline(item)
        if not self.columns:
            return verdict
        return Verdict(
            verdict.label,
            verdict.reason,
            verdict.p_hallucinated,
            verdict.raw,
            verdict.findings,
            {"explanation": verdict.raw, "unsupported_spans": spans_json(verdict, item)},
        )

    def record(self) -> dict[str, Any]:
        """Record the version: the verdicts depend on nothing else."""
        return {"version": __version__}


def spans_json(verdict: Verdict, item: Item) -> str:
    """Write a verdict's spans as JSON: start, end (code points), field, text, reason, proven."""
    return json.dumps(
        [
            {
                "start": finding.start,
                "end": finding.end,
                "field": finding.field,
                "text": getattr(item, finding.field)[finding.start : finding.end],
                "reason": finding.reason,
                "proven": finding.proven,
            }
            for finding in verdict.findings
        ],
        ensure_ascii=False,
    )
