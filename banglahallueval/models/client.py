"""Asking a model: the store first, then the server, with retries, pacing and a count of it all."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from dataclasses import dataclass, field

from tqdm import tqdm

from banglahallueval.errors import RunError
from banglahallueval.models.base import ChatModel, ModelError, Reply, Request
from banglahallueval.models.pacing import Pacer
from banglahallueval.models.store import ReplyStore, request_key

# So many rows lost one after the other, with no reply between them, mean that the server is gone.
_LOST_IN_A_ROW = 20
_LONG_WAIT = 30.0  # seconds after which a run that stands still looks dead


@dataclass(slots=True)
class Usage:
    """What a run asked for and got.

    Attributes:
        asked: Requests that brought a reply from the server.
        stored: Replies taken from the store.
        failures: Failed attempts by cause, those that a retry mended among them.
        prompt_tokens, completion_tokens: As the server counts them, of `asked` only.
    """

    asked: int = 0
    stored: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Client:
    """Everything that asks a model asks through one of these."""

    def __init__(
        self,
        model: ChatModel,
        store: ReplyStore,
        *,
        concurrency: int = 16,
        requests_per_minute: float | None = None,
        max_retries: int = 6,
    ) -> None:
        """Put a model behind the store and the limits.

        Args:
            model: The model; `prepare` it before the first request.
            store: Where replies are kept and looked up.
            concurrency: Most requests in flight.
            requests_per_minute: Most requests started in a minute; None for no limit.
            max_retries: How often a failed request is asked again. A rate limit does not use these
                up; as many cool-downs in a row, and five more, end the run.
        """
        self.model = model
        self.store = store
        self.usage = Usage()
        self._pacer = Pacer(concurrency, requests_per_minute)
        self._max_retries = max_retries
        self._lost_in_a_row = 0
        self._told_until = 0.0
        self._asking: dict[bytes, asyncio.Future[Reply]] = {}

    async def complete(self, request: Request) -> Reply:
        """The reply to a request: the stored one, or a new one that is stored before it is used.

        The same request made twice at once is asked once.

        Raises:
            ModelError: If no reply came; other requests may still succeed.
            RunError: If no other request can succeed either.
        """
        key = request_key(self.model.identity(), request)
        reply = self.store.get(key)
        if reply is not None:
            self.usage.stored += 1
            return reply
        if key in self._asking:
            return await asyncio.shield(self._asking[key])
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        # Without this, an error that nobody else waits for would be reported at exit.
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._asking[key] = answer
        try:
            reply = await self._ask(request)
            await self.store.put(key, reply)
            answer.set_result(reply)
        except BaseException as error:
            if isinstance(error, Exception):
                answer.set_exception(error)
            else:
                answer.cancel()
            raise
        finally:
            del self._asking[key]
        return reply

    async def _ask(self, request: Request) -> Reply:
        failed = 0
        while True:
            await self._pacer.start()
            succeeded = False
            try:
                reply = await self.model.complete(request)
                succeeded = True
            except ModelError as error:
                self.usage.failures[error.cause] += 1
                if error.fatal:
                    raise RunError(str(error)) from None
                problem = error
            finally:
                self._pacer.finish(succeeded=succeeded)
            if succeeded:
                self._lost_in_a_row = 0
                self.usage.asked += 1
                self.usage.prompt_tokens += reply.prompt_tokens
                self.usage.completion_tokens += reply.completion_tokens
                return reply
            if problem.cause == "rate limited":
                self._tell(self._pacer.cool_down(problem.retry_after), problem)
                if self._pacer.cooldowns_in_a_row > self._max_retries + 5:
                    raise RunError(f"the server keeps limiting the rate: {problem}")
                continue
            failed += 1
            if not problem.retry or failed > self._max_retries:
                self._lose(problem)
            wait = _back_off(failed, problem.retry_after)
            if problem.retry_after:
                self._tell(wait, problem)
            await asyncio.sleep(wait)

    def _tell(self, wait: float, problem: ModelError) -> None:
        """Say once that the run waits for so long."""
        now = asyncio.get_running_loop().time()
        if now + wait - max(now, self._told_until) >= _LONG_WAIT:
            self._told_until = now + wait
            tqdm.write(f"waiting {wait:,.0f} s: {problem}", file=sys.stderr)

    def _lose(self, problem: ModelError) -> None:
        self._lost_in_a_row += 1
        if self._lost_in_a_row >= _LOST_IN_A_ROW:
            raise RunError(
                f"{self._lost_in_a_row} requests in a row failed, the last with: {problem}"
            )
        raise problem


def _back_off(failed: int, retry_after: float | None) -> float:
    """Seconds before the next try: doubling from a half to 30, at least what was asked for."""
    wait = min(30.0, 0.25 * 2.0**failed) * random.uniform(0.75, 1.25)
    return max(wait, retry_after or 0.0)
