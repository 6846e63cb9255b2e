"""Audit of benchmark files: faults in them, and label leaks."""

from __future__ import annotations

from banglahallueval.audit.checks import Check, check_side
from banglahallueval.audit.leaks import check_leaks
from banglahallueval.audit.sides import Side, make_side, read_side
from banglahallueval.errors import UsageError

__all__ = ["Check", "Side", "audit", "make_side", "read_side"]


def audit(*sides: Side) -> list[Check]:
    """Audit one file, or a main and candidates pair.

    Raises:
        UsageError: If two files are not one task's main and candidates.
    """
    if len({side.layout.task.name for side in sides}) > 1:
        raise UsageError("the two files are of different tasks; give one task's pair")
    if len(sides) == 2 and {side.name for side in sides} != {"main", "candidates"}:
        raise UsageError("the two files are not one main and one candidates file; name --track")
    return [*(check for side in sides for check in check_side(side)), *check_leaks(sides)]
