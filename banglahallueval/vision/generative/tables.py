"""Tables of judged descriptions, for their own report and for the page of all results."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
from tabulate import tabulate

from banglahallueval.scoring.rates import Rate
from banglahallueval.scoring.tables import ReportTable, interval_columns
from banglahallueval.vision.generative.metrics import Metrics
from banglahallueval.vision.generative.types import TYPES, HallucinationType

METHODS = (
    "[95 % interval]: Wilson for shares where every row has a picture of its own; else a bootstrap "
    "over pictures (10,000 draws), and Wilson's bound where all agree."
)


def all_tables(found: Sequence[Metrics], judge: str = "") -> list[ReportTable]:
    """Make the tables; those without rows are left out.

    Args:
        found: The metrics of each prompt.
        judge: Who judged, in words, for the captions; empty where it is not known.
    """
    made = [
        _summary(found, judge),
        _types(found, judge, published=True),
        _types(found, judge, published=False),
        _lengths(found, judge),
        _missing(found),
    ]
    return [table for table in made if len(table.frame)]


def in_words(found: Sequence[Metrics]) -> str:
    """Render the metrics for a terminal, at most 100 columns wide."""
    summary = tabulate(
        [
            (
                _short(each.prompt),
                each.outputs,
                each.judged,
                brief(each.accuracy),
                _number(each.words.value, 1),
                each.cut,
                each.outputs - each.judged,
                each.untyped,
            )
            for each in found
        ],
        headers=(
            "prompt",
            "outputs",
            "judged",
            "accuracy",
            "words",
            "cut",
            "not judged",
            "untyped",
        ),
        disable_numparse=True,
    )
    names = _shown_types(found)
    types = tabulate(
        [
            (
                _short(each.prompt),
                share,
                *(_number(getattr(each.types[name], of).value) for name in names),
            )
            for each in found
            for share, of in (
                ("of hallucinated", "among_hallucinated"),
                ("of judged", "among_judged"),
            )
        ],
        headers=("prompt", "share", *names),
        disable_numparse=True,
    )
    lengths = tabulate(
        [
            (_short(each.prompt), part.name, part.n, brief(part.accuracy))
            for each in found
            for part in each.bins
        ],
        headers=("prompt", "words", "judged", "accuracy"),
        disable_numparse=True,
    )
    return f"{summary}\n\n{types}\n\n{lengths}"


def _summary(found: Sequence[Metrics], judge: str) -> ReportTable:
    return ReportTable(
        "generative",
        "Hallucination in descriptions",
        pd.DataFrame(
            [
                {
                    "prompt": each.prompt,
                    "outputs": each.outputs,
                    "pictures": each.pictures,
                    "described": each.described,
                    "judged": each.judged,
                    **interval_columns("coverage", each.coverage),
                    "hallucinated": each.hallucinated,
                    **interval_columns("accuracy", each.accuracy),
                    **interval_columns("mean_words", each.words),
                    "cut": each.cut,
                }
                for each in found
            ]
        ),
        f"{_by(judge)}Accuracy: share of the judged descriptions in which the judge sees no "
        "hallucination; – where none is judged. Coverage: share of the outputs that are judged; "
        "what is empty, refused or without a verdict is never clean. Cut: judged descriptions that "
        f"the token budget ended. {METHODS}",
    )


def _types(found: Sequence[Metrics], judge: str, *, published: bool) -> ReportTable:
    """Make the table of types, over the hallucinated outputs or over all judged ones."""
    among, of = ("among_hallucinated", "hallucinated") if published else ("among_judged", "judged")
    rows = []
    for each in found:
        row: dict[str, object] = {
            "prompt": each.prompt,
            of: each.hallucinated - each.untyped if published else each.judged,
            "untyped": each.untyped,
        }
        for name in _shown_types(found):
            row |= interval_columns(name, getattr(each.types[name], among))
        rows.append(row)
    return ReportTable(
        f"types_of_{of}",
        f"Types, over {'hallucinated outputs' if published else 'all judged outputs'}",
        pd.DataFrame(rows),
        _by(judge)
        + (
            "As published: each type's share of the hallucinated outputs; a description may have "
            "several types, so that shares may sum above 1. – where nothing is hallucinated."
            " Untyped: hallucinated outputs whose types are not known, left out here."
            if published
            else "As in the specification's recipe: each type's share of all judged outputs, the "
            "untyped ones among them, whose types are not known: with them it may be larger."
        ),
    )


def _lengths(found: Sequence[Metrics], judge: str) -> ReportTable:
    return ReportTable(
        "lengths",
        "By length",
        pd.DataFrame(
            [
                {
                    "prompt": each.prompt,
                    "words": part.name,
                    "judged": part.n,
                    "hallucinated": part.hallucinated,
                    **interval_columns("accuracy", part.accuracy),
                }
                for each in found
                for part in each.bins
            ]
        ),
        f"{_by(judge)}Words are what white space parts.",
    )


def _missing(found: Sequence[Metrics]) -> ReportTable:
    return ReportTable(
        "not_judged",
        "Without a description, a verdict or types",
        pd.DataFrame(
            [(each.prompt, reason, count) for each in found for reason, count in each.reasons],
            columns=["prompt", "reason", "outputs"],
        ),
        "The undescribed and unjudged count in no figure but coverage; hallucinated ones without "
        "types count in accuracy.",
    )


def _shown_types(found: Sequence[Metrics]) -> list[HallucinationType]:
    """List the types to show: `multiple`, which judges seldom name, only where one did."""
    has_multiple = any(each.types["multiple"].count for each in found)
    return [name for name in TYPES if name != "multiple" or has_multiple]


def _by(judge: str) -> str:
    return f"Judged by {judge}. " if judge else ""


def _short(prompt: str) -> str:
    return prompt if len(prompt) <= 20 else f"…{prompt[-19:]}"


def _number(value: float, places: int = 3) -> str:
    return "–" if math.isnan(value) else f"{value:.{places}f}"


def brief(rate: Rate) -> str:
    """Write a share with its interval; a dash where it is undefined."""
    if math.isnan(rate.value):
        return "–"
    return f"{rate.value:.3f} [{rate.low:.2f}, {rate.high:.2f}]"
