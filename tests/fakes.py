"""A queueable fake model, for tests of what stands above the providers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from banglahallueval.models.types import ModelError, Reply, Request, Workload


class FakeModel:
    """Answers from a queue, or from a function of the request; remembers what it was asked."""

    provider = "fake"
    thinking = False

    def __init__(
        self,
        answers: Iterable[Reply | ModelError] | Callable[[Request], Reply] = (),
        *,
        model: str = "fake-1",
        delay: float = 0.0,
    ) -> None:
        self.model = model
        self.requests: list[Request] = []
        self.most_in_flight = 0
        self.prepared: Workload | None = None
        self._in_flight = 0
        self._delay = delay
        self._function = answers if callable(answers) else None
        self._queue = [] if callable(answers) else list(answers)

    async def prepare(self, workload: Workload) -> None:
        self.prepared = workload

    def identity(self) -> Mapping[str, Any]:
        return {"provider": self.provider, "model": self.model}

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            await asyncio.sleep(self._delay)
            if self._function:
                return self._function(request)
            answer = self._queue.pop(0)
            if isinstance(answer, ModelError):
                raise answer
            return answer
        finally:
            self._in_flight -= 1

    async def close(self) -> None:
        pass

    def record(self) -> dict[str, Any]:
        return {}
