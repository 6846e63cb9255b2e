"""A text as words and numbers with their places, and an evidence text as an index of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import regex
from rapidfuzz import fuzz, process

from banglahallueval.judges.evidence.words import SCALED, Word, read_digits, read_word

_TOKEN = regex.compile(
    r"([\p{L}\p{M}\u200c\u200d]+)"  # a word
    r"|(\p{Nd}+(?:[.,]\p{Nd}+)*)"  # a number
    r"|[।॥?!\n]|\.(?=\s+[^\s\p{Ll}])"  # a sentence's end
)
_CITATION = regex.compile(r"\[\p{Nd}+\](?::[\p{Nd}, –-]+)?")
_ENDED = regex.compile(r"[।॥?!.\])\"”]\s*$")
_HYPHENS = ("-", "'", "’", "–")
_CLOSE = 84.0  # percent of rapidfuzz's ratio from which two keys of four letters are one word


class Token(NamedTuple):
    """A word or a number of a text.

    Attributes:
        start, end: Code points in the raw text, endings attached by hyphen or to digits included.
        word: What is known of the word.
        value: What it says as a number, scale words included; None for other words.
        sentence: Number of its sentence in the text.
    """

    start: int
    end: int
    word: Word
    value: float | None
    sentence: int


def tokenise(text: str) -> tuple[Token, ...]:
    """Split a raw text into words and numbers; marks of citation such as [7] are neither."""
    if "[" in text:
        text = _CITATION.sub(lambda found: " " * len(found[0]), text)
    tokens: list[Token] = []
    sentence = 0
    for found in _TOKEN.finditer(text):
        group = found.lastindex
        if group is None:
            sentence += 1
            continue
        start, end = found.span()
        word = read_word(found[0]) if group == 1 else read_digits(found[0])
        if (word.ending or word.scale) and tokens:
            before = tokens[-1]
            gap = text[before.end : start]
            if word.ending and (gap in _HYPHENS or (gap == "" and before.word.digits)):
                tokens[-1] = before._replace(end=end)
                continue
            if word.scale and before.value is not None and gap in (" ", ""):
                _scale_up(tokens, word.scale, end)
                continue
        tokens.append(Token(start, end, word, word.value, sentence))
    return tuple(tokens)


def _scale_up(tokens: list[Token], scale: float, end: int) -> None:
    """Let a scale word multiply the number before it, and join that to a greater one before."""
    last = tokens.pop()
    start, value = last.start, (last.value or 0) * scale
    before = tokens[-1] if tokens else None
    if before and before.word is SCALED and (before.value or 0) >= scale * 10:
        tokens.pop()
        start, value = before.start, value + (before.value or 0)
    tokens.append(Token(start, end, SCALED, value, last.sentence))


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """An evidence text, indexed for look-ups.

    Attributes:
        text: The raw text.
        tokens: Its words and numbers.
        stems: Stem or key to the places (indices of tokens) that have it.
        skeletons: Consonant skeletons of at least two letters to places.
        values: Number to places.
        keys: All keys of at least four letters, for likeness.
        stances: The stances that its words take.
        broken_off: The text ends within a sentence, so what it does not say may have been cut.
    """

    text: str
    tokens: tuple[Token, ...]
    stems: dict[str, list[int]]
    skeletons: dict[str, list[int]]
    values: dict[float, list[int]]
    keys: tuple[str, ...]
    stances: frozenset[str]
    broken_off: bool

    def places(self, token: Token) -> tuple[float, Sequence[int]]:
        """How well the evidence carries a word (0 to 1), and where.

        1 is the same key or stem, 0.9 the same consonants (0.85 where there are only two), below
        that the likeness of the closest key; 0 is nowhere.
        """
        _, key, skeleton, own_stems, *_ = token.word
        stems = self.stems
        found: set[int] = set()
        for stem in own_stems:
            if stem in stems:
                found.update(stems[stem])
        if found:
            return 1.0, tuple(found)
        alike = self.skeletons.get(skeleton, [])
        if alike and len(skeleton) >= 3:
            return 0.9, alike
        if any(abs(len(self.tokens[place].word.key) - len(key)) <= 1 for place in alike):
            return 0.85, alike
        if len(key) < 4:
            return 0.0, ()
        closest = process.extractOne(key, self.keys, scorer=fuzz.ratio, score_cutoff=_CLOSE)
        return (closest[1] / 100 * 0.9, self.stems[closest[0]]) if closest else (0.0, ())

    def said(self, place: int) -> str:
        """The raw text of one token."""
        return self.text[self.tokens[place].start : self.tokens[place].end]


@lru_cache(maxsize=8)
def index(text: str) -> Evidence:
    """Index an evidence text; the last few are kept, since outputs side by side share theirs."""
    tokens = tokenise(text)
    own: dict[str, tuple[Word, list[int]]] = {}
    values: dict[float, list[int]] = {}
    for place, token in enumerate(tokens):
        _, _, word, value, _ = token
        known = own.get(word.text)
        if known is None:
            own[word.text] = (word, [place])
        else:
            known[1].append(place)
        if value is not None:
            values.setdefault(value, []).append(place)
            if place and _decimal_between(text, tokens[place - 1], token):
                decimal = float(f"{tokens[place - 1].value:g}.{value:g}")
                values.setdefault(decimal, []).append(place - 1)
            if 1900 < value < 2100:  # a year of two digits stands for one of four
                values.setdefault(value % 100, []).append(place)
    # A word's places are shared by all that leads to them; most stems are of one word alone.
    stems: dict[str, list[int]] = {}
    skeletons: dict[str, list[int]] = {}
    for word, places in own.values():
        for stem in word.stems:
            stems[stem] = stems[stem] + places if stem in stems else places
        skeleton = word.skeleton
        if len(skeleton) >= 2:
            skeletons[skeleton] = skeletons[skeleton] + places if skeleton in skeletons else places
    words = [word for word, _ in own.values()]
    return Evidence(
        text,
        tokens,
        stems,
        skeletons,
        values,
        tuple(dict.fromkeys(word.key for word in words if len(word.key) >= 4)),
        frozenset(word.stance for word in words),
        not _ENDED.search(text),
    )


def _decimal_between(text: str, one: Token, two: Token) -> bool:
    """Whether two numbers are one, written with blanks around its decimal point."""
    whole = one.value is not None and one.value.is_integer() and one.value < 1_000
    return whole and two.word.text.isdigit() and text[one.end : two.start].strip() == "."


@lru_cache(maxsize=8)
def denials(evidence: Evidence) -> list[bool]:
    """Of each token whether it is denied by itself or within the two words after it."""
    tokens = evidence.tokens
    denied = [token.word.denies for token in tokens]
    for place, token in enumerate(tokens):
        if token.word.negation:
            for before in range(max(0, place - 2), place):
                denied[before] |= tokens[before].sentence == token.sentence
    return denied
