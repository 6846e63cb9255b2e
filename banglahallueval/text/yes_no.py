"""The spellings of yes and no, and the folding of text before it is searched for them."""

from __future__ import annotations

import unicodedata
from typing import Final

import regex


class _Folds(dict[int, str]):
    """Code point to its folded form, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if unicodedata.category(char) == "Cf" or 0xFE00 <= code <= 0xFE0F:
            folded = ""  # zero-width marks, soft hyphens and variation selectors
        elif char in "\r\u2028\u2029\u0085":
            folded = "\n"
        else:
            folded = unicodedata.normalize("NFKC", char).casefold()
        self[code] = _QUOTES.get(folded, folded)
        return self[code]


_QUOTES: Final = {"‘": "'", "’": "'", "“": '"', "”": '"', "‐": "-", "‑": "-"}
_FOLDS: Final = _Folds()


def fold(text: str) -> str:
    r"""Lower case, ordinary letters for full-width ones, no invisible marks, `\n` line ends.

    Each code point is folded by itself, so `offset_in_raw` can lead back.
    """
    if text.isascii():
        return text.lower().replace("\r", "\n")
    return text.translate(_FOLDS)


def offset_in_raw(text: str, offset: int) -> int:
    """The offset in `text` of what stands at `offset` in `fold(text)`."""
    if text.isascii():
        return offset
    length = 0
    for index, char in enumerate(text):
        length += len(_FOLDS[ord(char)])
        if length > offset:
            return index
    return len(text)


# Romanised Bangla is left out on both sides: `na` is also N/A, and taking only `haan` would lean
# towards yes. So are `y` and `n`, which begin too many other words.
YES: Final = tuple(fold("yes yep yeah yup হ্যাঁ হ্যা হ্যঁা হঁ্যা হ্য়াঁ হাঁ").split())
NO: Final = ("no", "nope", "না")
TRUE: Final = "true"
FALSE: Final = "false"

# Words and signs that make one word with what touches them; combining vowel signs belong to the
# word, so that `না` is not found in `নাম`.
LETTER: Final = r"[\p{L}\p{M}\p{N}]"
NOT_LETTERS: Final = r"[^\p{L}\p{M}\p{N}]*+"
NOT_LETTERS_IN_LINE: Final = r"[^\p{L}\p{M}\p{N}\n]*+"
START: Final = rf"(?<!{LETTER})(?<!{LETTER}[-_'])"
END: Final = rf"(?!{LETTER})(?![-_']\p{{L}})"
CONTENT: Final = regex.compile(LETTER)


def any_of(*words: str) -> str:
    """A pattern for one of the words or phrases."""
    return "(?:" + "|".join(regex.escape(fold(word)) for word in words) + ")"


def one_word_of(words: str) -> str:
    """A pattern for one of the words of a list separated by spaces."""
    return any_of(*words.split())
