"""A reply becomes a verdict."""

from __future__ import annotations

from typing import Final

from banglahallueval.models.types import Finish, Reply
from banglahallueval.prompts import Style
from banglahallueval.text.markup import without_thinking
from banglahallueval.verdicts.probability import Probability, probability_at_verdict, probability_of
from banglahallueval.verdicts.reading import read
from banglahallueval.verdicts.types import (
    CONTEXT_TRUNCATED,
    CONTRADICTS,
    CUT_OFF,
    EMPTY,
    FILTERED,
    NOTHING_TO_CHECK,
    REFUSED,
    UNFINISHED_THINKING,
    UNPARSED,
    Label,
    Span,
    Verdict,
)

__all__ = [
    "CONTEXT_TRUNCATED",
    "CONTRADICTS",
    "CUT_OFF",
    "EMPTY",
    "FILTERED",
    "NOTHING_TO_CHECK",
    "REFUSED",
    "UNFINISHED_THINKING",
    "UNPARSED",
    "Label",
    "Probability",
    "Span",
    "Verdict",
    "no_text",
    "probability_at_verdict",
    "probability_of",
    "read_verdict",
]

# Replies whose text does not count, whatever it says.
_WITHHELD: Final[dict[Finish, str]] = {
    "filtered": FILTERED,
    "refused": REFUSED,
    "context truncated": CONTEXT_TRUNCATED,
}
# What well-behaved models answer, spared the search.
_WORDS: Final[tuple[tuple[str, Label], ...]] = (
    ("yes", "yes"),
    ("হ্যাঁ", "yes"),
    ("no", "no"),
    ("না", "no"),
)
_PLAIN: Final = {
    form + end: label
    for word, label in _WORDS
    for form in (word, word.capitalize(), word.upper())
    for end in ("", ".", "।", "\n")
}


def no_text(reply: Reply) -> str:
    """Say why a reply holds no text: withheld, empty, nothing but thinking; else empty."""
    withheld = _WITHHELD.get(reply.finish)
    if withheld:
        return withheld
    cut = reply.finish == "length"
    if not reply.text.strip():
        return (UNFINISHED_THINKING if reply.thinking else CUT_OFF) if cut else EMPTY
    return "" if without_thinking(reply.text) is not None else UNFINISHED_THINKING


def read_verdict(reply: Reply, style: Style) -> Verdict:
    """Read the label of a reply, never making one up: what is doubtful is unknown.

    Args:
        reply: What the model answered; thinking inside its text is left out.
        style: The prompt's: where the verdict is looked for.

    Returns:
        The label, or why there is none; p_hallucinated and the mass left over where the provider
        gave probabilities.
    """
    text = reply.text
    withheld = _WITHHELD.get(reply.finish)
    if withheld:
        return Verdict("unknown", withheld, raw=text)
    label = _PLAIN.get(text)
    if not label:
        cut = reply.finish == "length"
        found = read(text, style, cut=cut)
        if not found.label:
            thinking = cut and reply.thinking and not text.strip()
            reason = UNFINISHED_THINKING if thinking else found.reason
            return Verdict("unknown", reason, raw=text)
        label = found.label
    if not reply.tokens:
        return Verdict(label, raw=text)
    found_p = probability_at_verdict(reply, style)
    if not found_p:
        return Verdict(label, raw=text)
    return Verdict(label, p_hallucinated=found_p.p, raw=text, leftover=found_p.leftover)
