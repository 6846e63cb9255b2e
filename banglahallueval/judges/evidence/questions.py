"""What a question names, and what kind of answer it asks for."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Literal

import regex

from banglahallueval.judges.evidence.lexicon import ASKING, HOW_MANY, WHEN, WHERE, WHO
from banglahallueval.judges.evidence.tokens import Token, tokenise

Kind = Literal["when", "how_many", "who", "where", "what"]

# কোন সালে, koto shale, kon tarikhe: a number or "which" that asks for a time.
_TIME_UNIT = regex.compile(r"(?:সাল|সনে|খ্রি|তারিখ|বছর|s[ah]+l|khr|tarikh|bochor)")
_WHICH = ("kon", "koto", "kot", "কোন", "কত")


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question.

    Attributes:
        content: Its words that are no phrasing, each with its distance from the asking word in
            such words: what stands beside "who" says most about what is wanted.
        kind: The kind of answer it asks for.
        name: Whether it asks for a name.
        unit: The word after "how many", where there is one.
        denies: Whether it holds a negation.
        tags: The relations it names, such as #father.
    """

    content: tuple[tuple[Token, int], ...]
    kind: Kind
    name: bool
    unit: Token | None
    denies: bool
    tags: frozenset[str]
    _stems: frozenset[str]
    _skeletons: frozenset[str]
    _values: frozenset[float]

    def says(self, token: Token) -> bool:
        """Whether a word of an answer only repeats the question."""
        if token.value is not None and token.value in self._values:
            return True
        return (
            not self._stems.isdisjoint(token.word.stems) or token.word.skeleton in self._skeletons
        )


@lru_cache(maxsize=64)
def read_question(text: str) -> Question:
    """Read a question."""
    tokens = tokenise(text)
    content = [place for place, token in enumerate(tokens) if not token.word.phrasing]
    asking = (p for p in reversed(range(len(tokens))) if _is_asking(tokens[p]))
    middle = bisect(content, next(asking, len(tokens)))  # so many stand before the asking word
    kind, unit = _kind(tokens)
    return Question(
        tuple(
            (tokens[p], middle - n - 1 if n < middle else n - middle) for n, p in enumerate(content)
        ),
        kind,
        any(token.word.name for token in tokens),
        unit,
        any(token.word.denies for token in tokens),
        frozenset(s for t in tokens for s in t.word.stems if s.startswith("#")),
        frozenset(stem for token in tokens for stem in token.word.stems),
        frozenset(t.word.skeleton for t in tokens if len(t.word.skeleton) >= 3),
        frozenset(t.value for t in tokens if t.value is not None and not t.word.article),
    )


def _is_asking(token: Token) -> bool:
    return token.word.phrasing and token.word.text in ASKING


def _kind(tokens: tuple[Token, ...]) -> tuple[Kind, Token | None]:
    for token, after in zip_longest(tokens, tokens[1:]):
        if not (token.word.phrasing or token.word.text in _WHICH):
            continue
        if token.word.text in WHEN:
            return "when", None
        if token.word.text in _WHICH and after and _TIME_UNIT.match(after.word.text):
            return "when", None
        if token.word.text in HOW_MANY:
            return "how_many", after if after and not after.word.phrasing else None
        if token.word.text in WHO:
            return "who", None
        if token.word.text in WHERE:
            return "where", None
    return "what", None
