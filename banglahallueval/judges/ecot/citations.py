"""Where in the evidence a citation stands, if it stands there at all.

Word for word means: the same words in the same order after this normalisation, on both sides.
Unicode NFC (so ড় ঢ় য় are one whether composed or not), without zero-width characters, in lower
case, Bengali digits as ASCII ones, quotation marks and dashes of any form as one, white space of
any length as one space. From the ends of a citation, quotation marks, brackets, sentence marks and
dots are taken off. It must begin and end where words do. An ellipsis stands for words left out:
the pieces around it must follow one another.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

_CLUSTER = regex.compile(r"\X")
_LETTER = regex.compile(r"[\p{L}\p{M}\p{N}]")
_ELLIPSIS = regex.compile(r"\s*(?:\.{3,}|…)\s*")
_ENDS = " '\"()[]{}.,;:!?।॥৷*_`-"
_DIGITS = dict(zip(map(ord, "০১২৩৪৫৬৭৮৯"), "0123456789", strict=True))
_ONE_FORM = {
    **_DIGITS,
    **dict.fromkeys(map(ord, "‘’‚‛`´“”„‟«»\"'"), "'"),
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
}

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation that was found.

    Attributes:
        source: Name of the text that it stands in.
        spans: Its pieces' code points in the raw text, end exclusive, in order.
    """

    source: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class _Normal:
    """A normalised text and, for each of its characters, the raw span that it comes from."""

    text: str
    spans: tuple[Span, ...]


def find(pieces: Sequence[str], sources: Mapping[str, str]) -> Citation | None:
    """Find a citation, all of it in one text.

    Args:
        pieces: What was cited, in order; each may hold ellipses.
        sources: The evidence: name to raw text. The first one that has the citation counts.

    Returns:
        Where it stands; None where it does not, or where nothing was cited.
    """
    parts = [part for piece in pieces for part in _ELLIPSIS.split(piece)]
    wanted = [text for text in (normalise(part).strip(_ENDS) for part in parts) if text]
    if not wanted:
        return None
    for name, raw in sources.items():
        spans = _in_order(wanted, _normal(raw))
        if spans is not None:
            return Citation(name, spans)
    return None


def normalise(text: str) -> str:
    """A text as citations are compared."""
    return _normal(text).text


def _in_order(wanted: Sequence[str], evidence: _Normal) -> tuple[Span, ...] | None:
    found, after = [], 0
    for text in wanted:
        at = _whole_words(text, evidence.text, after)
        if at < 0:
            return None
        after = at + len(text)
        found.append((evidence.spans[at][0], evidence.spans[after - 1][1]))
    return tuple(found)


def _whole_words(text: str, evidence: str, after: int) -> int:
    """The first place of a text from `after` on that does not begin or end inside a word; or -1."""
    at = evidence.find(text, after)
    while at >= 0:
        end = at + len(text)
        if not (_joins(evidence, at) or _joins(evidence, end)):
            return at
        at = evidence.find(text, at + 1)
    return -1


def _joins(text: str, at: int) -> bool:
    """Whether a word goes on across a place."""
    return 0 < at < len(text) and all(map(_LETTER.match, text[at - 1 : at + 1]))


@lru_cache(maxsize=64)
def _normal(raw: str) -> _Normal:
    text: list[str] = []
    spans: list[Span] = []
    for cluster in _CLUSTER.finditer(raw):
        if cluster[0].isspace():
            normal = " "
        else:
            # What a cluster holds composes with nothing outside it, so each can go by itself.
            normal = unicodedata.normalize("NFC", cluster[0]).translate(_ONE_FORM).casefold()
            normal = "".join(c for c in normal if unicodedata.category(c) != "Cf")
        if normal == " " and text and text[-1] == " ":
            spans[-1] = (spans[-1][0], cluster.end())
            continue
        text += normal
        spans += [cluster.span()] * len(normal)
    return _Normal("".join(text), tuple(spans))
