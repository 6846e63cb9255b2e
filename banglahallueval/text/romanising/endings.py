"""What Bangla words end in: cases, classifiers, plurals, and how each is typed in Latin letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

_AFTER_VOWELS = "র r রা ra য\u09bc y য\u09bcের yer তে te কে ke দের der দেরকে derke"
_AFTER_CONSONANTS = "ের er ে e েতে ete েরা era েদের eder"
_CLASSIFIERS = (
    "টি ti টির tir টিকে tike টিতে tite টা ta টার tar টাকে take টায\u09bc tay জন jon জনের joner "
    "গুলো gulo গুলোর gulor গুলোকে guloke গুলোতে gulote "
    "গুলি guli গুলির gulir গুলিকে gulike গুলিতে gulite"
)
# What names of places end in.
_PLACES = (
    "পুর pur নগর nogor গঞ্জ gonj গড\u09bc gor হাট hat বাদ bad পাড\u09bcা para বাড\u09bcি bari খালী khali"
)
_OTHERS = "ভাবে bhabe সমূহ somuho সমূহের somuher সহ soho"
_EMPHASIS = "ও o ই i"


def _table() -> dict[str, str]:
    lists = (_AFTER_VOWELS, _AFTER_CONSONANTS, _CLASSIFIERS, _PLACES, _OTHERS, _EMPHASIS)
    parts = " ".join(lists).split()
    plain = dict(zip(parts[::2], parts[1::2], strict=True))
    stressed = {b + e: lb + le for b, lb in plain.items() for e, le in (("ও", "o"), ("ই", "i"))}
    return dict(sorted((stressed | plain).items(), key=lambda entry: -len(entry[0])))


# Bangla to Latin, the longest first.
ENDINGS: Final = _table()


class Split(NamedTuple):
    """A word taken apart.

    Attributes:
        stem: The word without its ending.
        ending: The ending, in Bangla.
    """

    stem: str
    ending: str


def splits(word: str) -> Iterator[Split]:
    """Take a word apart in every way that leaves a stem of two letters, long endings first."""
    for ending in ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2 or stem.endswith("্") or _is_of_the_stem(ending, stem):
            continue
        yield Split(stem, ending)


def _is_of_the_stem(ending: str, stem: str) -> bool:
    """Whether what looks like য় or য়ের at the end belongs to the word: দ্বিতীয়, মালয়."""
    if ending[0] != "য":
        return False
    return stem[-1] not in ("াোেিীুূইউও" if ending.startswith("য\u09bcে") else "া")


def join(stem: str, ending: str) -> str:
    """Put a stem and an ending, both in Latin letters, together: o and e give way to an e."""
    if ending.startswith("e") and stem.endswith(("o", "e")):
        stem = stem[:-1]
    return stem + ending
