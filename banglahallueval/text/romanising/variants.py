"""Other ways in which people spell romanised Bangla."""

from __future__ import annotations

import random

import regex

from banglahallueval.text.romanising.loans import english_words

# Variants that people write for one another; each is one rewriting of a word.
_VARIANTS = (
    ("bh", "v"),
    ("sh", "s"),
    ("kkh", "kh"),
    ("oy", "oi"),
    ("ph", "f"),
    ("f", "ph"),
    ("j", "z"),
    ("o", "a"),
    ("u", "oo"),
    ("i", "ee"),
)
_LATIN_WORD = regex.compile(r"(?<![\w'-])[a-z]{3,}(?![\w'])")


def vary_spelling(text: str, share: float, seed: str) -> str:
    """Write some words of a romanised text in another way that is common too.

    Names (words with a capital letter), English words, numbers and short words stay. A word is
    varied in the same way wherever it stands in texts of the same seed.

    Args:
        text: The text.
        share: Share of the words that are varied, 0 to 1.
        seed: Decides which, and how.
    """

    def vary(found: regex.Match[str]) -> str:
        word = found[0]
        draw = random.Random(f"{seed}|{word}")
        if word in english_words() or draw.random() >= share:
            return word
        fitting = [(old, new) for old, new in _VARIANTS if old in word]
        if not fitting:
            return word
        old, new = draw.choice(fitting)
        return word.replace(old, new, 1)

    return _LATIN_WORD.sub(vary, text)
