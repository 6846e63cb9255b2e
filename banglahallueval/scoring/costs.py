"""What labels cost, by the run records beside their files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from banglahallueval.scoring.load import Labelled
from banglahallueval.scoring.tables import ReportTable
from banglahallueval.tasks import TASKS, TaskName


@dataclass(frozen=True, slots=True)
class Cost:
    """What the labels of a judge on a task cost.

    Attributes:
        task, system: Whose.
        rows: Rows whose record tells their cost.
        prompt_tokens, completion_tokens: Of all replies that these rows rest on, those that came
            from the store among them.
        usd: Their list price in US dollars; None where it is not known.
    """

    task: TaskName
    system: str
    rows: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None

    def __add__(self, other: Cost) -> Cost:
        """Add another file of the same judge and task."""
        return Cost(
            self.task,
            self.system,
            self.rows + other.rows,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            _sum(self.usd, other.usd),
        )


def costs(labelled: Labelled) -> Iterator[Cost]:
    """Sum up the costs per task and judge; judges that asked no model have none."""
    systems = labelled.rows.groupby("file")["system"].first()
    found: dict[tuple[str, str], Cost] = {}
    for number, source in enumerate(labelled.files):
        runs = [replies for run in source.record.get("runs", ()) if (replies := _replies(run))]
        # A run whose record does not tell its replies would make all of them look cheaper.
        if not runs or len(runs) < sum("asked" in run for run in source.record["runs"]):
            continue
        cost = Cost(source.task, str(systems[number]), source.rows, 0, 0, 0.0)
        for replies in runs:
            cost += Cost(
                source.task,
                cost.system,
                0,
                replies["prompt_tokens"],
                replies["completion_tokens"],
                replies["cost_usd"],
            )
        at = (cost.task, cost.system)
        found[at] = found[at] + cost if at in found else cost
    yield from found.values()


def cost_table(labelled: Labelled) -> ReportTable:
    """Make the table of costs per 1,000 labelled rows, in the order of the tasks."""
    order = list(TASKS)
    found = sorted(costs(labelled), key=lambda cost: order.index(cost.task))
    return ReportTable(
        "costs",
        "Cost per 1,000 rows",
        pd.DataFrame([_row(each, 1000 / each.rows) for each in found]),
        "By the run records, at list price: all replies that the labels rest on, as if each had "
        "been asked for once; a panel costs what its members do. Models on one's own hardware cost "
        "nothing here.",
    )


def _row(each: Cost, scale: float) -> dict[str, object]:
    return {
        "task": each.task,
        "judge": each.system,
        "rows": each.rows,
        "prompt_tokens_per_1000": round(each.prompt_tokens * scale),
        "completion_tokens_per_1000": round(each.completion_tokens * scale),
        "usd_per_1000": float("nan") if each.usd is None else each.usd * scale,
    }


def _replies(run: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Find what a run's rows rest on; None where it asked no model, or nothing tells it."""
    if "replies" in run:
        replies: Mapping[str, Any] = run["replies"]
        return replies
    # Records of earlier versions tell the tokens of what was asked only.
    return run if run.get("asked") and not run.get("from_store") else None


def _sum(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a + b
