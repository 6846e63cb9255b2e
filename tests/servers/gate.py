"""Where a loopback server holds its replies until a test lets them through."""

from __future__ import annotations

import asyncio
import math


class Gate:
    """Lets a number of replies pass and holds all others; belongs to its server's event loop.

    Tests wait for the number of replies that are held instead of for some time to pass: a client
    with N workers is at rest once N replies are held, and all replies before are dealt with.

    Attributes:
        held: Number of replies held now.
    """

    def __init__(self) -> None:
        """Let everything pass."""
        self.held = 0
        self._passing: float = math.inf
        self._opened = asyncio.Event()
        self._changed = asyncio.Event()

    def hold(self, after: int = 0) -> None:
        """Hold every reply but the next `after` ones."""
        self._passing = after

    def release(self) -> None:
        """Let everything pass, what is held included."""
        self._passing = math.inf
        self._opened.set()
        self._opened = asyncio.Event()

    async def enter(self) -> None:
        """Pass, or stay until released; a request that is cancelled is no longer held."""
        if self._passing > 0:
            self._passing -= 1
        else:
            await self.stay()

    async def stay(self) -> None:
        """Stay until released, whether or not replies may pass."""
        opened = self._opened
        self._count(1)
        try:
            await opened.wait()
        finally:
            self._count(-1)

    async def until_held(self, count: int) -> None:
        """Wait until exactly so many replies are held."""
        while self.held != count:
            await self._changed.wait()

    def _count(self, change: int) -> None:
        self.held += change
        self._changed.set()
        self._changed = asyncio.Event()
