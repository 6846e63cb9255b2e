"""Trials written as letters, one per question."""

from __future__ import annotations

from collections.abc import Mapping

from banglahallueval.abstention.types import Outcome, Question, Trial

OUTCOMES: Mapping[str, Outcome] = {
    "C": "correct",
    "W": "wrong",
    "I": "abstained",
    "-": "no reply",
    "?": "ungraded",
}


def trials(
    sweep: Mapping[float, str], *, unanswerable: int = 0, source: str = "", subject: str = ""
) -> list[Trial]:
    """Make trials.

    Args:
        sweep: By threshold the outcome of each question, as in `CCW I`; spaces are left out.
        unanswerable: How many of the last questions cannot be answered.
        source: The source of each question, a letter each; none if empty.
        subject: The subject of all.
    """
    return [
        Trial(
            Question(
                f"q{number}",
                f"প্রশ্ন {number}",
                "উত্তর",
                unknown_ok=number >= len(letters) - unanswerable,
                subject=subject,
                source=source[number] if source else "",
            ),
            t,
            "" if letter == "-" else "পদ্মা",
            OUTCOMES[letter],
            {"-": "timeout", "?": "unclear grade"}.get(letter, ""),
        )
        for t, spaced in sweep.items()
        for letters in [spaced.replace(" ", "")]
        for number, letter in enumerate(letters)
    ]
