"""What is asked, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from banglahallueval.abstention.thresholds import penalty

# `no reply`: nothing was said, as the reply is blocked, empty, cut off or never came. `ungraded`:
# an answer that the grader came to no verdict on. Both have their reason, count in no rate, and are
# asked again by --resume.
Outcome = Literal["correct", "wrong", "abstained", "no reply", "ungraded"]
SETTLED: frozenset[Outcome] = frozenset(("correct", "wrong", "abstained"))


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its right answer.

    Attributes:
        id: What names it in the results.
        text: What is shown to the model, a context and lettered options included.
        gold: The right answer; the letter, if there are options.
        unknown_ok: Whether it cannot be answered: abstaining is right, any answer is wrong.
        options: The options in the order of their letters A, B, …; empty for a free answer.
        subject: What tables group it by; empty for none.
        source: What it shares its origin with: the bootstrap draws these together. Empty where it
            stands alone.
    """

    id: str
    text: str
    gold: str
    unknown_ok: bool = False
    options: tuple[str, ...] = ()
    subject: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """A question at a threshold, and what came of it.

    Attributes:
        question: The question.
        t: The threshold, in [0, 1).
        pred: What the model said, without thinking; empty where it said nothing.
        outcome: What came of it.
        reason: Why there is no reply or no grade; empty otherwise.
        confidence: The model's own probability that it is right, in [0, 1]; None where unknown.
        grader: What the LLM judge replied; empty where it was not asked.
    """

    question: Question
    t: float
    pred: str
    outcome: Outcome
    reason: str = ""
    confidence: float | None = None
    grader: str = ""

    @property
    def score(self) -> float | None:
        """1 for a right answer, −t/(1−t) for a wrong one, 0 for abstaining; else None."""
        if self.outcome == "wrong":
            return -penalty(self.t) or 0.0  # never -0.0
        return {"correct": 1.0, "abstained": 0.0}.get(self.outcome)
