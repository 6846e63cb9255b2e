"""Analyse single words: phonetic key, stems, numeric value, membership of the word lists."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from unicodedata import combining, normalize

import regex

from banglahallueval.judges.evidence.lexicon import (
    CONJUNCTIONS,
    MONTHS,
    NAME_WORDS,
    NEGATIONS,
    RELATION_TAGS,
    STANCES,
    STOPWORDS,
    SUFFIXES,
    SUMMARY_STOPWORDS,
)
from banglahallueval.text.numbers import digits_value, scale_value, word_value
from banglahallueval.text.phonetic import fold


class Word(NamedTuple):
    """A word or a run of digits.

    Attributes:
        text: The word in lower case and NFC; digits as written.
        key, skeleton: Its phonetic key and that key's consonants.
        stems: The key, the key without each possible suffix, and tags of the relations it names.
        value: The number it denotes; None for other words.
        scale: The factor by which it multiplies a number before it (হাজার); None for other words.
        is_digits: Written in digits.
        is_article: A number word that may be a mere article (এক, one).
        is_suffix: A mere suffix where it follows a hyphen or digits.
        is_stopword, is_summary_stopword: States no fact in an answer, in a summary.
        is_negation: Negates the words before it.
        negates: A negation, or a verb that carries one (হয়নি).
        is_conjunction, is_month, is_name_word: "And" or "or"; a month; the word "name".
        stance: Which of `lexicon.STANCES` it expresses; empty for none.
    """

    text: str
    key: str
    skeleton: str
    stems: tuple[str, ...]
    value: float | None = None
    scale: float | None = None
    is_digits: bool = False
    is_article: bool = False
    is_suffix: bool = False
    is_stopword: bool = False
    is_summary_stopword: bool = False
    is_negation: bool = False
    negates: bool = False
    is_conjunction: bool = False
    is_month: bool = False
    is_name_word: bool = False
    stance: str = ""


_LISTS = {
    "suffix": SUFFIXES, "stopword": STOPWORDS, "summary_stopword": SUMMARY_STOPWORDS,
    "negation": NEGATIONS, "conjunction": CONJUNCTIONS, "month": MONTHS, "name_word": NAME_WORDS,
    **STANCES,
}  # fmt: skip
# Spelling or key -> names of the lists that hold it: one look-up, since most words are in none.
_LISTS_BY_SPELLING: dict[str, frozenset[str]] = {}
_LISTS_BY_KEY: dict[str, frozenset[str]] = {}
_NONE: frozenset[str] = frozenset()
for _name, _words in _LISTS.items():
    for _word in _words.spellings:
        _LISTS_BY_SPELLING[_word] = _LISTS_BY_SPELLING.get(_word, _NONE) | {_name}
    for _word in _words.keys:
        _LISTS_BY_KEY[_word] = _LISTS_BY_KEY.get(_word, _NONE) | {_name}

# Code points that normalisation sorts among their neighbours: the combining ones, and three of
# class 0 that decompose into combining ones.
_LONG_MARKS = regex.compile(r"[^\p{ccc=0}\u0f73\u0f75\u0f81]{32,}")


@lru_cache(maxsize=100_000)
def analyse_word(raw: str) -> Word:
    """Analyse a word of letters."""
    text = _nfc(raw).lower()
    key, skeleton, stems = fold(text)
    tags = {tag for stem in stems for tag in RELATION_TAGS.get(stem, ())}
    value = word_value(text, stems)
    lists = _LISTS_BY_SPELLING.get(text, _NONE) | _LISTS_BY_KEY.get(key, _NONE)
    is_negation = "negation" in lists
    return Word(
        text,
        key,
        skeleton,
        (*stems, *sorted(tags)) if tags else stems,
        value,
        scale_value(text),
        is_article=value == 1,
        is_suffix="suffix" in lists,
        is_stopword="stopword" in lists,
        is_summary_stopword="summary_stopword" in lists,
        is_negation=is_negation,
        negates=is_negation or (len(key) > 3 and text.endswith(("ni", "নি"))),
        is_conjunction="conjunction" in lists,
        is_month="month" in lists,
        is_name_word="name_word" in lists,
        stance=next((name for name in STANCES if name in lists), "") if lists else "",
    )


@lru_cache(maxsize=100_000)
def analyse_number(raw: str) -> Word:
    """Analyse a run of digits with its separators."""
    return Word(raw, raw, "", (raw,), digits_value(raw), is_digits=True)


# The word of a token that joins a number and its scale words, such as 1 koti 50 lokkho.
SCALED = Word("", "", "", (), is_digits=True)


def _nfc(text: str) -> str:
    """Return the text in NFC, in time linear in its length.

    `unicodedata` sorts each run of combining marks by insertion, which takes seconds for 100,000
    of them; it passes over runs that are in order.
    """
    return normalize("NFC", _LONG_MARKS.sub(_in_canonical_order, text))


def _in_canonical_order(marks: regex.Match[str]) -> str:
    decomposed = "".join(normalize("NFD", mark) for mark in marks[0])
    return "".join(sorted(decomposed, key=combining))
