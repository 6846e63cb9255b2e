"""How a code-mixed file is spelled: English words, guesses, consistency, and the way back."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import regex
from rapidfuzz.distance import Levenshtein

from banglahallueval.text.phonetic import fold
from banglahallueval.text.romanising.loans import as_english, english_words
from banglahallueval.text.romanising.words import is_in_dictionary, plain

# An ending set off with a hyphen belongs to its word; so do the parts of a compound.
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:[-'’][\p{L}\p{M}]+)*")
_BANGLA = regex.compile(r"[\u0980-\u09ff]")


@dataclass(slots=True)
class Quality:
    """Counts over the rows of a code-mixed file.

    Words of both texts are aligned by their phonetic keys (`text.phonetic`), in order, with the
    fewest edits.

    Attributes:
        latin: Words of the code-mixed texts.
        english: Number of them that are English words of the list of loans.
        bangla: Words of the Bangla texts in Bangla letters.
        guessed: Number of them that are neither in the list nor in the pronunciation dictionary.
        returning: Number of Bangla words, written otherwise than as English, whose code-mixed word
            has their phonetic key.
        not_english: Number of Bangla words that are written otherwise than as English.
        spellings: Bangla word to the spellings aligned with it, in lower case.
    """

    latin: int = 0
    english: int = 0
    bangla: int = 0
    guessed: int = 0
    returning: int = 0
    not_english: int = 0
    spellings: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, given: str, made: str) -> None:
        """Count a Bangla text and the same in code-mixed Bangla."""
        source, mixed = _words(plain(given)), _words(made)
        keys, mixed_keys = [_key(word) for word in source], [_key(word) for word in mixed]
        english = {j for j, word in enumerate(mixed) if _is_english(word)}
        translated = set()
        for i, j in _pairs(keys, mixed_keys):
            word, is_same = source[i], keys[i] == mixed_keys[j]
            if not _BANGLA.search(word):
                continue
            if as_english(word):
                translated.add(i)
            elif is_same:
                self.returning += 1
                english.discard(j)  # মিলে, which is typed as mile
            elif j in english:
                translated.add(i)
            if is_same or keys[i][:1] == mixed_keys[j][:1]:
                self.spellings[word][mixed[j].lower()] += 1
        bangla = [i for i, word in enumerate(source) if _BANGLA.search(word)]
        self.bangla += len(bangla)
        self.guessed += sum(not is_in_dictionary(source[i]) for i in bangla)
        self.not_english += sum(i not in translated for i in bangla)
        self.latin += len(mixed)
        self.english += len(english)

    def figures(self) -> dict[str, float | None]:
        """Compute the shares, 0 to 1; None where there is nothing to take a share of."""
        often = [counts for counts in self.spellings.values() if counts.total() > 1]
        usual = sum(max(counts.values()) for counts in often)
        return {
            "english_words": _share(self.english, self.latin),
            "out_of_dictionary": _share(self.guessed, self.bangla),
            "spelling_consistency": _share(usual, sum(counts.total() for counts in often)),
            "round_trip": _share(self.returning, self.not_english),
        }


def quality_line(figures: Mapping[str, float | None]) -> str:
    """Say the figures in one line."""
    names = {
        "english_words": "English words",
        "out_of_dictionary": "words out of the dictionary",
        "spelling_consistency": "spelling consistency",
        "round_trip": "round trip",
    }
    said = [f"{names[name]} {value:.1%}" for name, value in figures.items() if value is not None]
    return ", ".join(said)


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _key(word: str) -> str:
    return fold(regex.sub(r"[-'’]", "", word)).key


def _is_english(word: str) -> bool:
    return word.lower() in english_words() or word.partition("-")[0].lower() in english_words()


def _pairs(ones: list[str], others: list[str]) -> Iterator[tuple[int, int]]:
    for step in Levenshtein.opcodes(ones, others):
        if step.tag in ("equal", "replace"):
            size = min(step.src_end - step.src_start, step.dest_end - step.dest_start)
            yield from ((step.src_start + k, step.dest_start + k) for k in range(size))


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
