"""The result of checking a chain: its calculations, each correct or with its fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, NamedTuple

from banglahallueval.judges.arithmetic.mentions import Mention

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
        operands: The numbers that are calculated with.
        result: The stated result, if it is one number.
    """

    start: int
    end: int
    expression: str
    stated: str
    value: Fraction | int
    fault: Fault = ""
    proven: bool = False
    operands: tuple[Fraction | int, ...] = ()
    result: Fraction | int | None = None

    @property
    def ok(self) -> bool:
        """Whether the calculation is correct."""
        return not self.fault


@dataclass(frozen=True)
class ChainReport:
    """All checked calculations of a chain, in text order.

    Attributes:
        steps: The calculations.
        find_numbers: Finds the numbers that the chain mentions outside its annotations, from a
            code point on.
    """

    steps: tuple[Step, ...]
    find_numbers: Callable[[int], tuple[Mention, ...]] = lambda start: ()

    @cached_property
    def numbers(self) -> tuple[Mention, ...]:
        """The numbers that the chain mentions outside its annotations, in text order."""
        return self.find_numbers(0)

    def numbers_from(self, start: int) -> tuple[Mention, ...]:
        """List those that begin at a code point or behind it."""
        return self.find_numbers(start)

    @property
    def faults(self) -> tuple[Step, ...]:
        """The wrong calculations, in text order."""
        return tuple(step for step in self.steps if step.fault)

    @property
    def first_proven(self) -> Step | None:
        """The first wrong calculation that is certain; None if there is none."""
        return next((step for step in self.steps if step.proven), None)
