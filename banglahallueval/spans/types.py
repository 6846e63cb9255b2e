"""Answers with their spans, and what a detector finds in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol


class Span(NamedTuple):
    """A stretch of an answer: code points of the raw text, end exclusive."""

    start: int
    end: int


class SoftSpan(NamedTuple):
    """A stretch of an answer with the share of annotators who marked it (Mu-SHROOM)."""

    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class Sample:
    """An answer and what it should be carried by.

    Attributes:
        id: What names it in its file.
        answer: The answer under judgement, as it was written; offsets index it.
        spans: The hallucinated stretches that people or a rule marked, sorted and disjoint; empty
            for a clean answer, None where nobody marked any.
        soft: The same with the share of annotators, where the data has it.
        evidence: What the answer should be carried by; empty where the data has none.
        question: The question; empty for none.
        language: Its code, such as `bn`.
        model: Who wrote the answer.
        source: What it shares its origin with: the bootstrap draws these together. Empty where it
            stands alone.
        rule: How its spans came about, for people; empty where nothing tells.
    """

    id: str
    answer: str
    spans: tuple[Span, ...] | None = None
    soft: tuple[SoftSpan, ...] = ()
    evidence: str = ""
    question: str = ""
    language: str = ""
    model: str = ""
    source: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Detection:
    """What a detector says of an answer.

    Attributes:
        scores: One number per code point of the answer, higher for less supported; empty where
            there is no result.
        spans: The stretches that the detector itself marks, sorted and disjoint.
        failure: Why there is no result; empty where there is one. A failure is never `clean`.
    """

    scores: tuple[float, ...] = ()
    spans: tuple[Span, ...] = ()
    failure: str = ""


class Detector(Protocol):
    """Finds the stretches of an answer that its evidence does not support.

    Attributes:
        name: Short name that goes into file names and tables.
    """

    name: str

    async def detect(self, sample: Sample, again: int = 0) -> Detection:
        """Examine one answer; `again` counts how often it was examined in earlier runs."""
        ...

    def record(self) -> Mapping[str, Any]:
        """Record everything that determines this detector's scores."""
        ...
