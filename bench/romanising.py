"""How Bangla words are romanised: by the dictionary, by the letters, and by all together.

python bench/romanising.py
python bench/romanising.py --file CODEMIX_MAIN.csv

The first prints the share of tests/text/romanised_words.tsv that each way spells as people do. With
--file it also prints how often each way writes a word just as the writers of that file did (case
aside), over the words that their text can be aligned with.
"""

from __future__ import annotations

import argparse
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import bengali_romanizer
from anyascii import anyascii

from banglahallueval.generation.quality import Quality
from banglahallueval.io.tables import Table
from banglahallueval.text.romanising.dictionary import pronounce
from banglahallueval.text.romanising.words import word_by_letters, word_in_latin

_WORDS = Path(__file__).parents[1] / "tests" / "text" / "romanised_words.tsv"
_TEXTS = (
    ("context", "codemix_context"),
    ("question", "codemix_question"),
    ("correct_answer", "codemix_answer"),
)


def _plain_dictionary(word: str) -> str:
    said = unicodedata.normalize("NFD", bengali_romanizer.romanize(word).replace("æ", "a"))
    return "".join(c for c in said if not unicodedata.combining(c))


WAYS: dict[str, Callable[[str], str]] = {
    "anyascii": anyascii,
    "dictionary, accents stripped": _plain_dictionary,
    "dictionary with inflections, as typed": lambda word: pronounce(word) or "",
    "letters": word_by_letters,
    "dictionary, else letters": lambda word: pronounce(word) or word_by_letters(word),
    "loans, dictionary, letters": word_in_latin,
}


def listed() -> Iterator[tuple[str, list[str]]]:
    """Yield the listed words with the spellings that people use."""
    for line in _WORDS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            word, _, spellings = line.partition("\t")
            yield unicodedata.normalize("NFC", word), spellings.split()


def spellings_in(path: Path) -> Iterator[tuple[str, str, int]]:
    """Yield Bangla words of a code-mixed file, how its writers spell them, and how often."""
    table, quality = Table(path), Quality()
    for cells in table.rows():
        row = dict(zip(table.columns, cells, strict=True))
        for given, made in _TEXTS:
            quality.add(row[given], row[made])
    for word, counts in quality.spellings.items():
        for spelling, count in counts.items():
            yield word, spelling, count


def main() -> None:
    """Print a line for each way."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--file", type=Path, metavar="CODEMIX_MAIN.csv")
    args = parser.parse_args()
    words = list(listed())
    written = list(spellings_in(args.file)) if args.file else []
    total = sum(count for _, _, count in written)
    for name, way in WAYS.items():
        right = sum(way(word).lower() in spellings for word, spellings in words)
        line = f"{name:40}{right:5} of {len(words)}  {right / len(words):6.1%}"
        if total:
            same = sum(count for word, spelled, count in written if way(word).lower() == spelled)
            line += f"   as in {args.file.name}: {same / total:6.1%} of {total:,} words"
        print(line)


if __name__ == "__main__":
    main()
