"""Judged descriptions as a section of the page of all results."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from banglahallueval.io.paths import short
from banglahallueval.io.records import read_record
from banglahallueval.scoring.sections import Section
from banglahallueval.vision.cards import MOST_PICTURES, Remark, Standing, card, cards
from banglahallueval.vision.generative.metrics import EDGES, Metrics, measure
from banglahallueval.vision.generative.results import KIND, read_trials
from banglahallueval.vision.generative.tables import all_tables, brief
from banglahallueval.vision.generative.types import Trial
from banglahallueval.vision.thumbnails import Thumbnails

_STANDINGS: Mapping[str, Standing] = {"clean": "right", "hallucinated": "wrong"}


def section_of(output: Path) -> Section:
    """Make a section of a file of judged descriptions.

    Raises:
        UsageError: If it is damaged.
    """
    trials = read_trials(output)
    record = read_record(output) or {}
    report = _report_beside(output)
    about = report.get("about", {})
    judge = str(about.get("judge", ""))
    found = measure(trials, report.get("edges", EDGES))
    return Section(
        title=f"Descriptions of pictures: {short(output)}",
        output=short(output),
        tables=all_tables(found, judge),
        figures=[],
        sentences=[*_whose(about), *(line for each in found for line in _in_words(each))],
        record=record,
        markup=_pictures(trials, Thumbnails(record.get("image_root"))),
    )


def _report_beside(output: Path) -> dict[str, Any]:
    """Read OUTPUT.json; nothing where it is not there, or is another's."""
    try:
        content = json.loads(output.with_suffix(".json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) and content.get("kind") == KIND else {}


def _whose(about: Mapping[str, str]) -> Iterator[str]:
    if about:
        yield f"Described by {about.get('model', '?')}; judged by {about.get('judge', '?')}."


def _in_words(found: Metrics) -> Iterator[str]:
    """Say what the figures of a prompt come to."""
    if not found.judged:
        yield f"{found.prompt}: none of {found.outputs:,} descriptions was judged."
        return
    yield (
        f"{found.prompt}: the judge sees no hallucination in {found.clean:,} of {found.judged:,} "
        f"descriptions, of {found.words.value:.1f} words on average."
    )
    kinds = {name: each.count for name, each in found.types.items() if each.count}
    if kinds:
        most = max(kinds, key=lambda name: kinds[name])
        yield f"{found.prompt}: it names {most} most often, in {kinds[most]:,} descriptions."
    if missing := found.outputs - found.judged:
        yield (
            f"{found.prompt}: {missing:,} of {found.outputs:,} got no verdict, and count neither "
            "as clean nor as hallucinated."
        )
    rated = [part for part in found.bins if not math.isnan(part.accuracy.value)]
    if len(rated) > 1:
        listed = ", ".join(f"{brief(part.accuracy)} of {part.name} words" for part in rated)
        yield f"{found.prompt}: accuracy by length: {listed}."


def _pictures(trials: Sequence[Trial], thumbnails: Thumbnails) -> Markup:
    """Show pictures with their descriptions, those with most hallucinated ones first."""
    by_item: dict[int, list[Trial]] = {}
    for trial in trials:
        by_item.setdefault(trial.item.index, []).append(trial)
    worst = sorted(by_item.values(), key=_badness)[:MOST_PICTURES]
    made = [_card(group, thumbnails) for group in worst]
    return cards(
        made, len(by_item), "hallucinated descriptions first, then those without a verdict"
    )


def _badness(group: Sequence[Trial]) -> tuple[int, int, int]:
    standings = [_standing(trial) for trial in group]
    return -standings.count("wrong"), -standings.count("unknown"), group[0].item.index


def _standing(trial: Trial) -> Standing:
    return _STANDINGS.get(trial.judgement.outcome, "unknown")


def _card(group: Sequence[Trial], thumbnails: Thumbnails) -> Markup:
    item = group[0].item
    sha256 = next((trial.image_sha256 for trial in group if trial.image_sha256), "")
    return card(
        item.image,
        thumbnails.of(item, sha256),
        [
            Remark(
                _standing(trial),
                _verdict(trial),
                trial.prompt if len({each.prompt for each in group}) > 1 else "",
                trial.description.text,
                "",
            )
            for trial in sorted(group, key=lambda trial: _standing(trial) != "wrong")
        ],
        caption=item.caption,
        is_told=False,
    )


def _verdict(trial: Trial) -> str:
    judgement = trial.judgement
    if judgement.outcome == "clean":
        return "no hallucination"
    if judgement.outcome == "hallucinated":
        return f"hallucinated: {', '.join(sorted(judgement.types)) or judgement.reason}"
    return f"{judgement.outcome}: {judgement.reason}"
