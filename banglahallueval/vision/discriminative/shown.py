"""Answers about captions beside their pictures, for the page of all results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from banglahallueval.vision.cards import MOST_PICTURES, Remark, Standing, card, cards
from banglahallueval.vision.discriminative.results import Result, gold_of
from banglahallueval.vision.prompts import Ask
from banglahallueval.vision.thumbnails import Thumbnails
from banglahallueval.vision.types import KINDS, PictureItem

_SAID = {"yes": "says it matches", "no": "says it does not match", "none": "says none"}
_KINDS = {"true": "true caption"}


def pictures(results: Iterable[Result], ask: Ask, thumbnails: Thumbnails) -> Markup:
    """Show pictures with all that was asked about them, those with most wrong answers first.

    Args:
        results: The answers.
        ask: What was asked.
        thumbnails: Where the pictures are.
    """
    by_item: dict[int, list[Result]] = {}
    for result in results:
        by_item.setdefault(result.index, []).append(result)
    worst = sorted(by_item.values(), key=lambda group: _badness(group, ask))[:MOST_PICTURES]
    made = [_card(group, ask, thumbnails) for group in worst]
    return cards(made, len(by_item), "most wrong answers first, then most without one")


def _badness(group: Sequence[Result], ask: Ask) -> tuple[int, int, int]:
    standings = [_standing(result, ask) for result in group]
    return -standings.count("wrong"), -standings.count("unknown"), group[0].index


def _standing(result: Result, ask: Ask) -> Standing:
    if result.answer == "unknown":
        return "unknown"
    return "right" if result.answer == gold_of(ask, result.kind) else "wrong"


def _card(group: Sequence[Result], ask: Ask, thumbnails: Thumbnails) -> Markup:
    first = group[0]
    true = next((result.caption for result in group if result.kind == "true"), "")
    item = PictureItem(first.index, first.image, first.key, true, {})
    sha256 = next((result.image_sha256 for result in group if result.image_sha256), "")
    ordered = sorted(group, key=lambda result: KINDS.index(result.kind))
    return card(
        first.image,
        thumbnails.of(item, sha256),
        [_remark(result, ask) for result in ordered],
        caption=true,
        is_told=True,
    )


def _remark(result: Result, ask: Ask) -> Remark:
    verdict = _SAID.get(result.answer, f"says {result.answer}")
    if result.answer == "unknown":
        verdict = f"no answer: {result.reason}"
    elif result.conflicts:
        verdict += ", and takes a part of it back"
    kind = _KINDS.get(result.kind, f"wrong caption: {result.kind}")
    if result.defect:
        kind += f" (defective: {result.defect})"
    return Remark(_standing(result, ask), verdict, kind, result.caption, result.reply)
