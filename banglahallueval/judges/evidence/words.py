"""What is known of a word by itself, looked up once for each spelling."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from banglahallueval.judges.evidence.lexicon import (
    CONCEPTS,
    ENDINGS,
    JOINING,
    MONTHS,
    NAME,
    NEGATION,
    PHRASING,
    RETELLING,
    STANCES,
)
from banglahallueval.judges.evidence.numbers import digits_value, scale_value, word_value
from banglahallueval.text.phonetic import fold


class Word(NamedTuple):
    """A word or a run of digits.

    Attributes:
        text: In lower case and NFC; digits as they are.
        key, skeleton: Its folded forms.
        stems: The key, what is left of it without endings, and tags of the relations it names.
        value: The number it says; None for other words.
        scale: The factor it multiplies a number before it with (হাজার); None for other words.
        digits: Written in digits.
        article: A number word that is no more than an article (এক, one).
        ending: Only an ending where a hyphen or digits stand before it.
        phrasing, retelling: Says nothing of the facts of an answer, of a summary.
        negation: Denies the words before it.
        denies: Denies them or is itself a denied verb (হয়নি).
        joining, month, name: And, a month, the word for name.
        stance: Which of `lexicon.STANCES` it takes; empty for none.
    """

    text: str
    key: str
    skeleton: str
    stems: tuple[str, ...]
    value: float | None = None
    scale: float | None = None
    digits: bool = False
    article: bool = False
    ending: bool = False
    phrasing: bool = False
    retelling: bool = False
    negation: bool = False
    denies: bool = False
    joining: bool = False
    month: bool = False
    name: bool = False
    stance: str = ""


_SETS = {
    "ending": ENDINGS, "phrasing": PHRASING, "retelling": RETELLING, "negation": NEGATION,
    "joining": JOINING, "month": MONTHS, "name": NAME, **STANCES,
}  # fmt: skip
# The names of the sets that a spelling, or a key, belongs to: most words are in none.
_BY_SPELLING: dict[str, frozenset[str]] = {}
_BY_KEY: dict[str, frozenset[str]] = {}
_NONE: frozenset[str] = frozenset()
for _name, _words in _SETS.items():
    for _word in _words.spelled:
        _BY_SPELLING[_word] = _BY_SPELLING.get(_word, _NONE) | {_name}
    for _word in _words.keys:
        _BY_KEY[_word] = _BY_KEY.get(_word, _NONE) | {_name}


@lru_cache(maxsize=100_000)
def read_word(raw: str) -> Word:
    """What is known of a word of letters."""
    text = normalize("NFC", raw).lower()
    key, skeleton, stems = fold(text)
    tags = {tag for stem in stems for tag in CONCEPTS.get(stem, ())}
    value = word_value(text, stems)
    sets = _BY_SPELLING.get(text, _NONE) | _BY_KEY.get(key, _NONE)
    negation = "negation" in sets
    return Word(
        text,
        key,
        skeleton,
        (*stems, *sorted(tags)) if tags else stems,
        value,
        scale_value(text),
        article=value == 1,
        ending="ending" in sets,
        phrasing="phrasing" in sets,
        retelling="retelling" in sets,
        negation=negation,
        denies=negation or (len(key) > 3 and text.endswith(("ni", "নি"))),
        joining="joining" in sets,
        month="month" in sets,
        name="name" in sets,
        stance=next((name for name in STANCES if name in sets), "") if sets else "",
    )


@lru_cache(maxsize=100_000)
def read_digits(raw: str) -> Word:
    """What is known of a run of digits with its separators."""
    return Word(raw, raw, "", (raw,), digits_value(raw), digits=True)


# Stands for the words of a number with a scale, such as 1 koti 50 lokkho.
SCALED = Word("", "", "", (), digits=True)
