"""The rows an output already holds, found again by what they were made from."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

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
            key: What a row is matched by.
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
        self._unread = self._read()
        self._passed: dict[bytes, deque[Cells]] = {}

    def take(self, key: bytes) -> Cells:
        """Return the next row with this key; call it once for each row found.

        Raises:
            RunError: If the file changed since it was first read.
        """
        # Both files are nearly always in one order, so few rows are passed over and kept.
        passed = self._passed.get(key)
        if passed:
            cells = passed.popleft()
            if not passed:
                del self._passed[key]
            return cells
        for other, cells in self._unread:
            if other == key:
                return cells
            self._passed.setdefault(other, deque()).append(cells)
        raise RunError(f"{self._table.path} changed while it was read; start again")

    def _read(self) -> Iterator[tuple[bytes, Cells]]:
        for cells in self._table.rows():
            yield self._key(cells), cells
