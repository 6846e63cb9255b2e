"""Inputs that together cover an answer and its evidence, however long both are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from banglahallueval.errors import ShownError
from banglahallueval.models.huggingface.pairs import Encoding
from banglahallueval.text.spans import Place

_LEAST = 16  # tokens of a piece of text that still say something
_OVERLAP = 4  # a piece shares one part in so many with the next


class UncoveredError(ShownError):
    """A text that a model cannot judge as a whole; it has no result, rather than a clean one."""


class Pairs(Protocol):
    """Encodes pairs of texts; see `pairs.PairTokenizer`."""

    limit: int

    def pair(self, first: str, second: str) -> Encoding:
        """Encode a pair of texts."""
        ...

    def places(self, text: str) -> list[Place]:
        """List the places of a text's tokens."""
        ...


class Part(NamedTuple):
    """A piece of an answer, and what the model reads to judge it.

    Attributes:
        place: The piece, in code points of the answer.
        inputs: One for each window of the evidence.
    """

    place: Place
    inputs: tuple[Encoding, ...]


def cover(pairs: Pairs, fill: Callable[[str], str], evidence: str, answer: str) -> list[Part]:
    """Cover an answer and its evidence with inputs that the model can read.

    One input where all fits. Else the evidence is cut into windows, each in the whole template and
    with the whole answer. An answer that would leave the evidence less than a quarter of the room
    is cut into pieces itself. Windows and pieces overlap by a quarter, and are cut at blanks where
    these are near.

    Args:
        pairs: Encodes.
        fill: Puts evidence, or a window of it, into the template.
        evidence: The evidence; blank where the template has no place for any.
        answer: The answer.

    Returns:
        The pieces of the answer in order; the only one is the whole answer where that fits.

    Raises:
        UncoveredError: If question and instructions leave no room for answer and evidence.
    """
    whole = pairs.pair(fill(evidence), answer)
    if len(whole.ids) <= pairs.limit:
        return [Part((0, len(answer)), (whole,))]
    room = pairs.limit - len(pairs.pair(fill(""), "").ids)
    most = room - room // 4 if evidence.strip() else room
    tokens = pairs.places(answer)
    # A piece alone may have more tokens than it has within its text, so that it must be shorter.
    while most >= _LEAST:
        places = pieces(answer, tokens, most)
        inputs = [_inputs(pairs, fill, evidence, answer[start:end]) for start, end in places]
        if all(inputs):
            return [Part(place, found) for place, found in zip(places, inputs, strict=True)]
        most -= max(1, most // 8)
    raise UncoveredError(f"question and instructions fill the model's {pairs.limit} tokens")


def _inputs(
    pairs: Pairs, fill: Callable[[str], str], evidence: str, piece: str
) -> tuple[Encoding, ...]:
    """Encode a piece of an answer with each window of the evidence; none if there is no room."""
    if not evidence.strip():
        alone = pairs.pair(fill(evidence), piece)
        return (alone,) if len(alone.ids) <= pairs.limit else ()
    size = pairs.limit - len(pairs.pair(fill(""), piece).ids)
    tokens = pairs.places(evidence)
    while size >= _LEAST:
        windows = pieces(evidence, tokens, size)
        inputs = tuple(pairs.pair(fill(evidence[start:end]), piece) for start, end in windows)
        over = max(len(encoding.ids) for encoding in inputs) - pairs.limit
        if over <= 0:
            return inputs
        size -= over
    return ()


def pieces(text: str, tokens: Sequence[Place], size: int) -> list[Place]:
    """Cut a text into pieces that overlap by a quarter, at blanks where these are near.

    Args:
        text: The text.
        tokens: The places of its tokens.
        size: Maximum number of tokens in a piece; at least 2.

    Returns:
        The places of the pieces; together they cover the text.
    """
    found: list[Place] = []
    first, overlap = 0, size // _OVERLAP
    while True:
        last = first + size
        if last >= len(tokens):
            found.append((_edge(tokens, first), len(text)))
            return found
        last = _word_start(text, tokens, last, least=last - overlap)
        start, end = _edge(tokens, first), tokens[last][0]
        if start < end:  # else one code point alone has that many tokens
            found.append((start, end))
        first = max(first + 1, _word_start(text, tokens, last - overlap, least=last - 2 * overlap))


def _edge(tokens: Sequence[Place], first: int) -> int:
    return tokens[first][0] if first else 0


def _word_start(text: str, tokens: Sequence[Place], at: int, *, least: int) -> int:
    """Find the last token up to a number that begins a word, but not before another number."""
    for number in range(at, max(least, 0), -1):
        start = tokens[number][0]
        if text[start : start + 1].isspace() or text[start - 1 : start].isspace():
            return number
    return at
