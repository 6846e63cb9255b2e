"""Tables of an evaluation, and the conventions that its figures follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from banglahallueval.scoring.tables import ReportTable, interval_columns
from banglahallueval.spans.evaluation.run import Evaluation
from banglahallueval.spans.results import UNKNOWN_LANGUAGE, DetectorScores, GroupScores

CONVENTIONS = (
    "IoU is that of the characters (code points) that gold and detector mark in an answer, "
    "averaged over answers. It is 1 where neither marks any: a clean answer left alone counts 1.",
    "AP is the average precision of the ranking of an answer's characters, averaged over answers. "
    "A clean answer has none to find and counts 0, whatever the detector does; "
    "AP without clean leaves these out.",
    "A detector that failed on an answer counts 0 there, clean or not.",
    "mark-all and mark-none mark every character and none: a detector that scores no higher has "
    "found nothing.",
    "Intervals are 95 % bootstrap intervals; answers of one source are drawn together.",
)
_MACRO = (
    "macro over languages is the mean of the languages' means, equally weighted; pooled is the "
    "mean over all answers."
)
_CORRELATION = (
    "correlation is Spearman's ρ of the detector's scores with the share of annotators who marked "
    "each character, as Mu-SHROOM computes it."
)


def all_tables(made: Evaluation) -> list[ReportTable]:
    """Make every table that there is something for; the summary comes first."""
    found = [
        _results(made),
        _thresholds(made),
        _failures(made),
        _agreement(made),
    ]
    return [table for table in found if len(table.frame)]


def conventions(made: Evaluation) -> tuple[str, ...]:
    """List the conventions that apply to the figures of an evaluation."""
    if not made.scores:
        return CONVENTIONS[:1]
    further = [_MACRO] * (len(made.languages) > 1) + [_CORRELATION] * has_soft_labels(made)
    return (*CONVENTIONS, *further)


def has_soft_labels(made: Evaluation) -> bool:
    """Whether correlation with soft labels is defined for any of the answers."""
    return any(sample.soft for sample in made.samples)


def groups(scores: DetectorScores) -> Iterator[GroupScores]:
    """List the groups of answers: all languages together where there are several, then each."""
    if len(scores.languages) > 1:
        yield scores.macro
        yield scores.pooled
    yield from scores.languages.values()


def _results(made: Evaluation) -> ReportTable:
    soft = has_soft_labels(made)
    by_group: dict[str, list[Mapping[str, Any]]] = {}
    for name, scores in made.scores.items():
        for group in groups(scores):
            by_group.setdefault(group.group, []).append(_row(name, group, soft=soft))
    rows = [row for of_group in by_group.values() for row in of_group]
    note = " ".join(conventions(made))
    return ReportTable("results", "Detectors of spans, by language", pd.DataFrame(rows), note)


def _row(name: str, group: GroupScores, *, soft: bool) -> Mapping[str, Any]:
    return {
        "language": group.group,
        "detector": name,
        "answers": group.answers,
        "clean": group.clean,
        "failed": group.failed,
        **interval_columns("iou", group.iou),
        **interval_columns("ap", group.ap),
        **interval_columns("ap_without_clean", group.ap_marked),
        **(interval_columns("correlation", group.correlation) if soft else {}),
    }


def _thresholds(made: Evaluation) -> ReportTable:
    rows = []
    for name, fitted in made.thresholds.items():
        for language in made.languages:
            threshold = fitted.get(language)
            rows.append(
                {
                    "detector": name,
                    "language": language or UNKNOWN_LANGUAGE,
                    "threshold": threshold.value if threshold else None,
                    "iou_where_fitted": threshold.iou if threshold else None,
                    "answers": threshold.answers if threshold else 0,
                }
            )
    note = (
        "Characters that score the threshold or more are marked. Where no answer has a result to "
        "fit one to, the detector's own spans count; one that has scores alone has no result there."
    )
    return ReportTable("thresholds", "Fitted thresholds", pd.DataFrame(rows), note)


def _failures(made: Evaluation) -> ReportTable:
    counted: Counter[tuple[str, str]] = Counter(
        (name, detection.failure)
        for name, detections in made.found.items()
        for detection in detections
        if detection.failure
    )
    rows: Sequence[Mapping[str, Any]] = [
        {"detector": name, "reason": reason, "answers": count}
        for (name, reason), count in counted.items()
    ]
    return ReportTable("failures", "Answers without a result", pd.DataFrame(rows))


def _agreement(made: Evaluation) -> ReportTable:
    rows = [
        {
            "one": each.one,
            "other": each.other,
            "answers": each.iou.rows,
            **interval_columns("iou", each.iou),
        }
        for each in made.agreement
    ]
    note = "union and intersection are what any, and what every, annotator marked."
    return ReportTable("agreement", "Agreement of annotators", pd.DataFrame(rows), note)
