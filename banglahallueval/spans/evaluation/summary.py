"""What an evaluation says in the terminal, at most 100 columns wide."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator

from tabulate import tabulate

from banglahallueval.scoring.rates import Rate
from banglahallueval.spans.evaluation.run import Evaluation
from banglahallueval.spans.evaluation.tables import conventions, groups, has_soft_labels
from banglahallueval.spans.results import MACRO, UNKNOWN_LANGUAGE, GroupScores

_WIDTH = 100
_LANGUAGE, _NAME, _NAME_WITH_CORRELATION = 9, 22, 13  # to which texts are wrapped


def in_words(made: Evaluation) -> str:
    """Render the tables and what to know of them."""
    parts = [*_tables(made)]
    lines = [*_thresholds(made), *_failures(made), *made.notes, *conventions(made)]
    wrapped = [
        textwrap.fill(line, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        for line in lines
    ]
    return "\n\n".join([*parts, "\n".join(wrapped)])


def _tables(made: Evaluation) -> Iterator[str]:
    if made.scores:
        yield _results(made)
    if made.agreement:
        rows = [
            (each.one, each.other, f"{each.iou.rows:,}", _brief(each.iou))
            for each in made.agreement
        ]
        yield tabulate(
            rows,
            headers=("marks of", "against", "answers", "IoU"),
            disable_numparse=True,
            maxcolwidths=[_NAME, _NAME],
        )


def _results(made: Evaluation) -> str:
    soft = has_soft_labels(made)
    head = ["language", "detector", "n", "clean", "failed", "IoU", "AP", "AP\nwithout\nclean"]
    by_group: dict[str, list[list[str]]] = {}
    for name, scores in made.scores.items():
        for group in groups(scores):
            by_group.setdefault(group.group, []).append(_row(name, group, soft=soft))
    rows = [row for of_group in by_group.values() for row in of_group]
    return tabulate(
        rows,
        headers=[*head, *(["corr."] * soft)],
        disable_numparse=True,
        maxcolwidths=[_LANGUAGE, _NAME_WITH_CORRELATION if soft else _NAME],
        colalign=("left", "left", "right", "right", "right"),
    )


def _row(name: str, group: GroupScores, *, soft: bool) -> list[str]:
    return [
        "macro" if group.group == MACRO else group.group,
        name,
        f"{group.answers:,}",
        f"{group.clean:,}",
        f"{group.failed:,}",
        _brief(group.iou),
        _share(group.ap.value),
        _share(group.ap_marked.value),
        *([_share(group.correlation.value)] * soft),
    ]


def _thresholds(made: Evaluation) -> Iterator[str]:
    for name, fitted in made.thresholds.items():
        each = ", ".join(
            f"{language or UNKNOWN_LANGUAGE} {fitted[language].value:.4g}"
            if language in fitted
            else f"{language or UNKNOWN_LANGUAGE} none (no result to fit it to; own spans count, "
            "if any)"
            for language in made.languages
        )
        yield f"threshold of {name}: {each}"


def _failures(made: Evaluation) -> Iterator[str]:
    for name, detections in made.found.items():
        reasons: dict[str, int] = {}
        for detection in detections:
            if detection.failure:
                reasons[detection.failure] = reasons.get(detection.failure, 0) + 1
        if reasons:
            each = ", ".join(f"{count:,} {reason}" for reason, count in reasons.items())
            yield f"without a result of {name}: {each}"


def _brief(rate: Rate) -> str:
    if math.isnan(rate.value):
        return "–"
    return f"{rate.value:.3f} [{rate.low:.2f}, {rate.high:.2f}]"


def _share(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"
