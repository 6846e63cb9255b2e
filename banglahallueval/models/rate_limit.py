"""How fast a run may ask: an even spacing, and a shared slow-down when the server says stop."""

from __future__ import annotations

import asyncio
import random
from collections import deque


class RateLimiter:
    """Lets requests start: at most so many at once, at most so many a minute, none in a cool-down.

    A rate limit met by one request holds for the whole run: the number in flight is halved and
    grows again by one for each full round of successes (additive increase, multiplicative
    decrease, as TCP does).
    """

    def __init__(self, concurrency: int, requests_per_minute: float | None = None) -> None:
        """Start at full concurrency.

        Args:
            concurrency: Most requests in flight.
            requests_per_minute: Most requests started in a minute, evenly spaced; None: any number.
        """
        self._most = concurrency
        self._allowed = float(concurrency)
        self._in_flight = 0
        self._gap = 60 / requests_per_minute if requests_per_minute else 0.0
        self._next_slot = 0.0
        self._resume_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.cooldowns_in_a_row = 0

    async def start(self) -> None:
        """Wait for one's turn; every start is followed by one `finish`."""
        if self._gap:
            now = _now()
            slot = max(now, self._next_slot)
            self._next_slot = slot + self._gap
            await asyncio.sleep(slot - now)
        while True:
            wait = self._resume_at - _now()
            if wait > 0:
                # The spread keeps a whole pool from knocking in the same instant.
                await asyncio.sleep(wait + random.uniform(0, 0.1))
            elif self._in_flight >= int(self._allowed):
                turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.append(turn)
                await turn
            else:
                self._in_flight += 1
                return

    def finish(self, *, succeeded: bool) -> None:
        """Give the place back."""
        self._in_flight -= 1
        if succeeded:
            self.cooldowns_in_a_row = 0
            if self._allowed < self._most:
                self._allowed = min(self._most, self._allowed + 1 / self._allowed)
        free = int(self._allowed) - self._in_flight
        while free > 0 and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1

    def cool_down(self, seconds: float | None) -> float:
        """Stop starting requests for a while.

        Args:
            seconds: What the server asked for; None for a back-off that doubles from 1 to 60
                seconds with each cool-down in a row.

        Returns:
            The seconds until requests start again.
        """
        now = _now()
        if now >= self._resume_at:  # the first of the requests that met this limit
            self.cooldowns_in_a_row += 1
            self._allowed = max(1.0, self._allowed / 2)
        if seconds is None:
            seconds = min(60.0, 2.0 ** (self.cooldowns_in_a_row - 1)) * random.uniform(1, 1.25)
        self._resume_at = max(self._resume_at, now + seconds)
        return self._resume_at - now


def _now() -> float:
    return asyncio.get_running_loop().time()
