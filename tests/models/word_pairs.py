"""A tokenizer of pairs that needs no library: each word is a token, in pieces of four letters."""

from __future__ import annotations

from itertools import count

import regex

from banglahallueval.models.huggingface.pairs import Encoding
from banglahallueval.text.spans import Place

CLS, SEP = 0, 1
_PIECE = regex.compile(r"\S{1,4}")


class WordPairs:
    """Encodes pairs as `[CLS] first [SEP] second [SEP]`; a piece always has the same id."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.words: dict[int, str] = {}
        self._ids: dict[str, int] = {}
        self._next = count(2)

    def pair(self, first: str, second: str) -> Encoding:
        inner = [self._id(found[0]) for found in _PIECE.finditer(first)]
        places = self.places(second)
        own = [self._id(second[start:end]) for start, end in places]
        ids = [CLS, *inner, SEP, *own, SEP]
        return Encoding(ids, None, [*[None] * (len(inner) + 2), *places, None])

    def places(self, text: str) -> list[Place]:
        return [found.span() for found in _PIECE.finditer(text)]

    def _id(self, word: str) -> int:
        if word not in self._ids:
            self._ids[word] = next(self._next)
            self.words[self._ids[word]] = word
        return self._ids[word]
