"""Answers about captions as a section of the page of all results."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from banglahallueval.io.paths import short
from banglahallueval.io.records import read_record
from banglahallueval.scoring.sections import Section
from banglahallueval.vision.discriminative.metrics import (
    MACRO,
    POSITIVES,
    UNPARSED_POLICIES,
    Group,
    Scoring,
)
from banglahallueval.vision.discriminative.results import BASELINE_KIND, KIND, read_results
from banglahallueval.vision.discriminative.shown import pictures
from banglahallueval.vision.discriminative.tables import Findings, all_tables, brief, find
from banglahallueval.vision.prompts import Ask
from banglahallueval.vision.thumbnails import Thumbnails


def section_of(output: Path, ask: Ask) -> Section:
    """Make a section of a file of answers.

    Args:
        output: The file.
        ask: What was asked.

    Raises:
        UsageError: If it is damaged.
    """
    results = list(read_results(output, ask))
    record = read_record(output) or {}
    report = _report_beside(output)
    about = report.get("about", {})
    wording = str(about.get("asked", "as its run record says"))
    found = find(results, ask, _scoring(report.get("scoring", {})), wording)
    without = report.get("kind") == BASELINE_KIND
    return Section(
        title=f"Captions {'without' if without else 'of'} pictures: {short(output)}",
        output=short(output),
        tables=all_tables(found),
        figures=[],
        sentences=[*_whose(about), *_in_words(found)],
        record=record,
        markup=pictures(results, ask, Thumbnails(record.get("image_root"))),
    )


def _report_beside(output: Path) -> dict[str, Any]:
    """Read OUTPUT.json; nothing where it is not there, or is another's."""
    try:
        content = json.loads(output.with_suffix(".json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    is_ours = isinstance(content, dict) and content.get("kind") in (KIND, BASELINE_KIND)
    return content if is_ours else {}


def _scoring(given: Mapping[str, Any]) -> Scoring:
    """Read how the run's own tables counted; the usual way where that is not known."""
    positive, unparsed = given.get("positive"), given.get("unparsed")
    if positive not in POSITIVES or unparsed not in UNPARSED_POLICIES:
        return Scoring()
    return Scoring(positive, unparsed, given.get("clean") is True)


def _whose(about: Mapping[str, Any]) -> Iterator[str]:
    if about.get("model"):
        yield f"Answered by {about['model']}."


def _in_words(found: Findings) -> Iterator[str]:
    """Say what the figures come to."""
    if found.confusion is not None:
        yield (
            f"It names the right type, or rightly none, of {brief(found.confusion.accuracy)} of "
            "the captions."
        )
        return
    groups = {group.name: group for group in found.groups}
    if MACRO not in groups:
        return
    macro = groups.pop(MACRO)
    yield from _of_all(macro)
    types = [
        group
        for group in groups.values()
        if not group.name.startswith("pooled") and not math.isnan(group.scores.accuracy.value)
    ]
    if len(types) > 1:
        best = max(types, key=lambda group: group.scores.accuracy.value)
        worst = min(types, key=lambda group: group.scores.accuracy.value)
        if best.scores.accuracy.low > worst.scores.accuracy.high:
            yield (
                f"It tells wrong captions of type {best.name} from true ones best "
                f"({brief(best.scores.accuracy)}), of type {worst.name} worst "
                f"({brief(worst.scores.accuracy)})."
            )


def _of_all(macro: Group) -> Iterator[str]:
    scores = macro.scores
    if math.isnan(scores.accuracy.value):
        yield "No figure is defined: none of the captions got an answer."
        return
    yield (
        f"Mean accuracy over types {brief(scores.accuracy)}; saying always the same, or guessing, "
        "is right half of the time."
    )
    yield (
        f"It says of {100 * scores.yes.value:.0f} % of the captions that they match; half of those "
        "in pairs do."
    )
    if macro.unparsed:
        yield (
            f"{macro.unparsed:,} of {macro.captions:,} replies in pairs have no readable answer."
        )
