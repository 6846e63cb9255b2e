"""How sure a model is of its verdict, from the probabilities of its tokens."""

from __future__ import annotations

import math
from typing import NamedTuple

import regex

from banglahallueval.models.types import Reply, Token
from banglahallueval.prompts import Style
from banglahallueval.text.lazy_regex import lazy_regex
from banglahallueval.text.markup import without_tags
from banglahallueval.text.yes_no import (
    CONTENT,
    FALSE,
    NO,
    ROMANISED_NO,
    ROMANISED_YES,
    SPOKEN_NO,
    SPOKEN_YES,
    TRUE,
    YES,
    fold,
    offset_in_raw,
)
from banglahallueval.verdicts.reading import Reading, read
from banglahallueval.verdicts.turns import own_turn
from banglahallueval.verdicts.types import UNPARSED

# A label that is not among the listed tokens may still have all of what they leave. Up to this
# share of the listed label it is taken as 0; above it, the probability is not known.
MOST_UNSEEN = 0.03
# How far above 0 rounding may put a log probability; anything higher is none.
_ROUNDING = 1e-3

# Pieces of a character: `\\xe0\\xa6` as OpenAI writes them, `<0xE0>` as sentencepiece does.
_BYTE = regex.compile(rb"(?:bytes:)?\\x([0-9a-fA-F]{2})|<0x([0-9a-fA-F]{2})>")
_AROUND = lazy_regex(r"^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$")


class Spellings(NamedTuple):
    """The words that were yes and no where the verdict stands, as bytes."""

    yes: tuple[bytes, ...]
    no: tuple[bytes, ...]

    @classmethod
    def at(
        cls, *, boolean: bool = False, romanised: bool = False, spoken: bool = False
    ) -> Spellings:
        """List those that count beside the usual ones: `true` in JSON, romanised `ha`."""
        more_yes, more_no = (SPOKEN_YES, SPOKEN_NO) if spoken else ((), ())
        yes = (
            *YES,
            *more_yes,
            *((TRUE,) if boolean else ()),
            *(ROMANISED_YES if romanised else ()),
        )
        no = (*NO, *more_no, *((FALSE,) if boolean else ()), *(ROMANISED_NO if romanised else ()))
        return cls(tuple(word.encode() for word in yes), tuple(word.encode() for word in no))


class Probability(NamedTuple):
    """What the tokens say.

    Attributes:
        p: P(yes) / (P(yes) + P(no)) over all their spellings, 0 to 1.
        leftover: 1 - P(yes) - P(no): what went to anything else, 0 to 1.
    """

    p: float
    leftover: float


def probability_at_verdict(reply: Reply, style: Style) -> Probability | None:
    """Compute the probability of yes against no where the reply gives its verdict.

    That is the token which decides between the two, after any thinking and reasoning. A reply
    without a verdict, except one that needs a last line, is looked at where its text begins.

    Returns:
        None where the provider gave no probabilities, where the verdict's token cannot be found
        among the generated ones, or where they do not show both labels: not known is not 0.
    """
    if not reply.tokens:
        return None
    pieces = [_bytes(token.text) for token in reply.tokens]
    text = b"".join(pieces).decode("utf-8", "surrogateescape")
    found = read(text, style, cut=reply.finish == "length")
    start = _start(text, found, style)
    if start is None:
        return None
    # In bytes, as a piece may end inside a character.
    at = len(text[:start].encode("utf-8", "surrogateescape"))
    index = 0
    while at >= len(pieces[index]):
        at -= len(pieces[index])
        index += 1
    return _decided(reply.tokens, pieces, index, found)


def probability_of(token: Token, *, boolean: bool = False) -> Probability | None:
    """Compute the probability of yes against no at one token; None if it does not show both.

    Args:
        token: With its alternatives.
        boolean: Whether `true` and `false` count as yes and no.
    """
    return _compared(token, b"", Spellings.at(boolean=boolean), pieces=False)


def _bytes(piece: str) -> bytes:
    """Encode a token's own bytes; `▁` and `Ġ` are spaces."""
    raw = piece.replace("▁", " ").replace("Ġ", " ").encode("utf-8", "replace")
    return _BYTE.sub(lambda code: bytes.fromhex((code[1] or code[2]).decode()), raw)


def _start(text: str, found: Reading, style: Style) -> int | None:
    """Find where the deciding word begins in the generated text."""
    if found.end:
        return offset_in_raw(text, found.start)
    if found.label or style == "cot" or found.reason != UNPARSED:
        return None
    visible, _ = own_turn(fold(text))
    first = CONTENT.search(without_tags(visible)) if visible else None
    return offset_in_raw(text, first.start()) if first else None


def _decided(
    tokens: tuple[Token, ...], pieces: list[bytes], index: int, found: Reading
) -> Probability | None:
    """Go on to the piece after which only one label is left, and compare there."""
    spellings = Spellings.at(boolean=found.boolean, romanised=found.romanised, spoken=found.spoken)
    before = b""
    while index < len(tokens):
        word = _core(before + pieces[index])
        labels = _labels(word, spellings, pieces=True)
        if len(labels) < 2:
            whole = _labels(word, spellings, pieces=False)
            split = not whole and len(labels) == 1 and not word[:1].isascii()
            return _compared(tokens[index], before, spellings, pieces=split)
        before += pieces[index]
        index += 1
    return None


def _core(piece: bytes) -> bytes:
    """Fold a piece without the quotes, spaces and signs around its letters."""
    whole = piece.decode("utf-8", "ignore")
    tail = piece[len(whole.encode()) :] if piece.startswith(whole.encode()) else piece
    return _AROUND.sub("", fold(whole)).encode() + tail


def _labels(word: bytes, spellings: Spellings, *, pieces: bool) -> set[str]:
    """List the labels that a word spells, or that a piece of one may still become."""
    return {
        label
        for label, words in spellings._asdict().items()
        for spelling in words
        if word == spelling or (pieces and word and spelling.startswith(word))
    }


def _compared(
    token: Token, before: bytes, spellings: Spellings, *, pieces: bool
) -> Probability | None:
    """Sum the alternatives at a token by label.

    Args:
        token: With its alternatives.
        before: The word's bytes that stand already.
        spellings: The words that count.
        pieces: Whether the verdict itself is generated in pieces here, as Bangla often is; then a
            beginning that only one label has counts for it, on both sides alike.

    Returns:
        None where they do not show both labels, or where one cannot be a log probability.
    """
    if not all(logprob <= _ROUNDING for _, logprob in token.top):  # not a number, too
        return None
    mass = {"yes": 0.0, "no": 0.0}
    listed = 0.0
    for text, logprob in set(token.top):
        p = math.exp(min(logprob, 0.0))
        listed += p
        word = _core(before + _bytes(text))
        as_pieces = pieces and not word[:1].isascii()
        labels = _labels(word, spellings, pieces=as_pieces)
        if len(labels) == 1:
            mass[labels.pop()] += p
    total = mass["yes"] + mass["no"]
    unseen = max(0.0, 1.0 - listed)
    if not total or (not (mass["yes"] and mass["no"]) and unseen > MOST_UNSEEN * total):
        return None
    return Probability(min(1.0, mass["yes"] / total), min(1.0, max(0.0, 1.0 - total)))
