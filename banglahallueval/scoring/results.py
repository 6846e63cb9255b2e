"""All scores of labelled rows."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from banglahallueval.scoring.agreement import Agreement, agreement, votes_of
from banglahallueval.scoring.bootstrap import Resamples
from banglahallueval.scoring.calibration import Calibration, calibrate
from banglahallueval.scoring.compare import Comparison, compare
from banglahallueval.scoring.load import Labelled
from banglahallueval.scoring.rates import Bools, Rate, Scores, mean_bhs, score, track_kinds
from banglahallueval.tasks import TASKS

TaskSystem = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Results:
    """Everything computed from labelled rows.

    Attributes:
        labelled: The rows.
        scores: Per task and judge; unknown is a miss on candidates and no alarm on main.
        without_unknown: The same without unknown rows; only where there are any.
        means: Per judge with BHS on several tasks: its mean, and the tasks.
        comparisons: All pairs of judges within a task.
        calibrations: Per task and judge whose files hold p_hallucinated.
        agreements: Per task with several judges.
    """

    labelled: Labelled
    scores: dict[TaskSystem, Scores]
    without_unknown: dict[TaskSystem, Scores]
    means: dict[str, tuple[Rate, tuple[str, ...]]]
    comparisons: list[Comparison]
    calibrations: dict[TaskSystem, Calibration]
    agreements: dict[str, Agreement]


def results(labelled: Labelled) -> Results:
    """Score labelled rows."""
    scores: dict[TaskSystem, Scores] = {}
    without: dict[TaskSystem, Scores] = {}
    calibrations: dict[TaskSystem, Calibration] = {}
    agreements: dict[str, Agreement] = {}
    for task in TASKS:
        rows = labelled.rows[labelled.rows["task"] == task]
        if rows.empty:
            continue
        for name, group in rows.groupby("system", sort=False):
            at = (str(task), str(name))
            scores[at] = _score(group)
            known = group[group["label"] != "unknown"]
            if len(known) < len(group):
                without[at] = _score(known)
            found = calibrate(
                group["p"].to_numpy(),
                _candidate(group),
                group["label"].to_numpy(),
                group["source"].to_numpy(),
            )
            if found:
                calibrations[at] = found
        if rows["system"].nunique() > 1:
            draws = Resamples(rows["source"].to_numpy(), track_kinds(_candidate(rows)))
            agreements[str(task)] = agreement(*votes_of(rows), draws)
    return Results(
        labelled,
        scores,
        without,
        _means(scores),
        compare(labelled.rows),
        calibrations,
        agreements,
    )


def _candidate(rows: pd.DataFrame) -> Bools:
    return rows["track"].eq("candidates").to_numpy()


def _score(rows: pd.DataFrame) -> Scores:
    yes = rows["label"].eq("yes").to_numpy()
    return score(_candidate(rows), yes, rows["source"].to_numpy())


def _means(scores: dict[TaskSystem, Scores]) -> dict[str, tuple[Rate, tuple[str, ...]]]:
    by_system: dict[str, dict[str, Scores]] = {}
    for (task, system), found in scores.items():
        if found.bhs.rows:
            by_system.setdefault(system, {})[task] = found
    return {
        system: (mean_bhs(list(of.values())), tuple(of))
        for system, of in by_system.items()
        if len(of) > 1
    }
