"""What to take from the figures of errors: which way judges err, on what, and where they fail."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from banglahallueval.scoring.rates import Scores
from banglahallueval.scoring.results import Results
from banglahallueval.scoring.shares import WeightedSum, share_of_rows
from banglahallueval.tasks import TASKS

_LEVEL = 0.05  # p below which a difference is beyond chance

_LEANS = {
    -1: "misses are the more frequent error",
    0: "neither error is clearly the more frequent",
    1: "false alarms are the more frequent error",
}


def error_words(found: Results) -> Iterator[str]:
    """Say per task which judges err mostly by missing, and which by false alarms."""
    for task in TASKS:
        of_task = {
            judge: scores
            for (at, judge), scores in found.scores.items()
            if at == task and scores.bhs.rows
        }
        if len(of_task) == 1:
            ((judge, scores),) = of_task.items()
            yield (
                f"{task}: {judge} misses {_percent(1 - scores.detection.value)} of hallucinated "
                f"outputs and alarms on {_percent(scores.false_alarms.value)} of right ones; "
                f"{_LEANS[_lean(scores)]}."
            )
        elif of_task:
            leans: dict[int, list[str]] = {}
            for judge, scores in of_task.items():
                leans.setdefault(_lean(scores), []).append(judge)
            yield (
                f"{task}: "
                + "; ".join(f"{', '.join(leans[way])}: {_LEANS[way]}" for way in sorted(leans))
                + "."
            )


def _lean(scores: Scores) -> int:
    """-1 if misses are the more frequent error, 1 if false alarms, 0 where intervals overlap."""
    if 1 - scores.detection.high > scores.false_alarms.high:
        return -1
    return 1 if scores.false_alarms.low > 1 - scores.detection.low else 0


def pattern_words(found: Results) -> Iterator[str]:
    """Say per task which pattern is found least and most, averaged over the judges."""
    rows = found.labelled.rows
    rows = rows[rows["track"].eq("candidates") & rows["pattern"].ne("")]
    rows = rows.assign(yes=rows["label"].eq("yes"))
    for task in TASKS:
        of_task = rows[rows["task"].eq(task)]
        by_judge = of_task.groupby(["pattern", "system"])["yes"].mean()
        shares = by_judge.groupby("pattern").mean().sort_values()
        if len(shares) < 2:
            continue
        least, most = str(shares.index[0]), str(shares.index[-1])
        if shares[least] == shares[most]:
            yield f"{task}: all patterns are found equally often ({_percent(shares[least])})."
            continue
        whose = "" if of_task["system"].nunique() == 1 else ", mean over judges"
        said = (
            f"{task}: {least} is found least ({_percent(shares[least])}{whose}), {most} most "
            f"({_percent(shares[most])})"
        )
        pairs = len(shares) * (len(shares) - 1) // 2
        if not pairs * _p_of_difference(of_task, most, least) < _LEVEL:
            rows_of = int(of_task.groupby(["pattern", "system"]).size().min())
            said += f"; with {rows_of:,} rows of a pattern that may be chance"
        yield f"{said}."


def _p_of_difference(rows: pd.DataFrame, most: str, least: str) -> float:
    """Compute the p of two patterns being found equally often, as means over the judges.

    Judges see the same rows, and sources have rows of both patterns; both are taken into account.
    """
    _, at = np.unique(rows["source"].astype(str), return_inverse=True)
    parts = []
    for pattern, sign in ((most, 1), (least, -1)):
        of_pattern = rows["pattern"].eq(pattern)
        judges = rows["system"][of_pattern].unique()
        for judge in judges:
            among = of_pattern & rows["system"].eq(judge)
            parts.append((sign / len(judges), share_of_rows(at, among & rows["yes"], among)))
    return WeightedSum(parts).p_of_zero()


def unknown_words(found: Results) -> Iterator[str]:
    """Say who left most rows without a verdict, and why."""
    rows = found.labelled.rows
    unknown = rows[rows["label"].eq("unknown")]
    if unknown.empty:
        return
    shares = (unknown.groupby("system").size() / rows.groupby("system").size()).dropna()
    judge = str(shares.idxmax())
    own = unknown[unknown["system"].eq(judge)]
    reason = own["reason"].value_counts().index[0]
    yield (
        f"{judge} leaves {_percent(shares[judge], 1)} of its rows without a verdict"
        f"{', the most of all judges' if rows['system'].nunique() > 1 else ''}, mostly for the "
        f"reason “{reason}”. Such a row counts as a miss on candidates and as no alarm on main."
    )


def _percent(share: float, places: int = 0) -> str:
    return f"{100 * share:.{places}f} %"
