"""What a text is written with: its numbers, its script, its closing mark, its spacing."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import regex

from banglahallueval.text.digits import TO_ASCII, TO_BENGALI
from banglahallueval.text.markup import without_thinking

_SEPARATOR = regex.compile(r"(?<=\d),(?=\d)")
# [14], [3,4] and [note 2], as Wikipedia texts have them
_FOOTNOTE = regex.compile(r"\[(?:[\p{L}\p{M}-]+\s)?\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]")
_NUMBER = regex.compile(r"\d+(?:\.\d+)?")
_BENGALI_LETTER = regex.compile(r"(?=\p{L})[\u0980-\u09ff]")
_BENGALI = regex.compile(r"[\u0980-\u09ff]")
_LETTER = regex.compile(r"\p{L}")
_LATIN = regex.compile(r"\p{Latin}+")
_AFTER_CLOSE = " \t\r\n\u00a0\u200b\u200c\u200d\"'”’»)]}"
# Marks that close the same kind of sentence; a vertical bar is often typed for a danda.
_CLOSE = {"।": ".", "৷": ".", ".": ".", "|": ".", "?": "?", "!": "!"}


def answer_text(reply: str) -> str:
    """Strip a reply of the thinking before its answer and of edge spaces."""
    return (without_thinking(reply) or "").strip()


def numbers(text: str) -> list[Fraction]:
    """List the numbers written with digits of either script, in order."""
    text = _SEPARATOR.sub("", text.translate(TO_ASCII))
    return [Fraction(found) for found in _NUMBER.findall(text)]


def without_footnotes(text: str) -> str:
    """Leave out the footnote numbers of a text: [14]."""
    return _FOOTNOTE.sub("", text)


def number_counts(text: str) -> Counter[Fraction]:
    """Count how often each number is written."""
    return Counter(numbers(text))


def bengali_share(text: str) -> float | None:
    """Compute the share of Bengali among a text's letters; None without letters."""
    letters = len(_LETTER.findall(text))
    return len(_BENGALI_LETTER.findall(text)) / letters if letters else None


def has_bengali(text: str) -> bool:
    """Whether any letter, sign or digit of the Bengali block is there; the danda is not in it."""
    return _BENGALI.search(text) is not None


def other_letters(text: str) -> str:
    """Keep the letters that are not Latin."""
    return "".join(letter for letter in _LETTER.findall(text) if not _LATIN.fullmatch(letter))


def latin_words(text: str) -> list[str]:
    """List the runs of Latin letters."""
    return _LATIN.findall(text)


def digit_scripts(text: str) -> set[str]:
    """Tell which digits a text writes numbers with: `Bengali`, `ASCII`."""
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
    return text.translate(TO_ASCII if scripts == {"ASCII"} else TO_BENGALI)


def closing_mark(text: str) -> str:
    """Tell how a text closes: `.` (a danda is one too), `?`, `!`, or nothing."""
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
