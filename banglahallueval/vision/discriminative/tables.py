"""Tables of an evaluation, for its own report and for the page of all results."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd
from tabulate import tabulate

from banglahallueval.scoring.clustered import Measure
from banglahallueval.scoring.tables import ReportTable, interval_columns
from banglahallueval.vision.discriminative.confusion import Confusion, confuse
from banglahallueval.vision.discriminative.metrics import (
    FIGURES,
    MACRO,
    ONCE,
    POOLED,
    Group,
    Scoring,
    counted,
    reasons,
    score,
)
from banglahallueval.vision.discriminative.naming import TYPE_LABELS
from banglahallueval.vision.discriminative.results import Result, answers
from banglahallueval.vision.prompts import Ask
from banglahallueval.vision.types import KINDS

INTERVALS: Final = (
    "[95 % interval]: bootstrap that draws pictures with all their captions (10,000 draws), and "
    "Wilson's bound where all pictures agree."
)
_WIDTH: Final = 100
_POSITIVE: Final = {
    "matches": "the caption matches its picture (yes), as Hal-Eval publishes",
    "hallucination": "the caption is hallucinated (no)",
}
_BRIEF_NAMES: Final = {POOLED: "pooled", ONCE: "once"}
_UNPARSED: Final = {
    "drop": "replies without a readable answer count in the share of yes alone",
    "wrong": "replies without a readable answer count as wrong",
}


@dataclass(frozen=True, slots=True)
class Findings:
    """What an evaluation found.

    Attributes:
        ask: What was asked.
        scoring: What is counted how.
        wording: How it was asked, in words: prompt, language, with or without the picture.
        results: The answers that count.
        groups: Scores per type and together; empty where types were asked for.
        confusion: Of the types; None where they were not asked for.
    """

    ask: Ask
    scoring: Scoring
    wording: str
    results: Sequence[Result]
    groups: Sequence[Group] = ()
    confusion: Confusion | None = None


def find(results: Sequence[Result], ask: Ask, scoring: Scoring, wording: str) -> Findings:
    """Compute all of it; the order of the answers makes no difference."""
    left = counted(results, scoring)
    if ask == "match":
        return Findings(ask, scoring, wording, left, groups=score(results, scoring))
    return Findings(ask, scoring, wording, left, confusion=confuse(results, scoring))


def all_tables(found: Findings) -> list[ReportTable]:
    """Make the tables; those without rows are left out."""
    made = [_scores(found)] if found.confusion is None else _of_types(found, found.confusion)
    made += [_answers(found), _unknown(found)]
    return [table for table in made if len(table.frame)]


def conventions(found: Findings) -> str:
    """Say what every figure depends on."""
    scoring = found.scoring
    positive = f"Positive class: {_POSITIVE[scoring.positive]}. " if found.ask == "match" else ""
    clean = " Defective captions are left out (--clean)." if scoring.clean else ""
    unparsed = _UNPARSED[scoring.unparsed]
    if found.ask == "type" and scoring.unparsed == "drop":
        unparsed = "replies without a readable answer are left out"
    return f"{positive}Unparsed: {unparsed}. Asked: {found.wording}.{clean}"


def _scores(found: Findings) -> ReportTable:
    return ReportTable(
        "scores",
        "Does the caption match?",
        _frame(
            {
                "type": group.name,
                "captions": group.captions,
                **{
                    column: value
                    for name in FIGURES
                    for column, value in interval_columns(name, getattr(group.scores, name)).items()
                },
                "unparsed": group.unparsed,
                "pairs_left_out": group.left_out,
            }
            for group in found.groups
        ),
        f"{conventions(found)} Each type is scored on pairs: its wrong captions, and the true "
        "captions of the same pictures. Compare models by the macro average over types: pooling "
        "repeats the true captions, or has four wrong captions for one true one. Yes: share of "
        "replies that say that the caption matches. A pair is left out where no reply came to one "
        f"of its captions. {INTERVALS}",
    )


def _of_types(found: Findings, confusion: Confusion) -> list[ReportTable]:
    given = [label for label in answers("type") if label != "unknown"]
    return [
        ReportTable(
            "scores",
            "Which type of hallucination?",
            _frame(
                {
                    "type": each.label,
                    "captions": each.captions,
                    **interval_columns("precision", each.precision),
                    **interval_columns("recall", each.recall),
                    **interval_columns("f1", each.f1),
                }
                for each in confusion.labels
            ),
            f"{conventions(found)} {INTERVALS}",
        ),
        ReportTable(
            "overall",
            "All types together",
            _frame(
                [
                    {
                        "captions": sum(each.captions for each in confusion.labels),
                        **interval_columns("accuracy", confusion.accuracy),
                        **interval_columns("macro_f1", confusion.macro_f1),
                        "unparsed": confusion.unparsed,
                        "left_out": confusion.left_out,
                    }
                ]
            ),
            f"{conventions(found)} Macro F1: mean over the types, none among them.",
        ),
        ReportTable(
            "confusion",
            "Confusions",
            _frame(
                {
                    "caption": label,
                    **{name: confusion.matrix.get((label, name), 0) for name in given},
                    "unknown": confusion.matrix.get((label, "unknown"), 0),
                }
                for label in TYPE_LABELS
                if any(each.label == label for each in confusion.labels)
            ),
            f"{conventions(found)} Rows: what the captions are; columns: what the model says.",
        ),
    ]


def _answers(found: Findings) -> ReportTable:
    rows = []
    for kind in KINDS:
        of_kind = [each for each in found.results if each.kind == kind]
        if not of_kind:
            continue
        asked = [each for each in of_kind if not each.is_open]
        said = Counter(each.answer for each in asked)
        rows.append(
            {
                "captions": kind,
                "n": len(of_kind),
                **{answer: said[answer] for answer in answers(found.ask)},
                **(
                    {"conflicts": sum(each.conflicts for each in asked)}
                    if found.ask == "match"
                    else {}
                ),
                "not_asked": len(of_kind) - len(asked),
            }
        )
    of_yes = (
        "Yes: it matches. Conflicts: answers that the reply takes back in part, as `Yes, but …`; "
        "the leading word counts. "
        if found.ask == "match"
        else ""
    )
    return ReportTable(
        "answers",
        "Answers",
        pd.DataFrame(rows),
        f"{of_yes}Not asked: the picture is missing or unreadable, or no reply came. "
        f"Asked: {found.wording}.",
    )


def _unknown(found: Findings) -> ReportTable:
    return ReportTable(
        "unknown",
        "Without an answer",
        _frame(
            {"reason": reason, "whose": "run" if is_open else "model", "captions": count}
            for reason, is_open, count in reasons(found.results)
        ),
        "Of the model's own, --unparsed says what becomes; the run's count in no figure.",
    )


def in_words(found: Findings) -> str:
    """Render the scores for a terminal, at most 100 columns wide, with what they depend on."""
    if found.confusion is None:
        head = ["type", "captions", "accuracy", "P", "R", "F1", "yes", "un-\nparsed", "left\nout"]
        rows = [_brief_row(group) for group in found.groups]
        shown = tabulate(rows, headers=head, disable_numparse=True)
        comparable = (
            f"Compare models by {MACRO}, the mean over types. Pooled: true captions counted once "
            "for each type; once: each caption once."
        )
    else:
        head = ["type", "captions", "precision", "recall", "F1"]
        rows = [
            [
                each.label,
                f"{each.captions:,}",
                *map(brief, (each.precision, each.recall, each.f1)),
            ]
            for each in found.confusion.labels
        ]
        accuracy, macro = found.confusion.accuracy, found.confusion.macro_f1
        comparable = (
            f"accuracy {brief(accuracy)}, macro F1 {brief(macro)}; {found.confusion.unparsed:,} "
            f"unparsed, {found.confusion.left_out:,} left out without a reply."
        )
        shown = tabulate(rows, headers=head, disable_numparse=True)
    told = f"{comparable} {conventions(found)}"
    return f"{shown}\n\n{textwrap.fill(told, _WIDTH, break_on_hyphens=False)}"


def _brief_row(group: Group) -> list[str]:
    scores = group.scores
    return [
        _BRIEF_NAMES.get(group.name, group.name),
        f"{group.captions:,}",
        brief(scores.accuracy),
        *(_short(each) for each in (scores.precision, scores.recall)),
        brief(scores.f1),
        _short(scores.yes),
        f"{group.unparsed:,}",
        f"{group.left_out:,}",
    ]


def brief(measure: Measure) -> str:
    """Write a figure with its interval; a dash where it is undefined."""
    if math.isnan(measure.value):
        return "–"
    return f"{measure.value:.3f} [{measure.low:.2f}, {measure.high:.2f}]"


def _short(measure: Measure) -> str:
    return "–" if math.isnan(measure.value) else f"{measure.value:.3f}"


def _frame(rows: Iterable[dict[str, object]]) -> pd.DataFrame:
    return pd.DataFrame(list(rows))
