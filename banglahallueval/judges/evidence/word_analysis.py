"""Analyse single words: phonetic key, stems, numeric value, membership of the word lists."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from unicodedata import combining, normalize

import regex

from banglahallueval.judges.evidence.lexicon import (
    CONJUNCTIONS,
    FRAME_ENDINGS,
    FRAMES,
    MINUTES,
    MONTH_NAMES,
    MONTHS,
    NAME_WORDS,
    NEGATIONS,
    NOT_NEGATED,
    PARTS,
    POINTS,
    RELATION_TAGS,
    STOPWORDS,
    SUFFIXES,
    UNITS,
)
from banglahallueval.judges.evidence.thesaurus import concepts
from banglahallueval.text.numbers import digits_value, scale_value, word_value
from banglahallueval.text.phonetic import fold, sound


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
        is_stopword: States no fact by itself.
        is_negation: Negates the words before it.
        negates: A negation, or a verb that carries one (হয়নি).
        is_conjunction, is_name_word, is_minute: "And" or "or"; the word "name"; minutes.
        month: Number of the month it names; 0 for other words.
        is_frame: Speaks of the answer or of its writer's knowledge, and not of the subject.
        is_tens: An English number word such as "twenty", which a digit may follow.
        is_point: The word of a decimal point.
        is_unit: What numbers count, such as a year or a metre.
        concepts: What it names, by the thesaurus.
        is_plain: It is no part of a number, nor of what a number is written with.
        case: Which of CASES its ending marks.
        part: What it adds to the number after it (সাড়ে 0.5, পৌনে -0.25); 0 for other words.
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
    is_negation: bool = False
    negates: bool = False
    is_conjunction: bool = False
    is_name_word: bool = False
    is_minute: bool = False
    is_point: bool = False
    is_unit: bool = False
    month: int = 0
    is_frame: bool = False
    is_tens: bool = False
    part: float = 0.0
    concepts: tuple[str, ...] = ()
    is_plain: bool = False
    case: str = "bare"


_LISTS = {
    "suffix": SUFFIXES, "stopword": STOPWORDS,
    "negation": NEGATIONS, "conjunction": CONJUNCTIONS, "name_word": NAME_WORDS,
    "minute": MINUTES, "unit": UNITS, "point": POINTS, "frame": FRAMES,
}  # fmt: skip
# Spelling or sound -> names of the lists that hold it: one look-up, since most words are in none.
_LISTS_BY_SPELLING: dict[str, frozenset[str]] = {}
_LISTS_BY_SOUND: dict[str, frozenset[str]] = {}
_NONE: frozenset[str] = frozenset()
for _name, _words in _LISTS.items():
    for _word in _words.spellings:
        _LISTS_BY_SPELLING[_word] = _LISTS_BY_SPELLING.get(_word, _NONE) | {_name}
    for _word in _words.sounds:
        _LISTS_BY_SOUND[_word] = _LISTS_BY_SOUND.get(_word, _NONE) | {_name}


class _Listed(NamedTuple):
    """Which of the lists hold a word."""

    suffix: bool = False
    stopword: bool = False
    negation: bool = False
    conjunction: bool = False
    name_word: bool = False
    minute: bool = False
    unit: bool = False
    point: bool = False
    frame: bool = False


_NOT_LISTED = _Listed()
_LONGEST_ENDING = max(map(len, FRAME_ENDINGS))
# A finite verb before নি: করে, হয়, পান, করি, যাই.
_NEGATED_VERB = regex.compile(
    r"(?:\p{L}\p{M}*){1,}(?:(?<=ে|য়|ন|[কখগচছজটডতদধনপবভমরলশসহ]ি|ই|ো)নি|(?<=[eyn]|[aeou]i|[krlsdptc]i|hi)ni)$"
)

CASES = ("genitive", "object", "locative", "bare")
_GENITIVE, _OBJECT, _LOCATIVE = ("ের", "র"), ("কে",), ("ে", "\u09af\u09bc", "তে")
_ROMANISED_ENDINGS = (
    ("er", "genitive"), ("ke", "object"), ("te", "locative"), ("e", "locative"),
    ("y", "locative"), ("r", "genitive"),
)  # fmt: skip

_OF_NUMBERS = frozenset(("suffix", "minute", "unit", "point"))
_BESIDE_NUMBERS = frozenset(("and", "k"))  # two hundred and three, 5k

# Code points that normalisation sorts among their neighbours: the combining ones, and three of
# class 0 that decompose into combining ones.
_LONG_RUN = 32
_LONG_MARKS = regex.compile(rf"[^\p{{ccc=0}}\u0f73\u0f75\u0f81]{{{_LONG_RUN},}}")


# What stems say beside themselves; most say nothing.
_TELLING_STEMS = RELATION_TAGS.keys() | MONTHS.keys()


@lru_cache(maxsize=100_000)
def analyse_word(raw: str) -> Word:
    """Analyse a word of letters."""
    text = _nfc(raw).lower().removesuffix("ঃ")  # a visarga typed for a colon
    key, skeleton, stems = fold(text)
    month = MONTHS.get(text, 0)
    if month or not _TELLING_STEMS.isdisjoint(stems):
        month, stems = _with_tags(month, stems)
    value = word_value(text)
    lists = _LISTS_BY_SPELLING.get(text, _NONE)
    if text.isascii() and (by_sound := _LISTS_BY_SOUND.get(sound(text))):
        lists |= by_sound
    scale, part = scale_value(text), PARTS.get(text, 0.0)
    is_plain = value is None and not (scale or part or text in _BESIDE_NUMBERS)
    listed = _NOT_LISTED
    if lists:
        is_plain = is_plain and lists.isdisjoint(_OF_NUMBERS)
        listed = _Listed(*(name in lists for name in _Listed._fields))
    return Word(
        text,
        key,
        skeleton,
        stems,
        value,
        scale,
        False,
        value == 1,
        listed.suffix,
        listed.stopword,
        listed.negation,
        listed.negation or _is_negated_verb(text),
        listed.conjunction,
        listed.name_word,
        listed.minute,
        listed.point,
        listed.unit,
        month,
        listed.frame or _is_inflected_frame(text),
        value is not None and text.isascii() and text.endswith("ty"),
        part,
        concepts(text),
        is_plain,
        _case(text),
    )


def _with_tags(month: int, stems: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Return the month that a word or its stems name, and the stems with tags of what they say."""
    tags = {tag for stem in stems for tag in RELATION_TAGS.get(stem, ())}
    month = month or next((MONTHS[stem] for stem in stems if stem in MONTHS), 0)
    if month:
        tags.add(f"#month{month}")
    return month, (*stems, *sorted(tags))


def _case(text: str) -> str:
    """Return the case that a word's ending marks."""
    if text.isascii():
        return next(
            (case for end, case in _ROMANISED_ENDINGS if text.endswith(end) and len(text) > 4),
            "bare",
        )
    if text.endswith(_GENITIVE):
        return "genitive"
    if text.endswith(_OBJECT):
        return "object"
    return "locative" if text.endswith(_LOCATIVE) else "bare"


def _is_inflected_frame(text: str) -> bool:
    """Return whether a word without its ending (খবরটির, passage-er) is one of a frame."""
    for size in range(1, min(_LONGEST_ENDING, len(text) - 2) + 1):
        if text[-size:] in FRAME_ENDINGS and text[:-size] in FRAMES.spellings:
            return True
    return False


def _is_negated_verb(text: str) -> bool:
    """Return whether a word is a verb with নি (হয়নি, korenni), and no other word in -ni."""
    return (
        text.endswith(("ni", "নি")) and bool(_NEGATED_VERB.search(text)) and text not in NOT_NEGATED
    )


@lru_cache(maxsize=100_000)
def analyse_number(raw: str) -> Word:
    """Analyse a run of digits with its separators."""
    return Word(raw, raw, "", (raw,), digits_value(raw), is_digits=True)


# Words that mean something else too ("is not", "then"): numbers only before what they count.
UNCLEAR_NUMBERS = {
    normalize("NFC", word): value
    for value, words in (
        (5.0, "pach"),
        (6.0, "ছ"),
        (9.0, "নয় noy noi"),
        (10.0, "ten"),
        (13.0, "তের"),
    )
    for word in words.split()
}
# The word of a token that is a number in several words, such as 1 koti 50 lokkho.
NUMBER = Word("", "", "", (), is_digits=True)
# The same of a time of day such as 10:30.
CLOCK = Word("", "", "", (), is_digits=True)


def _nfc(text: str) -> str:
    """Return the text in NFC, in time linear in its length.

    `unicodedata` sorts each run of combining marks by insertion, which takes seconds for 100,000
    of them; it passes over runs that are in order.
    """
    if len(text) >= _LONG_RUN:
        text = _LONG_MARKS.sub(_in_canonical_order, text)
    return normalize("NFC", text)


def _in_canonical_order(marks: regex.Match[str]) -> str:
    decomposed = "".join(normalize("NFD", mark) for mark in marks[0])
    return "".join(sorted(decomposed, key=combining))


# Number of a month -> its word, for dates in digits.
MONTH_WORDS = {number: analyse_word(name) for name, number in MONTH_NAMES.items()}
