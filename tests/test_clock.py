"""The loops whose time a test decides, and work that is counted instead of timed."""

from __future__ import annotations

import asyncio

import pytest

from tests.clock import StoppedClock, VirtualClock
from tests.work import lines_run


def test_virtual_time_passes_at_once_and_exactly() -> None:
    """Sleepers wake in the order of their times, however long these are."""
    woken: list[tuple[str, float]] = []

    async def sleep(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        woken.append((name, asyncio.get_running_loop().time()))

    async def main() -> None:
        await asyncio.gather(sleep("week", 604800), sleep("hour", 3600), sleep("day", 86400))

    with asyncio.Runner(loop_factory=VirtualClock) as runner:
        runner.run(main())
    assert woken == [("hour", 3600), ("day", 86400), ("week", 604800)]


def test_waiting_for_nothing_is_an_error_in_virtual_time() -> None:
    """A deadlock fails at once instead of hanging."""

    async def main() -> None:
        await asyncio.Event().wait()

    with (
        pytest.raises(RuntimeError, match="every task waits"),
        asyncio.Runner(loop_factory=VirtualClock) as runner,
    ):
        runner.run(main())


def test_a_stopped_clock_fires_only_what_is_advanced_to() -> None:
    """A deadline passes when the test says so, and threads work meanwhile."""

    async def main() -> list[bool]:
        clock = asyncio.get_running_loop()
        assert isinstance(clock, StoppedClock)
        sleeper = asyncio.create_task(asyncio.sleep(10))
        done = []
        for step in (0, 9.5, 0.5):
            await clock.advance(step)
            await asyncio.to_thread(lambda: None)
            done.append(sleeper.done())
        return done

    with asyncio.Runner(loop_factory=StoppedClock) as runner:
        assert runner.run(main()) == [False, False, True]


def test_work_is_counted_in_lines() -> None:
    """The same call is the same work each time, and a square shows as one."""

    def square(n: int) -> None:
        for _ in range(n):
            for _ in range(n):
                pass

    small = lines_run(lambda: square(50))
    assert small == lines_run(lambda: square(50))
    assert lines_run(lambda: square(200)) > 15 * small
