"""One spelling for many: Bangla script and romanised Bangla fold to the same phonetic key.

The key keeps the consonants and the vowels e, i, u; a and o fall away, since romanisations differ
over them most (and Bangla does not write its inherent vowel). Aspiration, sibilants, v/b, z/j,
f/p, doubled letters and silent conjuncts are folded. The skeleton is the key without vowels.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

# Conjuncts whose sound is not the sum of their letters come first.
_BANGLA = {
    "ক্ষ": "kh", "জ্ঞ": "g", "ওয়": "w", "্য": "", "্ব": "", "ড়": "r", "ঢ়": "r", "য়": "y",
    "ঙ্গ": "ng", "ঙ্ক": "nk",
    "ক": "k", "খ": "kh", "গ": "g", "ঘ": "gh", "ঙ": "n", "চ": "ch", "ছ": "ch", "জ": "j",
    "ঝ": "j", "ঞ": "n", "ট": "t", "ঠ": "t", "ড": "d", "ঢ": "d", "ণ": "n", "ত": "t", "থ": "t",
    "দ": "d", "ধ": "d", "ন": "n", "প": "p", "ফ": "p", "ব": "b", "ভ": "b", "ম": "m", "য": "j",
    "র": "r", "ল": "l", "শ": "s", "ষ": "s", "স": "s", "হ": "h", "ৎ": "t", "ং": "n", "ঁ": "",
    "ঃ": "", "অ": "o", "আ": "a", "ই": "i", "ঈ": "i", "উ": "u", "ঊ": "u", "ঋ": "ri", "এ": "e",
    "ঐ": "oi", "ও": "o", "ঔ": "ou", "া": "a", "ি": "i", "ী": "i", "ু": "u", "ূ": "u",
    "ৃ": "ri", "ে": "e", "ৈ": "oi", "ো": "o", "ৌ": "ou", "্": "", "়": "",
    "\u200c": "", "\u200d": "",
}  # fmt: skip
_CONJUNCTS = re.compile("|".join(unit for unit in _BANGLA if len(unit) > 1))
_LETTERS = str.maketrans({unit: sound for unit, sound in _BANGLA.items() if len(unit) == 1})
# What a unit of romanised spelling becomes; C stays apart from c until the single letters' turn.
_SPELLING = {
    "ksh": "k", "kkh": "k", "kh": "k", "ck": "k",
    "chh": "C", "ch": "C", "ce": "se", "ci": "si", "cy": "si",
    "ng": "n", "ee": "i", "oo": "u",
    # After a consonant only: silent conjuncts and aspiration.
    "h": "", "ya": "", "yo": "", "ye": "e", "yi": "i", "yu": "u",
}  # fmt: skip
_SPELLING_UNITS = re.compile(
    r"ksh|kkh|kh|ck|chh?|c[eiy]|ng|ee|oo|(?<=[^aeiou])(?:y[aeiou]|h)|(?<=[aeiou])h(?=[bcdgjklmnpt])"
)
# What a single letter then becomes.
_SINGLE = str.maketrans(
    {"q": "k", "c": "k", "C": "c", "v": "b", "f": "p", "z": "j", "y": "i", "x": "ks"}
    | dict.fromkeys("wao", "")
)
_DOUBLED = re.compile(r"(.)\1+")
_NO_VOWELS = str.maketrans("", "", "aeiu")
# Case endings, classifiers and verb endings, as keys.
_ENDINGS = frozenset(
    re.findall(
        r"\w+",
        """
        r er ir t te ti tir tr tke tike ke e i ei der derke gul guli gulir gulr tuku tukur ier n
        ni ne en ce ci cen cil cilen ece ecen ecil ecilen be ben b le len lm te tece teci ie ien
        """,
    )
)

# Spellings of one sound, which `sound` folds; where one begins another, the longer comes first.
_SOUNDS: Final = {
    "uiya": "ua", "uya": "ua", "uia": "ua", "uwa": "ua", "chh": "ch", "iy": "i",
    "pon": "pa", "pan": "pa", "ee": "i", "oo": "u", "sh": "s", "ll": "l", "bb": "b", "nn": "n",
    "pp": "p", "o": "a", "y": "i",
}  # fmt: skip
_SOUND = re.compile("|".join(_SOUNDS))


class Form(NamedTuple):
    """A word's folded forms.

    Attributes:
        key: Phonetic key.
        skeleton: The key's consonants.
        stems: The key and what is left of it without an ending.
    """

    key: str
    skeleton: str
    stems: tuple[str, ...]


@lru_cache(maxsize=100_000)
def fold(word: str) -> Form:
    """Fold one word of either script, or of both mixed."""
    text = normalize("NFC", word).lower()
    if not text.isascii():
        text = _CONJUNCTS.sub(lambda found: _BANGLA[found[0]], text).translate(_LETTERS)
        if not (text.isascii() and text.isalnum()):
            text = "".join(c for c in normalize("NFKD", text) if c.isalnum())
    first = ""
    if text.startswith(("a", "o")):
        first, text = "a", "a" + text[1:]
    text = _SPELLING_UNITS.sub(lambda found: _SPELLING[found[0]], text)
    key = first + text.translate(_SINGLE)
    if _DOUBLED.search(key):  # which is seldom, and quicker than to replace nothing
        key = _DOUBLED.sub(r"\1", key)
    return Form(key, key.translate(_NO_VOWELS), _stems(key))


def _stems(key: str) -> tuple[str, ...]:
    stems = [key]
    for size in range(1, min(6, len(key) - 2) + 1):
        stem = key[:-size]
        if key[-size:] in _ENDINGS:
            stems.append(stem)
    return tuple(stems)


@lru_cache(maxsize=100_000)
def sound(word: str) -> str:
    """Fold the spellings of one romanised word; unlike a phonetic key, all its vowels stay.

    For words that are told apart by vowels alone, such as numbers and function words.
    """
    return _SOUND.sub(lambda found: _SOUNDS[found[0]], word)
