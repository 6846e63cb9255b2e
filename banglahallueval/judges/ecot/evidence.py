"""What an item is judged against: its context, or what a reasoning judge is given besides it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from banglahallueval.judges.arithmetic import check_chain, judge_item
from banglahallueval.judges.arithmetic.judge import describe
from banglahallueval.tasks import TASKS, Item

# gold: a right solution, as published; on main that is the text under judgement itself.
# problem: the problem, and the calculations of the solution as exact arithmetic finds them.
# none: the problem alone, with nothing that a citation could be checked against.
Evidence = Literal["problem", "gold", "none"]
DEFAULT_EVIDENCE: Evidence = "problem"
EVIDENCE: tuple[Evidence, ...] = ("problem", "gold", "none")

GOLD_ON_MAIN = (
    "with --evidence gold the evidence of the main track is the text under judgement, so its "
    "false alarms, and BHS with them, are not meaningful"
)
_NONE = "(none is given: check every step against the problem yourself)"


def with_evidence(item: Item, evidence: Evidence) -> Item:
    """Return the item as the prompt shows it; only reasoning gets more than its texts."""
    if not TASKS[item.task].is_chain or evidence == "gold":
        return item
    return replace(item, reference=findings(item) if evidence == "problem" else _NONE)


def sources(item: Item, evidence: Evidence) -> Mapping[str, str]:
    """List the texts that a citation may come from, by name; none without evidence."""
    task = TASKS[item.task]
    if task.is_chain:
        if evidence == "none":
            return {}
        return {"question": item.question, "evidence": item.reference}
    return {next(iter(task.roles)): item.context}


def findings(item: Item) -> str:
    """Describe what the arithmetic judge finds in a chain; never give the solution."""
    report = check_chain(item.output)
    lines = []
    for step in report.steps:
        if step.ok:
            lines.append(f"right: {_one_line(step.expression)} = {_one_line(step.stated)}")
        else:
            lines.append(f"wrong: {describe(step)}")
    proven = {describe(step) for step in report.faults}
    suspicions = [f.reason for f in judge_item(item).findings if f.reason not in proven]
    lines += [f"doubtful: {reason}" for reason in suspicions]
    if not lines:
        return "(exact arithmetic found no calculation to check in the solution)"
    numbered = [f"{n}. {line}" for n, line in enumerate(dict.fromkeys(lines), 1)]
    return "\n".join(["Calculations of the solution, checked by exact arithmetic:", *numbered])


def _one_line(text: str) -> str:
    return " ".join(text.split())
