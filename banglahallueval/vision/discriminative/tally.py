"""What a run counts, and what it says when it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from banglahallueval.runs.summary import effort, to_ask_again
from banglahallueval.vision.asking import what_to_ask
from banglahallueval.vision.discriminative.results import Result


@dataclass(slots=True)
class Tally:
    """Counts over a run's output.

    Attributes:
        asked: Questions of this run.
        answers: All questions by answer.
        open: Those without an answer, by reason.
        lost: Those among them that the model was not asked, or gave no reply to.
        unreadable: What is wrong with pictures that cannot be read, the first few.
    """

    asked: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    unreadable: dict[int, str] = field(default_factory=dict)

    def add(self, result: Result, *, asked: bool) -> None:
        """Count an answer."""
        self.answers[result.answer] += 1
        self.asked += asked
        self.lost += result.is_open
        if result.answer == "unknown":
            self.open[result.reason] += 1


def finished(tally: Tally, entry: Mapping[str, Any], *, quiet: bool) -> None:
    """Say what the run took, and what is open."""
    if not quiet:
        print("  " + effort(tally.asked, "questions", entry))
    for said in list(tally.unreadable.values())[:5]:
        print(f"  {said}")
    if len(tally.unreadable) > 5:
        print(f"  and {len(tally.unreadable) - 5:,} more pictures")
    for reason, count in tally.open.most_common():
        print(f"  {count:,} without an answer: {reason}")
    if tally.open:
        to_ask_again(what_to_ask(tally.open))
