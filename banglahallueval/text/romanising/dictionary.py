"""How words are pronounced, by the dictionary that `bengali-romanizer` ships.

It is Google's Bengali pronunciation dictionary, transcribed by native speakers for the standard
language of Bangladesh (CC BY 4.0). It is read when the first word is looked up.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

from banglahallueval.text.romanising.endings import ENDINGS, join, splits
from banglahallueval.text.romanising.letters import keeps_y

_LEFT = regex.compile(r"[\u0980-\u09ff]")  # a word that is unknown comes back in Bangla
_BEGINS_WORD = regex.compile(r"[অ-ঔক-হ]")
_PROBES = ("টি", "র", "ের", "কে", "ই", "ও")
# Frequent words that have several pronunciations, which often means several words.
_HOMOGRAPHS = {
    "মত": "moto", "হল": "holo", "হলে": "hole", "কোন": "kon", "করে": "kore", "কর": "kor",
    "উত্তর": "uttor", "বলে": "bole", "চলে": "chole", "ধরে": "dhore", "কাল": "kal",
    "চাল": "chal", "এল": "elo", "দিল": "dilo", "নিল": "nilo", "বল": "bol",
}  # fmt: skip
_SIBILANT = regex.compile(r"[শষস](?:্[শষস])?(?:্ব)?")
_HISS = regex.compile(r"(?:sh)+|s+(?!h)")
_JOINED_A = regex.compile(r"(.)্যা?")


@lru_cache(maxsize=100_000)
def pronounce(word: str) -> str | None:
    """Look a word up: itself, by its inflected forms, or by the two words that it is made of.

    Args:
        word: A Bangla word in NFC.

    Returns:
        It in plain Latin letters, as people type what is said; None if it is not there, or has
        several pronunciations.
    """
    if word in _HOMOGRAPHS:
        return _HOMOGRAPHS[word]
    if said := _stem(word):
        return said
    for stem, ending in splits(word):
        if len(stem) > 2 and (said := _stem(stem)):
            return join(said, ENDINGS[ending])
    return _compound(word)


def _compound(word: str) -> str | None:
    """Look up the parts of a compound, cut as near its middle as may be."""
    cuts = sorted(range(3, len(word) - 2), key=lambda cut: abs(2 * cut - len(word)))
    for cut in cuts:
        first, second = word[:cut], word[cut:]
        if first.endswith("্") or not _BEGINS_WORD.match(second):
            continue
        if (said := _entry(first)) and (rest := _entry(second)):
            return said + rest
    return None


def _stem(word: str) -> str | None:
    """Look a word up, or else its inflected forms, whose ending is taken off."""
    if said := _entry(word):
        return said
    for ending in _PROBES:
        latin = ENDINGS[ending]
        said = _entry(word + ending)
        bare = said.removesuffix(latin) if said else said
        # A vowel after joined consonants gives way to some endings: পুত্র, but পুত্রই.
        if bare and bare != said and len(bare) > 1 and (word[-2:-1] != "্" or bare[-1] in "aeiou"):
            return bare
    return None


def _entry(word: str) -> str | None:
    import bengali_romanizer  # here, so that only who romanises pays for it

    said = bengali_romanizer.romanize(word)
    return None if _LEFT.search(said) else _as_typed(said, word)


def _as_typed(said: str, word: str) -> str:
    """Spell a pronunciation as people type it, with the letters that they take from writing."""
    plain = "".join(c for c in unicodedata.normalize("NFD", _open_a(said, word)) if c.isascii())
    plain = _sibilants(plain.replace("ngg", "ng"), word)
    if "ৌ" in word:
        plain = plain.replace("oo", "ou")
    if word.startswith("ওই"):
        plain = "o" + plain.removeprefix("w")
    return _glides(plain, word)


def _glides(plain: str, word: str) -> str:
    """Write the y and w between vowels that য় and ওয় are typed with and readings leave out."""
    if "য\u09bc" not in word:
        return plain
    if "ওয\u09bcা" in word:
        plain = regex.sub(r"(?<=[ae])oa|oua", "owa", plain)
    if "য\u09bcো" in word:
        plain = plain.replace("oio", "oyo")
    if "য\u09bcে" in word:
        plain = regex.sub(r"(?<=[aeiou])e", "ye", plain)
    if "য\u09bcি" in word or "য\u09bcী" in word:
        plain = regex.sub(r"(?<=[ao])i", "yi", plain)
    if word.endswith("ায\u09bc"):
        plain = regex.sub(r"ai$", "ay", plain)
    return regex.sub(r"(?<=i)(?=[ao])|(?<=e)(?=a)", "y", plain)


def _open_a(said: str, word: str) -> str:
    """Write the open vowel: e where the word has এ, ya or a where it has a joined য."""
    joined = _JOINED_A.search(word)
    if "জ্ঞা" in word:
        return said.replace("æ", "ya")
    if joined:
        return said.replace("æ", "ya" if keeps_y(joined[1]) and joined.start() == 0 else "a")
    return said.replace("æ", "a" if "অ্যা" in word or "এ্যা" in word else "e")


def _sibilants(said: str, word: str) -> str:
    """Write s for স and sh for শ and ষ, which sound alike, so that a word has one spelling.

    The dictionary writes স now as s, now as sh, even in forms of one word.
    """
    written = [found[0] for found in _SIBILANT.finditer(word)]
    heard = _HISS.findall(said)
    if len(written) != len(heard):
        return said
    letters = iter(zip(written, heard, strict=True))

    def letter(found: regex.Match[str]) -> str:
        bangla, latin = next(letters)
        if "্ব" in bangla:
            return "sh" if found.start() == 0 else {"শ": "shw", "স": "sw"}.get(bangla[0], "sh")
        plain = "s" if bangla[0] == "স" else "sh"
        return "s" + plain if latin in ("ss", "shsh") else plain

    return _HISS.sub(letter, said)
