"""When to give a request up: once the server has had its time, not while it has a queue."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from types import TracebackType
from typing import Self


class Deadlines:
    """Gives requests up that a server has had time for.

    A server works on a few requests at once and lets the others wait. So the clock of a request
    starts when the server begins to send its reply. Where that cannot be seen, it starts once as
    many requests have ended as were in flight beside it, so that it must have had its turn; until
    then each sign of life of the server starts it anew.
    """

    def __init__(self, seconds: float) -> None:
        """Give each request so many seconds from the start of its clock."""
        self.seconds = seconds
        self._open = 0
        self._ended = 0
        self._peak = self._peak_before = 0  # most open together, now and in the round before
        self._round_ends = 0
        self._last_sign = -math.inf  # when the server last sent anything
        self._queued: deque[Deadline] = deque()  # whose clock may not have started; oldest first

    def request(self) -> Deadline:
        """Return the deadline of a request that is about to be sent, as a context manager."""
        return Deadline(self)

    def _send(self, deadline: Deadline) -> None:
        deadline.ended_before = self._ended
        self._open += 1
        self._peak = max(self._peak, self._open)
        self._queued.append(deadline)

    def _end(self, *, answered: bool, now: float) -> None:
        if answered:
            self._last_sign = now
        self._open -= 1
        self._ended += 1
        if self._ended >= self._round_ends:  # a peak that is past no longer counts
            self._peak_before, self._peak = self._peak, self._open
            self._round_ends = self._ended + self._peak_before
        beside = max(self._peak, self._peak_before)
        while self._queued and self._ended - self._queued[0].ended_before >= beside:
            self._queued.popleft().has_had_its_turn()


class Deadline:
    """The deadline of one request; its block ends in TimeoutError when it has passed."""

    def __init__(self, others: Deadlines) -> None:
        """Prepare a deadline that begins with its block."""
        self.ended_before = 0
        self._others = others
        self._started: float | None = None  # its clock; None while it may wait at the server

    def begun(self) -> None:
        """Note that the server has sent something of the reply; each time starts the clock anew."""
        self._started = self._others._last_sign = self._loop.time()

    def has_had_its_turn(self) -> None:
        """Start the clock with the last sign of life, if it has not started yet."""
        if self._started is None:
            self._started = max(self._sent, self._others._last_sign)

    async def __aenter__(self) -> Self:
        """Note the request as sent."""
        self._loop = asyncio.get_running_loop()
        self._sent = self._loop.time()
        self._others._send(self)
        self._timeout = asyncio.timeout(None)
        await self._timeout.__aenter__()
        self._timer = self._loop.call_at(self._sent + self._others.seconds, self._check)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Note the request as ended."""
        self._timer.cancel()
        answered = not isinstance(error, asyncio.CancelledError)
        self._others._end(answered=answered, now=self._loop.time())
        await self._timeout.__aexit__(kind, error, traceback)

    def _check(self) -> None:
        started = self._started
        if started is None:
            started = max(self._sent, self._others._last_sign)
        ends = started + self._others.seconds
        if ends > self._loop.time():
            self._timer = self._loop.call_at(ends, self._check)
        else:
            self._timeout.reschedule(self._loop.time())
