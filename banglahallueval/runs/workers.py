"""A fixed pool of workers over a stream, whose results come out in the stream's order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Generic, TypeVar

Unit = TypeVar("Unit")
Result = TypeVar("Result")

# Size of the reorder buffer: rows that are done but wait for an earlier one to be written. It keeps
# memory small when one row takes minutes, and is far more than what is ever in flight.
_REORDER_BUFFER = 4096
# Lets signals and other workers in where nothing has to be awaited.
_ROWS_BETWEEN_PAUSES = 256


async def work_in_order(
    todo: Iterable[Unit],
    work: Callable[[Unit], Awaitable[Result]],
    take: Callable[[Result], None],
    *,
    workers: int,
) -> None:
    """Work through a stream with a fixed pool of workers; hand the results over in its order.

    Args:
        todo: The units of work; read only as fast as workers become free.
        work: Works on one unit.
        take: Takes the next result.
        workers: Maximum number of units under way at once.

    Raises:
        RunError: If the run cannot go on.
    """
    order = _InOrder(take)
    places = enumerate(todo)

    async def worker() -> None:
        for count, (place, unit) in enumerate(places, 1):
            order.put(place, await work(unit))
            await order.wait_for_room()
            if count % _ROWS_BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)

    try:
        async with asyncio.TaskGroup() as pool:
            for _ in range(max(1, workers)):
                pool.create_task(worker())
    except BaseExceptionGroup as group:
        # Of several workers' errors one says it all; the others met the same end.
        raise group.exceptions[0] from None


class _InOrder(Generic[Result]):
    """Hands results over in the order of their places, whatever order they come in."""

    def __init__(self, take: Callable[[Result], None]) -> None:
        self._take = take
        self._next = 0
        self._done: dict[int, Result] = {}
        self._free = asyncio.Event()
        self._free.set()

    def put(self, place: int, result: Result) -> None:
        self._done[place] = result
        while self._next in self._done:
            self._take(self._done.pop(self._next))
            self._next += 1
        if len(self._done) < _REORDER_BUFFER:
            self._free.set()
        else:
            self._free.clear()

    async def wait_for_room(self) -> None:
        """Block while the reorder buffer is full."""
        await self._free.wait()
