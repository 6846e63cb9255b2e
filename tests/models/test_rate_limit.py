"""Requests start evenly, and a server that cannot keep up slows the whole run."""

from __future__ import annotations

import asyncio

import pytest

from banglahallueval.models.rate_limit import RateLimiter
from tests.clock import VirtualClock

LOOP = VirtualClock


async def test_starts_are_spread_over_the_minute() -> None:
    """1,200 a minute are one each 50 ms, not 1,200 at once."""
    limiter = RateLimiter(10, requests_per_minute=1200)
    loop = asyncio.get_running_loop()
    started = []
    for _ in range(4):
        await limiter.start()
        started.append(loop.time())
        limiter.finish(succeeded=True)
    assert started == pytest.approx([0, 0.05, 0.1, 0.15])


async def test_a_cool_down_holds_everybody() -> None:
    """After one request met a limit, no other starts before the server's time is up."""
    limiter = RateLimiter(10)
    loop = asyncio.get_running_loop()
    started = []

    async def start() -> None:
        await limiter.start()
        started.append(loop.time())

    limiter.cool_down(30, 0)
    await asyncio.gather(*(start() for _ in range(5)))
    assert len(started) == 5
    assert all(30 <= time <= 30.1 for time in started)


@pytest.mark.parametrize("asked", [None, 0.01, 30.0])
async def test_requests_of_one_cool_down_count_once(asked: float | None) -> None:
    """Requests in flight together meet one limit, whether it is over when they learn of it."""
    limiter = RateLimiter(8)
    together = [await limiter.start() for _ in range(8)]
    for cooldowns in together:
        limiter.cool_down(asked, cooldowns)
        limiter.finish(succeeded=False)
        await asyncio.sleep(60)
    assert limiter.cooldowns_in_a_row == 1
    assert limiter.window == 4
    started = [asyncio.create_task(limiter.start()) for _ in range(8)]
    await asyncio.sleep(3600)
    assert sum(task.done() for task in started) == 4
    for _ in range(8):  # each one that ends lets another in
        limiter.finish(succeeded=True)
        await asyncio.sleep(0)
    await asyncio.gather(*started)


async def wait_after(limiter: RateLimiter, asked: float | None) -> float:
    """Start one request that meets a limit; the seconds that the run then waits."""
    cooldowns = await limiter.start()
    wait = limiter.cool_down(asked, cooldowns)
    limiter.finish(succeeded=False)
    return wait


@pytest.mark.parametrize("asked", [None, 0.01])
async def test_cool_downs_in_a_row_grow(asked: float | None) -> None:
    """A server that says nothing, or too short a time again and again, is asked ever less often."""
    limiter = RateLimiter(4)
    waits = [await wait_after(limiter, asked) for _ in range(8)]
    if asked:
        assert waits.pop(0) == pytest.approx(asked)
    else:
        assert 1 <= waits.pop(0) <= 1.25
    for wait, least in zip(waits, (2, 4, 8, 16, 32, 60, 60), strict=True):
        assert least <= wait <= 1.25 * least


async def test_a_longer_wait_that_the_server_asks_for_is_kept() -> None:
    """Its own time counts where it is longer than that of the growing waits."""
    limiter = RateLimiter(4)
    assert [await wait_after(limiter, 100.0) for _ in range(3)] == pytest.approx([100.0] * 3)


async def test_success_lets_more_in_again() -> None:
    """After a limit the number in flight grows back to what was asked for."""
    limiter = RateLimiter(4)
    limiter.cool_down(0.1, 0)
    for _ in range(40):
        await limiter.start()
        limiter.finish(succeeded=True)
    await asyncio.gather(*(limiter.start() for _ in range(4)))
    assert limiter.cooldowns_in_a_row == 0


async def test_a_window_that_is_lost_as_a_whole_is_halved() -> None:
    """Sixteen time-outs of sixteen in flight leave eight, and so on, never none."""
    limiter = RateLimiter(16)
    windows = []
    for _ in range(6):
        for _ in range(limiter.window):
            await limiter.start()
        for _ in range(limiter._in_flight):
            limiter.narrow()
            limiter.finish(succeeded=False)
        windows.append(limiter.window)
    assert windows == [8, 4, 2, 1, 1, 1]


async def test_a_stray_time_out_hardly_matters() -> None:
    """One lost request in a hundred does not keep a run of 64 in flight from going fast."""
    limiter = RateLimiter(64)
    windows = []
    for number in range(5000):
        await limiter.start()
        if number % 100 == 0:
            limiter.narrow()
        limiter.finish(succeeded=number % 100 != 0)
        windows.append(limiter.window)
    assert min(windows) >= 62
