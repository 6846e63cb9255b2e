"""Work for the processor alone: done here or by several processes, handed over in its order."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import BaseContext
from typing import Final, TypeVar

from banglahallueval.errors import RunError

Kept = TypeVar("Kept")
Task = TypeVar("Task")
Result = TypeVar("Result")

LEAST_ROWS: Final = 2_000  # what one process does while others would start
_AHEAD: Final = 3  # tasks that wait for each process, so that none ever waits for one


def available_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


async def compute_in_order(
    tasks: Iterable[tuple[Kept, Task]],
    compute: Callable[[Task], Result],
    take: Callable[[Kept, Result], None],
    *,
    processes: int,
) -> None:
    """Compute tasks side by side; hand the results over in the order of the tasks.

    Args:
        tasks: Each with what is kept for its result; read only a few ahead.
        compute: Computes one, in whichever process: it is pickled, as tasks and results are.
        take: Takes the next result, and what was kept for it.
        processes: How many compute; with 1 this one does.

    Raises:
        RunError: If a process ended before its work did, or none could be started.
    """
    left = iter(tasks)
    # Computed here, the first task loads the modules that the processes then begin with.
    for kept, task in left:
        take(kept, compute(task))
        await asyncio.sleep(0)  # lets signals in
        if processes > 1:
            break
    else:
        return
    try:
        pool = ProcessPoolExecutor(processes, _context(), _begin)
    except (OSError, ImportError, NotImplementedError) as error:
        raise RunError(f"cannot start processes: {error}; give --workers 1") from None
    waiting: deque[tuple[Kept, asyncio.Future[Result]]] = deque()
    try:
        for kept, task in left:
            waiting.append((kept, asyncio.wrap_future(pool.submit(compute, task))))
            if len(waiting) > processes * _AHEAD:
                first, result = waiting.popleft()
                take(first, await result)
        while waiting:
            first, result = waiting.popleft()
            take(first, await result)
    except BrokenProcessPool:
        raise RunError(
            "a worker process ended before its work did (killed, or out of memory); start again, "
            "with fewer --workers where memory is short"
        ) from None
    finally:
        for _, result in waiting:
            result.cancel()
        pool.shutdown(cancel_futures=True)


def _context() -> BaseContext:
    """Choose how processes start: from a server that has loaded all modules once, if there is one.

    They are never forked from this process, whose threads would be missing in them.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    package = __name__.partition(".")[0]
    own = [name for name in sys.modules if name.partition(".")[0] == package]
    context.set_forkserver_preload(own)
    return context


def _begin() -> None:
    """Leave Ctrl-C to the parent process, and end with it, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
