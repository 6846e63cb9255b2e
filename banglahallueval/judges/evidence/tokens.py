"""A text as words and numbers with their places, and an evidence text as an index of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

import regex
from rapidfuzz import fuzz, process

from banglahallueval.judges.evidence.folding import Form, fold
from banglahallueval.judges.evidence.lexicon import CONCEPTS, NEGATION
from banglahallueval.judges.evidence.numbers import digits_value, scale_value, word_value

_TOKEN = regex.compile(
    r"(?P<number>\p{Nd}+(?:[.,]\p{Nd}+)*)"
    r"|(?P<word>[\p{L}\p{M}\u200c\u200d]+)"
    r"|(?P<stop>[।॥?!\n]|\.(?=\s+[^\s\p{Ll}]))"
)
_CITATION = regex.compile(r"\[\p{Nd}+\](?::[\p{Nd}, –-]+)?")
_ENDED = regex.compile(r"[।॥?!.\])\"”]\s*$")
_ENDINGS = frozenset(
    "er r te e ke ti ta to tir tar tike take tei i o y th st nd rd sh she om tom m ত র এর ের টি টা টির "
    "টার তে কে এ ই ও য় ম তম শে লা রা".split()
)
_SCALED = "0*"  # stands for the word of a number with a scale, such as 1 koti
_CLOSE = 84.0  # percent of rapidfuzz's ratio from which two keys of four letters are one word


class Token(NamedTuple):
    """A word or a number of a text.

    Attributes:
        start, end: Code points in the raw text, endings attached by hyphen or to digits included.
        word: The word in lower case (NFC), digits as they are.
        form: Its folded forms.
        value: What it says as a number, scale words included; None for other words.
        sentence: Number of its sentence in the text.
        weak: A number word that is no more than an article (এক, one).
    """

    start: int
    end: int
    word: str
    form: Form
    value: float | None
    sentence: int
    weak: bool = False


def tokenise(text: str) -> tuple[Token, ...]:
    """Split a raw text into words and numbers."""
    tokens: list[Token] = []
    sentence = 0
    for found in _TOKEN.finditer(text):
        start, end = found.span()
        raw = found.group()
        if found.lastgroup == "stop":
            sentence += 1
            continue
        if found.lastgroup == "number":
            form = Form(raw, "", (raw,))
            tokens.append(Token(start, end, raw, form, digits_value(raw), sentence))
            continue
        word = normalize("NFC", raw).lower()
        if word in _ENDINGS and tokens and _attached(text, tokens[-1], start):
            tokens[-1] = tokens[-1]._replace(end=end)
            continue
        scale = scale_value(word)
        if scale and tokens and tokens[-1].value is not None and text[tokens[-1].end : start] in (" ", ""):
            _scale_up(tokens, scale, end)
            continue
        value = word_value(word)
        tokens.append(Token(start, end, word, _form(word), value, sentence, value == 1))
    return tuple(tokens)


@lru_cache(maxsize=100_000)
def _form(word: str) -> Form:
    """A word's folded forms, with the tags of what it names among its stems."""
    form = fold(word)
    tags = {tag for stem in form.stems for tag in CONCEPTS.get(stem, ())}
    return form._replace(stems=(*form.stems, *sorted(tags))) if tags else form


def _attached(text: str, before: Token, start: int) -> bool:
    gap = text[before.end : start]
    return gap in ("-", "'", "’", "–") or (gap == "" and before.word[0].isdigit())


def _scale_up(tokens: list[Token], scale: float, end: int) -> None:
    """Let a scale word multiply the number before it, and join that to a greater one before."""
    last = tokens.pop()
    start, value = last.start, (last.value or 0) * scale
    before = tokens[-1] if tokens else None
    if before and before.word == _SCALED and (before.value or 0) >= scale * 10:
        tokens.pop()
        start, value = before.start, value + (before.value or 0)
    tokens.append(Token(start, end, _SCALED, Form(_SCALED, "", ()), value, last.sentence))


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
        broken_off: The text ends within a sentence, so what it does not say may have been cut.
    """

    text: str
    tokens: tuple[Token, ...]
    stems: dict[str, list[int]]
    skeletons: dict[str, list[int]]
    values: dict[float, list[int]]
    keys: tuple[str, ...]
    broken_off: bool

    def places(self, token: Token) -> tuple[float, tuple[int, ...]]:
        """How well the evidence carries a word (0 to 1), and where.

        1 is the same key or stem, 0.9 the same consonants (0.85 where there are only two), below
        that the likeness of the closest key.
        """
        found = {place for stem in token.form.stems for place in self.stems.get(stem, ())}
        if found:
            return 1.0, tuple(found)
        key, skeleton = token.form.key, token.form.skeleton
        alike = tuple(self.skeletons.get(skeleton, ()))
        if alike and len(skeleton) >= 3:
            return 0.9, alike
        if any(abs(len(self.tokens[place].form.key) - len(key)) <= 1 for place in alike):
            return 0.85, alike
        if len(key) < 4 or not self.keys:
            return 0.0, ()
        closest, score, _ = process.extractOne(key, self.keys, scorer=fuzz.ratio)
        return score / 100 * 0.9, tuple(self.stems[closest]) if score >= _CLOSE else ()

    def said(self, place: int) -> str:
        """The raw text of one token."""
        return self.text[self.tokens[place].start : self.tokens[place].end]


@lru_cache(maxsize=512)
def index(text: str) -> Evidence:
    """Index an evidence text; the last few hundred are kept, since candidates share theirs."""
    tokens = tokenise(_CITATION.sub(lambda found: " " * len(found[0]), text))
    stems: dict[str, list[int]] = {}
    skeletons: dict[str, list[int]] = {}
    values: dict[float, list[int]] = {}
    for place, token in enumerate(tokens):
        form = token.form
        if token.value is not None:
            values.setdefault(token.value, []).append(place)
            if place and _decimal_between(text, tokens[place - 1], token):
                decimal = float(f"{tokens[place - 1].value:g}.{token.value:g}")
                values.setdefault(decimal, []).append(place - 1)
            if 1900 < token.value < 2100:  # a year of two digits stands for one of four
                values.setdefault(token.value % 100, []).append(place)
        for stem in form.stems:
            stems.setdefault(stem, []).append(place)
        if len(form.skeleton) >= 2:
            skeletons.setdefault(form.skeleton, []).append(place)
    keys = tuple({token.form.key for token in tokens if len(token.form.key) >= 4})
    return Evidence(text, tokens, stems, skeletons, values, keys, not _ENDED.search(text))


def _decimal_between(text: str, one: Token, two: Token) -> bool:
    """Whether two numbers are one, written with blanks around its decimal point."""
    whole = one.value is not None and one.value.is_integer() and one.value < 1_000
    return whole and two.word.isdigit() and text[one.end : two.start].strip() == "."


def negated(token: Token) -> bool:
    """Whether a word denies: a negation word, or a verb that ends in নি."""
    if token.word in NEGATION:
        return True
    return len(token.form.key) > 3 and token.word.endswith(("ni", "নি"))


def denied(tokens: Sequence[Token], place: int) -> bool:
    """Whether the word at a place is denied by itself or within the two words after it."""
    sentence = tokens[place].sentence
    return negated(tokens[place]) or any(
        after.word in NEGATION and after.sentence == sentence
        for after in tokens[place + 1 : place + 3]
    )
