"""The outputs of both tracks side by side, for whatever tries to tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from banglahallueval.audit.intervals import Bools, Draws, Ints, draw_sources
from banglahallueval.audit.sides import Side, gold_item, source_key
from banglahallueval.tasks import Item


@dataclass(frozen=True)
class Outputs:
    """Gold outputs and candidates.

    Attributes:
        where: The file or files they are from: candidates, or both.
        items: Their items, as a judge sees them; a solution's `####` line is not in the output.
        cells: Their raw cells.
        truth: Whether each is a candidate.
    """

    where: str
    items: Sequence[Item]
    cells: Sequence[str]
    truth: Bools

    @cached_property
    def sources(self) -> Ints:
        """The number of each one's source, from 0."""
        numbers: dict[tuple[str, str], int] = {}
        keys = [source_key(item) for item in self.items]
        return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)

    @cached_property
    def draws(self) -> Draws:
        """The bootstrap's draws of sources, the same for every figure."""
        return draw_sources(self.sources)


def both_tracks(sides: Sequence[Side]) -> Outputs | None:
    """Put the outputs of a pair, or of candidates with their gold outputs beside them, together.

    Returns:
        None where there is nothing to compare.
    """
    candidates = next((side for side in sides if side.layout.track == "candidates"), None)
    if candidates is None or not candidates.items:
        return None
    if len(sides) == 2:
        main = next(side for side in sides if side is not candidates)
        where, gold, cells = "both", main.items, main.outputs
    elif candidates.gold is not None:
        # One file holds each gold output once per candidate; once is enough.
        where, once = candidates.name, {}
        for item, cell in zip(candidates.items, candidates.gold, strict=True):
            once[source_key(item), cell] = gold_item(item, cell)
        gold, cells = list(once.values()), [cell for _, cell in once]
    else:
        return None
    if not gold:
        return None
    truth = np.arange(len(gold) + len(candidates.items)) >= len(gold)
    return Outputs(where, [*gold, *candidates.items], [*cells, *candidates.outputs], truth)
