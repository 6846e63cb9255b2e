"""What a reply says around its verdict: it may take it back or contradict it, never turn it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from banglahallueval.text.yes_no import Polarity
from banglahallueval.verdicts.announcements import Mark
from banglahallueval.verdicts.phrases import says_of_hallucination
from banglahallueval.verdicts.refusals import declines, doubts, greets, limits, refuses
from banglahallueval.verdicts.scanning import Said
from banglahallueval.verdicts.stances import finds_fault, speaks_of_part, stance
from banglahallueval.verdicts.types import CONTRADICTS, REFUSED, UNPARSED
from banglahallueval.verdicts.vocabulary import Vocabulary, follows, names_fault


class Place(NamedTuple):
    """A verdict that counts.

    Attributes:
        at: The number of its statement among those of the reply.
        mark: The verdict.
    """

    at: int
    mark: Mark


def objection(said: Sequence[Said], places: Sequence[Place], words: Vocabulary) -> str:
    """Why a reply that announces one label, at these places, gives none; empty if it does.

    Args:
        said: The reply's statements.
        places: Where the verdicts stand, in order; all have one label.
        words: The spellings of yes and no.
    """
    for place in places:
        reason = _taken_back(said, place, words)
        if reason:
            return reason
    return CONTRADICTS if _contradicted(said, places, words) else ""


def remarks_only(said: Sequence[Said], place: Place) -> bool:
    """Whether a sentence behind the verdict answers something else: `Yes, it is supported`."""
    text = said[place.at].statement.text[place.mark.end :]
    return stance(text, elliptical=True, pronouns=True) not in ("", place.mark.label)


def _taken_back(said: Sequence[Said], place: Place, words: Vocabulary) -> str:
    """Why the words right behind a verdict leave nothing of it."""
    statement, mark = said[place.at].statement, place.mark
    rest = statement.text[mark.end :]
    more = words.more.match(rest)
    if more and any((word in words.yes) != (mark.label == "yes") for word in more.captures("word")):
        return CONTRADICTS
    if _corrects(rest, mark.label, words):
        return CONTRADICTS
    following = said[place.at + 1 :][:1]
    if mark.kind in ("bare", "opening"):
        in_line = "".join(
            each.statement.text
            for each in said[place.at + 1 : place.at + 4]
            if each.statement.line == statement.line
        )
        if doubts(rest + in_line) or (mark.label == "yes" and greets(rest)):
            return UNPARSED
        if mark.label == "no" and names_fault(rest) and limits(rest + in_line):
            return UNPARSED
        if mark.kind == "bare" and following:
            rest += following[0].statement.text
    if declines(rest) if mark.label == "no" else refuses(rest):
        return REFUSED
    return ""


def _corrects(text: str, label: str, words: Vocabulary) -> bool:
    return any(bool(found["yes"]) != (label == "yes") for found in words.corrected.finditer(text))


def _contradicted(said: Sequence[Said], places: Sequence[Place], words: Vocabulary) -> bool:
    """Whether the words around the verdicts say otherwise."""
    label = places[0].mark.label
    first = places[0].at
    last_mark = {place.at: place.mark for place in places}
    if any(_denied_before(said, place) for place in places):
        return True
    stances: set[str] = set()
    for index in range(first, len(said)):
        text = said[index].statement.text
        mark = last_mark.get(index)
        if mark:
            text = text[mark.start if names_fault(text[mark.end :]) else mark.end :]
        elif _corrects(text, label, words):
            return True
        explicit = _says_of_all(text)
        if explicit and explicit != label:
            return True
        near = mark is not None or index - 1 in last_mark
        fault = "yes" if label == "yes" and finds_fault(text) else ""
        stances.add(explicit or fault or stance(text, elliptical=near, pronouns=near))
    stances.discard("")
    return bool(stances) and label not in stances


def _denied_before(said: Sequence[Said], place: Place) -> bool:
    """Whether what leads up to a verdict draws the other conclusion."""
    statement, mark = said[place.at].statement, place.mark
    head = statement.text[: mark.head]
    found = [_says_of_all(head) or stance(head, pronouns=True)]
    before = said[place.at - 1] if place.at else None
    if before and not before.step and not before.marks:
        found.append(_says_of_all(before.statement.text))
        concludes = before.statement.line == statement.line or follows(statement.text[: mark.start])
        if concludes:
            found.append(stance(before.statement.text, pronouns=True))
    return any(each and each != mark.label for each in found)


def _says_of_all(text: str) -> Polarity:
    """What a sentence says of hallucination, unless it clears no more than a part of it."""
    said = says_of_hallucination(text)
    return "" if said == "no" and speaks_of_part(text) else said
