"""What the checks need to know of a text: its folded form, its numbers, its script, its close."""

from __future__ import annotations

import unicodedata
from collections import Counter
from fractions import Fraction

import regex

from banglahallueval.text.markup import without_thinking

_DIGITS = str.maketrans("০১২৩৪৫৬৭৮৯", "0123456789")
_BENGALI_DIGITS = str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")
_SEPARATOR = regex.compile(r"(?<=\d),(?=\d)")
_NUMBER = regex.compile(r"\d+(?:\.\d+)?")
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_BENGALI_LETTER = regex.compile(r"(?=\p{L})[\u0980-\u09ff]")
_BENGALI = regex.compile(r"[\u0980-\u09ff]")
_LETTER = regex.compile(r"\p{L}")
_LATIN = regex.compile(r"\p{Latin}+")
_AFTER_CLOSE = " \t\r\n\u00a0\u200b\u200c\u200d\"'”’»)]}"
# Marks that close the same kind of sentence; a vertical bar is often typed for a danda.
_CLOSE = {"।": ".", "৷": ".", ".": ".", "|": ".", "?": "?", "!": "!"}


def answer_text(reply: str) -> str:
    """A reply without the thinking that stands before it and without edge spaces."""
    return (without_thinking(reply) or "").strip()


def folded(text: str) -> str:
    """A text without what does not matter for its meaning.

    Canonical form, ASCII digits, lower case; no punctuation, one space between words.
    """
    return " ".join(words(text))


def words(text: str) -> list[str]:
    """The words and numbers of a text in folded form."""
    text = unicodedata.normalize("NFC", text).translate(_DIGITS).lower()
    return _WORD.findall(_SEPARATOR.sub("", text))


def numbers(text: str) -> list[Fraction]:
    """The numbers written with digits of either script, in order; separators do not matter."""
    text = _SEPARATOR.sub("", text.translate(_DIGITS))
    return [Fraction(found) for found in _NUMBER.findall(text)]


def number_counts(text: str) -> Counter[Fraction]:
    """How often each number is written."""
    return Counter(numbers(text))


def bengali_share(text: str) -> float | None:
    """The share of Bengali among a text's letters; None where it has no letter."""
    letters = len(_LETTER.findall(text))
    return len(_BENGALI_LETTER.findall(text)) / letters if letters else None


def has_bengali(text: str) -> bool:
    """Whether any letter, sign or digit of the Bengali block is there; the danda is not in it."""
    return _BENGALI.search(text) is not None


def other_letters(text: str) -> str:
    """The letters that are not Latin."""
    return "".join(letter for letter in _LETTER.findall(text) if not _LATIN.fullmatch(letter))


def latin_words(text: str) -> list[str]:
    """The runs of Latin letters."""
    return _LATIN.findall(text)


def digit_scripts(text: str) -> set[str]:
    """Which digits a text writes numbers with: `Bengali`, `ASCII`."""
    found = set()
    if regex.search("[০-৯]", text):
        found.add("Bengali")
    if regex.search("[0-9]", text):
        found.add("ASCII")
    return found


def digits_like(text: str, model: str) -> str:
    """Write a text's digits in the script of another text, where that has one only."""
    scripts = digit_scripts(model)
    if len(scripts) != 1:
        return text
    return text.translate(_DIGITS if scripts == {"ASCII"} else _BENGALI_DIGITS)


def closing_mark(text: str) -> str:
    """How a text closes: `.` (a danda is one too), `?`, `!`, or nothing."""
    text = text.rstrip(_AFTER_CLOSE)
    return _CLOSE.get(text[-1:], "")


def spaced_like(text: str, model: str) -> str:
    """Set punctuation as another text does: off the word before it, and with its edge spaces.

    Source texts that were tokenised write `নাম কি ?`; a candidate that writes `নাম কি?` would be
    told from gold by that alone.
    """
    text = text.strip()
    apart = len(regex.findall(r"\s[।?!,](?=\s|$)", model))
    attached = len(regex.findall(r"[^\s।?!,][।?!,](?=\s|$)", model))
    if apart > attached:
        text = regex.sub(r"(?<=[^\s।?!,])([।?!,])(?=\s|$)", r" \1", text)
    elif attached > apart:
        text = regex.sub(r"[^\S\n]+([।?!,])(?=\s|$)", r"\1", text)
    lead = model[: len(model) - len(model.lstrip())]
    trail = model[len(model.rstrip()) :]
    return lead + text + trail
