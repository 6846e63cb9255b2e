"""Asking a model: the store first, then the server, with retries, limits and a count of it all."""

from __future__ import annotations

import asyncio
import math
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    wait_random_exponential,
)
from tqdm import tqdm

from banglahallueval.errors import RunError, UnusableModelError
from banglahallueval.models import open_model
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.rate_limit import RateLimiter
from banglahallueval.models.request_keys import request_key
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import Cause, ChatModel, ModelError, Reply, Request
from banglahallueval.models.usage import Usage
from banglahallueval.secrets import mask_values, secret_values

# So many requests lost in a row, with no reply between them, mean that the server is gone.
_LOST_IN_A_ROW = 20
_LONGEST_WAIT = 6 * 3600.0  # seconds that a run stands still at a server's word
_LONGEST_TEXT = 500_000  # code points; budgets end at some ten thousand tokens
_OVERLOADS_TOLD = 3
_STANDSTILL = 10.0  # seconds without a start or a reply after which a run looks dead
_GROWING_WAIT = wait_random_exponential(multiplier=1.0, min=0.25, max=30.0)


class Client:
    """Asks a model: the store first, then the server, with retries and limits, counting it all."""

    def __init__(
        self,
        model: ChatModel,
        store: ReplyStore,
        *,
        concurrency: int = 16,
        requests_per_minute: float | None = None,
        max_retries: int = 6,
        quiet: bool = False,
    ) -> None:
        """Put a model behind the store and the limits.

        Args:
            model: The model; `prepare` it before the first request.
            store: Where replies are kept and looked up.
            concurrency: Maximum number of requests in flight.
            requests_per_minute: Maximum number of requests started in a minute; None for no limit.
            max_retries: How often a failed request is asked again. A rate limit does not use these
                up; five cool-downs in a row more than that end the run.
            quiet: Whether to say nothing of failures that cost no row.
        """
        self.model = model
        self.store = store
        self.usage = Usage()
        self._rate_limit = RateLimiter(concurrency, requests_per_minute)
        self._max_retries = max_retries
        self._quiet = quiet
        self._lost_in_a_row = 0
        self._told: Counter[Cause] = Counter()
        self._still_since: float | None = None  # the first wait since the last reply
        self._told_until = -math.inf
        self._secrets = secret_values()
        self._asking: dict[bytes, asyncio.Future[Reply]] = {}

    async def complete(self, request: Request) -> Reply:
        """Return the stored reply to a request, or a new one, which is stored before it is used.

        The same request made twice at once is asked once.

        Raises:
            ModelError: If no reply came; other requests may still succeed.
            RunError: If no other request can succeed either.
        """
        key = request_key(self.model.identity(), request)
        reply = self.store.get(key)
        if reply is not None:
            self.usage.add_stored(reply)
            return reply
        if key in self._asking:
            self.usage.stored += 1
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
            cooldowns = await self._rate_limit.start()
            succeeded = False
            try:
                reply = await self._complete(request)
                succeeded = True
            except ModelError as error:
                # A traceback holds what the server sent, for as long as a retry waits.
                error.__context__ = error.with_traceback(None).__cause__ = None
                self._failed(error)
                if error.cause != "rate limited":
                    raise
                if (error.retry_after or 0) > _LONGEST_WAIT:
                    raise RunError(
                        f"the server asks to wait {error.retry_after:,.0f} s: {error}; resume later"
                    ) from None
                self._tell_wait(self._rate_limit.cool_down(error.retry_after, cooldowns), error)
                if self._rate_limit.cooldowns_in_a_row > self._max_retries + 5:
                    raise RunError(f"the server keeps limiting the rate: {error}") from None
            finally:
                self._rate_limit.finish(succeeded=succeeded)
            if succeeded:
                self._lost_in_a_row = 0
                self._still_since = None
                self.usage.add_reply(reply)
                return reply

    async def _complete(self, request: Request) -> Reply:
        reply = await self.model.complete(request)
        length = len(reply.text) + len(reply.thinking)
        if length > _LONGEST_TEXT:  # it would be held, stored, and read at every later step
            said = f"a reply of {length:,} code points, which is no model's"
            raise ModelError("broken reply", said, retry=False)
        return _masked(reply, self._secrets)

    def _failed(self, problem: ModelError) -> None:
        """Count a failed attempt, and take in what it says of the server.

        Raises:
            RunError: If no other request can succeed either.
        """
        self.usage.add_failure(problem)
        if problem.fatal:
            raise UnusableModelError(problem) from None
        if problem.overloaded:
            self._rate_limit.narrow()
            if self._told[problem.cause] < _OVERLOADS_TOLD and not self._quiet:
                self._tell(problem, f"asking {self._rate_limit.window} at a time")

    def _tell(self, problem: ModelError, what: str) -> None:
        """Show a problem at once, with what to do; the summary comes late for that."""
        self._told[problem.cause] += 1
        tqdm.write(f"{what}: {problem}", file=sys.stderr)

    def _tell_wait(self, seconds: float, problem: ModelError) -> None:
        """Show that the run waits, once it stands still for long enough to look dead."""
        now = asyncio.get_running_loop().time()
        if self._still_since is None:
            self._still_since = now
        if now + seconds - max(self._still_since, self._told_until) >= _STANDSTILL:
            self._told_until = now + seconds
            self._tell(problem, f"waiting {seconds:,.0f} s")

    def _tell_retry(self, state: RetryCallState) -> None:
        problem = _problem(state)
        if problem.retry_after:
            self._tell_wait(state.upcoming_sleep, problem)

    def _lose(self, problem: ModelError) -> None:
        """Count a request that is given up.

        Raises:
            RunError: If so many were lost in a row that the server must be gone.
        """
        if not self._told[problem.cause]:
            self._tell(problem, f"no reply ({problem.cause})")
        self._lost_in_a_row += 1
        if self._lost_in_a_row >= _LOST_IN_A_ROW:
            raise RunError(
                f"{self._lost_in_a_row} requests in a row failed, the last with: {problem}"
            ) from None


def _wait(state: RetryCallState) -> float:
    """Compute the seconds before the next attempt: growing, jittered, no less than asked for."""
    return max(_GROWING_WAIT(state), _problem(state).retry_after or 0.0)


def _problem(state: RetryCallState) -> ModelError:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, ModelError)
    return error


def _masked(reply: Reply, secrets: Sequence[str]) -> Reply:
    """Mask the keys that a server repeats in its reply."""
    spoken = "".join(token.text for token in reply.tokens)
    if not any(
        secret in text
        for secret in secrets
        for text in (reply.text, reply.thinking, reply.served, spoken)
    ):
        return reply
    return replace(
        reply,
        text=mask_values(reply.text, secrets),
        thinking=mask_values(reply.thinking, secrets),
        served=mask_values(reply.served, secrets),
        tokens=(),  # a key stands in several of them
    )


def open_client(options: ClientOptions, store: ReplyStore, *, quiet: bool = False) -> Client:
    """Put the model that the options describe behind a store.

    Args:
        options: The model, and how it is asked.
        store: Where replies are kept and looked up.
        quiet: Whether to say nothing of failures that cost no row.

    Raises:
        UsageError: If the options do not describe a model.
    """
    return Client(
        open_model(options),
        store,
        concurrency=options.concurrency,
        requests_per_minute=options.rpm_limit,
        max_retries=options.max_retries,
        quiet=quiet,
    )
