"""Where in a reply its verdict stands. A doubtful reply has none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from banglahallueval.prompts import Style
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.markup import without_tags
from banglahallueval.text.yes_no import (
    SPOKEN_NO,
    SPOKEN_YES,
    Polarity,
    fold,
    is_romanised,
    whole_word_of,
)
from banglahallueval.verdicts.announcements import Mark, is_conditional
from banglahallueval.verdicts.corrections import says_of_faithfulness
from banglahallueval.verdicts.phrases import says_of_hallucination
from banglahallueval.verdicts.refusals import refuses
from banglahallueval.verdicts.remarks import Place, objection, remarks_only
from banglahallueval.verdicts.scanning import Said, scan
from banglahallueval.verdicts.stances import stance
from banglahallueval.verdicts.turns import own_turn
from banglahallueval.verdicts.types import (
    CONTRADICTS,
    CUT_OFF,
    EMPTY,
    REFUSED,
    UNFINISHED_THINKING,
    UNPARSED,
)
from banglahallueval.verdicts.vocabulary import PLAIN, ROMANISED, Vocabulary

# What yes was to stand for. A label stands for the same whichever was asked.
YesMeans = Literal["hallucinated", "correct"]


class Reading(NamedTuple):
    """What a text says.

    Attributes:
        label: `yes` that it is hallucinated or wrong, `no` that it is not, or empty where there is
            no verdict.
        reason: Why there is none.
        start, end: Where the verdict's word stands in the folded text; 0, 0 without such a word.
        boolean: Whether `true` and `false` would have been verdicts there, too.
        romanised: Whether `ha` and `na` would have been.
        spoken: Whether `জ্বি` and `নো` would have been, as it is one of their kind.
    """

    label: Polarity
    reason: str = ""
    start: int = 0
    end: int = 0
    boolean: bool = False
    romanised: bool = False
    spoken: bool = False


_CONCLUDES = lazy_regex(
    r"[\W_]{0,9}"
    + whole_word_of("so therefore thus hence overall conclusion finally in অতএব সুতরাং তাই")
)
_FAREWELL = lazy_regex(
    r"[\W_]{0,9}(?:i hope|let me know|feel free|please|confidence|note|p\.?s)(?!\p{L})"
)
_OTHER: Final[dict[Literal["yes", "no"], Literal["yes", "no"]]] = {"yes": "no", "no": "yes"}
# `Grade: CORRECT`
_GRADE = lazy_regex(
    r"[\W_]{0,9}(?:(?:final|my|the) )?"
    + whole_word_of("grade verdict judgment judgement result label answer decision উত্তর রায় ফলাফল")
    + r"[\s\"'_]{0,4}[:=]"
)
# The fixed prompts ask for the verdict in their third step; a list of three bare answers gives it
# in its last line.
_STEPS = 3


def read(
    text: str, style: Style, *, cut: bool = False, yes_means: YesMeans = "hallucinated"
) -> Reading:
    """Find the verdict of a reply.

    What a label announces or the first words say is the verdict, and nothing behind it turns it.
    Two that differ, or words that say otherwise, leave none.

    Args:
        text: The whole reply.
        style: `cot` takes the last line that carries a verdict, too, and leaves out the steps
            before the last; else the first words count.
        cut: Whether the reply was stopped by its token budget.
        yes_means: What the prompt asked for with yes. Where it is `correct`, the label of a bare
            yes is `no`, and a reply may say `correct` or `incorrect` instead of the two words.
    """
    folded = fold(text)
    visible, ended = own_turn(folded)
    if visible is None:
        return Reading("", UNFINISHED_THINKING)
    words = ROMANISED if is_romanised(visible) else PLAIN
    said, invents = scan(visible, words, first_counts=style != "cot")
    if yes_means == "correct":
        said = [_of_correctness(each) for each in said]
    cut = cut and not ended and not invents
    places = _in_argument(said, cut=cut) if style == "cot" else _in_answer(said)
    if places:
        found = _settled(said, places, words, last=style == "cot")
    else:
        concluding = _conclusions(said, cut=cut) if style == "cot" else said
        found = _stated(concluding)
        if yes_means == "correct" and not cut and not found.label:
            found = _graded(concluding)
    # `no` at the cut may have been about to become `not sure`; a reply of one word may not.
    at_cut = cut and found.end == len(visible.rstrip()) and visible[: found.start].strip()
    if found.label and not at_cut:
        return found
    if found.reason:
        return found
    if refuses("\n".join(each.statement.text.strip() for each in said)):
        return Reading("", REFUSED)
    if cut:
        return Reading("", CUT_OFF)
    return Reading("", UNPARSED if without_tags(visible).strip() else EMPTY)


def _of_correctness(said: Said) -> Said:
    """Turn the labels of a statement's verdicts, unless they name hallucination."""
    return said._replace(
        marks=tuple(
            mark if mark.kind == "named" else mark._replace(label=_OTHER[mark.label])
            for mark in said.marks
        )
    )


def _settled(
    said: Sequence[Said], places: Sequence[Place], words: Vocabulary, *, last: bool
) -> Reading:
    """Settle the label of verdicts that agree and that nothing takes back."""
    if len({place.mark.label for place in places}) > 1:
        return Reading("", CONTRADICTS)
    reason = objection(said, places, words)
    if reason:
        return Reading("", reason if reason != UNPARSED else "")
    spelt = [place for place in places if not place.mark.phrase]
    if not spelt:
        return Reading(places[0].mark.label)
    at, mark = spelt[-1 if last else 0]
    statement = said[at].statement
    return Reading(
        mark.label,
        "",
        statement.offset(mark.start),
        statement.offset(mark.end - 1) + 1,
        boolean=mark.kind == "named",
        romanised=words is ROMANISED,
        spoken=statement.text[mark.start : mark.end] in SPOKEN_YES + SPOKEN_NO,
    )


def _stated(said: Sequence[Said]) -> Reading:
    """Read the label of sentences that say outright whether it is hallucinated or faithful."""
    texts = [each.statement.text for each in said]
    labels = {says_of_hallucination(text) or says_of_faithfulness(text) for text in texts} - {""}
    return Reading(labels.pop()) if len(labels) == 1 else Reading("")


def _graded(said: Sequence[Said]) -> Reading:
    """Read the label of sentences or single words that say whether it is correct."""
    texts = [_GRADE.sub("", each.statement.text) for each in said]
    labels = {stance(text, elliptical=True, pronouns=True) for text in texts} - {""}
    return Reading(labels.pop()) if len(labels) == 1 else Reading("")


def _in_answer(said: Sequence[Said]) -> list[Place]:
    """Find the verdicts of a reply that should be nothing else."""
    return _counting(
        Place(index, mark)
        for index, each in enumerate(said)
        for mark in each.marks
        if mark.kind != "opening" or not index
    )


def _in_argument(said: Sequence[Said], *, cut: bool) -> list[Place]:
    """Find the verdicts of a reply that argues first.

    They are what labels announce outside the steps before the last; a clear verdict with which the
    reply begins; and the last bare one, or the first words of the last line. In a reply that was
    cut only labels announce.
    """
    announced: list[Place] = []
    closing: list[Place] = []
    steps = _Steps.of(said)
    end = _end(said)
    for index, (statement, marks, _) in enumerate(said):
        for mark in marks:
            if mark.kind not in ("bare", "opening"):
                if not steps.first <= statement.line < steps.last:
                    announced.append(Place(index, mark))
            elif cut or steps.argue(statement.line):
                continue
            elif index == 0 and _announces_first(said, mark):
                announced.append(Place(index, mark))
            elif statement.line in (end, steps.last):
                if mark.kind == "bare" or statement.opens:
                    closing.append(Place(index, mark))
            elif mark.kind == "bare" and statement.alone:
                closing.append(Place(index, mark))
    return _counting([*announced, *_closing_the_reply(said, announced, closing)])


def _closing_the_reply(
    said: Sequence[Said], announced: Sequence[Place], closing: Sequence[Place]
) -> list[Place]:
    """Keep the bare verdicts of the last line that has one, behind what was announced."""
    if announced:
        closing = [
            place
            for place in closing
            if place.at > announced[-1].at and not remarks_only(said, place)
        ]
    if not closing:
        return []
    line = said[closing[-1].at].statement.line
    return [each for each in closing if said[each.at].statement.line == line]


def _end(said: Sequence[Said]) -> int:
    """Find the last line that is no mere remark: a condition, a note, a farewell."""
    for each in reversed(said):
        text = each.statement.text
        if each.marks or not (is_conditional(text) or _FAREWELL.match(text)):
            return each.statement.line
    return said[-1].statement.line if said else 0


class _Steps(NamedTuple):
    """The lines of the headings `Step 1` to `Step 3`; -1 without any.

    Attributes:
        first, last: The lines of the first and the last heading.
        number: The last one's number.
    """

    first: int = -1
    last: int = -1
    number: int = 0

    @classmethod
    def of(cls, said: Sequence[Said]) -> _Steps:
        headings = [(each.statement.line, each.step) for each in said if each.step]
        return cls(headings[0][0], *headings[-1]) if headings else cls()

    def argue(self, line: int) -> bool:
        """Whether a line belongs to the argument: to a step before the one for the verdict."""
        return self.first <= line < self.last or (line == self.last and self.number < _STEPS)


def _announces_first(said: Sequence[Said], mark: Mark) -> bool:
    """Whether a reply announces its verdict before it argues.

    `No` in a line of its own does, and `No, it is not hallucinated`; `No, it is 1971` may not.
    """
    statement = said[0].statement
    if mark.kind == "bare":
        return statement.alone and not _lists(said)
    return says_of_hallucination(statement.text[mark.end :]) == mark.label


def _lists(said: Sequence[Said]) -> bool:
    """Whether a reply begins with a list of bare answers, one for each step."""
    head = said[:_STEPS]
    return len(head) == _STEPS and all(
        each.statement.alone and each.marks and each.marks[0].kind == "bare" for each in head
    )


def _counting(places: Iterable[Place]) -> list[Place]:
    """Leave out what stands behind other verdicts: what would be said, the answer in an object."""
    kept = list(places)
    if any(not place.mark.weak for place in kept):
        kept = [place for place in kept if not place.mark.weak]
    if any(place.mark.kind == "named" for place in kept):
        kept = [place for place in kept if place.mark.kind != "key"]
    return kept


def _conclusions(said: Sequence[Said], *, cut: bool) -> list[Said]:
    """List the statements of an argument that may say its verdict in a sentence."""
    if cut:
        return []
    steps = _Steps.of(said)
    end = _end(said)
    return [
        each
        for each in said
        if not steps.argue(each.statement.line)
        and (each.statement.line == end or _CONCLUDES.match(each.statement.text))
    ]
