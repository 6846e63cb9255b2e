"""How far each word of an answer lacks support: by its evidence, its question and its neighbours.

A word is looked up as the evidence judge does it (phonetic key, stem, value, similar spelling), so
spellings and inflections of Bangla match, and so do most of other languages. Scripts that write no
blanks between words are looked up by pairs of characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import regex

from banglahallueval.judges.evidence.evidence_index import EvidenceIndex, index_evidence
from banglahallueval.judges.evidence.questions import Question, parse_question
from banglahallueval.judges.evidence.token_types import Token
from banglahallueval.judges.evidence.tokens import tokenise
from banglahallueval.text.lazy_regex import lazy_regex

# A word that only the question has: it was given, so an answer may repeat it.
_IN_QUESTION = 0.2
# Lacking support, a word in lower case says less than a name or a number.
_LOWER_CASE = 0.85
# The sentence's share in a word's score: a lone unknown word among known ones is less suspicious.
_SENTENCE = 0.25
# Scripts without blanks between words.
_UNSPACED = lazy_regex(
    r"[\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]+"
)
_ENTRY = lazy_regex(r"^[^\S\n]*+(\p{Nd}{1,2}[.)][^\S\n]++)(?=\S)", regex.MULTILINE)
_OPENING, _CLOSING = frozenset("\"'“‘«([{"), frozenset("\"'”’»)]}")


@dataclass(frozen=True, slots=True)
class Part:
    """A word, number or character of an answer.

    Attributes:
        start, end: Its code points in the answer.
        sentence: 0-based number of its sentence.
        score: How far it lacks support, 0 to 1; None for a word that says nothing by itself and
            goes with its neighbours.
        least: The least score that it has whatever its sentence is like.
    """

    start: int
    end: int
    sentence: int
    score: float | None
    least: float = 0.0


def word_support(
    answer: str, evidence: str, question: str, least: Mapping[int, float]
) -> list[float]:
    """Score each code point of an answer by how far what it belongs to lacks support.

    Args:
        answer: The raw answer.
        evidence: What it should be carried by.
        question: The question; empty for none.
        least: Starts of words -> their least score, whatever the evidence holds.

    Returns:
        A number from 0 to 1 for each code point. Blanks and marks between two words have the lower
        score of both.
    """
    known = _Known(index_evidence(evidence), parse_question(question), _pairs(evidence + question))
    parts = list(_parts(answer, known, least))
    scores = _with_neighbours(parts)
    painted = [0.0] * len(answer)
    for at, part in enumerate(parts):
        painted[part.start : part.end] = [scores[at]] * (part.end - part.start)
    for at, (part, after) in enumerate(pairwise(parts)):
        if part.sentence == after.sentence:
            between = min(scores[at], scores[at + 1])
            painted[part.end : after.start] = [between] * (after.start - part.end)
    _paint_quotes(answer, parts, scores, painted)
    return painted


@dataclass(frozen=True, slots=True)
class _Known:
    """What an answer may say: the evidence, the question, and pairs of characters of both."""

    evidence: EvidenceIndex
    question: Question
    pairs: frozenset[str]


def _pairs(text: str) -> frozenset[str]:
    """List the pairs of neighbouring characters of the parts written without blanks."""
    runs = _UNSPACED.findall(text)
    return frozenset(a + b for run in runs for a, b in pairwise(run))


def _parts(answer: str, known: _Known, least: Mapping[int, float]) -> Iterator[Part]:
    """Split an answer; the number of a list's entry becomes part of the entry's first word."""
    entries = {found.end(1): found.start(1) for found in _ENTRY.finditer(answer)}
    for token in tokenise(answer):
        for part in _parts_of_token(answer, token, known, least.get(token.start)):
            yield replace(part, start=entries.pop(part.start, part.start))


def _parts_of_token(
    answer: str, token: Token, known: _Known, least: float | None
) -> Iterator[Part]:
    start, end, sentence = token.start, token.end, token.sentence
    if least is not None:
        score = _missing(answer[start:end], token, known) or 0.0
        yield Part(start, end, sentence, max(score, least), least)
    elif token.value is None and not token.word.key:
        return  # a joiner or variation selector inside an emoji
    elif _UNSPACED.search(answer, start, end):
        yield from _characters(answer, token, known.pairs)
    else:
        yield Part(start, end, sentence, _missing(answer[start:end], token, known))


def _missing(raw: str, token: Token, known: _Known) -> float | None:
    """Score one word or number."""
    word = token.word
    if token.value is not None and not word.is_article:
        if token.value in known.evidence.values:
            return 0.0
        return _IN_QUESTION if known.question.contains(token) else 1.0
    if word.is_stopword or word.is_article or word.negates or word.is_frame:
        return None
    missing = 1.0 - known.evidence.find(word).similarity
    if missing > _IN_QUESTION and known.question.contains(token):
        return _IN_QUESTION
    return missing * (_LOWER_CASE if raw.islower() else 1.0)


def _characters(answer: str, token: Token, pairs: frozenset[str]) -> Iterator[Part]:
    """Score the characters of a run without blanks: each is known if a pair with it is.

    A single unknown character between known ones, as 的 may be, says nothing by itself.
    """
    run = answer[token.start : token.end]
    links = [a + b in pairs for a, b in pairwise(run)]
    known = [any(links[max(0, at - 1) : at + 1]) for at in range(len(run))]
    at = token.start
    for is_known, group in groupby(known):
        size = len(list(group))
        score = 0.0 if is_known else (1.0 if size > 1 or len(run) == 1 else None)
        for _ in range(size):
            yield Part(at, at + 1, token.sentence, score)
            at += 1


def _with_neighbours(parts: Sequence[Part]) -> list[float]:
    """Score parts with regard to their sentences and neighbours.

    A word that says nothing by itself has the lower score of the words around it in its sentence;
    so has a known word right between two unknown ones, as a part of a name may be.
    """
    scores: list[float] = []
    for _, group in groupby(parts, key=lambda part: part.sentence):
        sentence = list(group)
        own = _blend(sentence)
        before, after = _last_scores(own), _last_scores(own[::-1])[::-1]
        for at, score in enumerate(own):
            lower = min(before[at], after[at])
            is_between = all(side is not None for side in own[max(0, at - 1) : at + 2])
            if score is None:
                scores.append(lower)
            else:
                scores.append(max(score, lower) if is_between else score)
    return scores


def _blend(sentence: Sequence[Part]) -> list[float | None]:
    """Mix each score with the mean of the sentence."""
    own = [part.score for part in sentence if part.score is not None]
    mean = sum(own) / len(own) if own else 0.0
    return [
        None
        if part.score is None
        else max((1 - _SENTENCE) * part.score + _SENTENCE * mean, part.least)
        for part in sentence
    ]


def _last_scores(scores: Sequence[float | None]) -> list[float]:
    """List for each place the last score before it; 0 where there is none."""
    last, found = 0.0, []
    for score in scores:
        found.append(last)
        last = last if score is None else score
    return found


def _paint_quotes(
    answer: str, parts: Sequence[Part], scores: Sequence[float], painted: list[float]
) -> None:
    """Give quotation marks and brackets right around a word the word's score."""
    for part, score in zip(parts, scores, strict=True):
        at = part.end
        while at < len(answer) and answer[at] in _CLOSING:
            painted[at] = max(painted[at], score)
            at += 1
        at = part.start - 1
        while at >= 0 and answer[at] in _OPENING:
            painted[at] = max(painted[at], score)
            at -= 1
