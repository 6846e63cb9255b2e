"""A text as words and numbers with their places, and an evidence text as an index of them."""

from __future__ import annotations

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
    r"(?P<number>\p{Nd}+(?:[.,]\p{Nd}+)*)|(?P<word>[\p{L}\p{M}\u200c\u200d]+)|(?P<stop>[।॥?!\n]|\.(?=\s+[^\s\p{Ll}]))"
)
_CITATION = regex.compile(r"\[\p{Nd}+\](?::[\p{Nd}, –-]+)?")
_ENDINGS = frozenset(
    "er r te e ke ti ta to tir tar tike take tei i o y th st nd rd tom ত র এর ের টি টা টির টার তে কে এ ই ও য় ম তম শে লা রা".split()
)
_CLOSE = 84.0  # percent of rapidfuzz's ratio from which two keys of five letters are one word


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
        attached = bool(tokens) and tokens[-1].sentence == sentence and _attached(text, tokens[-1], start)
        if found.lastgroup == "number":
            form = Form(raw, "", (raw,))
            tokens.append(Token(start, end, raw, form, digits_value(raw), sentence))
            continue
        word = normalize("NFC", raw).lower()
        if attached and word in _ENDINGS:
            tokens[-1] = tokens[-1]._replace(end=end)
            continue
        scale = scale_value(word)
        if scale and tokens and tokens[-1].value is not None and not text[tokens[-1].end : start].strip():
            _scale_up(tokens, scale, end)
            continue
        value = word_value(word)
        tokens.append(Token(start, end, word, _form(word), value, sentence, value == 1))
    return tuple(tokens)


def _attached(text: str, before: Token, start: int) -> bool:
    gap = text[before.end : start]
    return gap in ("-", "'", "’", "–") or (gap == "" and before.word[0].isdigit())


def _scale_up(tokens: list[Token], scale: float, end: int) -> None:
    """Let a scale word multiply the number before it, and add that to a greater one before."""
    last = tokens.pop()
    value = (last.value or 0) * scale
    start, word = last.start, last.word
    if tokens and tokens[-1].value is not None and tokens[-1].value >= scale * 10 and tokens[-1].word.endswith("*"):
        before = tokens.pop()
        value += before.value or 0
        start, word = before.start, before.word
    tokens.append(Token(start, end, word.rstrip("*") + "*", last.form, value, last.sentence))


@dataclass(frozen=True, slots=True)
class Evidence:
    """An evidence text, indexed for look-ups.

    Attributes:
        tokens: Its words and numbers.
        stems: Stem or key to the places (indices of tokens) that have it.
        skeletons: Consonant skeletons of at least three to places.
        values: Number to places.
        keys: All keys of at least four letters, for likeness.
        broken_off: The text ends within a sentence, so what it does not say may have been cut.
    """

    tokens: tuple[Token, ...]
    stems: dict[str, list[int]]
    skeletons: dict[str, list[int]]
    values: dict[float, list[int]]
    keys: tuple[str, ...]
    broken_off: bool

    def places(self, token: Token) -> tuple[float, tuple[int, ...]]:
        """How well the evidence carries a word (0 to 1), and where.

        1 is the same key or stem, 0.9 the same consonants, below that the likeness of the closest
        key.
        """
        found = {place for stem in token.form.stems for place in self.stems.get(stem, ())}
        if found:
            return 1.0, tuple(found)
        if len(token.form.skeleton) >= 3 and token.form.skeleton in self.skeletons:
            return 0.9, tuple(self.skeletons[token.form.skeleton])
        if len(token.form.key) < 4 or not self.keys:
            return 0.0, ()
        key, score, _ = process.extractOne(token.form.key, self.keys, scorer=fuzz.ratio)
        return score / 100 * 0.9, tuple(self.stems[key]) if score >= _CLOSE else ()


@lru_cache(maxsize=512)
def index(text: str) -> Evidence:
    """Index an evidence text; the last few hundred are kept, since candidates share theirs."""
    tokens = tokenise(_CITATION.sub(lambda found: " " * len(found[0]), text))
    stems: dict[str, list[int]] = {}
    skeletons: dict[str, list[int]] = {}
    values: dict[float, list[int]] = {}
    for place, token in enumerate(tokens):
        if token.value is not None:
            values.setdefault(token.value, []).append(place)
        for stem in token.form.stems:
            stems.setdefault(stem, []).append(place)
        if len(token.form.skeleton) >= 3:
            skeletons.setdefault(token.form.skeleton, []).append(place)
    for one, two in zip(tokens, tokens[1:], strict=False):
        # "67 . 5": a decimal point with blanks around it.
        if one.value is not None and two.value is not None and text[one.end : two.start].strip() == ".":
            values.setdefault(float(f"{one.value:g}.{two.value:g}"), []).append(tokens.index(one))
    keys = tuple({token.form.key for token in tokens if len(token.form.key) >= 4})
    return Evidence(tokens, stems, skeletons, values, keys, not regex.search(r"[।?!.\]\")]\s*$", text))


@lru_cache(maxsize=100_000)
def _form(word: str) -> Form:
    form = fold(word)
    tags = {tag for stem in form.stems for tag in CONCEPTS.get(stem, ())}
    return form._replace(stems=(*form.stems, *tags)) if tags else form


def negated(token: Token) -> bool:
    """Whether a word denies: a negation word, or a verb that ends in নি."""
    return token.word in NEGATION or (len(token.form.key) > 3 and token.form.key.endswith("ni") and token.word.endswith(("ni", "নি")))
