"""Answers with gold and detected spans shown in them, as HTML.

Text from data is only ever escaped text here, whether inside a span or between two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import regex
from markupsafe import Markup

from banglahallueval.spans.offsets import mask, read_spans
from banglahallueval.spans.types import Span

CAP = 300  # answers on the page, divided evenly among the detectors

_CLUSTER = regex.compile(r"\X")
# What a piece of an answer is, by (gold, detected): its CSS class, and in words.
_KINDS = {
    (True, True): ("span-gold span-found", "hallucinated, and found"),
    (True, False): ("span-gold", "hallucinated, and missed"),
    (False, True): ("span-found", "marked, and not hallucinated"),
}

LEGEND = Markup(
    '<p class="note">{}: hallucinated, and found by the detector. {}: hallucinated, and missed. '
    "{}: marked by the detector, and not hallucinated. An underline is gold, a coloured "
    "the detector's.</p>"
).format(
    *(
        Markup('<mark class="{}">{}</mark>').format(_KINDS[kind][0], words)
        for kind, words in (
            ((True, True), "underlined and coloured"),
            ((True, False), "underlined only"),
            ((False, True), "coloured only"),
        )
    )
)


@dataclass(frozen=True, slots=True)
class Shown:
    """What one detector marks in one answer.

    Attributes:
        answer: The answer's entry in the JSON of an evaluation.
        gold, detected: The spans.
        iou: The IoU of the two.
        failure: Why the detector has no result; empty where it has one.
    """

    answer: Mapping[str, Any]
    gold: tuple[Span, ...]
    detected: tuple[Span, ...]
    iou: float
    failure: str

    @property
    def wrong(self) -> int:
        """How many characters only one of the two marks."""
        length = len(self.answer["answer"])
        return int((mask(self.gold, length) != mask(self.detected, length)).sum())


def marked_text(answer: str, gold: Iterable[Span], detected: Iterable[Span]) -> Markup:
    """Show an answer with its spans.

    A letter is coloured whole where a span covers a part of it, as a vowel sign: a browser cannot
    shape half of a letter. Offsets are not changed by that.
    """
    hallucinated, marked = mask(gold, len(answer)), mask(detected, len(answer))
    parts: list[Markup] = []
    start, before = 0, (False, False)
    for cluster in _CLUSTER.finditer(answer):
        place = slice(*cluster.span())
        kind = (bool(hallucinated[place].any()), bool(marked[place].any()))
        if kind != before:
            parts.append(_piece(answer[start : cluster.start()], before))
            start, before = cluster.start(), kind
    parts.append(_piece(answer[start:], before))
    return Markup("").join(parts)


def answers_markup(answers: Sequence[Mapping[str, Any]], where: str, cap: int = CAP) -> Markup:
    """Show the answers that each detector does worst on, worst first.

    Args:
        answers: The answers of an evaluation, as its JSON has them.
        where: The JSON file, for messages.
        cap: Maximum number of answers, over all detectors.

    Raises:
        UsageError: If they are damaged.
    """
    names = list(answers[0]["found"]) if answers else []
    if not names:
        return Markup("")
    each = max(1, cap // len(names))
    parts = [LEGEND]
    for number, name in enumerate(names[:cap]):
        worst = sorted(_shown(answers, name, where), key=_badness)[:each]
        parts.append(
            Markup("<details{}><summary>{}</summary>\n{}</details>\n").format(
                "" if number else Markup(" open"),
                f"{name}: the {len(worst)} answers with the lowest IoU, of {len(answers)}",
                Markup("").join(map(_card, worst)),
            )
        )
    return Markup("").join(parts)


def _badness(shown: Shown) -> tuple[float, bool, int]:
    """Order answers by IoU, those without a result behind others, then by wrong characters."""
    return shown.iou, bool(shown.failure), -shown.wrong


def _shown(answers: Sequence[Mapping[str, Any]], name: str, where: str) -> Iterator[Shown]:
    for answer in answers:
        found = answer["found"][name]
        length = len(answer["answer"])
        place = f"{where}, answer {answer['id']!r}"
        yield Shown(
            answer,
            read_spans(answer["spans"], length, place),
            read_spans(found["spans"], length, place),
            float(found["iou"]),
            str(found["failure"]),
        )


def _card(shown: Shown) -> Markup:
    answer = shown.answer
    head = " · ".join(
        filter(
            None,
            [
                answer["id"],
                answer["language"],
                answer["model"],
                f"no result: {shown.failure}" if shown.failure else f"IoU {shown.iou:.2f}",
            ],
        )
    )
    context = [
        Markup("<h3>{}</h3><p class='text'>{}</p>").format(title, text)
        for title, text in (("Question", answer["question"]), ("Evidence", answer["evidence"]))
        if text
    ]
    return Markup(
        '<article class="row"><p class="what">{}</p><p class="text">{}</p>{}</article>\n'
    ).format(
        head,
        marked_text(answer["answer"], shown.gold, shown.detected),
        Markup("<details><summary>Question and evidence</summary>{}</details>").format(
            Markup("").join(context)
        )
        if context
        else "",
    )


def _piece(text: str, kind: tuple[bool, bool]) -> Markup:
    if kind not in _KINDS or not text:
        return Markup("{}").format(text)
    css, words = _KINDS[kind]
    return Markup('<mark class="{}" title="{}">{}</mark>').format(css, words, text)
