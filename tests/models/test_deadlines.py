"""A request is given up once the server has had time for it, not while it is queued there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from banglahallueval.models.deadlines import Deadlines
from tests.clock import VirtualClock

LOOP = VirtualClock


class Server:
    """Works on some requests at once, the others in the order in which they came."""

    def __init__(self, slots: int, seconds: Callable[[int], float]) -> None:
        self._slots = asyncio.Semaphore(slots)
        self._seconds = seconds

    async def answer(self, number: int, begun: Callable[[], None] | None = None) -> None:
        async with self._slots:
            seconds = self._seconds(number)
            if begun is None:
                await asyncio.sleep(seconds)
                return
            for _ in range(int(seconds)):  # streamed, a token a second
                await asyncio.sleep(1)
                begun()


async def ask(
    deadlines: Deadlines, server: Server, number: int, *, streamed: bool = False
) -> float:
    """Ask once; the seconds until the request was answered, or given up: then negative."""
    loop = asyncio.get_running_loop()
    sent = loop.time()
    try:
        async with deadlines.request() as deadline:
            await server.answer(number, deadline.begun if streamed else None)
    except TimeoutError:
        return sent - loop.time()
    return loop.time() - sent


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_queue_at_the_server_is_no_timeout(streamed: bool) -> None:
    """Sixteen in flight on two slots once gave each other up, and nearly no row was answered."""
    deadlines, server = Deadlines(20), Server(2, lambda number: 15)
    taken = await asyncio.gather(*(ask(deadlines, server, n, streamed=streamed) for n in range(16)))
    assert sorted(taken) == [15.0 * (1 + n // 2) for n in range(16)]


async def test_silence_to_all_ends_them_together() -> None:
    """Where the server says nothing to anybody, none waits for the others to be given up."""
    deadlines, server = Deadlines(20), Server(16, lambda number: 1000)
    assert set(await asyncio.gather(*(ask(deadlines, server, n) for n in range(16)))) == {-20}


async def test_a_lost_request_does_not_wait_for_ever() -> None:
    """One that never comes is given up while the server answers all others."""
    deadlines, server = Deadlines(20), Server(4, lambda number: 1000 if number == 0 else 1)

    async def row(numbers: range) -> list[float]:
        return [await ask(deadlines, server, number) for number in numbers]

    lost, *others = await asyncio.gather(row(range(1)), *(row(range(1, 60)) for _ in range(3)))
    assert -25 < lost[0] < -20  # a round of the others, and its time
    assert {seconds for other in others for seconds in other} == {1}


async def test_a_lost_request_in_a_queue_is_given_up_after_a_round() -> None:
    """Its clock starts once as many have ended as were in flight beside it."""
    deadlines, server = Deadlines(20), Server(2, lambda number: 10_000 if number == 7 else 15)
    todo = iter(range(200))

    async def worker() -> list[float]:
        return [await ask(deadlines, server, number) for number in todo]

    taken = [
        seconds for each in await asyncio.gather(*(worker() for _ in range(16))) for seconds in each
    ]
    (lost,) = (seconds for seconds in taken if seconds < 0)
    assert lost > -(16 * 15 + 20)


async def test_a_server_may_take_requests_in_any_order() -> None:
    """Sixteen connections made at once do not reach a server in the order of their requests."""
    deadlines, server = Deadlines(20), Server(2, lambda number: 15)

    async def delayed(number: int) -> float:
        loop = asyncio.get_running_loop()
        async with deadlines.request():
            await asyncio.sleep((16 - number) / 100)
            await server.answer(number)
        return loop.time()

    assert max(await asyncio.gather(*(delayed(n) for n in range(16)))) == pytest.approx(120, abs=1)


async def test_a_reply_that_stalls_is_given_up() -> None:
    """A streamed reply has its time between any two pieces, whatever the others do."""
    deadlines = Deadlines(20)

    async def stall() -> None:
        async with deadlines.request() as deadline:
            await asyncio.sleep(15)
            deadline.begun()
            await asyncio.sleep(300)

    other = asyncio.create_task(ask(deadlines, Server(1, lambda number: 300), 0, streamed=True))
    with pytest.raises(TimeoutError):
        await stall()
    assert asyncio.get_running_loop().time() == 35
    assert await other == 300


async def test_a_deadline_leaves_errors_and_cancellation_alone() -> None:
    """Only the time that has passed becomes a TimeoutError."""
    deadlines = Deadlines(20)
    with pytest.raises(ValueError, match="broken"):
        async with deadlines.request():
            raise ValueError("broken")
    task = asyncio.create_task(ask(deadlines, Server(1, lambda number: 10), 0))
    await asyncio.sleep(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(25):
        assert await ask(deadlines, Server(1, lambda number: 1000), 0) == -20
