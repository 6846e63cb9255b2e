"""A fixed pool of workers, whose results come out in order."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.errors import RunError
from banglahallueval.runs import workers
from banglahallueval.runs.workers import work_in_order


@settings(deadline=None, max_examples=50)
@given(pauses=st.lists(st.integers(0, 5), max_size=40), pool=st.integers(0, 8))
def test_results_come_in_the_order_of_the_stream(pauses: list[int], pool: int) -> None:
    """Whatever takes longer; a pool of no workers is one worker."""
    taken: list[int] = []

    async def work(unit: tuple[int, int]) -> int:
        for _ in range(unit[1]):
            await asyncio.sleep(0)
        return unit[0]

    asyncio.run(work_in_order(enumerate(pauses), work, taken.append, workers=pool))
    assert taken == list(range(len(pauses)))


async def test_no_more_units_are_under_way_than_there_are_workers() -> None:
    under_way = most = 0

    async def work(unit: int) -> int:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return unit

    await work_in_order(range(50), work, lambda result: None, workers=4)
    assert most == 4


async def test_the_stream_is_read_only_as_workers_become_free() -> None:
    """An input of any length is never read ahead."""
    read = 0
    go_on = asyncio.Event()

    def stream() -> Iterator[int]:
        nonlocal read
        for unit in range(1000):
            read += 1
            yield unit

    async def work(unit: int) -> int:
        await go_on.wait()
        return unit

    running = asyncio.create_task(work_in_order(stream(), work, lambda result: None, workers=3))
    for _ in range(20):
        await asyncio.sleep(0)
    assert read == 3
    go_on.set()
    await running
    assert read == 1000


async def test_one_slow_unit_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first row takes long, no more rows are done than the reorder buffer holds."""
    monkeypatch.setattr(workers, "_REORDER_BUFFER", 10)
    done = 0
    first = asyncio.Event()
    taken: list[int] = []

    async def work(unit: int) -> int:
        nonlocal done
        if unit == 0:
            await first.wait()
        done += 1
        return unit

    running = asyncio.create_task(work_in_order(range(200), work, taken.append, workers=4))
    for _ in range(500):
        await asyncio.sleep(0)
    assert 10 <= done < 20
    assert taken == []
    first.set()
    await running
    assert taken == list(range(200))


async def test_an_error_ends_the_run_as_itself() -> None:
    """The first worker's error is raised, not a group; the others are stopped."""
    stopped: list[int] = []

    async def work(unit: int) -> int:
        if unit == 3:
            raise RunError("the key was refused")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append(unit)
            raise
        return unit

    with pytest.raises(RunError, match="the key was refused"):
        await work_in_order(range(10), work, lambda result: None, workers=4)
    assert sorted(stopped) == [0, 1, 2]
