"""Event loops whose time a test decides, and how long a test waits before it gives up."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable

# Seconds after which whoever waits for an event fails. It guards against hanging and measures
# nothing: it is far beyond what the slowest machine needs.
GUARD = 300.0

_TURNS = 20  # of the loop; more than any task here takes from a timer to its next one


class StoppedClock(asyncio.SelectorEventLoop):
    """An event loop whose time stands still until the test advances it.

    Sockets and threads work as on every loop, but no timer fires by itself: a deadline passes
    because the test says so, never because the machine is slow.
    """

    def __init__(self, selector: selectors.BaseSelector | None = None) -> None:
        """Start at 0 seconds."""
        self._now = 0.0
        super().__init__(selector)

    def time(self) -> float:
        """Seconds that have been advanced so far."""
        return self._now

    def pass_time(self, seconds: float) -> None:
        """Let time pass; the timers that are then due fire in the loop's next turn."""
        self._now += seconds

    async def advance(self, seconds: float) -> None:
        """Let time pass, and run whatever that wakes until it waits again."""
        self.pass_time(seconds)
        for _ in range(_TURNS):
            await asyncio.sleep(0)

    async def advance_until(self, done: Callable[[], bool], step: float) -> None:
        """Let time pass step by step."""
        while not done():
            await self.advance(step)


class VirtualClock(StoppedClock):
    """An event loop that jumps to its next timer as soon as nothing else is left to do.

    Sleeping takes no time and gaps are exact. Only for tests that use neither sockets nor threads:
    the loop cannot know what these are about to bring.
    """

    def __init__(self) -> None:
        """Start at 0 seconds."""
        super().__init__(_Jumping(self.pass_time))


class _Jumping(selectors.DefaultSelector):
    """Instead of waiting for input until a timer is due, lets that much time pass."""

    def __init__(self, pass_time: Callable[[float], None]) -> None:
        super().__init__()
        self._pass_time = pass_time

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if timeout is None and not ready:
            raise RuntimeError("every task waits, and for nothing that time can bring")
        if timeout and not ready:
            self._pass_time(timeout)
        return ready


def stopped_clock() -> StoppedClock:
    """The running loop, of a test whose clock is stopped."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, StoppedClock)
    return loop
