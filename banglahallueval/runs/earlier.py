"""The rows of an existing output, matched by what they were made from."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping

from banglahallueval.errors import RunError
from banglahallueval.io.tables import Cells, Table

# What an earlier output says of a unit: nothing, a finished row, or one to work on again.
NEW, SETTLED, OPEN = 0, 1, 2


class EarlierRows:
    """The rows of an earlier output by their keys; equal keys are told apart by their order.

    Only keys and states are kept in memory; the cells are read a second time when they are taken.

    Attributes:
        states: Per key the states of its rows in file order, one byte each.
        rows: Number of rows.
        path: The earlier output.
    """

    def __init__(
        self, table: Table, key: Callable[[Cells], bytes], is_settled: Callable[[int, Cells], bool]
    ) -> None:
        """Read which rows the output holds.

        Args:
            table: The earlier output.
            key: Computes what a row is matched by.
            is_settled: Whether a row, given its number from 1 and its cells, is finished.

        Raises:
            UsageError: If the file is malformed.
        """
        self.path = table.path
        self._table = table
        self._key = key
        self.states: dict[bytes, bytes] = {}
        self.rows = 0
        for cells in table.rows():
            self.rows += 1
            own = key(cells)
            state = bytes((SETTLED if is_settled(self.rows, cells) else OPEN,))
            self.states[own] = self.states.get(own, b"") + state
        self._left_out: dict[bytes, set[int]] = {}
        self._unread = self._read()
        self._waiting: dict[bytes, deque[Cells]] = {}

    def mixed_keys(self) -> frozenset[bytes]:
        """List the keys that both finished and open rows have."""
        return frozenset(
            key
            for key, states in self.states.items()
            if len(states) > 1 and SETTLED in states and OPEN in states
        )

    def prefer_settled(self, units: Mapping[bytes, int]) -> None:
        """Leave out open rows where a key has more rows than units, and a finished one instead.

        A published script that was run twice has appended a second row where the first failed.

        Args:
            units: Number of units of the input by key, for the keys of `mixed_keys`.
        """
        for key, count in units.items():
            states = self.states[key]
            open_places = [place for place, state in enumerate(states) if state == OPEN]
            left_out = set(open_places[: max(0, len(states) - count)])
            self._left_out[key] = left_out
            kept = bytes(state for place, state in enumerate(states) if place not in left_out)
            self.states[key] = kept + bytes((OPEN,)) * len(left_out)  # where no unit takes them

    def take(self, key: bytes) -> Cells:
        """Return the next row with this key; call it once for each row found.

        Raises:
            RunError: If the file changed since it was first read.
        """
        # Both files are nearly always in one order, so few rows are passed over and kept.
        waiting = self._waiting.get(key)
        if waiting:
            cells = waiting.popleft()
            if not waiting:
                del self._waiting[key]
            return cells
        for other, cells in self._unread:
            if other == key:
                return cells
            self._waiting.setdefault(other, deque()).append(cells)
        raise RunError(f"{self._table.path} changed while it was read; start again")

    def _read(self) -> Iterator[tuple[bytes, Cells]]:
        seen: Counter[bytes] = Counter()
        for cells in self._table.rows():
            key = self._key(cells)
            if key in self._left_out:
                seen[key] += 1
                if seen[key] - 1 in self._left_out[key]:
                    continue
            yield key, cells
