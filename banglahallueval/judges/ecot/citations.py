"""Where in the evidence a citation stands, if it stands there at all.

Word for word means: the same words, numbers and signs in the same order after
`text.normalise.for_quotation`, on both sides; white space only parts words. A word or number
matches whole: ৪৪৪ does not stand in ৪৪৪.০৫. From the ends of a citation, quotation marks, brackets,
sentence marks and dots are taken off. An ellipsis stands for at most `MOST_LEFT_OUT` words left
out, and the pieces around it must follow one another. Function words alone are no citation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from unicodedata import normalize

import regex

from banglahallueval.text.normalise import for_quotation
from banglahallueval.text.spans import Place

MOST_LEFT_OUT = 30  # words that an ellipsis may stand for: about two sentences

# A number keeps its thousands separators, decimals, and the parts of a time, date or fraction.
_TOKEN = regex.compile(
    r"""
      (?P<word>(?:
        (?:\d{1,3}(?:,\d{2,3})*,\d{3}(?!\p{N})|\d+)(?:[.:/]\d+)*
        | [\p{L}\p{M}\p{N}]
      )+)
    | (?P<quotes>'[\s']*(?<=')) | \S
    """,
    regex.VERBOSE,
)
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]")
_ELLIPSIS = regex.compile(r"\s*(?:\.{3,}|…)\s*")
_ENDS = frozenset("'()[]{}.,;:!?।॥৷|*_`-")
_ONE_MARK = {"৷": "।", "|": "।"}  # both are typed for the danda
# By spelling: a list by sound would take words for others that carry a fact.
_FUNCTION_WORDS = frozenset(
    normalize(
        "NFC",
        """
        ও আর এবং বা অথবা কিন্তু তবে যে যা যার যাকে যিনি এ এই ওই ঐ সে সেই তা তার তাঁর তাকে তাঁকে
        তিনি তারা তাঁরা তাদের তাঁদের এটি এটা সেটি সেটা এর যখন তখন যদি তাই
        কারণ কে কি কী কোন কোনো কেন না নয় নি নেই ই তো থেকে হতে জন্য জন্যে দ্বারা দিয়ে কর্তৃক সঙ্গে
        সাথে মধ্যে পর পরে আগে উপর উপরে পর্যন্ত হয় হয়ে হয়েছে হয়েছিল হন হলেন হলো হল ছিল ছিলো ছিলেন
        আছে আছেন করে করেন করা করেছেন করেছিলেন একটি একটা
        o ar ebong ba othoba kintu tobe je ja ei oi se shei ta tar take tini tara tader eti er jodi
        tai karon ke ki kon na noy ni theke hote jonno dara diye shathe sathe moddhe por pore age
        hoy hoye hoyeche hoyechilo holo chilo chhilo chilen ache kore koren kora ekti
        the a an of in on at by for to from with and or but as is are was were be been it its
        this that these those he she they his her their who which not
        """,
    ).split()
)


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation that was found.

    Attributes:
        source: Name of the text that it stands in.
        spans: Its pieces' code points in the raw text, end exclusive, in order.
    """

    source: str
    spans: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class _Tokens:
    """A text as words, numbers and signs.

    Attributes:
        texts: Each in its normal form.
        places: Where each stands in the raw text.
        words: How many words and numbers stand before each, and in all.
    """

    texts: tuple[str, ...]
    places: tuple[Place, ...]
    words: tuple[int, ...]


def find(pieces: Sequence[str], sources: Mapping[str, str]) -> Citation | None:
    """Find a citation, all of it in one text.

    Args:
        pieces: What was cited, in order; each may hold ellipses. Between two pieces any number of
            words may stand, so each must say something by itself.
        sources: The evidence: name to raw text. The first one that has the citation counts.

    Returns:
        Where it stands; None where it does not, or where nothing was cited.
    """
    cited = [parts for piece in pieces if (parts := _parts(piece))]
    if not cited or not all(map(_says_something, cited)):
        return None
    for name, raw in sources.items():
        spans = _in_order(cited, _tokens(raw))
        if spans is not None:
            return Citation(name, spans)
    return None


def _parts(piece: str) -> list[tuple[str, ...]]:
    """Split a piece at its ellipses, and take off what stands at the ends of the parts."""
    found = []
    for part in _ELLIPSIS.split(piece):
        texts = _tokens(part).texts
        kept = [at for at, text in enumerate(texts) if text not in _ENDS]
        if kept:
            found.append(texts[kept[0] : kept[-1] + 1])
    return found


def _says_something(parts: Sequence[tuple[str, ...]]) -> bool:
    words = [text for part in parts for text in part if _WORD.match(text)]
    # Signs alone, as in a calculation, are no function words.
    return not words or any(word not in _FUNCTION_WORDS for word in words)


@lru_cache(maxsize=64)
def _tokens(raw: str) -> _Tokens:
    normal = for_quotation(raw)
    texts, places = [], []
    for token in _TOKEN.finditer(normal.text):
        text = "'" if token["quotes"] else token[0]
        if token["word"]:
            text = text.replace(",", "")
        texts.append(_ONE_MARK.get(text, text))
        places.append((normal.places[token.start()][0], normal.places[token.end() - 1][1]))
    words = accumulate((bool(_WORD.match(text)) for text in texts), initial=0)
    return _Tokens(tuple(texts), tuple(places), tuple(words))


def _in_order(
    cited: Sequence[Sequence[tuple[str, ...]]], evidence: _Tokens
) -> tuple[Place, ...] | None:
    found: list[Place] = []
    after = 0
    for parts in cited:
        ends = _joined(parts, evidence, after)
        if ends is None:
            return None
        for part, end in zip(parts, ends, strict=True):
            found.append((evidence.places[end - len(part)][0], evidence.places[end - 1][1]))
        after = ends[-1]
    return tuple(found)


def _joined(parts: Sequence[tuple[str, ...]], evidence: _Tokens, after: int) -> list[int] | None:
    """Find the first place where the parts follow one another closely enough.

    Returns:
        The token after the end of each part; None where there is no such place.
    """
    before: list[int] = []  # ends of the last part that can be reached, in order
    came_from: list[dict[int, int]] = []
    for number, part in enumerate(parts):
        reached: dict[int, int] = {}
        nearest = -1
        for start in _starts(part, evidence.texts, after):
            if number:
                while nearest + 1 < len(before) and before[nearest + 1] <= start:
                    nearest += 1
                # Where the nearest end is too far away, so are all others.
                if nearest < 0 or not _is_close(evidence, before[nearest], start):
                    continue
            reached[start + len(part)] = before[nearest] if number else after
        if not reached:
            return None
        came_from.append(reached)
        before = list(reached)
    ends = [before[0]]
    for reached in reversed(came_from[1:]):
        ends.append(reached[ends[-1]])
    return ends[::-1]


def _is_close(evidence: _Tokens, end: int, start: int) -> bool:
    return evidence.words[start] - evidence.words[end] <= MOST_LEFT_OUT


def _starts(part: tuple[str, ...], texts: tuple[str, ...], after: int) -> list[int]:
    return [
        at
        for at in range(after, len(texts) - len(part) + 1)
        if texts[at] == part[0] and texts[at : at + len(part)] == part
    ]
