"""Batches formed from whatever waits to be generated, bounded by rows and by padded tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from banglahallueval.models.types import ImagePart, ModelError, Reply, Request

# The rows that a finished batch sets free need a moment to ask their next question.
_GATHER_SECONDS = 0.01


class OutOfMemoryError(Exception):
    """A batch was too large for the memory there is."""


class Waiting(Protocol):
    """What waits to be run.

    Attributes:
        reply: What comes of it.
    """

    reply: asyncio.Future[Any]

    @property
    def ids(self) -> Sequence[int]:
        """Its tokens."""
        ...

    @property
    def kind(self) -> object:
        """What those of one batch have in common."""
        ...

    @property
    def tokens(self) -> int:
        """Tokens that it fills in a batch."""
        ...


J = TypeVar("J", bound=Waiting)
R = TypeVar("R")


@dataclass(slots=True, eq=False)
class Job:
    """A tokenised prompt that waits for its reply.

    Attributes:
        request: What is asked.
        ids: The prompt's tokens.
        new_tokens: Most tokens to generate.
        choices: Token ids that spell each of the request's choices, where these are compared.
        text: The prompt as text, where it holds pictures.
        pictures: The pictures, in the order of their marks in the text.
        reply: What comes of it.
    """

    request: Request
    ids: Sequence[int]
    new_tokens: int
    choices: tuple[tuple[int, ...], ...] = ()
    text: str = ""
    pictures: tuple[ImagePart, ...] = ()
    reply: asyncio.Future[Reply] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    @property
    def kind(self) -> object:
        """What the jobs of one batch have in common."""
        return self.new_tokens, self.choices, len(self.pictures)

    @property
    def tokens(self) -> int:
        """Tokens of prompt and reply together."""
        return len(self.ids) + self.new_tokens


class Batcher(Generic[J, R]):
    """Runs waiting jobs in batches, one batch at a time, in a thread of its own."""

    def __init__(
        self, run: Callable[[list[J]], list[R]], *, most_rows: int, most_tokens: int
    ) -> None:
        """Start with nothing waiting.

        Args:
            run: Replies to a batch; raises OutOfMemoryError where it is too large.
            most_rows: Most rows of a batch.
            most_tokens: Most tokens of a batch, padding and replies included; a single row may
                have more. Halved whenever the memory does not do.
        """
        self.most_rows = most_rows
        self.most_tokens = most_tokens
        self._run = run
        self._waiting: list[J] = []
        self._arrived = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "model")
        self._worker = asyncio.create_task(self._work())

    async def reply(self, job: J) -> R:
        """Wait for the job's reply."""
        self._waiting.append(job)
        self._arrived.set()
        reply: R = await job.reply
        return reply

    async def close(self) -> None:
        """Run nothing more."""
        self._worker.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._arrived.wait()
            await asyncio.sleep(_GATHER_SECONDS)
            batch = self._next_batch()
            try:
                outcomes = await loop.run_in_executor(self._thread, self._fitting, batch)
            except Exception as error:  # it belongs to those who wait
                outcomes = [error] * len(batch)
            for job, outcome in zip(batch, outcomes, strict=True):
                if job.reply.done():
                    continue  # nobody waits any more
                if isinstance(outcome, Exception):
                    job.reply.set_exception(outcome)
                else:
                    job.reply.set_result(outcome)

    def _next_batch(self) -> list[J]:
        """Take the job that waits longest, with those of its kind nearest in length."""
        self._waiting = [job for job in self._waiting if not job.reply.done()]
        if not self._waiting:
            self._arrived.clear()
            return []
        first = self._waiting[0]
        alike = [job for job in self._waiting if job.kind == first.kind]
        alike.sort(key=lambda job: abs(job.tokens - first.tokens))
        batch: list[J] = []
        longest = 0
        for job in alike[: self.most_rows]:
            longest = max(longest, job.tokens)
            if batch and longest * (len(batch) + 1) > self.most_tokens:
                break
            batch.append(job)
        chosen = set(batch)
        self._waiting = [job for job in self._waiting if job not in chosen]
        if not self._waiting:
            self._arrived.clear()
        return batch

    def _fitting(self, batch: list[J]) -> list[R | Exception]:
        """Reply to a batch, halving it until it fits in memory."""
        if not batch:
            return []
        try:
            return list(self._run(batch))
        except OutOfMemoryError:
            if len(batch) == 1:
                told = f"an input of {len(batch[0].ids)} tokens does not fit into the memory"
                advice = "use a smaller model, or --load-in-4bit"
                return [ModelError("server error", told, advice=advice, retry=False)]
            padded = max(job.tokens for job in batch) * len(batch)
            self.most_tokens = min(self.most_tokens, padded // 2)
            half = len(batch) // 2
            return self._fitting(batch[:half]) + self._fitting(batch[half:])
