"""What every run that asks a model shares: its client, its lock, its workers, rows in order."""

from __future__ import annotations

import asyncio
import glob
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Cells, RowWriter

T = TypeVar("T")

# Rows that are done but wait for an earlier one before they can be written. The bound keeps memory
# small when one row takes minutes; it is far more than what is ever in flight.
_MOST_WAITING = 4096
# Lets signals and other workers in where nothing has to be awaited.
_ROWS_BETWEEN_PAUSES = 256


@contextmanager
def locked(output: Path) -> Iterator[None]:
    """Be the only run that writes an output; makes its folder.

    Raises:
        UsageError: If another run is writing it, or nothing can be written there.
    """
    lock = FileLock(f"{output}.lock", timeout=0)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise UsageError(
            f"another run is writing {output}; wait for it, or name another --output"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror}") from None
    try:
        # A run that was killed while it wrote has left these.
        for part in output.parent.glob(f"{glob.escape(output.name)}.*.part"):
            part.unlink(missing_ok=True)
        yield
    finally:
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)


async def write_in_order(
    writer: RowWriter,
    todo: Iterator[T],
    work: Callable[[T], Awaitable[Cells]],
    workers: int,
) -> None:
    """Work through a stream with a fixed pool of workers; the rows come out in its order.

    Args:
        writer: Takes the finished rows.
        todo: What is to be done; read only as far as workers are free.
        work: Makes one row.
        workers: Most rows under way at once.

    Raises:
        RunError: If the run cannot go on.
    """
    order = _InOrder(writer)
    places = enumerate(todo)

    async def worker() -> None:
        for count, (place, each) in enumerate(places, 1):
            order.put(place, await work(each))
            await order.room()
            if count % _ROWS_BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)

    try:
        async with asyncio.TaskGroup() as pool:
            for _ in range(max(1, workers)):
                pool.create_task(worker())
    except BaseExceptionGroup as group:
        # Of several workers' errors one says it all; the others met the same end.
        raise group.exceptions[0] from None


class _InOrder:
    """Writes rows that come in any order in the order of their places."""

    def __init__(self, writer: RowWriter) -> None:
        self._writer = writer
        self._next = 0
        self._done: dict[int, Cells] = {}
        self._free = asyncio.Event()
        self._free.set()

    def put(self, place: int, cells: Cells) -> None:
        self._done[place] = cells
        while self._next in self._done:
            self._writer.writerow(self._done.pop(self._next))
            self._next += 1
        if len(self._done) < _MOST_WAITING:
            self._free.set()
        else:
            self._free.clear()

    async def room(self) -> None:
        """Wait while too many rows are done before an earlier one is."""
        await self._free.wait()
