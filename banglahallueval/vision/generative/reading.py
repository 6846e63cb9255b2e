"""What replies say: a description, whether it hallucinates, and how."""

from __future__ import annotations

from typing import Final

import regex

from banglahallueval.models.types import Reply
from banglahallueval.text.markup import without_thinking
from banglahallueval.verdicts import CUT_OFF, UNPARSED, no_text
from banglahallueval.verdicts.reading import Reading, read
from banglahallueval.verdicts.types import EMPTY, REFUSED
from banglahallueval.vision.defects import has_words, is_refusal
from banglahallueval.vision.generative.types import Description

NO_DESCRIPTION: Final = "no description behind its label"

# Where a prompt that lets the model look around first wants the description.
_LABEL = regex.compile(
    r"^[\s#>*_\-]*(?:(?:final |the )?description|বর্ণনা|চূড়ান্ত বর্ণনা)[*_\s]*[:：][*_]*",
    regex.IGNORECASE | regex.MULTILINE,
)
# The words of a judge about pictures, as those that verdicts are read by.
_AS_VERDICT: Final = tuple(
    (regex.compile(pattern, regex.IGNORECASE), word)
    for pattern, word in (
        (r"\b(?:(?:candidate|image|picture) )?(?:captions?|descriptions?)\b", "answer"),
        (r"\bhallucinatory (?:contents?|information|details?|elements?)\b", "hallucination"),
        (r"\b(?:images?|pictures?|photos?|photographs?)\b", "context"),
        ("বর্ণনা|বিবরণ|ক্যাপশন", "উত্তর"),
        ("ছবি|চিত্র", "প্রসঙ্গ"),
        ("বিভ্রম", "হ্যালুসিনেশন"),
    )
)


def read_description(reply: Reply, *, labelled: bool) -> Description:
    """Read the description out of a reply.

    A reply that was cut off is a description all the same, and flagged: what is wrong in it is
    wrong. A refusal is none.

    Args:
        reply: What the model answered; thinking inside its text is left out.
        labelled: Whether the prompt asks for the description behind a label, after other text.
    """
    withheld = no_text(reply)
    if withheld:
        return Description("", withheld, reply=reply.text)
    visible = without_thinking(reply.text)
    assert visible is not None  # `no_text` says so
    text = visible.strip()
    is_cut = reply.finish == "length"
    if labelled:
        labels = list(_LABEL.finditer(text))
        if not labels:
            reason = CUT_OFF if is_cut else REFUSED if is_refusal(text) else NO_DESCRIPTION
            return Description("", reason, reply=reply.text)
        text = text[labels[-1].end() :].strip()
    if not has_words(text):
        return Description("", CUT_OFF if is_cut else EMPTY, reply=reply.text)
    if is_refusal(text):
        return Description("", REFUSED, reply=reply.text)
    return Description(text, "", is_cut, reply.text if text != reply.text.strip() else "")


def supplied_description(text: str) -> Description:
    """Take a supplied description; one without a word, or a refusal, is none."""
    text = text.strip()
    if not has_words(text):
        return Description("", "empty description")
    if is_refusal(text):
        return Description("", REFUSED, reply=text)
    return Description(text)


def read_verdict(reply: Reply) -> tuple[bool | None, str]:
    """Read whether the judge sees hallucinatory content, never making it up.

    The first words of a reply, or what it says outright, are read as a verdict of labelling is.

    Returns:
        Whether there is some, None without a verdict; and why there is none, else empty.
    """
    withheld = no_text(reply)
    if withheld:
        return None, withheld
    found = read_as_verdict(reply.text, cut=reply.finish == "length")
    if not found.label:
        return None, REFUSED if found.reason == UNPARSED and is_refusal(
            reply.text
        ) else found.reason
    return found.label == "yes", ""


def read_as_verdict(text: str, *, cut: bool = False) -> Reading:
    """Read a judge's words about pictures and captions as words about answers and contexts."""
    for pattern, word in _AS_VERDICT:
        text = pattern.sub(word, text)
    return read(text, "standard", cut=cut)
