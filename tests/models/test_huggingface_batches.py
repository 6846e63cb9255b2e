from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.models.huggingface.batches import Batcher, Job, OutOfMemoryError
from banglahallueval.models.types import Message, ModelError, Reply, Request

ASK = Request((Message("user", "x"),), max_tokens=4)
Run = Callable[[list[Job]], list[Reply]]


def length_of(batch: list[Job]) -> list[Reply]:
    return [Reply(str(len(job.ids))) for job in batch]


async def replies(
    run: Run, lengths: list[int], *, most_rows: int, most_tokens: int
) -> list[str | BaseException]:
    batcher = Batcher(run, most_rows=most_rows, most_tokens=most_tokens)
    jobs = [Job(ASK, [0] * length, 4) for length in lengths]
    outcomes = await asyncio.gather(*map(batcher.reply, jobs), return_exceptions=True)
    await batcher.close()
    return [each.text if isinstance(each, Reply) else each for each in outcomes]


@settings(max_examples=30)
@given(
    lengths=st.lists(st.integers(1, 60), min_size=1, max_size=30),
    most_rows=st.integers(1, 8),
    most_tokens=st.integers(8, 200),
)
def test_every_job_is_run_once_within_the_bounds(
    lengths: list[int], most_rows: int, most_tokens: int
) -> None:
    """No batch has more rows or padded tokens than allowed, unless one row alone has them."""
    batches: list[list[Job]] = []

    def run(batch: list[Job]) -> list[Reply]:
        batches.append(batch)
        return length_of(batch)

    found = asyncio.run(replies(run, lengths, most_rows=most_rows, most_tokens=most_tokens))
    assert found == [str(length) for length in lengths]
    assert sum(map(len, batches)) == len(lengths)
    for batch in batches:
        assert len(batch) <= most_rows
        padded = max(job.tokens for job in batch) * len(batch)
        assert len(batch) == 1 or padded <= most_tokens


async def test_rows_of_like_length_go_together() -> None:
    """Padding stays small: a batch takes the nearest in length of all that wait."""
    batches: list[list[int]] = []

    def run(batch: list[Job]) -> list[Reply]:
        batches.append(sorted(len(job.ids) for job in batch))
        return length_of(batch)

    await replies(run, [10, 90, 11, 91, 12, 92], most_rows=3, most_tokens=10_000)
    assert batches == [[10, 11, 12], [90, 91, 92]]


async def test_too_little_memory_halves_the_batch_and_goes_on() -> None:
    """All rows get their replies, and later batches are small from the start."""
    sizes: list[int] = []

    def run(batch: list[Job]) -> list[Reply]:
        sizes.append(len(batch))
        if len(batch) > 3:
            raise OutOfMemoryError
        return length_of(batch)

    found = await replies(run, [6] * 32, most_rows=16, most_tokens=10_000)
    assert found == ["6"] * 32
    assert sizes[:2] == [16, 8]
    assert max(sizes[-4:]) <= 3


async def test_a_row_that_never_fits_is_lost_alone() -> None:
    """One prompt too long for the memory is an error of its own row."""

    def run(batch: list[Job]) -> list[Reply]:
        if any(len(job.ids) > 50 for job in batch):
            raise OutOfMemoryError
        return length_of(batch)

    found = await replies(run, [5, 60, 6], most_rows=8, most_tokens=10_000)
    lost = found.pop(1)
    assert found == ["5", "6"]
    assert isinstance(lost, ModelError)
    assert (lost.retry, lost.fatal) == (False, False)


async def test_a_failure_reaches_all_who_wait_and_the_next_batch_runs() -> None:
    """An error in a batch ends neither the run nor the worker."""
    failed = threading.Event()

    def run(batch: list[Job]) -> list[Reply]:
        if not failed.is_set():
            failed.set()
            raise ZeroDivisionError
        return length_of(batch)

    batcher = Batcher(run, most_rows=4, most_tokens=1000)
    first = [batcher.reply(Job(ASK, [0], 4)) for _ in range(2)]
    outcomes = await asyncio.gather(*first, return_exceptions=True)
    assert all(isinstance(outcome, ZeroDivisionError) for outcome in outcomes)
    assert (await batcher.reply(Job(ASK, [0] * 7, 4))).text == "7"
    await batcher.close()


async def test_a_job_nobody_waits_for_is_not_run() -> None:
    """A cancelled request costs no time on the device."""
    seen: list[int] = []

    def run(batch: list[Job]) -> list[Reply]:
        seen.extend(len(job.ids) for job in batch)
        return length_of(batch)

    batcher = Batcher(run, most_rows=4, most_tokens=1000)
    given_up = asyncio.ensure_future(batcher.reply(Job(ASK, [0] * 9, 4)))
    await asyncio.sleep(0)
    given_up.cancel()
    assert (await batcher.reply(Job(ASK, [0] * 2, 4))).text == "2"
    await batcher.close()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    assert seen == [2]
