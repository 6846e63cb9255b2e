"""Words that name one thing or deed, in both scripts and in English, and what they exclude."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple
from unicodedata import normalize

from banglahallueval.judges.evidence.word_files import read_words
from banglahallueval.text.phonetic import sound

# Endings of nouns that the file does not list with each word.
_ENDINGS = frozenset(
    normalize(
        "NFC",
        "টি টা টির টার টিকে টাকে টিতে টায় গুলো গুলি গুলোর র ের ে য় তে কে রা দের ও ই "
        "ti ta tir tar tike take tite tay gulo guli gula r er e y te ke ra der o i",
    ).split()
)
_LONGEST_ENDING = max(map(len, _ENDINGS))


class _Thesaurus(NamedTuple):
    by_spelling: Mapping[str, tuple[str, ...]]
    by_sound: Mapping[str, tuple[str, ...]]
    excluded: Mapping[str, frozenset[str]]


def concepts(word: str) -> tuple[str, ...]:
    """Return the concepts that a word in NFC and lower case names, inflected or not."""
    known = _load()
    if found := known.by_spelling.get(word):
        return found
    romanised = word.isascii()
    if romanised and len(word) > 3 and (found := known.by_sound.get(sound(word))):
        return found
    for size in range(min(_LONGEST_ENDING, len(word) - 3), 0, -1):
        if word[-size:] not in _ENDINGS:
            continue
        stem = word[:-size]
        if found := known.by_spelling.get(stem):
            return found
        if romanised and len(stem) > 3 and (found := known.by_sound.get(sound(stem))):
            return found
    return ()


def excluded_by(concept: str) -> frozenset[str]:
    """Return the concepts that cannot hold where this one does: its antonyms and rivals."""
    return _load().excluded.get(concept, frozenset())


def exclude(some: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether two words' concepts exclude each other; words of one concept never do."""
    return set(some).isdisjoint(others) and any(
        not excluded_by(concept).isdisjoint(others) for concept in some
    )


@cache
def _load() -> _Thesaurus:
    by_spelling: dict[str, tuple[str, ...]] = {}
    by_sound: dict[str, tuple[str, ...]] = {}
    excluded: dict[str, set[str]] = {}
    for line in read_words("thesaurus.txt").splitlines():
        one, exclusion, other = line.partition(" <> ")
        if exclusion:
            excluded.setdefault(one, set()).add(other)
            excluded.setdefault(other, set()).add(one)
            continue
        concept, _, words = line.partition(": ")
        for word in words.split():
            by_spelling[word] = (*by_spelling.get(word, ()), concept)
            if word.isascii() and len(word) > 3:
                key = sound(word)
                by_sound[key] = tuple(dict.fromkeys((*by_sound.get(key, ()), concept)))
    return _Thesaurus(
        by_spelling, by_sound, {concept: frozenset(all_) for concept, all_ in excluded.items()}
    )
