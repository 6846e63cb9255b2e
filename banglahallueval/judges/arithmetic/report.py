"""What checking a chain finds."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

Fault = Literal["", "wrong result", "unequal sides", "text differs", "contradicts variable"]


class Step(NamedTuple):
    """One calculation of a chain.

    Attributes:
        start: First code point of the calculation in the raw chain.
        end: Code point after the last one.
        expression: What is calculated, as written.
        stated: What the chain says it comes to, as written.
        right: What it comes to.
        fault: What is wrong; empty where it is right.
        proven: Whether the fault needs no further opinion.
    """

    start: int
    end: int
    expression: str
    stated: str
    right: Fraction
    fault: Fault = ""
    proven: bool = False

    @property
    def ok(self) -> bool:
        """Whether the calculation is right."""
        return not self.fault


class ChainReport(NamedTuple):
    """All checked calculations of a chain, in the order of its text."""

    steps: tuple[Step, ...]

    @property
    def faults(self) -> tuple[Step, ...]:
        """The wrong ones."""
        return tuple(step for step in self.steps if step.fault)

    @property
    def first_proven(self) -> Step | None:
        """The first wrong calculation that needs no further opinion."""
        return next((step for step in self.steps if step.proven), None)
