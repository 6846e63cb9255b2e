"""Where in the evidence a citation stands, if it stands there at all.

Word for word means: the same words in the same order after `text.normalise.for_quotation`, on both
sides. From the ends of a citation, quotation marks, brackets, sentence marks and dots are taken
off. It must begin and end where words do. An ellipsis stands for words left out: the pieces around
it must follow one another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex

from banglahallueval.text.normalise import Normalised, for_quotation
from banglahallueval.text.spans import Place

_LETTER = regex.compile(r"[\p{L}\p{M}\p{N}]")
_ELLIPSIS = regex.compile(r"\s*(?:\.{3,}|…)\s*")
_ENDS = " '\"()[]{}.,;:!?।॥৷*_`-"


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation that was found.

    Attributes:
        source: Name of the text that it stands in.
        spans: Its pieces' code points in the raw text, end exclusive, in order.
    """

    source: str
    spans: tuple[Place, ...]


def find(pieces: Sequence[str], sources: Mapping[str, str]) -> Citation | None:
    """Find a citation, all of it in one text.

    Args:
        pieces: What was cited, in order; each may hold ellipses.
        sources: The evidence: name to raw text. The first one that has the citation counts.

    Returns:
        Where it stands; None where it does not, or where nothing was cited.
    """
    parts = [part for piece in pieces for part in _ELLIPSIS.split(piece)]
    wanted = [text for text in (for_quotation(part).text.strip(_ENDS) for part in parts) if text]
    if not wanted:
        return None
    for name, raw in sources.items():
        spans = _in_order(wanted, for_quotation(raw))
        if spans is not None:
            return Citation(name, spans)
    return None


def _in_order(wanted: Sequence[str], evidence: Normalised) -> tuple[Place, ...] | None:
    found, after = [], 0
    for text in wanted:
        at = _whole_words(text, evidence.text, after)
        if at < 0:
            return None
        after = at + len(text)
        found.append((evidence.places[at][0], evidence.places[after - 1][1]))
    return tuple(found)


def _whole_words(text: str, evidence: str, after: int) -> int:
    """Find a text from `after` on where it neither begins nor ends inside a word; or -1."""
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
