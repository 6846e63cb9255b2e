"""Requests start evenly, and a rate limit slows the whole run."""

from __future__ import annotations

import asyncio

import pytest

from banglahallueval.models.rate_limit import RateLimiter
from tests.clock import VirtualClock

LOOP = VirtualClock


async def test_starts_are_spread_over_the_minute() -> None:
    """1,200 a minute are one each 50 ms, not 1,200 at once."""
    pacer = RateLimiter(10, requests_per_minute=1200)
    loop = asyncio.get_running_loop()
    started = []
    for _ in range(4):
        await pacer.start()
        started.append(loop.time())
        pacer.finish(succeeded=True)
    assert started == pytest.approx([0, 0.05, 0.1, 0.15])


async def test_a_cool_down_holds_everybody() -> None:
    """After one request met a limit, no other starts before the server's time is up."""
    pacer = RateLimiter(10)
    loop = asyncio.get_running_loop()
    started = []

    async def start() -> None:
        await pacer.start()
        started.append(loop.time())

    pacer.cool_down(30)
    await asyncio.gather(*(start() for _ in range(5)))
    assert len(started) == 5
    assert all(30 <= time <= 30.1 for time in started)


async def test_a_limit_halves_what_is_in_flight_once() -> None:
    """Requests that meet the same limit together count as one."""
    pacer = RateLimiter(8)
    for _ in range(8):
        await pacer.start()
    for _ in range(8):
        pacer.cool_down(0.01)
        pacer.finish(succeeded=False)
    assert pacer.cooldowns_in_a_row == 1
    started = [asyncio.create_task(pacer.start()) for _ in range(8)]
    await asyncio.sleep(3600)
    assert sum(task.done() for task in started) == 4
    for _ in range(8):  # each one that ends lets another in
        pacer.finish(succeeded=True)
        await asyncio.sleep(0)
    await asyncio.gather(*started)


async def test_success_lets_more_in_again() -> None:
    """After a limit the number in flight grows back to what was asked for."""
    pacer = RateLimiter(4)
    pacer.cool_down(0.0)
    for _ in range(40):
        await pacer.start()
        pacer.finish(succeeded=True)
    await asyncio.gather(*(pacer.start() for _ in range(4)))
    assert pacer.cooldowns_in_a_row == 0
