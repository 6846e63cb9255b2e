"""Bangla in Latin letters without a model, as people type it: readable, not reversible."""

from __future__ import annotations

import random
import unicodedata
from dataclasses import dataclass

import regex
from anyascii import anyascii

from banglahallueval.text.digits import TO_ASCII
from banglahallueval.text.lazy_regex import lazy_regex


def _table(text: str) -> dict[str, str]:
    """Read `ক k খ kh` as a table."""
    parts = text.split()
    return dict(zip(parts[::2], parts[1::2], strict=True))


_CONSONANTS = _table(
    "ক k খ kh গ g ঘ gh ঙ ng চ ch ছ chh জ j ঝ jh ঞ n ট t ঠ th ড d ঢ dh ণ n ত t থ th দ d ধ dh ন n "
    "প p ফ f ব b ভ bh ম m য j র r ল l শ sh ষ sh স s হ h ৎ t"
)
_NUKTA = {"ড": "r", "ঢ": "rh", "য": "y"}  # ড় ঢ় য়, which NFC takes apart
_VOWELS = _table("অ o আ a ই i ঈ i উ u ঊ u ঋ ri এ e ঐ oi ও o ঔ ou")
_SIGNS = dict(
    zip("ািীুূৃেৈোৌ", _table("আ a ই i ঈ i উ u ঊ u ঋ ri এ e ঐ oi ও o ঔ ou").values(), strict=True)
)
_CLUSTERS = _table(
    "ক্ষ kkh জ্ঞ gg ঞ্চ nch ঞ্ছ nchh ঞ্জ nj ঙ্গ ng ঙ্ক nk ঙ্খ nkh ত্ম tt দ্ব db ম্ব mb ব্ব bb ল্ব lb"
)
# Frequent words whose last unwritten vowel is heard.
_ENDS_IN_O = frozenset(unicodedata.normalize("NFC", "বড় ছোট মত কত যত তত এত শত ভাল").split())
_AT_START = _table("ক্ষ kh জ্ঞ gy স্ব sh শ্ব sh জ্ব j দ্ব d শ্ম sh")
_OTHERS = {
    **TO_ASCII,
    **str.maketrans({"।": ".", "৷": ".", "॥": ".", "৳": "Tk ", "\u200c": "", "\u200d": ""}),
}
_UNIT = lazy_regex(
    r"(?P<vowel>[অআইঈউঊঋএঐওঔ])|(?P<cluster>[ক-হৎ]়?(?:্[ক-হ]়?)*)(?P<sign>[া-ৌ]?)(?P<hasanta>্?)"
    r"|(?P<tail>[ংঃঁ])"
)
_WORD = lazy_regex(r"[\u0980-\u09e5\u09f0-\u09f1]+")
_OTHER_SCRIPT = lazy_regex(r"[[\p{L}\p{M}\u0980-\u09ff]--\p{Latin}]+", regex.VERSION1)
_SENTENCE = lazy_regex(r"(?:\A|(?<=[.?!]))(\s*)([a-z])")

# Variants that people write for one another; each is one rewriting of a word.
_VARIANTS = (
    ("bh", "v"),
    ("chh", "ch"),
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
_LATIN_WORD = lazy_regex(r"(?<![\w'-])[a-z]{3,}(?![\w'])")


@dataclass(slots=True)
class _Unit:
    """A consonant cluster, or a vowel by itself, with the vowel that is heard after it."""

    consonants: str
    vowel: str | None  # None: the vowel that is not written, which may be silent
    single: bool
    source: str
    written: bool


def romanise(text: str) -> str:
    """Write a text in Latin letters; Latin words, ASCII digits and punctuation stay."""
    text = unicodedata.normalize("NFC", text).replace("\u200c", "").replace("\u200d", "")
    text = _WORD.sub(lambda word: _word(word[0]), text)
    return _OTHER_SCRIPT.sub(lambda found: anyascii(found[0]), text.translate(_OTHERS))


def sentence_case(text: str) -> str:
    """Begin every sentence with a capital letter."""
    return _SENTENCE.sub(lambda start: start[1] + start[2].upper(), text)


def vary_spelling(text: str, share: float, seed: str) -> str:
    """Write some words of a romanised text in another way that is common too.

    Names (words with a capital letter), numbers and short words stay. A word is varied in the same
    way wherever it stands in texts of the same seed.

    Args:
        text: The text.
        share: Share of the words that are varied, 0 to 1.
        seed: Decides which, and how.
    """

    def vary(found: regex.Match[str]) -> str:
        word = found[0]
        draw = random.Random(f"{seed}|{word}")
        if draw.random() >= share:
            return word
        fitting = [(old, new) for old, new in _VARIANTS if old in word[1:] or word.startswith(old)]
        if not fitting:
            return word
        old, new = draw.choice(fitting)
        return word.replace(old, new, 1)

    return _LATIN_WORD.sub(vary, text)


def _word(word: str) -> str:
    if not _UNIT.search(word):
        return word
    units: list[_Unit] = []
    for found in _UNIT.finditer(word):
        if found["vowel"]:
            units.append(_Unit("", _VOWELS[found["vowel"]], True, found["vowel"], True))
        elif found["tail"]:
            _add_tail(units, found["tail"], word[found.end() : found.end() + 1])
        else:
            cluster = found["cluster"]
            vowel = "" if found["hasanta"] or cluster == "ৎ" else _SIGNS.get(found["sign"])
            at_start = found.start() == 0
            latin, single = _cluster(cluster, at_start), "্" not in cluster
            units.append(_Unit(latin, vowel, single, cluster, vowel is not None))
    if word in _ENDS_IN_O:
        units[-1].vowel = "o"
    for i in range(len(units)):
        if units[i].vowel is None:
            units[i].vowel = "o" if _is_heard(units, i) else ""
    text = "".join(unit.consonants + (unit.vowel or "") for unit in units)
    # ওয়া is said, and typed, as one glide.
    return regex.sub(r"(?<=o)y(?=a)", "w", text)


def _cluster(cluster: str, at_start: bool) -> str:
    if at_start and cluster in _AT_START:
        return _AT_START[cluster]
    for known, latin in _CLUSTERS.items():
        if cluster.startswith(known):
            return latin + _cluster(cluster[len(known) :].lstrip("্"), False)
    text, previous = "", ""
    for part in filter(None, cluster.split("্")):
        if part == "য" and previous:
            text += "y"
        elif part == "ব" and previous and previous not in "মবলর":
            text += "w"
        else:
            plain = _CONSONANTS.get(part[0], "")  # a few places of the block hold no letter
            text += _NUKTA.get(part[0], plain) if part.endswith("়") else plain
        previous = part
    return text


def _add_tail(units: list[_Unit], tail: str, following: str) -> None:
    """Add what ং, ঃ and ঁ say to the unit before them."""
    sound = {"ং": "ng", "ঃ": "", "ঁ": "n" if following and following in "কগচছজটডতদধপ" else ""}
    if not units:
        return
    before = units[-1]
    if before.vowel is None:
        before.vowel = "o"
    before.vowel += sound[tail]


def _is_heard(units: list[_Unit], i: int) -> bool:
    """Whether the unwritten vowel after a cluster is heard; a rule of thumb.

    It is silent at a word's end after one consonant, and inside between a written vowel and a
    consonant that has one.
    """
    unit = units[i]
    if i == 0 or not unit.single:
        return unit.source != "য\u09bc"  # an ending by itself, as behind a closing quote
    before = units[i - 1]
    if i == len(units) - 1:
        said = before.vowel or ""
        return (
            said.endswith("ng") or unit.source == "হ" or (unit.source == "ত" and said[-1:] == "i")
        )
    after = units[i + 1]
    if not after.single or after.vowel is None or not after.consonants:
        return True
    if unit.source == "হ" or before.source == "হ":
        return True
    if before.written:
        return not before.vowel
    return not (before.single and after.vowel == "a" and i == 1)
