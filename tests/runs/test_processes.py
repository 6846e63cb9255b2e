"""Work in several processes comes out in order, and leaves no process behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from banglahallueval.errors import RunError
from banglahallueval.runs.processes import compute_in_order
from tests.clock import GUARD
from tests.scripting import ROOT, environment

# A program whose processes wait for ever; each says that it does.
ENDLESS = """
import asyncio
from banglahallueval.runs.processes import compute_in_order
if __name__ == "__main__":
    wait = "print('up', flush=True); import threading; threading.Event().wait()"
    tasks = [(0, "pass"), (1, wait), (2, wait), (3, wait)]
    asyncio.run(compute_in_order(tasks, exec, print, processes=2))
"""


def computed(
    tasks: Sequence[Any], compute: Callable[[Any], Any], processes: int
) -> list[tuple[int, Any]]:
    found: list[tuple[int, Any]] = []
    asyncio.run(
        compute_in_order(
            enumerate(tasks), compute, lambda *each: found.append(each), processes=processes
        )
    )
    return found


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_order_with_what_was_kept(processes: int) -> None:
    tasks = [[n, 1] for n in range(40)]
    assert computed(tasks, sum, processes) == [(n, n + 1) for n in range(40)]


@pytest.mark.parametrize("tasks", [[], ["one"]])
def test_no_process_waits_for_tasks_that_are_not_there(tasks: list[str]) -> None:
    assert computed(tasks, len, 2) == [(n, 3) for n in range(len(tasks))]


def test_tasks_are_read_only_a_few_ahead() -> None:
    read: list[int] = []
    taken: list[int] = []

    def tasks() -> Iterator[tuple[int, str]]:
        for n in range(50):
            assert n - len(taken) <= 2 * 3 + 1
            read.append(n)
            yield n, "x"

    def take(kept: int, result: int) -> None:
        taken.append(kept)

    asyncio.run(compute_in_order(tasks(), len, take, processes=2))
    assert taken == read == list(range(50))


def test_a_killed_process_is_told_in_one_line() -> None:
    with pytest.raises(RunError, match=r"^a worker process ended .* start again, [^\n]*$"):
        computed(["pass", *["import os; os._exit(9)"] * 8], exec, 2)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_reaches_processes_in_vain() -> None:
    """A terminal sends it to all of them, and one answer is enough: the parent's."""
    interrupt = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
    assert computed(["pass", interrupt, interrupt], exec, 2) == [(n, None) for n in range(3)]


def test_an_error_in_a_process_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        computed(["1", "1 / 0", "2"], eval, 2)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX signals")
def test_processes_end_with_their_parent() -> None:
    """Killed without a chance to clear up: its output ends only when all that write to it have."""
    parent = subprocess.Popen(
        [sys.executable, "-c", ENDLESS],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    assert [parent.stdout.readline() for _ in range(3)] == ["0 None\n", "up\n", "up\n"]
    os.kill(parent.pid, signal.SIGKILL)
    parent.communicate(timeout=GUARD)
    assert parent.returncode == -signal.SIGKILL
