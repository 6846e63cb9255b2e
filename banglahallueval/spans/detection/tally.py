"""What a detection run counts, and what it says when it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from banglahallueval.io.paths import short
from banglahallueval.runs.summary import effort, to_ask_again
from banglahallueval.spans.detection.plan import DetectionPlan
from banglahallueval.spans.types import Detection, Sample
from banglahallueval.text.spans import size

NO_REPLY = "no reply: "  # stands in failures that asking again may mend, before their cause


@dataclass(slots=True)
class Tally:
    """Counts over an output.

    Attributes:
        answers: Answers in it.
        with_spans: Those in which the detector marks something.
        failures: Those without a result, by reason.
        characters, marked: Code points of the answers with a result, and those marked.
        examined: Answers of this run.
        from_store: Those of them that a killed run had examined on this machine.
    """

    answers: int = 0
    with_spans: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    characters: int = 0
    marked: int = 0
    examined: int = 0
    from_store: int = 0

    def add(self, sample: Sample, found: Detection) -> None:
        """Count one answer."""
        self.answers += 1
        if found.failure:
            self.failures[found.failure] += 1
            return
        self.with_spans += bool(found.spans)
        self.characters += len(sample.answer)
        self.marked += size(found.spans)

    @property
    def unanswered(self) -> int:
        """Number of answers whose model gave no reply."""
        return sum(n for reason, n in self.failures.items() if NO_REPLY in reason)

    def record(self) -> dict[str, Any]:
        """Describe the counts for the run record."""
        return {
            "answers": self.answers,
            "with_spans": self.with_spans,
            "failures": dict(self.failures.most_common()),
            "characters": self.characters,
            "marked_characters": self.marked,
        }


def finished(plan: DetectionPlan, tally: Tally, run: Mapping[str, Any]) -> None:
    """Print what was found, what it took, and how to go on."""
    failed = tally.failures.total()
    share = f"{tally.marked / tally.characters:.1%}" if tally.characters else "none"
    print(
        f"{short(plan.output)}: {tally.answers:,} answers, {tally.with_spans:,} with spans, "
        f"{tally.answers - tally.with_spans - failed:,} without any, {failed:,} without a result; "
        f"{share} of the characters are marked"
    )
    for reason, count in tally.failures.most_common():
        print(f"  without a result: {count:,} {reason}")
    print("  " + effort(tally.examined, "examined", run))
    if tally.from_store:
        print(f"  {tally.from_store:,} of them were in the store")
    if tally.unanswered:
        to_ask_again("the answers without a reply")
