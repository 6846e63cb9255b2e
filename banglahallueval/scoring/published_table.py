"""The place of judges among the published ones, of those that judged the published rows."""

from __future__ import annotations

import pandas as pd

from banglahallueval.scoring.published import published
from banglahallueval.scoring.published_rows import published_files, why_not_published
from banglahallueval.scoring.rates import Rate
from banglahallueval.scoring.results import Results
from banglahallueval.scoring.tables import ReportTable, interval_columns
from banglahallueval.tasks import TASKS

_ORDER: dict[str, int] = {task: number for number, task in enumerate(TASKS)}
_THIS_RUN = " (this run)"
_NOTE = (
    "Published figures: whole files, each judge with its own prompt; a difference may be the "
    "prompt's or the rows', not the judge's. Their intervals are Wilson's over rows, whose "
    "sources are not known, so too narrow where rows share sources. A judge has a rank only if it "
    "labelled the published rows of both tracks."
)


def published_table(found: Results) -> ReportTable:
    """Make the table of the published judges, and of the judges that labelled the same rows.

    Whoever labelled other rows, a part of them or a sample has no rank: the note says why.
    """
    known = published_files()
    of = dict(iter(found.labelled.rows.groupby(["task", "system"], sort=False)))
    why = {at: why_not_published(of[at], known) for at in found.scores}
    made = [
        _row(task, f"{judge}{_THIS_RUN}", each.bhs, each.detection, each.false_alarms, "")
        for (task, judge), each in found.scores.items()
        if not why[task, judge]
    ]
    for other in published():
        if other.task in {task for task, _ in found.scores}:
            caveat = other.caveat if other.comparable else f"not comparable: {other.caveat}"
            bhs = Rate(other.bhs, float("nan"), float("nan"), 0)
            made.append(
                _row(other.task, other.judge, bhs, other.detection, other.false_alarms, caveat)
            )
    frame = pd.DataFrame(made)
    frame.insert(2, "rank", frame.groupby("task")["bhs"].rank(method="min").astype("Int64"))
    frame = frame.astype({"candidates": "Int64", "main": "Int64"})
    frame["order"] = frame["task"].map(_ORDER)
    frame = frame.sort_values(["order", "bhs"], kind="stable", ignore_index=True)
    return ReportTable(
        "against_published",
        "Among the published judges",
        frame.drop(columns="order"),
        " ".join((_NOTE, *_unranked(why))),
        ("task", "judge", "rank", "bhs", "detection", "false_alarms", "caveat"),
    )


def _unranked(why: dict[tuple[str, str], str]) -> list[str]:
    """Say which judges have no rank, and why, those with one reason together."""
    judges: dict[tuple[str, str], list[str]] = {}
    for (task, judge), reason in why.items():
        if reason:
            judges.setdefault((task, reason), []).append(judge)
    return [
        f"Not ranked on {task}: {', '.join(names)}, because {reason}."
        for (task, reason), names in judges.items()
    ]


def _row(
    task: str, judge: str, bhs: Rate, detection: Rate, false_alarms: Rate, caveat: str
) -> dict[str, object]:
    return {
        "task": task,
        "judge": judge,
        **interval_columns("bhs", bhs),
        **interval_columns("detection", detection),
        **interval_columns("false_alarms", false_alarms),
        # Of rates that are not published, the rows are not known either.
        "candidates": detection.rows or None,
        "main": false_alarms.rows or None,
        "caveat": caveat,
    }
