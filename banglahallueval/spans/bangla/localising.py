"""Rules that find the wrong words of a candidate by what sets it apart from the gold output.

A candidate is known to be wrong as a whole. Where all of it but one or two short stretches is said
by its gold output or its question too, the fault can stand nowhere else: those stretches are its
spans. Every rule rather leaves a candidate out than guesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal

import regex
from rapidfuzz import fuzz

from banglahallueval.judges.arithmetic import Step, check_chain
from banglahallueval.judges.evidence.evidence_index import EvidenceIndex, index_evidence
from banglahallueval.judges.evidence.lexicon import WordSet
from banglahallueval.judges.evidence.questions import parse_question
from banglahallueval.judges.evidence.thesaurus import exclude
from banglahallueval.judges.evidence.token_types import Token
from banglahallueval.judges.evidence.tokens import tokenise
from banglahallueval.spans.types import Span
from banglahallueval.tasks import TASKS, Item
from banglahallueval.text.bangla import numbers
from banglahallueval.text.normalise import words_for_matching

Rule = Literal["arithmetic slip", "swapped answer", "misplaced answer", "changed words"]

_LONGEST_ANSWER = 5  # content words of a stretch that stands for an answer
_LONGEST_CHANGE = 4  # content words of a changed stretch of a summary
_MOST_CHANGES = 2  # changed stretches of a summary
_SAME_SPELLING = 84  # percent, `fuzz.ratio` of two keys, as the evidence index has it
_PART = regex.compile(r"\p{Nd}+(?:[.,]\p{Nd}+)*|[\p{L}\p{M}]+|\S")
_CLAUSE = regex.compile(r"\*|[,;:]\s+(?!\p{Nd})")  # a comma before a year is part of a date
_QUOTES = (("‘", "’"), ("“", "”"), ("«", "»"))
# Words with which generated answers qualify a fact: they are new, but not what is wrong.
_QUALIFIERS = WordSet(
    """prothom dike khetre prochur beshi shudhu matro ekmatro prokrito procholito shorashori
    anusthanikvabe ullekh guruttopurno prodhan mul majhe প্রথম দিকে ক্ষেত্রে প্রচুর বেশি শুধু মাত্র
    একমাত্র প্রকৃত প্রচলিত সরাসরি আনুষ্ঠানিকভাবে উল্লেখ গুরুত্বপূর্ণ প্রধান মূল মাঝে"""
)


@dataclass(frozen=True, slots=True)
class Localised:
    """Where a candidate is wrong.

    Attributes:
        rule: The rule that says so.
        spans: The wrong stretches, in order.
    """

    rule: Rule
    spans: tuple[Span, ...]


class NotLocalisableError(Exception):
    """No rule says where a candidate is wrong; the message is the reason."""


def localise(candidate: Item, gold: Item) -> Localised:
    """Find where a candidate is wrong.

    Args:
        candidate: A hallucinated output.
        gold: The right output of the same source.

    Raises:
        NotLocalisableError: If no rule tells.
    """
    task = TASKS[candidate.task]
    if words_for_matching(candidate.output) == words_for_matching(gold.output):
        raise NotLocalisableError("says the same as gold")
    if task.is_chain:
        return _arithmetic_slip(candidate.output, gold.output)
    return _answer(candidate, gold) if task.has_answers else _changed_words(candidate, gold)


def _arithmetic_slip(chain: str, gold: str) -> Localised:
    """Mark the wrong result of the one wrong calculation, wherever its step states it.

    The step has to be the gold chain's but for that number, and the steps before it have to have
    the gold chain's numbers. What follows from the slip is not marked: it is calculated right.
    """
    own = {(step.expression, step.stated) for step in check_chain(gold).faults}
    slips = [s for s in check_chain(chain).faults if (s.expression, s.stated) not in own]
    if not slips:
        raise NotLocalisableError("no wrong calculation")
    slip = slips[0]
    if any(s.fault != "wrong result" or s.stated != slip.stated for s in slips):
        raise NotLocalisableError("several wrong calculations")
    lines, gold_lines = chain.split("\n"), gold.split("\n")
    at = chain.count("\n", 0, slip.start)
    if any(numbers(a) != numbers(b) for a, b in zip(lines[:at], gold_lines, strict=False)):
        raise NotLocalisableError("an earlier step differs from gold")
    offset = sum(len(line) + 1 for line in lines[:at])
    gold_line = gold_lines[at] if at < len(gold_lines) else ""
    spans = _replaced_results(lines[at], gold_line, slip)
    return Localised(
        "arithmetic slip", tuple(Span(offset + start, offset + end) for start, end in spans)
    )


def _replaced_results(line: str, gold: str, slip: Step) -> Iterator[tuple[int, int]]:
    """Find the numbers of a step that differ from gold's: all have to be the slip's result."""
    ours, theirs = list(_PART.finditer(line)), _PART.findall(gold)
    if len(ours) != len(theirs):
        raise NotLocalisableError("the wrong step is worded otherwise than in gold")
    for part, other in zip(ours, theirs, strict=True):
        if words_for_matching(part[0]) == words_for_matching(other):
            continue
        if (numbers(part[0]), numbers(other)) != (numbers(slip.stated), [slip.value]):
            raise NotLocalisableError("the wrong step is worded otherwise than in gold")
        yield part.span()


def _answer(candidate: Item, gold: Item) -> Localised:
    """Mark the one stretch of an answer that neither its question nor gold has."""
    question, right = parse_question(candidate.question), index_evidence(gold.output)
    joined = "".join(token.word.key for token in right.tokens)
    tokens = tokenise(candidate.output)
    new = [
        at
        for at, token in enumerate(tokens)
        if not (question.contains(token) or _is_function_word(token) or _has(right, token))
    ]
    if not new:
        raise NotLocalisableError("no word that question and gold lack")
    if any(token.word.negates for token in tokens) != question.negates:
        raise NotLocalisableError("a negation")
    if any(after - before > 2 for before, after in pairwise(new)):  # one word between is a link
        raise NotLocalisableError("several stretches")
    words = [tokens[at] for at in new]
    span = _with_closing_quote(candidate.output, words[0].start, words[-1].end)
    if len(words) > _LONGEST_ANSWER or words[0].sentence != words[-1].sentence:
        raise NotLocalisableError("a long stretch")
    if _CLAUSE.search(candidate.output, span.start, span.end):
        raise NotLocalisableError("a clause or markup inside the stretch")
    if any(_is_qualifier(word) for word in words):
        raise NotLocalisableError("a qualification")
    if any(len(word.word.key) >= 4 and word.word.key in joined for word in words):
        raise NotLocalisableError("gold in another spelling")
    carried = [_has(index_evidence(candidate.context), word) for word in words]
    if any(carried) and not all(carried):
        raise NotLocalisableError("words of the evidence among others")
    rule: Rule = "misplaced answer" if all(carried) else "swapped answer"
    return Localised(rule, (span,))


def _with_closing_quote(text: str, start: int, end: int) -> Span:
    """Take in the quotation mark behind a stretch that the stretch itself opens."""
    opened = [right for left, right in _QUOTES if left in text[start:end]]
    return Span(start, end + (text[end : end + 1] in opened))


def _changed_words(candidate: Item, gold: Item) -> Localised:
    """Mark one or two short stretches of a summary that gold and the document lack."""
    theirs, ours = tokenise(gold.output), tokenise(candidate.output)
    keys: list[Token] = []
    matcher = SequenceMatcher(None, _ids(theirs, keys), _ids(ours, keys), autojunk=False)
    document = index_evidence(candidate.context)
    spans: list[Span] = []
    for difference, gold_from, gold_to, start, end in matcher.get_opcodes():
        lost = _content(theirs[gold_from:gold_to])
        changed = _content(ours[start:end])
        if difference == "equal" or not (lost or changed):
            continue
        if any(token.word.negates for token in (*lost, *changed)):
            raise NotLocalisableError("a negation")
        if len(lost) > _LONGEST_CHANGE or len(changed) > _LONGEST_CHANGE:
            raise NotLocalisableError("a long stretch")
        if not changed:
            continue
        if changed[0].sentence != changed[-1].sentence:
            raise NotLocalisableError("a long stretch")
        if any(_has(document, token) for token in changed):
            raise NotLocalisableError("words of the evidence among others")
        spans.append(Span(changed[0].start, changed[-1].end))
    if not spans:
        raise NotLocalisableError("no word that the document and gold lack")
    if len(spans) > _MOST_CHANGES:
        raise NotLocalisableError("several stretches")
    return Localised("changed words", tuple(spans))


def _ids(tokens: Sequence[Token], known: list[Token]) -> list[int]:
    """Number tokens so that those that are one word in different spellings have one number."""
    ids = []
    for token in tokens:
        at = next((at for at, other in enumerate(known) if _same_word(token, other)), len(known))
        if at == len(known):
            known.append(token)
        ids.append(at)
    return ids


def _same_word(one: Token, other: Token) -> bool:
    if one.value is not None or other.value is not None:
        return one.value == other.value
    a, b = one.word, other.word
    if a.negates != b.negates or a.key[:1] != b.key[:1] or exclude(a.concepts, b.concepts):
        return False
    if not set(a.stems).isdisjoint(b.stems) or (len(a.skeleton) >= 3 and a.skeleton == b.skeleton):
        return True
    return len(a.key) >= 4 and fuzz.ratio(a.key, b.key) >= _SAME_SPELLING


def _content(tokens: Sequence[Token]) -> list[Token]:
    return [
        token
        for token in tokens
        if token.word.negates
        or token.value is not None
        or not (token.word.is_stopword or token.word.is_frame)
    ]


def _is_function_word(token: Token) -> bool:
    return token.word.is_stopword or token.word.is_article


def _is_qualifier(token: Token) -> bool:
    return token.value is None and token.word.text in _QUALIFIERS


def _has(evidence: EvidenceIndex, token: Token) -> bool:
    """Whether a text has a word in any spelling, or a number."""
    if token.value is not None:
        return token.value in evidence.values
    return bool(evidence.find_spelling(token.word).similarity)
