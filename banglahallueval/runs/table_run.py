"""A run over a table: each unit of an input becomes one row of an output, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Generic, TypeVar

from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.tables import Cells, RowWriter
from banglahallueval.runs.earlier import NEW, SETTLED, EarlierRows
from banglahallueval.runs.processes import LEAST_ROWS, compute_in_order
from banglahallueval.runs.workers import work_in_order

Unit = TypeVar("Unit")
Task = TypeVar("Task")
Result = TypeVar("Result")
Entry = tuple[Unit, Cells | None, bool]  # the unit, its earlier row, whether it is worked on

_CHUNK = 64  # rows computed at once: side by side, so that what they share is worked out once


class TableRun(Generic[Unit]):
    """The rows that a run keeps of an earlier output, and those that it works on.

    The output is the union of what was there and what is selected now, in the order of the units.

    Attributes:
        units: Number of units of the input.
        to_do: Number of units to work on.
        repeated: Number of rows of the earlier output that repeat others and are left out.
        earlier: The rows of an earlier output; None where there is none.
    """

    def __init__(
        self,
        source: Path,
        read: Callable[[], Iterable[Unit]],
        key: Callable[[Unit], bytes],
        *,
        earlier: EarlierRows | None = None,
        selected: Callable[[int, Unit], bool] = lambda place, unit: True,
        was_selected: Callable[[int, Unit], bool] = lambda place, unit: False,
    ) -> None:
        """Describe the run; nothing is read yet.

        Args:
            source: The input, for messages.
            read: Gives the units in order, the same ones each time.
            key: What a unit is matched by in the earlier output.
            earlier: The rows of an earlier output that is added to.
            selected: Whether a unit, given its place and itself, belongs to this run.
            was_selected: Whether an earlier run worked on a unit, given its place and itself. Of
                two equal units the output may hold one that was made for the other; the missing one
                is made now.
        """
        self.units = 0
        self.to_do = 0
        self.repeated = 0
        self.earlier = earlier
        self._source = source
        self._read = read
        self._key = key
        self._selected = selected
        self._was_selected = was_selected
        self._states = bytearray()

    def survey(self, on_unit_to_do: Callable[[Unit], None] = lambda unit: None) -> None:
        """Read the input and settle what is to be done.

        Args:
            on_unit_to_do: Called with each unit to work on, in order.

        Raises:
            UsageError: If the input is malformed, or the earlier output has rows that are made
                from none of its units.
        """
        if self.earlier and (mixed := self.earlier.mixed_keys()):
            keys = map(self._key, self._read())
            self.earlier.prefer_settled(Counter(key for key in keys if key in mixed))
        left = dict(self.earlier.states) if self.earlier else {}
        for place, unit in enumerate(self._read()):
            self.units += 1
            state = NEW
            if self.earlier:
                key = self._key(unit)
                states = left.pop(key, b"")
                if len(states) > 1:
                    left[key] = states[1:]
                state = states[0] if states else NEW
                self._states.append(state)
            if self._is_to_do(place, unit, state):
                self.to_do += 1
                on_unit_to_do(unit)
        if self.earlier:
            self._count_surplus(self.earlier, left)

    def _count_surplus(self, earlier: EarlierRows, left: Mapping[bytes, bytes]) -> None:
        """Tell rows that repeat others from rows of another input.

        Raises:
            UsageError: If there are rows of another input.
        """
        unmatched = 0
        for key, states in left.items():
            is_repeated = len(states) < len(earlier.states[key])
            self.repeated += len(states) if is_repeated else 0
            unmatched += 0 if is_repeated else len(states)
        if unmatched:
            raise UsageError(
                f"{unmatched} rows of {earlier.path} are not in {self._source}, so it is the "
                "output of another input; name another output, or --overwrite it"
            )

    async def write(
        self,
        writer: RowWriter,
        work: Callable[[Unit, Cells | None], Awaitable[Cells]],
        keep: Callable[[Unit, Cells], Cells],
        *,
        workers: int,
    ) -> None:
        """Write the rows of the output.

        Args:
            writer: Writes one row.
            work: Makes the row of a unit, given its open row in the earlier output if it has one.
            keep: Makes the row of a unit that is not worked on from its row in the earlier output.
            workers: Maximum number of units under way at once.

        Raises:
            RunError: If the run cannot go on.
        """

        async def row(entry: Entry[Unit]) -> Cells:
            unit, before, is_to_do = entry
            if is_to_do:
                return await work(unit, before)
            assert before is not None
            return keep(unit, before)

        await work_in_order(self._entries(), row, writer.writerow, workers=min(workers, self.to_do))

    async def write_computed(
        self,
        writer: RowWriter,
        task: Callable[[Unit], Task],
        compute: Callable[[Sequence[Task]], Sequence[Result]],
        row: Callable[[Unit, Result], Cells],
        keep: Callable[[Unit, Cells], Cells],
        *,
        processes: int,
    ) -> None:
        """Write the rows of the output, where their making waits for nothing but the processor.

        Args:
            writer: Writes one row.
            task: Makes of a unit what is computed.
            compute: Computes several tasks, one result each; in other processes if there are many.
            row: Makes the row of a unit from its result.
            keep: Makes the row of a unit that is not worked on from its row in the earlier output.
            processes: Maximum number of processes that compute.

        Raises:
            RunError: If the run cannot go on.
        """

        def take(entries: Sequence[Entry[Unit]], results: Sequence[Result]) -> None:
            left = iter(results)
            for unit, before, is_to_do in entries:
                if is_to_do:
                    writer.writerow(row(unit, next(left)))
                else:
                    assert before is not None
                    writer.writerow(keep(unit, before))

        entries = self._entries()
        chunks = iter(lambda: list(islice(entries, _CHUNK)), [])
        tasks = (
            (chunk, [task(unit) for unit, _, is_to_do in chunk if is_to_do]) for chunk in chunks
        )
        is_worth_it = self.to_do >= LEAST_ROWS
        await compute_in_order(tasks, compute, take, processes=processes if is_worth_it else 1)

    def _entries(self) -> Iterator[Entry[Unit]]:
        """Yield the output's rows: the unit, its earlier row, and whether it is worked on."""
        for place, unit in enumerate(self._read()):
            if place == self.units:
                raise RunError(f"{self._source} grew while it was read; start again")
            state = self._states[place] if self.earlier else NEW
            before = None
            if self.earlier and state != NEW:
                before = self.earlier.take(self._key(unit))
            is_to_do = self._is_to_do(place, unit, state)
            if is_to_do or before is not None:
                yield unit, before, is_to_do

    def _is_to_do(self, place: int, unit: Unit, state: int) -> bool:
        if state == SETTLED:
            return False
        return self._selected(place, unit) or (state == NEW and self._was_selected(place, unit))
