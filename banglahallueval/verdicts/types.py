"""What a verdict is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Label = Literal["yes", "no", "unknown"]

# Why a reply that came gives no label.
UNPARSED: Final = "unparsed"
EMPTY: Final = "empty reply"
REFUSED: Final = "refused"
CONTRADICTS: Final = "contradicts itself"
CUT_OFF: Final = "cut off"
FILTERED: Final = "filtered"
CONTEXT_TRUNCATED: Final = "context truncated"
UNFINISHED_THINKING: Final = "unfinished thinking"
# Why an offline judge gives no label: an output in which it reads nothing that can be checked.
NOTHING_TO_CHECK: Final = "nothing to check"


@dataclass(frozen=True, slots=True)
class Span:
    """One place in an output that speaks for a hallucination.

    Attributes:
        start: First code point of the place in the raw output text.
        end: Code point after the last one.
        reason: What is wrong there, in words a reader understands.
        proven: True if it needs no further opinion (a wrong calculation, a contradicted number).
        field: Which text of the item it lies in: the output, or reasoning's final answer.
    """

    start: int
    end: int
    reason: str
    proven: bool = False
    field: Literal["output", "final_answer"] = "output"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of one item.

    Attributes:
        label: `yes` is hallucinated, `no` is not, `unknown` is no verdict.
        reason: Why the label is unknown; empty otherwise.
        p_hallucinated: Probability of `yes` against `no`, 0 to 1; None where it is not known.
        raw: The judge's own words: a model's whole reply, an offline judge's explanation.
        findings: Where in the output a judge that looks at places found something.
        details: Values of the judge's further output columns.
        leftover: Probability mass at the verdict that went to neither yes nor no, 0 to 1.
    """

    label: Label
    reason: str = ""
    p_hallucinated: float | None = None
    raw: str = ""
    findings: tuple[Span, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    leftover: float | None = None
