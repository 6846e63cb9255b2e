"""The result of checking a chain: its calculations, each correct or with its fault."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

Fault = Literal["", "wrong result", "unequal sides", "text differs", "contradicts variable"]


class Step(NamedTuple):
    """One calculation of a chain.

    Attributes:
        start: First code point of the calculation in the raw chain.
        end: Code point after the last one.
        expression: The calculation as written.
        stated: The result that the chain gives for it, as written.
        value: The exact value of the expression.
        fault: What is wrong; empty if the calculation is correct.
        proven: Whether the fault is certain and needs no second opinion.
    """

    start: int
    end: int
    expression: str
    stated: str
    value: Fraction
    fault: Fault = ""
    proven: bool = False

    @property
    def ok(self) -> bool:
        """Whether the calculation is correct."""
        return not self.fault


class ChainReport(NamedTuple):
    """All checked calculations of a chain, in text order."""

    steps: tuple[Step, ...]

    @property
    def faults(self) -> tuple[Step, ...]:
        """The wrong calculations, in text order."""
        return tuple(step for step in self.steps if step.fault)

    @property
    def first_proven(self) -> Step | None:
        """The first wrong calculation that is certain; None if there is none."""
        return next((step for step in self.steps if step.proven), None)
