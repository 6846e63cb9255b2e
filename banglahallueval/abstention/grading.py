"""What an LLM judge's reply says of an answer: right, wrong, or no grade."""

from __future__ import annotations

from banglahallueval.models.types import Reply
from banglahallueval.verdicts import no_text
from banglahallueval.verdicts.reading import read


def read_grade(reply: Reply) -> tuple[bool | None, str]:
    """Read a grade, never making one up: a doubtful reply is no grade.

    It is read as a verdict of labelling is, but for what yes stands for: `Yes, the answer is
    correct` is a plain yes, `Yes, but the answer is wrong` contradicts itself. `CORRECT` and
    `INCORRECT` are grades; a letter, or `NOT_ATTEMPTED`, is none.

    Returns:
        Whether the answer is right, None without a grade; and why there is none, else empty.
    """
    withheld = no_text(reply)
    if withheld:
        return None, withheld
    found = read(reply.text, "standard", cut=reply.finish == "length", yes_means="correct")
    if not found.label:
        return None, found.reason
    return found.label == "no", ""
