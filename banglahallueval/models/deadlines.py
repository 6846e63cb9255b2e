"""When to give a request up: once the server has had its time, not while it has a queue."""

from __future__ import annotations

import asyncio
import math
from types import TracebackType
from typing import Self


class Deadlines:
    """Gives requests up that a server has had time for.

    A server works on a few requests at once and takes the others in the order in which they came.
    So the clock of a request starts when the server begins to send its reply. Where that cannot be
    seen, it starts once as many requests have come to an end as were sent before it; until then
    each sign of life of the server starts it anew.
    """

    def __init__(self, seconds: float) -> None:
        """Give each request so many seconds from the start of its clock."""
        self.seconds = seconds
        self.sent = 0
        self.ended = 0
        self.last_sign = -math.inf  # when the server last sent anything
        self.open: dict[int, Deadline] = {}

    def request(self) -> Deadline:
        """Return the deadline of a request that is about to be sent, as a context manager."""
        return Deadline(self)


class Deadline:
    """The deadline of one request; its block ends in TimeoutError when it has passed."""

    def __init__(self, others: Deadlines) -> None:
        """Prepare a deadline that begins with its block."""
        self._others = others
        self._started: float | None = None  # its clock; None while it may be queued

    def begun(self) -> None:
        """Note that the server has sent something of the reply; each time starts the clock anew."""
        self._started = self._others.last_sign = self._loop.time()

    async def __aenter__(self) -> Self:
        """Count the request as sent."""
        others, self._loop = self._others, asyncio.get_running_loop()
        self._sent_at = self._loop.time()
        self._number = others.sent
        others.sent += 1
        others.open[self._number] = self
        if others.ended == self._number:
            self._started = self._sent_at
        self._timeout = asyncio.timeout(None)
        await self._timeout.__aenter__()
        self._timer = self._loop.call_at(self._sent_at + others.seconds, self._check)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Count the request as ended; it is the turn of the one that has waited longest."""
        self._timer.cancel()
        others = self._others
        if not isinstance(error, asyncio.CancelledError):
            others.last_sign = self._loop.time()
        del others.open[self._number]
        others.ended += 1
        next_one = others.open.get(others.ended)
        if next_one is not None and next_one._started is None:
            next_one._started = next_one._latest_start
        await self._timeout.__aexit__(kind, error, traceback)

    @property
    def _latest_start(self) -> float:
        return max(self._sent_at, self._others.last_sign)

    def _check(self) -> None:
        started = self._latest_start if self._started is None else self._started
        ends = started + self._others.seconds
        if ends > self._loop.time():
            self._timer = self._loop.call_at(ends, self._check)
        else:
            self._timeout.reschedule(self._loop.time())
