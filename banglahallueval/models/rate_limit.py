"""How fast a run may ask: evenly spaced, less at once where the server cannot keep up."""

from __future__ import annotations

import asyncio
import random
from collections import deque

_LONGEST_COOL_DOWN = 60.0  # seconds, where the server names no time


class RateLimiter:
    """Lets requests start: bounded in number at once and per minute, none during a cool-down.

    The number allowed in flight, the window, follows the server (additive increase,
    multiplicative decrease, as in TCP). A rate limit holds for the whole run: it starts a cool-down
    and halves the window. A request that the server had no time for takes half a place off it, so
    that a window lost as a whole is halved as well, while a stray time-out among hundreds of
    replies hardly matters. A full round of replies widens it by one place.
    """

    def __init__(self, concurrency: int, requests_per_minute: float | None = None) -> None:
        """Start with the window wide open.

        Args:
            concurrency: Maximum number of requests in flight.
            requests_per_minute: Maximum number of requests started in a minute, evenly spaced;
                None for no limit.
        """
        self._most = concurrency
        self._window = float(concurrency)
        self._in_flight = 0
        self._gap = 60 / requests_per_minute if requests_per_minute else 0.0
        self._next_slot = 0.0
        self._resume_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._cooldowns = 0
        self.cooldowns_in_a_row = 0

    @property
    def window(self) -> int:
        """Number of requests that may be in flight now."""
        return int(self._window)

    async def start(self) -> int:
        """Wait for a place; every start is followed by one `finish`.

        Returns:
            The number of cool-downs so far, for `cool_down`.
        """
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
            elif self._in_flight >= self.window:
                turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.append(turn)
                await turn
            else:
                self._in_flight += 1
                return self._cooldowns

    def finish(self, *, succeeded: bool) -> None:
        """Give the place back."""
        self._in_flight -= 1
        if succeeded:
            self.cooldowns_in_a_row = 0
            if self._window < self._most:
                self._window = min(self._most, self._window + 1 / self._window)
        free = self.window - self._in_flight
        while free > 0 and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1

    def narrow(self) -> None:
        """Note that the server had no time for a request."""
        self._window = max(1.0, self._window - 0.5)

    def cool_down(self, seconds: float | None, cooldowns: int) -> float:
        """Note that a request met a rate limit, and start nothing for a while.

        Requests that were in flight together meet one limit, and count once.

        Args:
            seconds: What the server asked for; None where it did not say. From the second cool-down
                in a row, the wait is at least one that doubles from 2 to 60 seconds: what the
                server asks for was too short.
            cooldowns: What `start` returned for this request.

        Returns:
            Seconds until requests start again.
        """
        wait = seconds or 0.0
        if cooldowns == self._cooldowns:
            self._cooldowns += 1
            self.cooldowns_in_a_row += 1
            self._window = max(1.0, self._window / 2)
            if seconds is None or self.cooldowns_in_a_row > 1:
                doubled = min(_LONGEST_COOL_DOWN, 2.0 ** (self.cooldowns_in_a_row - 1))
                wait = max(wait, doubled * random.uniform(1, 1.25))
        now = _now()
        self._resume_at = max(self._resume_at, now + wait)
        return self._resume_at - now


def _now() -> float:
    return asyncio.get_running_loop().time()
