"""The statements of a reply with the verdicts they announce, up to the next invented example."""

from __future__ import annotations

from typing import NamedTuple

from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.yes_no import LETTER, any_of, one_word_of
from banglahallueval.verdicts.announcements import Asked, Mark, asked, labelled_marks, sentence_mark
from banglahallueval.verdicts.phrases import mentions_hallucination
from banglahallueval.verdicts.statements import Statement, statements
from banglahallueval.verdicts.vocabulary import Vocabulary

_STEP = lazy_regex(
    rf"[\W_]{{0,9}}(?:step|{any_of('ধাপ')})\s{{0,4}}(\p{{Nd}}{{1,3}})[^\p{{L}}\p{{M}}\p{{N}}]*+"
)
_NEXT_EXAMPLE = lazy_regex(
    r"(?P<heading>[\W_]{0,9})(?:\p{N}{1,3}[.)]\s++)?(?:(?:next|another|new|following|পরবর্তী)\s++)?"
    r"(?P<field>question|q|context|passage|document|input|task|example|sample|case|problem|prompt"
    r"|article|text|instruction|system"
    r"|model answer|model summary|candidate(?: answer)?|reasoning chain|assistant|response|"
    + any_of("প্রশ্ন", "উদাহরণ", "প্রসঙ্গ", "অনুচ্ছেদ", "নথি", "মডেলের উত্তর", "proshno")
    + rf")(?!(?!ঃ){LETTER})"
    rf"(?P<number>\s*+#?\p{{N}}{{1,4}})?+[^\p{{L}}\p{{M}}\p{{N}}:]{{0,4}}(?P<colon>[:ঃ])?"
)
# The answer to the question before it, not to the prompt's.
_ITS_ANSWER = lazy_regex(
    rf"[\W_]{{0,9}}(?:the )?{one_word_of('answer a উত্তর')}(?:[\W_]{{0,4}}[:ঃ]| is )"
)


class Said(NamedTuple):
    """A statement and its verdicts.

    Attributes:
        statement: Where and what it is.
        marks: The verdicts it announces, by their place in it.
        step: The number of the step whose heading it bears; 0 without one.
    """

    statement: Statement
    marks: tuple[Mark, ...]
    step: int = 0


def scan(text: str, words: Vocabulary, *, first_counts: bool) -> tuple[list[Said], bool]:
    """Find the verdicts of a reply.

    Args:
        text: The reply's own turn, folded.
        words: The spellings of yes and no.
        first_counts: Whether the reply's first words announce its verdict whatever follows them.

    Returns:
        The statements up to the next example, if the model invents one after its verdict; and
        whether it did.
    """
    found: list[Said] = []
    question: Asked = ""
    echoes = announced = False  # whether an echoed question waits for its echoed answer
    for statement in statements(text):
        if statement.opens and _begins_example(statement.text):
            if announced or (found and _concludes(found[-1])):
                return found, True
            echoes = not mentions_hallucination(statement.text)
        if (echoes or question == "other") and _ITS_ANSWER.match(statement.text):
            echoes = False
            said = Said(statement, ())
        else:
            said = _read(statement, words, question)
        question = "" if said.marks else asked(statement.text)
        announced |= any(
            mark.kind not in ("bare", "opening")
            or (mark.kind == "bare" and statement.alone)
            or (first_counts and not found)
            for mark in said.marks
        )
        found.append(said)
    return found, False


def _concludes(said: Said) -> bool:
    """Whether a statement only gives a verdict, as `Therefore, no` does."""
    return any(mark.kind == "bare" for mark in said.marks)


def _begins_example(text: str) -> bool:
    """Whether a line heads a part of a prompt: `Question:`, `### Example`, `Question 2`."""
    header = _NEXT_EXAMPLE.match(text)
    if header is None:
        return False
    numbered = header["number"] and header.end() == len(text.rstrip())
    return bool(header["colon"] or numbered or "#" in header["heading"])


def _read(statement: Statement, words: Vocabulary, question: Asked) -> Said:
    """Read the verdicts of a statement, the first of which may answer a question before it."""
    text = statement.text
    step = _STEP.match(text) if statement.opens else None
    number = int(step[1]) if step else 0
    if not words.end_of_word.search(text) and not mentions_hallucination(text):
        return Said(statement, (), number)
    marks = list(labelled_marks(text, words))
    if question != "other" and not statement.continues:
        own = sentence_mark(text, words, step.end() if step else 0)
        if own and all(mark.start != own.start for mark in marks):
            marks.append(own._replace(kind=question) if question else own)
    marks.sort(key=lambda mark: mark.start)
    return Said(statement, tuple(marks), number)
