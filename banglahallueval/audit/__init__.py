"""Audit of benchmark files: faults in them, and label leaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from banglahallueval.audit.checks import Check, check_side
from banglahallueval.audit.classifier import train_classifiers
from banglahallueval.audit.leaks import check_leaks
from banglahallueval.audit.outputs import both_tracks
from banglahallueval.audit.pairs import check_pair
from banglahallueval.audit.prompt_examples import check_prompt_examples
from banglahallueval.audit.sides import Side, make_side, read_side
from banglahallueval.errors import UsageError

__all__ = ["Check", "Side", "audit", "make_side", "read_side"]


def audit(*sides: Side, classify: bool = True) -> list[Check]:
    """Audit one file, or a main and candidates pair.

    Args:
        sides: One file or two.
        classify: Whether to train classifiers, too; it takes some seconds.

    Raises:
        UsageError: If two files are not one task's main and candidates, or share no source.
    """
    if len({side.layout.task.name for side in sides}) > 1:
        tasks = " and ".join(side.layout.task.name for side in sides)
        raise UsageError(f"the two files are of different tasks ({tasks}); give one task's pair")
    if len(sides) == 2 and {side.name for side in sides} != {"main", "candidates"}:
        names = " and ".join(side.name for side in sides)
        raise UsageError(
            f"the two files are not one main and one candidates file ({names} by their columns); "
            "give one of each, or audit each by itself"
        )
    return list(_checks(sides, classify=classify))


def _checks(sides: Sequence[Side], *, classify: bool) -> Iterator[Check]:
    for side in sides:
        yield from check_side(side)
        yield from check_prompt_examples(side)
    if len(sides) == 2:
        main, candidates = sorted(sides, key=lambda side: side.name, reverse=True)
        yield from check_pair(main, candidates)
    outputs = both_tracks(sides)
    if outputs is None:
        return
    if classify:
        yield from train_classifiers(outputs)
    yield from check_leaks(outputs)
