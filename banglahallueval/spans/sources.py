"""Which answers share their origin, and halves of the data that share none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from banglahallueval.scoring.bootstrap import SEED
from banglahallueval.spans.types import Sample

Ints = npt.NDArray[np.int64]


def source_keys(samples: Sequence[Sample]) -> Ints:
    """Number the sources of answers; one without a source is its own."""
    numbers: dict[str | int, int] = {}
    return np.array(
        [
            numbers.setdefault(sample.source or place, len(numbers))
            for place, sample in enumerate(samples)
        ],
        dtype=np.int64,
    )


def halves(samples: Sequence[Sample], seed: int = SEED) -> tuple[list[int], list[int]]:
    """Split the answers of one language in two, each source whole on one side.

    Sources go one after the other, in an order drawn by the seed, to the side with fewer answers.

    Returns:
        The places of the answers on either side, in order; with an odd number of equal sources the
        first side has more.
    """
    keys = source_keys(samples)
    number, counts = np.unique(keys, return_counts=True)
    sides: tuple[set[int], set[int]] = (set(), set())
    weights = [0, 0]
    for at in np.random.default_rng(seed).permutation(len(number)):
        side = int(weights[1] < weights[0])
        sides[side].add(int(number[at]))
        weights[side] += int(counts[at])
    first, second = ([place for place, key in enumerate(keys) if key in side] for side in sides)
    return first, second
