"""English words and names that Bangla texts write in Bangla letters, as English spells them.

`loans.csv` was compiled by hand for this project and is under its licence. A word that is a Bangla
word too (বল, বাস, হল) is not in it.
"""

from __future__ import annotations

import csv
import unicodedata
from functools import cache
from importlib import resources
from typing import NamedTuple

import regex

from banglahallueval.text.romanising.endings import ENDINGS, join, splits

# Spelled as English spells them, but no English words.
_NAMES = frozenset({"native name", "foreign name"})
_ATTACHED = frozenset({"native name"})  # their endings need no hyphen: Dhakar, but college-er
_SHORTEST = 2  # letters; shorter words with an ending are mostly others: মেয়ের is a girl's
_TITLES = frozenset({"title"})  # written with a full stop, so never a word by themselves

_LETTER_NAMES = dict(
    pair.split(":")
    for pair in unicodedata.normalize(
        "NFC",
        "এ:A বি:B সি:C ডি:D ই:E এফ:F জি:G এইচ:H আই:I জে:J কে:K এল:L এম:M এন:N ও:O "
        "পি:P কিউ:Q আর:R এস:S টি:T ইউ:U ভি:V ডব্লিউ:W ডাব্লিউ:W ডব্লু:W এক্স:X ওয়াই:Y জেড:Z",
    ).split()
)
_LETTER = "|".join(sorted(_LETTER_NAMES, key=len, reverse=True))
# Three letters or more, and a vowel by itself inside, as no Bangla word has it so often: বিএনপি.
_ACRONYM = regex.compile(rf"(?=[^\s]+[এইআও])(?:{_LETTER}){{3,}}")
_ONE_LETTER = regex.compile(_LETTER)


class Loan(NamedTuple):
    """A word of the list.

    Attributes:
        english: The English spelling.
        kind: What it is a word of: `sport`, `month`, …; names are no English words.
    """

    english: str
    kind: str

    @property
    def is_english(self) -> bool:
        """Whether it counts as an English word."""
        return self.kind not in _NAMES


@cache
def loans() -> dict[str, Loan]:
    """Read the list: Bangla word (NFC) to what is written for it."""
    found: dict[str, Loan] = {}
    text = resources.files(__package__).joinpath("loans.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        for word in unicodedata.normalize("NFC", row["bangla"]).split():
            found[word] = Loan(row["english"], row["kind"])
    return found


@cache
def english_words() -> frozenset[str]:
    """List the English words that loans are written as, in lower case."""
    words = (loan.english.lower().split() for loan in loans().values() if loan.is_english)
    return frozenset(word for spelled in words for word in spelled)


def as_english(word: str) -> str | None:
    """Write a loan, with or without an ending: `college`, `college-er`, `Dhakar`; else None."""
    if loan := _loan(word):
        return loan.english
    for stem, ending in splits(word):
        if len(stem) > _SHORTEST and (loan := _loan(stem)):
            if loan.kind in _ATTACHED:
                return join(loan.english, ENDINGS[ending])
            return f"{loan.english}-{ENDINGS[ending]}"
    return None


def title(word: str) -> str | None:
    """Write a title that a full stop follows, `Md.`, without the stop; else None."""
    loan = loans().get(word)
    return loan.english.rstrip(".") if loan and loan.kind in _TITLES else None


def initial(word: str) -> str | None:
    """Write the name of an English letter as the letter; else None."""
    return _LETTER_NAMES.get(word)


def _loan(word: str) -> Loan | None:
    loan = loans().get(word)
    if loan:
        return loan if loan.kind not in _TITLES else None
    if _ACRONYM.fullmatch(word):
        letters = "".join(_LETTER_NAMES[name] for name in _ONE_LETTER.findall(word))
        if letters[-1] not in "EO":  # an emphatic ending rather: এটিই
            return Loan(letters, "abbreviation")
    return None
