"""Asking a model: the store first, then the server, with retries, pacing and a count of it all."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    wait_random_exponential,
)
from tqdm import tqdm

from banglahallueval.errors import RunError
from banglahallueval.models import open_model
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.prices import cost
from banglahallueval.models.rate_limit import RateLimiter
from banglahallueval.models.store import ReplyStore, request_key
from banglahallueval.models.types import ChatModel, ModelError, Reply, Request

# So many rows lost one after the other, with no reply between them, mean that the server is gone.
_LOST_IN_A_ROW = 20
_GROWING_WAIT = wait_random_exponential(multiplier=1.0, min=0.25, max=30.0)
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
        self._rate_limit = RateLimiter(concurrency, requests_per_minute)
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
        try:
            return await self._attempt(request)
        except ModelError as error:
            return await self._ask_again(request, error)

    async def _ask_again(self, request: Request, error: ModelError) -> Reply:
        """Retry a request whose first attempt failed."""
        first: ModelError | None = error

        async def attempt() -> Reply:
            nonlocal first
            if first is not None:  # the attempt that is already behind us
                failed, first = first, None
                raise failed
            return await self._attempt(request)

        # Building this takes as long as a whole request does otherwise, so only failures pay it.
        retrying = AsyncRetrying(
            retry=retry_if_exception(lambda e: isinstance(e, ModelError) and e.retry),
            stop=stop_after_attempt(self._max_retries + 1),
            wait=_wait,
            before_sleep=self._tell_retry,
            sleep=asyncio.sleep,
            reraise=True,
        )
        try:
            return await retrying(attempt)
        except ModelError as last:
            self._lose(last)
            raise

    async def _attempt(self, request: Request) -> Reply:
        """Ask once; a rate limit is waited out and is no failed attempt.

        Raises:
            ModelError: If no reply came.
            RunError: If no other request can succeed either.
        """
        while True:
            await self._rate_limit.start()
            succeeded = False
            try:
                reply = await self.model.complete(request)
                succeeded = True
            except ModelError as error:
                self.usage.failures[error.cause] += 1
                if error.fatal:
                    raise RunError(str(error)) from None
                if error.cause != "rate limited":
                    raise
                problem = error
            finally:
                self._rate_limit.finish(succeeded=succeeded)
            if succeeded:
                self._lost_in_a_row = 0
                self.usage.asked += 1
                self.usage.prompt_tokens += reply.prompt_tokens
                self.usage.completion_tokens += reply.completion_tokens
                return reply
            self._tell(self._rate_limit.cool_down(problem.retry_after), problem)
            if self._rate_limit.cooldowns_in_a_row > self._max_retries + 5:
                raise RunError(f"the server keeps limiting the rate: {problem}")

    def _tell_retry(self, state: RetryCallState) -> None:
        problem = _problem(state)
        if problem.retry_after:
            self._tell(state.upcoming_sleep, problem)

    def _tell(self, wait: float, problem: ModelError) -> None:
        """Say once that the run waits for so long."""
        now = time.monotonic()
        if now + wait - max(now, self._told_until) >= _LONG_WAIT:
            self._told_until = now + wait
            tqdm.write(f"waiting {wait:,.0f} s: {problem}", file=sys.stderr)

    def _lose(self, problem: ModelError) -> None:
        """Count a request that is given up.

        Raises:
            RunError: If so many were lost in a row that the server must be gone.
        """
        self._lost_in_a_row += 1
        if self._lost_in_a_row >= _LOST_IN_A_ROW:
            raise RunError(
                f"{self._lost_in_a_row} requests in a row failed, the last with: {problem}"
            ) from None


def _wait(state: RetryCallState) -> float:
    """Seconds before the next attempt: growing, jittered, at least what the server asked for."""
    return max(_GROWING_WAIT(state), _problem(state).retry_after or 0.0)


def _problem(state: RetryCallState) -> ModelError:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, ModelError)
    return error


def open_client(options: ClientOptions, store: ReplyStore) -> Client:
    """Put the model that the options describe behind a store.

    Raises:
        UsageError: If the options do not describe a model.
    """
    return Client(
        open_model(options),
        store,
        concurrency=options.concurrency,
        requests_per_minute=options.rpm_limit,
        max_retries=options.max_retries,
    )


def usage_record(client: Client | None) -> dict[str, Any]:
    """What a run asked for and got, for its record; empty where no model was asked."""
    if client is None:
        return {}
    model, usage = client.model, client.usage
    return {
        "asked": usage.asked,
        "from_store": usage.stored,
        "failed_attempts": dict(usage.failures.most_common()),
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost_usd": cost(model.provider, model.model, usage.prompt_tokens, usage.completion_tokens),
    }
