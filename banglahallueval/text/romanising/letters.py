"""How a Bangla word sounds by its letters: rules for words that no dictionary holds."""

from __future__ import annotations

from dataclasses import dataclass

import regex


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
_SIGNS = dict(zip("ািীুূৃেৈোৌ", list(_VOWELS.values())[1:], strict=True))
# Conjuncts whose sound is not the sum of their letters; the longer ones come first.
_CLUSTERS = _table(
    "ক্ষ্ম kkh ক্ষ্য kkh ক্ষ kkh জ্ঞ gg ঞ্চ nch ঞ্ছ nchh ঞ্জ nj ঙ্গ ng ঙ্ক nk ঙ্খ nkh ঙ্ঘ ngh ত্ম tt "
    "শ্ব shw স্ব sw র্য rj হ্ন nh হ্ণ nh হ্ম mm হ্য jjh হ্ব hb"
)
_AT_START = _table("ক্ষ kh জ্ঞ gy স্ব sh শ্ব sh শ্ম sh স্ম s র্য r হ্য hy")
_BOTH_HEARD = frozenset("মবলর")  # a ব joined to these is heard as one
_UNIT = regex.compile(
    r"(?P<glide>ওয\u09bc(?=[াে]))(?P<after>[াে])|(?P<vowel>[অএ]্যা?|[অআইঈউঊঋএঐওঔ])"
    r"|(?P<cluster>[ক-হৎ]\u09bc?(?:্[ক-হ]\u09bc?)*)(?P<sign>[া-ৌ]?)(?P<hasanta>্?)|(?P<tail>[ংঃঁ])"
)
# Words and endings whose last unwritten vowel is heard; য় and ড় stand as two code points in NFC.
_ENDS_IN_O = regex.compile(
    r"(?:^ব(?:ড\u09bc)|^ছোট|^মত|^যত|^ভাল|^কেন|^[কতএশ]ত|..[^্]তম|..[^্]তর|[িীে]য\u09bc|ছিল|হ|ঢ\u09bc?|[িৃৈ]ত|েছ)$"
)
# Clusters that end English words only (native ones are written with ণ and ষ): no vowel is heard.
_ENDS_BARE = regex.compile(r"(?:[নলরস]্[টড]|[কপফ]্ট|[কনরলপটব]্স|[মল]্প|স্ক|ল্[মকফ]|র্[লচভ]|গঞ্জ)$")
# Prefixes whose last vowel is heard, as vowel and consonant: অ before anything, উপ.
_PREFIXES = frozenset({("u", "p"), *(("o", latin) for latin in _CONSONANTS.values())})


@dataclass(slots=True)
class _Unit:
    """A consonant cluster, or a vowel by itself, with the vowel that is heard after it."""

    consonants: str
    vowel: str | None  # None: the vowel that is not written, which may be silent
    single: bool
    written: bool


def spell(word: str) -> str:
    """Write a Bangla word (NFC, without joiners) in Latin letters by its letters alone.

    Without letters that begin a syllable, as in a sign by itself, the word comes back as it is.
    """
    units = _units(word)
    if not units:
        return word
    if units[-1].vowel is None and _ENDS_IN_O.search(word):
        units[-1].vowel = "o"
    elif units[-1].vowel is None and _ENDS_BARE.search(word):
        units[-1].vowel = ""
    for i in range(len(units)):
        if units[i].vowel is None:
            units[i].vowel = "o" if _is_heard(units, i) else ""
    latin = "".join(unit.consonants + (unit.vowel or "") for unit in units)
    return regex.sub(r"^iy(?=[aeo])|^i(?=u)", "y", latin)  # ইয়াং, ইউয়ান


def keeps_y(consonant: str) -> bool:
    """Whether people type the ya of a joined ্যা after a word's first consonant: byapar, but match.

    Native words begin so with few consonants; elsewhere the sign writes the a of English words.
    """
    return consonant in "খতদধনবশ"


def _units(word: str) -> list[_Unit]:
    units: list[_Unit] = []
    for found in _UNIT.finditer(word):
        if found["glide"]:
            said = "ow" if units and units[-1].vowel and units[-1].vowel != "o" else "w"
            if units and units[-1].vowel is None:
                units[-1].vowel = "o"
            units.append(_Unit(said, _SIGNS[found["after"]], True, True))
        elif vowel := found["vowel"]:
            units.append(_Unit("", _VOWELS.get(vowel, "a"), True, True))
        elif found["tail"]:
            _add_tail(units, found["tail"], word[found.end() : found.end() + 2])
        else:
            cluster, sign = found["cluster"], found["sign"]
            vowel = "" if found["hasanta"] or cluster == "ৎ" else _SIGNS.get(sign)
            latin = _cluster(cluster, word[: found.start()])
            if not units and cluster.endswith("্য") and latin.endswith("y"):
                vowel = "a" if vowel is None else vowel  # ব্য is said as ব্যা
                if vowel == "a" and not keeps_y(cluster[0]):
                    latin = latin.removesuffix("y")
            units.append(_Unit(latin, vowel, "্" not in cluster, vowel is not None))
    return units


def _cluster(cluster: str, before: str) -> str:
    """Write joined consonants.

    Args:
        cluster: The consonants, with hasantas between them.
        before: What stands before them in the word.
    """
    if not before and cluster in _AT_START:
        return _AT_START[cluster]
    for known, latin in _CLUSTERS.items():
        if cluster.startswith(known):
            rest = cluster[len(known) :].lstrip("্")
            return latin + (_cluster(rest, before + known) if rest not in ("", "য", "ব") else "")
    text = ""
    parts = [part for part in cluster.split("্") if part]
    for place, part in enumerate(parts):
        previous = parts[place - 1] if place else ""
        is_silent = previous and (
            part == "য" or (part == "ব" and previous not in _BOTH_HEARD and before != "উ")
        )
        if not is_silent:
            plain = _CONSONANTS.get(part[0], "")  # a few places of the block hold no letter
            text += _NUKTA.get(part[0], plain) if part.endswith("\u09bc") else plain
        elif not before:
            text += "y" if part == "য" else ""
        elif place == 1 and not before.endswith(("ং", "ঃ", "্")):
            text = text[:1] + text  # a joined য or ব doubles what it is joined to
    return text


def _add_tail(units: list[_Unit], tail: str, following: str) -> None:
    """Add what ং, ঃ and ঁ say to the unit before them."""
    nasal = following[:1] and following[0] in "কগচছজটডতদধপ" and not following.endswith("\u09bc")
    sound = {"ং": "ng", "ঃ": "", "ঁ": "n" if nasal else ""}
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
        # An ending by itself, as behind a closing quote, has none.
        return len(units) > 1 or unit.consonants not in ("y", "r")
    before = units[i - 1]
    if i == len(units) - 1:
        return (before.vowel or "").endswith("ng")
    after = units[i + 1]
    if not after.single or after.vowel is None or not after.consonants:
        return True
    if i == 1 and not before.consonants and (before.vowel, unit.consonants) in _PREFIXES:
        return True
    if "h" in (unit.consonants, before.consonants):
        return unit.consonants != "h" or not before.written
    if before.written:
        return not before.vowel
    return not (before.single and after.vowel == "a" and i == 1)
