"""What a reply says around its verdict: it may take it back or contradict it, never turn it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import CONTENT, Polarity, whole_word_of
from banglahallueval.verdicts.announcements import Mark
from banglahallueval.verdicts.corrections import corrects, tells_output
from banglahallueval.verdicts.phrases import says_of_hallucination
from banglahallueval.verdicts.refusals import declines, doubts, greets, limits, refuses
from banglahallueval.verdicts.scanning import Said
from banglahallueval.verdicts.stances import finds_fault, plain_stance, speaks_of_part, stance
from banglahallueval.verdicts.types import CONTRADICTS, REFUSED, UNPARSED
from banglahallueval.verdicts.vocabulary import Vocabulary, follows, names_fault
from banglahallueval.verdicts.withholding import turns_down

# Read where a yes stands for correct; where it stands for hallucinated, it never was.
_BUT = lazy_regex(rf"^\W*+{whole_word_of('কিন্তু তবে kintu tobe')}")


class Place(NamedTuple):
    """A verdict that counts.

    Attributes:
        at: The number of its statement among those of the reply.
        mark: The verdict.
    """

    at: int
    mark: Mark


def objection(said: Sequence[Said], places: Sequence[Place], words: Vocabulary) -> str:
    """Say why a reply that announces a label at these places gives none; empty if it does.

    Args:
        said: The reply's statements.
        places: Where the verdicts stand, in order; all have one label.
        words: The spellings of yes and no.
    """
    marks: dict[int, list[Mark]] = {}  # by their statements
    for place in places:
        marks.setdefault(place.at, []).append(place.mark)
    if _turned_down_before(said, places[0]):
        return REFUSED
    for at, those in marks.items():
        reason = _taken_back(said, at, those, words)
        if reason:
            return reason
    return CONTRADICTS if _contradicted(said, marks, words) else ""


def remarks_only(said: Sequence[Said], place: Place) -> bool:
    """Whether a sentence behind the verdict answers something else: `Yes, it is supported`."""
    text = said[place.at].statement.text[place.mark.end :]
    return stance(text, elliptical=True, pronouns=True) not in ("", place.mark.label)


def _turned_down_before(said: Sequence[Said], place: Place) -> bool:
    """Whether all that leads up to a verdict is a refusal, as in `I can't help with that. No.`."""
    before = [each.statement.text for each in said[: place.at]]
    head = said[place.at].statement.text[: place.mark.head]
    return turns_down([*before, head] if CONTENT.search(head) else before)


def _taken_back(said: Sequence[Said], at: int, marks: list[Mark], words: Vocabulary) -> str:
    """Say why the words right behind the verdicts of a statement leave nothing of them."""
    statement, word = said[at].statement, marks[0].word
    for mark in marks:
        more = words.more.match(statement.text, mark.end)
        if more and any((each in words.yes) != (word == "yes") for each in more.captures("word")):
            return CONTRADICTS
    if _corrects(statement.text[marks[0].end :], word, words):
        return CONTRADICTS
    last = marks[-1]
    rest = statement.text[last.end :]
    if last.kind in ("bare", "opening"):
        in_line = "".join(
            each.statement.text
            for each in said[at + 1 : at + 4]
            if each.statement.line == statement.line
        )
        if doubts(rest + in_line) or (word == "yes" and greets(rest)):
            return UNPARSED
        if word == "no" and names_fault(rest) and limits(rest + in_line):
            return UNPARSED
        if last.kind == "bare":
            rest += "".join(each.statement.text for each in said[at + 1 : at + 2])
    if declines(rest) if word == "no" else refuses(rest):
        return REFUSED
    return ""


def _corrects(text: str, word: str, words: Vocabulary) -> bool:
    return any(bool(found["yes"]) != (word == "yes") for found in words.corrected.finditer(text))


def _contradicted(said: Sequence[Said], marks: Mapping[int, list[Mark]], words: Vocabulary) -> bool:
    """Whether the words around the verdicts say otherwise."""
    first = min(marks)
    label, word = marks[first][0].label, marks[first][0].word
    if any(_denied_before(said, at, those[0]) for at, those in marks.items()):
        return True
    stances: set[str] = set()
    corrected = False
    for at in range(first, len(said)):
        text = said[at].statement.text
        if at in marks:
            last = marks[at][-1]
            text = text[last.start if names_fault(text[last.end :]) else last.end :]
            if word != label:
                text = _BUT.sub("", text)
        elif _corrects(text, word, words):
            return True
        explicit = _says_of_all(text)
        if explicit and explicit != label:
            return True
        near = at in marks or at - 1 in marks
        if corrects(text):
            corrected = True
            stances.add(explicit)
            continue
        fault = label == "yes" and finds_fault(text)
        stances.add(explicit or ("yes" if fault else stance(text, elliptical=near, pronouns=near)))
    if corrected and not any(tells_output(each.statement.text) for each in said[first:]):
        stances.add("yes")
    stances.discard("")
    return bool(stances) and label not in stances


def _denied_before(said: Sequence[Said], at: int, mark: Mark) -> bool:
    """Whether what leads up to a verdict draws the other conclusion."""
    statement = said[at].statement
    head = statement.text[: mark.head]
    found = [_says_of_all(head) or stance(head, pronouns=True)]
    before = said[at - 1] if at else None
    if before and not before.step and not before.marks:
        found.append(_says_of_all(before.statement.text))
        concludes = before.statement.line == statement.line or follows(statement.text[: mark.start])
        if concludes:
            found.append(stance(before.statement.text, pronouns=True))
    if before and mark.kind == "bare" and statement.alone and at == len(said) - 1:
        found.append(_conclusion(said[:at]))
    return any(each and each != mark.label for each in found)


def _conclusion(argument: Sequence[Said]) -> Polarity:
    """Read what an argument comes to in its last line, right before a verdict of one word.

    That all is right counts for nothing where a fault was found before: of a chain with a wrong
    step the answer may be right.
    """
    last = argument[-1]
    text = last.statement.text
    if last.step or any(not names_fault(text[mark.end :]) for mark in last.marks):
        return ""
    said = plain_stance(text)
    if said == "no" and any(finds_fault(each.statement.text) for each in argument[:-1]):
        return ""
    return said


def _says_of_all(text: str) -> Polarity:
    """Read what a sentence says of hallucination, unless it clears only a part of it."""
    said = says_of_hallucination(text)
    return "" if said == "no" and speaks_of_part(text) else said
