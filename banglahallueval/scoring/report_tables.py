"""Tables of the results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict

import numpy as np
import pandas as pd

from banglahallueval.io.paths import short
from banglahallueval.scoring.agreement import Agreement
from banglahallueval.scoring.backwards import backwards
from banglahallueval.scoring.compare import Comparison
from banglahallueval.scoring.costs import cost_table
from banglahallueval.scoring.labelled_rows import LabelledSource
from banglahallueval.scoring.published_table import published_table
from banglahallueval.scoring.rates import Scores, clustered_rate
from banglahallueval.scoring.results import Results, TaskSystem
from banglahallueval.scoring.tables import ReportTable, interval_columns
from banglahallueval.tasks import TASKS

_ORDER: dict[str, int] = {task: number for number, task in enumerate(TASKS)}

Row = dict[str, object]  # one row of a table: cells by column


def overview(found: Results, *, against_published: bool = False) -> list[ReportTable]:
    """Make the tables of results; those without rows are left out."""
    made = [
        *_score_tables(found),
        *([published_table(found)] if against_published else []),
        *_row_tables(found),
        *_pair_tables(found),
        cost_table(found.labelled),
        ReportTable(
            "files",
            "Files read",
            _frame(file_rows(found.labelled.files)),
            printed=("file", "task", "track", "judge", "rows"),
        ),
    ]
    return [table for table in made if len(table.frame)]


def _frame(rows: Iterable[Row]) -> pd.DataFrame:
    return pd.DataFrame(list(rows))


def _score_tables(found: Results) -> list[ReportTable]:
    return [
        ReportTable(
            "scores",
            "Scores",
            _frame(_score_rows(found, found.scores)),
            "BHS = ½ · (false alarms + misses) · 100, lower is better. Unknown is a miss on "
            "candidates and no alarm on main. [95 % interval]: clustered by source. Precision, F1 "
            "and MCC depend on the share of candidates.",
            ("task", "judge", "bhs", "detection", "false_alarms", "main", "candidates", "unknown"),
        ),
        ReportTable(
            "means",
            "Mean over tasks",
            _frame(_mean_rows(found)),
            "Of the tasks with both tracks, each weighing the same; compare judges with the same "
            "tasks only.",
        ),
    ]


def _row_tables(found: Results) -> list[ReportTable]:
    rows = found.labelled.rows
    return [
        ReportTable(
            "without_unknown",
            "Scores without unknown rows",
            _frame(_score_rows(found, found.without_unknown)),
            "Only judges that have unknown rows; of these, what they did label.",
        ),
        ReportTable(
            "by_pattern",
            "Detection by pattern",
            _frame(_pattern_rows(rows)),
            "Intrinsic in summarization is what the field calls extrinsic: it adds what the "
            "document does not say."
            if rows["pattern"].eq("Intrinsic").any()
            else "",
        ),
        ReportTable("unknown", "Unknown rows by reason", _frame(_unknown_rows(rows))),
    ]


def _pair_tables(found: Results) -> list[ReportTable]:
    calibrations = found.calibrations.items()
    return [
        ReportTable(
            "comparisons",
            "Judges compared on the rows both labelled",
            _frame(_comparison_rows(found.comparisons)),
            "BHS difference: a minus b, below 0 if a is better. bhs p: of no difference in BHS, "
            "clustered by source; mcnemar p: exact, on rows; holm: corrected over all pairs here. "
            "only_a, only_b: rows the other judge's files lack, left out.",
            ("task", "a", "b", "rows", "bhs_difference", "bhs_holm", "mcnemar_holm"),
        ),
        ReportTable(
            "calibration",
            "p_hallucinated",
            _frame({"task": task, "judge": name, **asdict(c)} for (task, name), c in calibrations),
            " ".join(
                (
                    "Over rows that have it. Average precision, Brier and ECE depend on the share "
                    f"of candidates: {_shares_of_candidates(found)}, as in these rows; ece "
                    "balanced weighs both tracks equally, as if half were candidates. gain: how "
                    "much BHS falls with a threshold fitted on other sources (5 folds).",
                    *backwards(found),
                )
            ),
        ),
        ReportTable(
            "agreement",
            "Agreement among judges",
            _frame(_agreement_rows(found.agreements)),
            "Fleiss' κ, exact and unanimous: over rows that every judge labelled yes or no; "
            "Krippendorff's α: over all that two did.",
        ),
        ReportTable(
            "kappas",
            "Agreement of each two judges (Cohen's κ)",
            _frame(_kappa_rows(found.agreements)),
        ),
    ]


def _shares_of_candidates(found: Results) -> str:
    shares = {round(100 * each.candidates / each.rows) for each in found.calibrations.values()}
    return f"{' to '.join(map(str, sorted({min(shares), max(shares)})))} %" if shares else ""


def _score_rows(found: Results, scores: dict[TaskSystem, Scores]) -> Iterator[Row]:
    rows = found.labelled.rows
    prompts = rows.groupby(["task", "system"])["prompt"].first()
    unknown = rows["label"].eq("unknown").groupby([rows["task"], rows["system"]]).mean()
    for (task, system), each in sorted(
        scores.items(),
        key=lambda pair: (_ORDER[pair[0][0]], np.nan_to_num(pair[1].bhs.value, nan=101)),
    ):
        yield {
            "task": task,
            "judge": system,
            "prompt": prompts[task, system],
            "main": each.false_alarms.rows,
            "candidates": each.detection.rows,
            **interval_columns("bhs", each.bhs),
            **interval_columns("detection", each.detection),
            **interval_columns("false_alarms", each.false_alarms),
            "precision": each.precision,
            "recall": each.detection.value,
            "f1": each.f1,
            "balanced_accuracy": each.balanced_accuracy,
            "mcc": each.mcc,
            "unknown": unknown[task, system] if scores is found.scores else 0.0,
        }


def _mean_rows(found: Results) -> Iterator[Row]:
    for system, (mean, tasks) in sorted(found.means.items(), key=lambda pair: pair[1][0].value):
        of = [found.scores[task, system] for task in tasks]
        yield {
            "judge": system,
            "tasks": ", ".join(tasks),
            "main": sum(each.false_alarms.rows for each in of),
            "candidates": sum(each.detection.rows for each in of),
            **interval_columns("bhs", mean),
            "detection": float(np.mean([each.detection.value for each in of])),
            "false_alarms": float(np.mean([each.false_alarms.value for each in of])),
        }


def _pattern_rows(rows: pd.DataFrame) -> Iterator[Row]:
    candidates = rows[rows["track"].eq("candidates") & rows["pattern"].ne("")]
    for (task, pattern, system), group in candidates.groupby(
        ["task", "pattern", "system"], sort=False
    ):
        rate = clustered_rate(group["label"].eq("yes"), group["source"])
        yield {
            "task": task,
            "pattern": pattern,
            "judge": system,
            "candidates": rate.rows,
            **interval_columns("detection", rate),
        }


def _unknown_rows(rows: pd.DataFrame) -> Iterator[Row]:
    for (task, system, track), group in rows.groupby(["task", "system", "track"], sort=False):
        reasons = group.loc[group["label"].eq("unknown"), "reason"].value_counts()
        for reason, count in reasons.items():
            yield {
                "task": task,
                "judge": system,
                "track": track,
                "reason": reason,
                "rows": int(count),
                "share": int(count) / len(group),
            }


def _comparison_rows(comparisons: list[Comparison]) -> Iterator[Row]:
    for each in comparisons:
        yield {
            "task": each.task,
            "a": each.a,
            "b": each.b,
            "rows": each.rows,
            "only_a": each.only_a,
            "only_b": each.only_b,
            **interval_columns("bhs_difference", each.difference),
            "bhs_p": each.bhs_p,
            "bhs_holm": each.bhs_holm,
            "a_right": each.a_right,
            "b_right": each.b_right,
            "mcnemar_p": each.mcnemar_p,
            "mcnemar_holm": each.mcnemar_holm,
        }


def _agreement_rows(agreements: dict[str, Agreement]) -> Iterator[Row]:
    for task, each in agreements.items():
        yield {
            "task": task,
            "rows": each.items,
            "complete": each.complete,
            **interval_columns("fleiss_kappa", each.fleiss),
            **interval_columns("krippendorff_alpha", each.alpha),
            "exact": each.exact,
            "unanimous": each.unanimous,
        }


def _kappa_rows(agreements: dict[str, Agreement]) -> Iterator[Row]:
    for task, each in agreements.items():
        for (a, b), kappa in each.pairs.items():
            yield {
                "task": task,
                "a": a,
                "b": b,
                "rows": kappa.rows,
                **interval_columns("kappa", kappa),
            }


def file_rows(files: Iterable[LabelledSource]) -> Iterator[Row]:
    """Make a row of each file that was read."""
    for each in files:
        yield {
            "file": short(each.path),
            "task": each.task,
            "track": each.track or "",
            "judge": each.judge,
            "prompt": each.prompt,
            "rows": each.rows,
            "recognised_by": each.how,
            "note": "; ".join(each.notes),
        }
