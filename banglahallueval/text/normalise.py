"""Two normal forms of a text: one to match meanings, one to find quotations again."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from banglahallueval.text.digits import TO_ASCII
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.spans import Place

_SEPARATOR = lazy_regex(r"(?<=\d),(?=\d)")
_WORD = lazy_regex(r"[\p{L}\p{M}\p{N}]+")
_CLUSTER = lazy_regex(r"\X")
_ONE_FORM = {
    **TO_ASCII,
    **dict.fromkeys(map(ord, "‘’‚‛`´“”„‟«»\"'"), "'"),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
}


def for_matching(text: str) -> str:
    """Drop from a text what does not matter for its meaning.

    Unicode NFC, ASCII digits without thousands separators, lower case; no punctuation, one space
    between words.
    """
    return " ".join(words_for_matching(text))


def words_for_matching(text: str) -> list[str]:
    """List the words and numbers of a text in the form of `for_matching`."""
    text = unicodedata.normalize("NFC", text).translate(TO_ASCII).lower()
    return _WORD.findall(_SEPARATOR.sub("", text))


@dataclass(frozen=True, slots=True)
class Normalised:
    """A normalised text with the way back.

    Attributes:
        text: The normalised text.
        places: For each of its code points the place in the raw text that it comes from.
    """

    text: str
    places: tuple[Place, ...]


@lru_cache(maxsize=64)
def for_quotation(raw: str) -> Normalised:
    """Bring a text into the form in which quotations are compared, word for word.

    Unicode NFC (so ড় ঢ় য় are one whether composed or not), without zero-width characters, in lower
    case, Bengali digits as ASCII ones, quotation marks and dashes of any form as one, white space
    of any length as one space.
    """
    text: list[str] = []
    places: list[Place] = []
    for cluster in _CLUSTER.finditer(raw):
        if cluster[0].isspace():
            normal = " "
        else:
            # What a cluster holds composes with nothing outside it, so each can go by itself.
            normal = unicodedata.normalize("NFC", cluster[0]).translate(_ONE_FORM).casefold()
            normal = "".join(c for c in normal if unicodedata.category(c) != "Cf")
        if normal == " " and text and text[-1] == " ":
            places[-1] = (places[-1][0], cluster.end())
            continue
        text += normal
        places += [cluster.span()] * len(normal)
    return Normalised("".join(text), tuple(places))
