"""Index an evidence text, so that the words and numbers of an output can be looked up in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import regex

from banglahallueval.judges.evidence.close_keys import CloseKeys
from banglahallueval.judges.evidence.token_types import Token
from banglahallueval.judges.evidence.tokens import tokenise
from banglahallueval.judges.evidence.word_analysis import Word

_SENTENCE_END = regex.compile(r"[।॥?!.\])\"”]\s*$")
_START = 4  # letters of a key that two forms of one root share at least
_SAME_START = 0.6  # share of the longer key that they share at least
_SAME_MEANING = 0.9  # similarity of words that name the same thing or deed
_MATCHES_KEPT = 100_000  # of one evidence text


@dataclass(slots=True, eq=False)
class Occurrences:
    """The tokens of an evidence text at which something occurs.

    Equal only to itself, so that what follows from many occurrences can be kept at little cost.

    Attributes:
        indices: Indices into the evidence's tokens.
    """

    indices: Sequence[int]


class Match(NamedTuple):
    """The result of looking a word up.

    Attributes:
        similarity: 1 for the same key or stem, 0.9 for the same consonants (0.85 if there are only
            two), less for the most similar key, 0 if the evidence lacks the word.
        occurrences: Where it occurs.
    """

    similarity: float
    occurrences: Occurrences


NO_OCCURRENCES = Occurrences(())
_NO_MATCH = Match(0.0, NO_OCCURRENCES)


class EvidenceIndex:
    """An evidence text with its words and numbers.

    Attributes:
        text: The raw text.
        tokens: Its words and numbers.
        stems: Stem, key or relation tag -> occurrences.
        values: Number -> occurrences.
        is_truncated: Whether it ends within a sentence, so that facts may have been cut off.
    """

    def __init__(self, text: str) -> None:
        """Index a raw text."""
        self.text = text
        self.tokens = tokenise(text)
        words = _group_by_word(self.tokens)
        self.stems = _merge([(word.stems, at) for word, at in words])
        self.values = _values(text, self.tokens)
        self.concepts = _merge([(word.concepts, at) for word, at in words if word.concepts])
        self.is_truncated = not _SENTENCE_END.search(text)
        self._skeletons = _merge(
            [((word.skeleton,), at) for word, at in words if len(word.skeleton) >= 2]
        )
        self._key_sizes: dict[str, set[int]] = {}  # of each skeleton of two consonants
        keys: dict[str, None] = {}
        self._starts: dict[str, list[str]] = {}
        for word, _ in words:
            key, skeleton = word.key, word.skeleton
            if len(skeleton) == 2:
                self._key_sizes.setdefault(skeleton, set()).add(len(key))
            if len(key) >= _START:
                keys[key] = None
                self._starts.setdefault(key[:_START], []).append(key)
        self._keys = CloseKeys(tuple(keys))
        self._matches: dict[str, Match] = {}
        self._spellings: dict[str, Match] = {}
        self._unions: dict[tuple[Occurrences, ...], Occurrences] = {}

    def find(self, word: Word) -> Match:
        """Look a word up: the same one, another of its meaning, or another form of its root."""
        match = self._matches.get(word.text)
        if match is None:
            match = self.find_spelling(word)
            if match.similarity < _SAME_MEANING:
                match = max(match, self._same_meaning(word), key=lambda each: each.similarity)
            match = match if match.similarity else self._same_start(word.key)
            self._keep(self._matches, word.text, match)
        return match

    def find_spelling(self, word: Word) -> Match:
        """Look a word up in any inflection and spelling, and no other word."""
        match = self._spellings.get(word.text)
        if match is None:
            match = self._search(word)
            self._keep(self._spellings, word.text, match)
        return match

    def _keep(self, matches: dict[str, Match], text: str, match: Match) -> None:
        if len(matches) >= _MATCHES_KEPT:
            matches.clear()
        matches[text] = match

    def raw(self, index: int) -> str:
        """Return the raw text of one token."""
        return self.text[self.tokens[index].start : self.tokens[index].end]

    def _search(self, word: Word) -> Match:
        if same := tuple(self.stems[stem] for stem in word.stems if stem in self.stems):
            return Match(1.0, self._union(same))
        key, skeleton = word.key, word.skeleton
        if alike := self._skeletons.get(skeleton):
            if len(skeleton) >= 3:
                return Match(0.9, alike)
            if any(len(key) + change in self._key_sizes[skeleton] for change in (-1, 0, 1)):
                return Match(0.85, alike)
        closest = self._keys.closest(key) if len(key) >= 4 else None
        return Match(closest[1] / 100 * 0.9, self.stems[closest[0]]) if closest else _NO_MATCH

    def _same_meaning(self, word: Word) -> Match:
        same = tuple(self.concepts[each] for each in word.concepts if each in self.concepts)
        return Match(_SAME_MEANING, self._union(same)) if same else _NO_MATCH

    def _same_start(self, key: str) -> Match:
        """Look for a word that begins alike: another form of one root, or part of a compound."""
        best, found = 0.0, ""
        for other in self._starts.get(key[:_START], ()):
            shared = next(
                (at for at, (a, b) in enumerate(zip(key, other, strict=False)) if a != b),
                min(len(key), len(other)),
            )
            share = shared / max(len(key), len(other))
            if share > best:
                best, found = share, other
        return Match(best, self.stems[found]) if best >= _SAME_START else _NO_MATCH

    def _union(self, parts: tuple[Occurrences, ...]) -> Occurrences:
        if parts not in self._unions:
            indices: set[int] = set()
            for part in parts:
                indices.update(part.indices)
            self._unions[parts] = Occurrences(tuple(indices))
        return self._unions[parts]


@lru_cache(maxsize=8)
def index_evidence(text: str) -> EvidenceIndex:
    """Index an evidence text; the last few are kept, since outputs side by side share theirs."""
    return EvidenceIndex(text)


def _group_by_word(tokens: Sequence[Token]) -> list[tuple[Word, Occurrences]]:
    """Group tokens by the text of their word."""
    groups: dict[str, tuple[Word, list[int]]] = {}
    for at, (_, _, word, _, _) in enumerate(tokens):
        text = word.text
        if text in groups:
            groups[text][1].append(at)
        else:
            groups[text] = (word, [at])
    return [(word, Occurrences(indices)) for word, indices in groups.values()]


def _merge(keyed: Sequence[tuple[Sequence[str], Occurrences]]) -> dict[str, Occurrences]:
    """Join the occurrences of each key; most keys are of one word, whose occurrences are shared."""
    merged: dict[str, Occurrences] = {}
    parts: dict[str, list[Occurrences]] = {}  # of the keys of several words
    for keys, occurrences in keyed:
        for key in keys:
            if key not in merged:
                merged[key] = occurrences
            elif key in parts:
                parts[key].append(occurrences)
            elif merged[key] is not occurrences:
                parts[key] = [merged[key], occurrences]
    for key, several in parts.items():
        merged[key] = Occurrences([*chain.from_iterable(part.indices for part in several)])
    return merged


def _values(text: str, tokens: Sequence[Token]) -> Mapping[float, Occurrences]:
    """Group tokens by every number that they may denote."""
    groups: dict[float, list[int]] = {}
    for at, (_, _, word, value, _) in enumerate(tokens):
        if value is None:
            continue
        groups.setdefault(value, []).append(at)
        if at and _is_decimal_between(text, tokens[at - 1], tokens[at]):
            decimal = float(f"{tokens[at - 1].value:g}.{word.text}")
            groups.setdefault(decimal, []).append(at - 1)
        if 1900 < value < 2100:  # a year of two digits stands for one of four
            groups.setdefault(value % 100, []).append(at)
    return {value: Occurrences(indices) for value, indices in groups.items()}


def _is_decimal_between(text: str, whole: Token, fraction: Token) -> bool:
    """Return whether two tokens are one number, with blanks around its decimal point."""
    return (
        whole.value is not None
        and whole.value.is_integer()
        and whole.value < 1_000
        and fraction.word.text.isdigit()
        and text[whole.end : fraction.start].strip() == "."
    )
