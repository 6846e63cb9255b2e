"""Find the phonetic key most similar to a given one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process

# From this similarity on (`fuzz.ratio`, in percent) two keys count as spellings of one word.
_MIN_RATIO = 84
# Keys are compared one by one until there have been so many comparisons that preparing to compare
# all at once costs less.
_ONE_BY_ONE = 50_000
_LONGEST = 64  # letters; longer keys, which are few in any text, are always compared one by one

_Indices = npt.NDArray[np.intp]
_Bits = npt.NDArray[np.unsignedinteger[Any]]


class CloseKeys:
    """The keys of an evidence text, searched by similarity."""

    def __init__(self, keys: Sequence[str]) -> None:
        """Take distinct keys; of equally similar ones the first is found."""
        self._keys = keys
        self._compared = 0
        self._blocks: list[_Block] | None = None
        self._long: list[int] = []

    def closest(self, key: str) -> tuple[str, float] | None:
        """Return the most similar key and its similarity in percent; None if none is close."""
        if self._compared <= _ONE_BY_ONE:
            choices = self._keys
            self._compared += len(choices)
        else:
            choices = self._close(key)
        found = process.extractOne(key, choices, scorer=fuzz.ratio, score_cutoff=_MIN_RATIO)
        return (found[0], found[1]) if found else None

    def _close(self, key: str) -> list[str]:
        """Return, in order, the keys that are close, perhaps among some that are not."""
        blocks = self._blocks
        if blocks is None:
            blocks = self._blocks = self._build_blocks()
        found = [at for block in blocks for at in block.close(key)]
        if len(key) * (200 - _MIN_RATIO) > _LONGEST * _MIN_RATIO:  # else shorter than all long ones
            found += self._long
        return [self._keys[at] for at in sorted(found)]

    def _build_blocks(self) -> list[_Block]:
        sizes = np.array([len(key) for key in self._keys])
        blocks = []
        shorter = 0
        for width in (np.uint8, np.uint16, np.uint32, np.uint64):
            bits = np.iinfo(width).bits
            chosen = ((sizes > shorter) & (sizes <= bits)).nonzero()[0]
            if len(chosen):
                blocks.append(_Block(self._keys, chosen, width))
            shorter = bits
        self._long = (sizes > _LONGEST).nonzero()[0].tolist()
        return blocks


class _Block:
    """Keys compared all at once: each is one integer, with a bit for each letter."""

    def __init__(
        self, keys: Sequence[str], chosen: _Indices, width: type[np.unsignedinteger[Any]]
    ) -> None:
        self._chosen = chosen
        self._sizes = np.array([len(keys[at]) for at in chosen])
        self._ones = np.full(len(chosen), np.iinfo(width).max, dtype=width)
        self._needed: dict[int, npt.NDArray[np.uint8] | None] = {}
        positions: dict[str, list[tuple[int, int]]] = {}
        for row, at in enumerate(chosen.tolist()):
            for position, letter in enumerate(keys[at]):
                positions.setdefault(letter, []).append((row, position))
        # Letter -> rows of the keys that have it (all rows, for a frequent one) and where, as bits.
        self._letters: dict[str, tuple[slice | _Indices, _Bits]] = {}
        for letter, found in positions.items():
            rows, shifts = np.array(found).T
            bits = np.zeros(len(chosen), dtype=width)
            np.bitwise_or.at(bits, rows, np.left_shift(width(1), shifts.astype(width)))
            having = bits.nonzero()[0]
            if len(having) * 16 < len(chosen):
                self._letters[letter] = having, bits[having]
            else:
                self._letters[letter] = slice(None), bits

    def close(self, key: str) -> list[int]:
        """Return the indices of the keys that are close.

        The ratio of keys of n and m letters is 2 c / (n + m), where c is the length of their
        longest common subsequence: here the number of bits that become 0. Hyyrö, "Bit-parallel
        LCS-length computation revisited" (2004).
        """
        needed = self._needed_by(len(key))
        if needed is None:
            return []
        bits = self._ones.copy()
        for letter in key:
            if letter in self._letters:
                rows, having = self._letters[letter]
                before = bits[rows]
                matched = before & having
                bits[rows] = (before + matched) | (before - matched)
        common = np.bitwise_count(~bits)
        close: list[int] = self._chosen[(common >= needed).nonzero()[0]].tolist()
        return close

    def _needed_by(self, size: int) -> npt.NDArray[np.uint8] | None:
        """Return, for each key, how long a subsequence it must share with a key of this size.

        None if no key of the block can be close to one of this size.
        """
        if size not in self._needed:
            needed = -(-(self._sizes + size) * _MIN_RATIO // 200)
            possible = needed <= np.minimum(self._sizes, size)
            # No key shares more than _LONGEST letters, so that 255 is out of reach.
            self._needed[size] = (
                np.minimum(needed, 255).astype(np.uint8) if possible.any() else None
            )
        return self._needed[size]
