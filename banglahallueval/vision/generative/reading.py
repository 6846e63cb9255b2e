"""What replies say: a description, whether it hallucinates, and how."""

from __future__ import annotations

from typing import Final

import regex

from banglahallueval.models.types import Reply
from banglahallueval.text.markup import without_thinking
from banglahallueval.text.yes_no import fold
from banglahallueval.verdicts import CUT_OFF, UNFINISHED_THINKING, UNPARSED, no_text
from banglahallueval.verdicts.reading import Reading, read
from banglahallueval.verdicts.statements import statements
from banglahallueval.verdicts.turns import own_turn
from banglahallueval.verdicts.types import EMPTY, REFUSED
from banglahallueval.vision.defects import has_words, is_refusal
from banglahallueval.vision.discriminative.statements import says
from banglahallueval.vision.generative.types import Description
from banglahallueval.vision.unseen import NO_PICTURE, saw_no_picture

NO_DESCRIPTION: Final = "no description behind its label"
EMPTY_DESCRIPTION: Final = "empty description"  # a supplied one, which nobody is asked for again

# Where a prompt that lets the model look around first wants the description.
_LABEL = regex.compile(
    r"^[ \t#>*_\-]{0,12}+(?:(?:final |the )?description|বর্ণনা)[*_\s]{0,6}[:：][*_]{0,3}",
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
    labels = list(_LABEL.finditer(text)) if labelled else []
    said = text[labels[-1].end() :].strip() if labels else text
    if saw_no_picture(fold(said)):
        reason = NO_PICTURE
    elif is_refusal(said):
        reason = REFUSED
    elif labelled and not labels:
        reason = CUT_OFF if is_cut else NO_DESCRIPTION
    elif not has_words(said):
        reason = CUT_OFF if is_cut else EMPTY
    else:
        return Description(said, "", is_cut, reply.text if said != reply.text.strip() else "")
    return Description("", reason, reply=reply.text)


def supplied_description(text: str) -> Description:
    """Take a supplied description; one without a word, or a refusal, is none."""
    text = text.strip()
    if not has_words(text):
        return Description("", EMPTY_DESCRIPTION)
    if is_refusal(text):
        return Description("", REFUSED, reply=text)
    return Description(text)


def read_verdict(reply: Reply, *, shown: bool = True) -> tuple[bool | None, str]:
    """Read whether the judge sees hallucinatory content, never making it up.

    The first words of a reply, or what it says outright, are read as a verdict of labelling is.
    Else a sentence may say that the description matches, or does not.

    Args:
        reply: What the judge answered; thinking inside its text is left out.
        shown: Whether it was shown the picture; if it has not seen it, it does not judge.

    Returns:
        Whether there is some, None without a verdict; and why there is none, else empty.
    """
    withheld = no_text(reply)
    if withheld:
        return None, withheld
    visible, _ = own_turn(fold(reply.text))
    if visible is None:
        return None, UNFINISHED_THINKING
    if shown and saw_no_picture(visible):
        return None, NO_PICTURE
    found = read_as_verdict(reply.text, cut=reply.finish == "length")
    if found.label:
        return found.label == "yes", ""
    if found.reason != UNPARSED:
        return None, found.reason
    stated = {says(each.text) for each in statements(visible)} - {""}
    if len(stated) == 1:
        return stated == {"no"}, ""
    return None, REFUSED if is_refusal(reply.text) else UNPARSED


def read_as_verdict(text: str, *, cut: bool = False) -> Reading:
    """Read a judge's words about pictures and captions as words about answers and contexts."""
    for pattern, word in _AS_VERDICT:
        text = pattern.sub(word, text)
    return read(text, "standard", cut=cut)
