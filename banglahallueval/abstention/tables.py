"""Tables of an evaluation, for its own report and for the page of all results."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

import pandas as pd

from banglahallueval.abstention.findings import Findings
from banglahallueval.abstention.intervals import LEAST_SOURCES, METHODS
from banglahallueval.abstention.metrics import Metrics
from banglahallueval.scoring.clustered import Measure
from banglahallueval.scoring.tables import ReportTable, interval_columns


def all_tables(found: Findings, *, of_judge: bool = False) -> list[ReportTable]:
    """Make the tables; those without rows are left out.

    Args:
        found: What an evaluation found.
        of_judge: Whether its answers are a judge's verdicts: a wrong one is no hallucination, and
            SimpleQA's figures are of answers to questions.
    """
    made = [
        summary(found.metrics, of_judge=of_judge),
        _unanswerable(found.metrics),
        *([] if of_judge else [_simpleqa(found.metrics)]),
        _confidences(found.metrics),
        subjects(found),
        ReportTable(
            "missing",
            "Without a reply or a grade",
            pd.DataFrame(found.missing, columns=["outcome", "reason", "trials"]),
            "They count in no figure above.",
        ),
    ]
    return [table for table in made if len(table.frame)]


def summary(metrics: Sequence[Metrics], *, of_judge: bool = False) -> ReportTable:
    """Make the table of what gemini-hallcheck reports, at each threshold."""
    wrong, shares = (
        ("wrong_verdicts", "Accuracy and wrong verdicts are shares of the verdicts given")
        if of_judge
        else (
            "hallucination_rate",
            "Accuracy and hallucination rate are shares of the answers given",
        )
    )
    shares_sources = any(each.sources < each.n for each in metrics)
    return ReportTable(
        "summary",
        "Summary",
        _frame(
            {
                "t": f"{each.t:g}",
                "n": each.n,
                **({"sources": each.sources} if shares_sources else {}),
                **interval_columns("coverage", each.coverage),
                **interval_columns("accuracy", each.accuracy),
                **interval_columns(wrong, each.hallucination),
                **interval_columns("mean_score", each.score),
                "no_reply": each.no_reply,
                "ungraded": each.ungraded,
            }
            for each in metrics
        ),
        f"{shares}, – where there is none. "
        "Score: 1 for a right answer, −t/(1−t) for a wrong one, 0 for abstaining. n leaves out "
        f"what has no reply or no grade. {METHODS}",
    )


def subjects(found: Findings) -> ReportTable:
    """Make the table of subjects and thresholds."""

    def columns(name: str, figure: Measure, sources: int) -> dict[str, float]:
        is_enough = sources >= LEAST_SOURCES
        return interval_columns(
            name, figure if is_enough else replace(figure, low=math.nan, high=math.nan)
        )

    return ReportTable(
        "subjects",
        "By subject",
        _frame(
            {
                "subject": subject or "(none)",
                "t": f"{each.t:g}",
                "n": each.n,
                "sources": each.sources,
                **columns("coverage", each.coverage, each.sources),
                **columns("accuracy", each.accuracy, each.sources),
                **columns("mean_score", each.score, each.sources),
                "no_reply": each.no_reply,
                "ungraded": each.ungraded,
            }
            for subject, metrics in found.subjects.items()
            for each in metrics
        ),
        f"Intervals are left out where the n questions have fewer than {LEAST_SOURCES} sources; "
        "a question without a source stands alone.",
    )


def _unanswerable(metrics: Sequence[Metrics]) -> ReportTable:
    return ReportTable(
        "unanswerable",
        "Unanswerable questions",
        _frame(
            {
                "t": f"{each.t:g}",
                "unanswerable": each.unanswerable,
                **interval_columns("precision", each.precision),
                **interval_columns("recall", each.recall),
                **interval_columns("f1", each.f1),
                "answerable": each.answerable,
                **interval_columns("answerable_coverage", each.answerable_coverage),
                **interval_columns("answerable_accuracy", each.answerable_accuracy),
            }
            for each in metrics
            if each.unanswerable
        ),
        "Precision: share of abstentions that are on unanswerable questions. Recall: share of "
        "these abstained on. Any answer to them is wrong; abstaining scores 0.",
    )


def _simpleqa(metrics: Sequence[Metrics]) -> ReportTable:
    return ReportTable(
        "simpleqa",
        "As SimpleQA counts",
        _frame(
            {
                "t": f"{each.t:g}",
                "correct": each.correct_share.value,
                "incorrect": each.hallucination_overall.value,
                "not_attempted": each.not_attempted,
                "accuracy_given_attempted": each.accuracy.value,
                **interval_columns("f", each.f),
            }
            for each in metrics
        ),
        "Shares of all questions; F is the harmonic mean of correct and accuracy given attempted.",
    )


def _confidences(metrics: Sequence[Metrics]) -> ReportTable:
    return ReportTable(
        "confidences",
        "What confidences are worth",
        _frame(
            {"t": f"{each.t:g}", **asdict(each.ranking)} for each in metrics if each.ranking
        ).rename(columns={"rows": "answers"}),
        "Of answers that have a confidence. ECE, MCE: 15 equal-width bins. AURC: area under risk "
        "over coverage, in steps, ties as one point; E-AURC: above the best order of the same "
        "answers (asymptotic: of endlessly many); AUGRC: under wrong answers as a share of all. "
        "Trapezoid: the same by trapezoids, which other tools report.",
    )


def _frame(rows: Iterable[dict[str, object]]) -> pd.DataFrame:
    return pd.DataFrame(list(rows))
