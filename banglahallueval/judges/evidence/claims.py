"""Read an output as claims: its clauses, and which words of them the evidence must carry."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import regex

from banglahallueval.judges.evidence.evidence_index import (
    NO_OCCURRENCES,
    EvidenceIndex,
    Match,
    Occurrences,
)
from banglahallueval.judges.evidence.questions import Question
from banglahallueval.judges.evidence.token_types import Token, is_number

Role = Literal["claim", "given", "frame", "function", "negation"]

_BOUNDARY = regex.compile(r"[,;:—–()\[\]\"“”\n|]|(?<=\s)[-‘']|[’'](?=\s|$)|\s-\s")
# From this similarity on a word of the evidence is the word of the output.
_SAME = 0.8
_NUMBER_IN_WORDS = 0.9  # the same, for a number in words that the evidence may have as a word
_ABSENT = Match(0.0, NO_OCCURRENCES)


class ClaimWord(NamedTuple):
    """A word or number of an output.

    Attributes:
        token: The word.
        role: `claim` for what the evidence must carry; `given` for words of the question, `frame`
            for those that speak of the answer itself, `function` for those that say nothing alone.
        similarity: How near the nearest word of the evidence is, 0 to 1.
        occurrences: Where in the evidence it stands.
        is_number: Whether it is a number, and no article.
    """

    token: Token
    role: Role
    similarity: float
    occurrences: Occurrences
    is_number: bool

    @property
    def is_absent(self) -> bool:
        """Whether it is claimed and the evidence has nothing like it."""
        return self.role == "claim" and not self.similarity


class Clause:
    """A stretch of an output between two marks or ends of sentences.

    Attributes:
        words: Its words, in order.
        is_loose: Whether nothing links it to the evidence: no number, no word that is in the
            question or in the evidence, while another clause has one.
        claimed: Its words that the evidence must carry.
        anchors: Its words that state something and that the evidence has.
        negates: Whether it holds a negation.
    """

    __slots__ = ("anchors", "claimed", "is_loose", "negates", "words")

    def __init__(self, words: tuple[ClaimWord, ...], *, is_loose: bool) -> None:
        """Sort the words of a clause by what they do."""
        self.words = words
        self.is_loose = is_loose
        self.claimed = [word for word in words if word.role == "claim"]
        self.anchors = [w for w in words if w.role in ("claim", "given") and w.occurrences.indices]
        self.negates = any(word.role == "negation" for word in words)


def read_clauses(
    text: str, tokens: Sequence[Token], evidence: EvidenceIndex, question: Question | None
) -> list[Clause]:
    """Read an output's clauses.

    Args:
        text: The raw output.
        tokens: Its words and numbers.
        evidence: What it should be carried by.
        question: What it answers; None for a summary.
    """
    clauses = [
        words
        for clause in split_clauses(text, tokens)
        for words in [tuple(_read(token, evidence, question) for token in clause)]
        if any(word.role == "claim" for word in words) or not _asks(text, clause, tokens)
    ]
    is_rooted = any(_holds(words) for words in clauses)
    return [
        Clause(
            words,
            is_loose=is_rooted
            and not _holds(words)
            and not any(word.role == "given" for word in words)
            and any(word.role == "claim" for word in words),
        )
        for words in clauses
    ]


def split_clauses(text: str, tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Split tokens at ends of sentences, commas, colons, quotes, brackets and dashes."""
    first = 0
    for at in range(1, len(tokens)):
        before, token = tokens[at - 1], tokens[at]
        gap = text[before.end : token.start]
        if before.sentence != token.sentence or (gap != " " and _BOUNDARY.search(gap)):
            yield tokens[first:at]
            first = at
    if tokens:
        yield tokens[first:]


def find_word(token: Token, evidence: EvidenceIndex) -> Match:
    """Look a word or number up in the evidence, numbers by their value."""
    if not is_number(token):
        return evidence.find(token.word)
    if token.value is not None and token.value in evidence.values:
        return Match(1.0, evidence.values[token.value])
    if token.word.is_digits:
        return _ABSENT
    match = evidence.find(token.word)
    return match if match.similarity >= _NUMBER_IN_WORDS else _ABSENT


def _read(token: Token, evidence: EvidenceIndex, question: Question | None) -> ClaimWord:
    word, is_value = token.word, is_number(token)
    if word.negates:
        return ClaimWord(token, "negation", *_ABSENT, is_value)
    says_nothing = word.is_stopword or word.is_article or word.is_suffix or word.is_unit
    if says_nothing and not is_value:
        return ClaimWord(token, "function", *_ABSENT, is_value)
    match = find_word(token, evidence)
    if word.is_frame and not is_value:
        return ClaimWord(token, "frame", *match, is_value)
    if question is not None and question.contains(token):
        return ClaimWord(token, "given", *match, is_value)
    return ClaimWord(token, "claim", *match, is_value)


def _holds(words: Sequence[ClaimWord]) -> bool:
    """Return whether a clause claims something that the evidence has, or a number."""
    return any(
        word.role == "claim" and (word.is_number or word.similarity >= _SAME) for word in words
    )


def _asks(text: str, clause: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Return whether a clause ends a question: without words of its own it claims nothing."""
    after = bisect_right(tokens, clause[-1].start, key=lambda token: token.start)
    until = tokens[after].start if after < len(tokens) else len(text)
    return "?" in text[clause[-1].end : until]
