"""What a run counts, and what it says when it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from banglahallueval.runs.summary import effort, to_ask_again
from banglahallueval.vision.asking import NO_REPLY, what_to_ask
from banglahallueval.vision.generative.reading import EMPTY_DESCRIPTION
from banglahallueval.vision.generative.types import Trial

_MOST_NAMED = 5


@dataclass(slots=True)
class Tally:
    """Counts over a run's output.

    Attributes:
        asked: Trials of this run.
        lost: Those among them that a request got no reply for, or that have no picture.
        outcomes: All trials by outcome.
        open: Trials that something is open in, by outcome and reason.
        unreadable: What is wrong with pictures that cannot be read, by item.
    """

    asked: int = 0
    lost: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)
    unreadable: dict[int, str] = field(default_factory=dict)

    def add(self, trial: Trial, *, asked: bool) -> None:
        """Count a trial."""
        judgement = trial.judgement
        self.outcomes[judgement.outcome] += 1
        self.asked += asked
        reason = judgement.reason
        self.lost += asked and (NO_REPLY in reason or reason.startswith("image "))
        if not trial.is_typed:
            self.open[f"{judgement.outcome}: {reason}"] += 1


def finished(tally: Tally, entry: Mapping[str, Any], *, quiet: bool) -> None:
    """Say what the run took, and what is open."""
    if not quiet:
        print("  " + effort(tally.asked, "made", entry))
        if judging := entry.get("judging"):
            print(f"  judging: {judging['asked']} asked, {judging['from_store']} from the store")
    for said in list(tally.unreadable.values())[:_MOST_NAMED]:
        print(f"  {said}")
    if len(tally.unreadable) > _MOST_NAMED:
        print(f"  and {len(tally.unreadable) - _MOST_NAMED:,} more pictures")
    for reason, count in tally.open.most_common():
        print(f"  {count:,} open: {reason}")
    if any(not reason.endswith(EMPTY_DESCRIPTION) for reason in tally.open):
        to_ask_again(what_to_ask(tally.open))
