"""Bangla in Latin letters without a model, as people type it: readable, not reversible.

A word is looked up among English loans, then in the pronunciation dictionary; what neither holds
is spelled by its letters.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex
from anyascii import anyascii

from banglahallueval.text.digits import TO_ASCII
from banglahallueval.text.romanising import loans
from banglahallueval.text.romanising.dictionary import pronounce
from banglahallueval.text.romanising.endings import ENDINGS, join, splits
from banglahallueval.text.romanising.letters import spell

_OTHERS = {**TO_ASCII, **str.maketrans({"৳": "Tk "})}
_DANDAS = str.maketrans(dict.fromkeys("।৷॥", "."))
# Joiners and direction marks say nothing; Assamese ৰ and ৱ are often typed for র and ব.
_SAME = {0x200C: None, 0x200D: None, 0x200E: None, 0x200F: None, 0x9F0: "র", 0x9F1: "ব"}
_WORD = regex.compile(r"(?P<word>[\u0980-\u09e5]+)(?P<stop>\.?)")
_AFTER_NUMBER = regex.compile(r"\d\s*\Z")  # ৫ মি. is no Mr.
_KILOMETER = regex.compile(r"(?<!\p{L})(?P<prefix>কি|সে|মি)\.\s?মি(?:\.|(?!\p{M}|\p{L}))")
# ১ম ২য় ৪র্থ ৬ষ্ঠ ২০তম: 1st 2nd 4th 6th 20th
_ORDINAL = regex.compile(r"(?P<number>[০-৯]+)(?:ম|য\u09bc|র্থ|ষ্ঠ|তম)(?![\p{L}\p{M}])")
_OTHER_SCRIPT = regex.compile(r"(?:[[\p{L}\u0980-\u09ff]--\p{Latin}]\p{M}*)+", regex.VERSION1)

# A sentence begins at the start, after a danda and the like, and after a full stop with a space.
# Footnote numbers and quotation marks may stand between.
_NOTES = r"(?:\s*\[\d+\])*"
_SENTENCE = regex.compile(
    rf"(?P<before>\A|[।৷॥?!\n]{_NOTES}\s*|(?P<stop>\.){_NOTES}\s+)(?P<open>[\s\"'“‘(«]*)(?P<first>[a-z])"
)
_LAST_WORD = regex.compile(r"(?P<dot>\.?)(?P<word>[^\s.]*)\Z")
# Abbreviations that stand inside sentences; behind titles and initials a name begins.
_INSIDE = frozenset(["khri", "ing", "bong", "no", "pri", "kg", "km", "cm", "mm", "mi", "vs", "etc"])


def romanise(text: str) -> str:
    """Write a text in Latin letters; Latin words, ASCII digits and punctuation stay."""
    return _in_latin(text).translate(_DANDAS)


def romanise_sentences(text: str) -> str:
    """Write a text in Latin letters and begin every sentence with a capital."""
    return sentence_case(_in_latin(text)).translate(_DANDAS)


def plain(text: str) -> str:
    """Bring Bangla into the form in which words are looked up: NFC, without joiners."""
    return unicodedata.normalize("NFC", text).translate(_SAME)


def sentence_case(text: str) -> str:
    """Begin every sentence with a capital letter, but none after an abbreviation inside one."""

    def begin(found: regex.Match[str]) -> str:
        end = found.start()
        inside = found["stop"] and _is_abbreviated(text[max(0, end - 12) : end])
        first = found["first"] if inside else found["first"].upper()
        return found["before"] + found["open"] + first

    return _SENTENCE.sub(begin, text)


def _is_abbreviated(before: str) -> bool:
    """Whether a full stop behind this closes an abbreviation such as km. or B.A."""
    last = _LAST_WORD.search(before)
    if not last:
        return False
    return last["word"].lower() in _INSIDE or (last["dot"] == "." and len(last["word"]) in (1, 2))


def _in_latin(text: str) -> str:
    text = plain(text)
    text = _KILOMETER.sub(lambda unit: {"কি": "km", "সে": "cm", "মি": "mm"}[unit["prefix"]], text)
    text = _ORDINAL.sub(_ordinal, text)
    text = _WORD.sub(_word, text).translate(_OTHERS)
    return _OTHER_SCRIPT.sub(lambda found: anyascii(found[0]), text)


def _ordinal(found: regex.Match[str]) -> str:
    number = found["number"].translate(TO_ASCII)
    is_teen = number[-2:-1] == "1"
    return number + ("th" if is_teen else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th"))


def _word(found: regex.Match[str]) -> str:
    word, stop = found["word"], found["stop"]
    if stop or word.endswith("ঃ"):
        bare = word.removesuffix("ঃ")
        before = found.string[max(0, found.start() - 3) : found.start()]
        if (title := loans.title(bare)) and not _AFTER_NUMBER.search(before):
            return title + "."
        if stop and (letter := _initial(word)):
            return letter + stop
    return word_in_latin(word) + stop


def _initial(word: str) -> str | None:
    """Write an initial, the name of an English letter or one Bangla letter; else None."""
    return loans.initial(word) or (spell(word)[:1].upper() if len(word) == 1 else None)


@lru_cache(maxsize=100_000)
def word_in_latin(word: str) -> str:
    """Write one `plain` Bangla word in Latin letters.

    With ch for ছ as for চ, and cch for both doubled, as most people do: chilo, hocche, uccho.
    """
    if english := loans.as_english(word):
        return english
    if word in ENDINGS:  # by itself, as behind a closing quotation mark
        return ENDINGS[word]
    said = pronounce(word) or word_by_letters(word)
    return regex.sub("chchh?", "cch", said).replace("chh", "ch")


def is_in_dictionary(word: str) -> bool:
    """Whether a `plain` Bangla word is known as a loan or to the dictionary, and not guessed."""
    return bool(loans.as_english(word) or pronounce(word))


def word_by_letters(word: str) -> str:
    """Spell a word by its letters, and its ending as endings are said."""
    for stem, ending in splits(word):
        if len(stem) > 2 and len(ending) > 1:
            return join(word_by_letters(stem), ENDINGS[ending])
    return spell(word)
