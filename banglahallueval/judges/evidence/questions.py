"""Parse a question: what it names and what kind of answer it asks for."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Literal

import regex

from banglahallueval.judges.evidence.lexicon import HOW_MANY, QUESTION_WORDS, WHEN, WHERE, WHO
from banglahallueval.judges.evidence.token_types import Token
from banglahallueval.judges.evidence.tokens import tokenise

AnswerKind = Literal["when", "how_many", "who", "where", "what"]

# কোন সালে, koto shale, kon tarikhe: "which" or "how many" with a unit of time asks when.
_TIME_UNIT = regex.compile(r"(?:সাল|সনে|খ্রি|তারিখ|বছর|s[ah]+l|khr|tarikh|bochor)")
_OR_NOT = (("কি", "না"), ("ki", "na"))
_WHICH = ("kon", "koto", "kot", "কোন", "কত")


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A parsed question.

    Attributes:
        content: Its content words, each with its distance from the question word, counted in
            content words: the word beside "who" says most about what is asked for.
        kind: The kind of answer it asks for.
        asks_name: Whether it asks for a name.
        unit: The word after "how many"; None if there is none.
        negates: Whether it holds a negation.
        relations: Tags of the relations it names, such as #father.
    """

    content: tuple[tuple[Token, int], ...]
    kind: AnswerKind
    asks_name: bool
    unit: Token | None
    negates: bool
    relations: frozenset[str]
    _stems: frozenset[str]
    _skeletons: frozenset[str]
    _values: frozenset[float]

    def contains(self, token: Token) -> bool:
        """Return whether the question holds the token's number, stem or consonants."""
        if token.value is not None and token.value in self._values:
            return True
        return (
            not self._stems.isdisjoint(token.word.stems) or token.word.skeleton in self._skeletons
        )


@lru_cache(maxsize=64)
def parse_question(text: str) -> Question:
    """Parse a question; the last few are kept, since outputs side by side share theirs."""
    tokens = tokenise(text)
    content = [at for at, token in enumerate(tokens) if not token.word.is_stopword]
    question_words = (at for at in reversed(range(len(tokens))) if _is_question_word(tokens[at]))
    before = bisect(content, next(question_words, len(tokens)))  # content words before the asking
    kind, unit = _answer_kind(tokens)
    return Question(
        tuple(
            (tokens[at], before - n - 1 if n < before else n - before)
            for n, at in enumerate(content)
        ),
        kind,
        any(token.word.is_name_word for token in tokens),
        unit,
        _negates(tokens),
        frozenset(stem for t in tokens for stem in t.word.stems if stem.startswith("#")),
        frozenset(stem for token in tokens for stem in token.word.stems),
        frozenset(t.word.skeleton for t in tokens if len(t.word.skeleton) >= 3),
        frozenset(t.value for t in tokens if t.value is not None and not t.word.is_article),
    )


def _is_question_word(token: Token) -> bool:
    return token.word.is_stopword and token.word.text in QUESTION_WORDS


def _negates(tokens: tuple[Token, ...]) -> bool:
    """Return whether a question holds a negation; কি না, "whether or not", is none."""
    words = [token.word for token in tokens]
    return any(
        word.negates and not (at and (words[at - 1].text, word.text) in _OR_NOT)
        for at, word in enumerate(words)
    )


def _answer_kind(tokens: tuple[Token, ...]) -> tuple[AnswerKind, Token | None]:
    """Return the kind of answer asked for and, after "how many", the unit asked for."""
    for token, after in zip_longest(tokens, tokens[1:]):
        text = token.word.text
        if not (token.word.is_stopword or text in _WHICH):
            continue
        if text in WHEN or (text in _WHICH and after and _TIME_UNIT.match(after.word.text)):
            return "when", None
        if text in HOW_MANY:
            return "how_many", after if after and not after.word.is_stopword else None
        if text in WHO:
            return "who", None
        if text in WHERE:
            return "where", None
    return "what", None
