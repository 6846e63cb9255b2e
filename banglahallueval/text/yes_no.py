"""The spellings of yes and no, and the folding of text before it is searched for them."""

from __future__ import annotations

import unicodedata
from typing import Final, Literal

import regex

from banglahallueval.text.lazy_regex import lazy_regex

Polarity = Literal["yes", "no", ""]  # which of the two words a text comes to, if either


class _Folds(dict[int, str]):
    """Code point to its folded form, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if unicodedata.category(char) == "Cf" or 0xFE00 <= code <= 0xFE0F:
            folded = ""  # zero-width marks, soft hyphens and variation selectors
        elif char in "\r\u2028\u2029\u0085":
            folded = "\n"
        else:
            # Bengali in its parts, so that ো typed as one or as two code points is one word.
            bengali = 0x0980 <= code <= 0x09FF
            folded = unicodedata.normalize("NFKD" if bengali else "NFKC", char).casefold()
        self[code] = _SIGNS.get(folded, folded)
        return self[code]


# Signs typed for one another; ৷ is a numerator by its name.
_SIGNS: Final = {"‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "‐": "-", "‑": "-", "৷": "।"}
_FOLDS: Final = _Folds()


def fold(text: str) -> str:
    r"""Lower case, ordinary letters for full-width ones, no invisible marks, `\n` line ends.

    Each code point is folded by itself, so `offset_in_raw` can lead back.
    """
    if text.isascii():
        return text.lower().replace("\r", "\n")
    return text.translate(_FOLDS)


def offset_in_raw(text: str, offset: int) -> int:
    """Map an offset in `fold(text)` to one in `text`."""
    if text.isascii():
        return offset
    length = 0
    for index, char in enumerate(text):
        length += len(_FOLDS[ord(char)])
        if length > offset:
            return index
    return len(text)


# `y` and `n` are left out, for they begin too many other words.
YES: Final = tuple(fold("yes yep yeah yup হ্যাঁ হ্যা হ্যঁা হঁ্যা হ্য়াঁ হাঁ").split())
NO: Final = tuple(fold("no nope nah না নাহ").split())
# Verdicts of a reply, but no tokens of one to look for: `নো` is a piece of many other words.
SPOKEN_YES: Final = tuple(fold("জ্বি জ্বী ইয়েস").split())
SPOKEN_NO: Final = (fold("নো"),)
# Verdicts only among other romanised Bangla, and then both: alone, `na` is also N/A, and taking
# only `haan` would lean towards yes.
ROMANISED_YES: Final = ("ha", "haa", "han", "haan", "hae", "hya", "hyan", "hyaa", "hyaan", "hyae")
ROMANISED_NO: Final = ("na", "naa")
TRUE: Final = "true"
FALSE: Final = "false"

# Words and signs that make one word with what touches them; combining vowel signs belong to the
# word, so that `না` is not found in `নাম`.
LETTER: Final = r"[\p{L}\p{M}\p{N}]"
NOT_LETTERS: Final = r"[^\p{L}\p{M}\p{N}]*+"
START: Final = rf"(?<!{LETTER})(?<!{LETTER}[-_'])"
END: Final = rf"(?!{LETTER})(?![-_']\p{{L}})"
CONTENT: Final = lazy_regex(LETTER)


def any_of(*words: str) -> str:
    """Build a pattern for one of the words or phrases."""
    return "(?:" + "|".join(regex.escape(fold(word)) for word in words) + ")"


def one_word_of(words: str) -> str:
    """A pattern for one of the words of a list separated by spaces."""
    return any_of(*words.split())


def whole_word_of(words: str) -> str:
    """The same, where neither a letter nor a vowel sign touches the word."""
    return rf"(?<!{LETTER}){one_word_of(words)}(?!{LETTER})"


_LATIN = lazy_regex(r"[a-z]++")
_ROMANISED = lazy_regex(
    whole_word_of(
        "uttor uttorti uttorta uttore uttar uttarti eta eti ita thik thikache bhul vul bhool "
        "shothik sothik sathik noy noi karon karan prosongo prosonge tothyo tottho ami amar "
        "mithya mittha banano ache achhe achhey nei keno kintu jodi kono shothhik churanto churanto"
    )
    + rf"|(?<!{LETTER})(?:answer|summary|chain|context|output)[ -]?(?:ta|ti|te|er|tai)(?!{LETTER})"
)


def is_romanised(text: str) -> bool:
    """Whether a folded text spells yes or no in romanised Bangla, among other such words."""
    latin = set(_LATIN.findall(text))
    answers = latin.intersection(ROMANISED_YES + ROMANISED_NO)
    return bool(answers) and _ROMANISED.search(text) is not None
