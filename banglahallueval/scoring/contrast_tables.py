"""Tables of contrast sets, and their section of the page of results."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from banglahallueval.io.paths import short
from banglahallueval.scoring.clustered import UNDEFINED, Measure
from banglahallueval.scoring.contrast import (
    LEAST,
    SPLITS,
    ContrastResult,
    ContrastScores,
    contrast_results,
)
from banglahallueval.scoring.contrast_rows import NO_SPLIT
from banglahallueval.scoring.load import Labelled
from banglahallueval.scoring.report_tables import Row, file_rows
from banglahallueval.scoring.sections import Section
from banglahallueval.scoring.tables import ReportTable, interval_columns
from banglahallueval.tasks import TASKS

_HEADLINE = ("measure", NO_SPLIT)
_CHANCE = 50
_ORDER: dict[str, int] = {task: number for number, task in enumerate(TASKS)}


def contrast_tables(contrast: Labelled) -> list[ReportTable]:
    """Make the tables of labelled contrast sets; those without rows are left out."""
    return _tables(contrast, _ordered(contrast))


def _ordered(contrast: Labelled) -> list[ContrastResult]:
    """Score the sets, and order the scores by task, split and BHS."""
    return sorted(
        contrast_results(contrast.rows),
        key=lambda each: (_ORDER[each.task], SPLITS.index(each.split), each.scores.bhs.value),
    )


def _tables(contrast: Labelled, found: Sequence[ContrastResult]) -> list[ReportTable]:
    made = [
        ReportTable(
            "contrast",
            "Contrast sets",
            pd.DataFrame([_score_row(each) for each in found if each.split in _HEADLINE]),
            "Right and wrong outputs are worded alike, so only their content tells them apart: who "
            "goes by words or length alone has BHS 50 (chance). Figures are those of the split "
            "measure, on which nothing may be fitted, or of all rows of a set without splits. "
            "Style gap: the alarms on right outputs in the style with the most minus those in the "
            f"style with the fewest (of styles with at least {LEAST}), and its interval that of "
            "the difference between these two; by chance: the gap of a judge that ignores style. "
            "Unknown is a miss on wrong outputs and no alarm on right ones. [95 % interval]: "
            "clustered by source.",
        ),
        ReportTable(
            "contrast_splits",
            "Contrast sets: the other splits",
            pd.DataFrame([_score_row(each) for each in found if each.split not in _HEADLINE]),
            "On fit a judge's weights and word lists may have been chosen; both takes fit and "
            "measure together.",
        ),
        ReportTable(
            "contrast_by_style",
            "Contrast sets: alarms on right outputs by style",
            _share_frame(found, "style", lambda scores: scores.by_style),
            "Share of right outputs judged yes, in each split; n: right outputs.",
        ),
        ReportTable(
            "contrast_by_kind",
            "Contrast sets: detection by kind",
            _share_frame(found, "kind", lambda scores: scores.by_kind),
            "Share of wrong outputs judged yes, in each split; n: wrong outputs.",
        ),
        ReportTable(
            "contrast_files",
            "Contrast sets read",
            pd.DataFrame(list(file_rows(contrast.files))).drop(columns="track"),
        ),
    ]
    return [table for table in made if len(table.frame)]


def contrast_section(contrast: Labelled) -> Section:
    """Make the page's section on labelled contrast sets."""
    found = _ordered(contrast)
    return Section(
        title="Contrast sets",
        output=", ".join(short(source.path) for source in contrast.files),
        tables=_tables(contrast, found),
        figures=[],
        sentences=[
            *(_sentence(each) for each in found if each.split in _HEADLINE),
            *contrast.notes,
        ],
        record={short(source.path): source.record for source in contrast.files if source.record},
    )


def _score_row(result: ContrastResult) -> Row:
    scores = result.scores
    return {
        "task": result.task,
        "judge": result.judge,
        "prompt": result.prompt,
        "split": result.split,
        "sources": scores.sources,
        "right": scores.false_alarms.rows,
        "wrong": scores.detection.rows,
        **interval_columns("bhs", scores.bhs),
        "chance": _CHANCE,
        **interval_columns("false_alarms", scores.false_alarms),
        **interval_columns("detection", scores.detection),
        **interval_columns("style_gap", scores.style_gap.gap),
        "style_gap_by_chance": scores.style_gap.by_chance,
        "fewest_alarms": scores.style_gap.least,
        "most_alarms": scores.style_gap.most,
        "unknown": scores.unknown.value,
    }


def _share_frame(
    found: Sequence[ContrastResult],
    name: str,
    shares: Callable[[ContrastScores], Mapping[str, Measure]],
) -> pd.DataFrame:
    """Put the splits of a share side by side, one row per task, judge and style or kind."""
    splits = [split for split in SPLITS if any(each.split == split for each in found)]
    by_judge: dict[tuple[str, str], dict[str, Mapping[str, Measure]]] = {}
    for each in found:
        of_judge = by_judge.setdefault((each.task, each.judge), {})
        of_judge[each.split] = shares(each.scores)
    return pd.DataFrame(
        {"task": task, "judge": judge, name: value, **_split_columns(of_splits, splits, value)}
        for (task, judge), of_splits in by_judge.items()
        for value in sorted({value for split in of_splits.values() for value in split})
    )


def _split_columns(
    of_splits: Mapping[str, Mapping[str, Measure]], splits: Sequence[str], value: str
) -> Row:
    columns: Row = {}
    for split in splits:
        share = of_splits.get(split, {}).get(value, UNDEFINED)
        column = split.replace(" ", "_")
        columns |= {f"{column}_n": share.rows, **interval_columns(column, share)}
    return columns


def _sentence(result: ContrastResult) -> str:
    where = "" if result.split == NO_SPLIT else f" ({result.split})"
    bhs, gap = result.scores.bhs, result.scores.style_gap
    text = (
        f"{result.judge} on {result.task}{where}: BHS {bhs.value:.1f} "
        f"[{bhs.low:.1f}, {bhs.high:.1f}], where chance is {_CHANCE}"
    )
    if math.isnan(gap.gap.value):
        return f"{text}."
    text += f"; style gap {100 * gap.gap.value:.0f} points ({100 * gap.by_chance:.0f} by chance)"
    if not gap.most:
        return f"{text}."
    return f"{text}, with the fewest alarms in the style {gap.least} and the most in {gap.most}."
