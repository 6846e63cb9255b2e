"""What runs share that ask a chat model: room to think, what it will cost, what is recorded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from banglahallueval.judges.llm import THINKING_BUDGET
from banglahallueval.models.chat import is_expected_to_think
from banglahallueval.models.client import Client
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.prices import Estimate, estimate
from banglahallueval.models.types import Reply, Request, Workload
from banglahallueval.verdicts import UNFINISHED_THINKING, no_text


async def complete(client: Client, request: Request, *, has_room: bool = True) -> Reply:
    """Ask; a model that thinks gets room for it beside the answer's budget.

    Args:
        client: Asks the model.
        request: What is asked; its budget is that of the answer.
        has_room: Whether the budget may grow: not where the user has set it.

    Raises:
        ModelError: If no reply came; other requests may still succeed.
        RunError: If no other request can succeed either.
    """
    thinks = client.model.thinking
    reply = await client.complete(_with_room(client, request, has_room=has_room))
    if has_room and not thinks and no_text(reply) == UNFINISHED_THINKING:
        # Its name did not tell that it thinks: from now on it has room for that.
        client.model.thinking = True
        reply = await client.complete(_with_room(client, request, has_room=True))
    return reply


def _with_room(client: Client, request: Request, *, has_room: bool) -> Request:
    room = THINKING_BUDGET if has_room and client.model.thinking else 0
    return replace(request, max_tokens=request.max_tokens + room)


def estimated(
    client: ClientOptions, requests: int, characters: int, budget: int, picture_tokens: int = 0
) -> Estimate:
    """Estimate tokens and cost.

    Args:
        client: The model, and how it is asked.
        requests: How many requests.
        characters: Code points of all prompts.
        budget: Tokens of a reply, thinking not counted.
        picture_tokens: Tokens of the pictures of all prompts.
    """
    thinking = THINKING_BUDGET if is_expected_to_think(client) else 0
    return estimate(
        client.provider,
        client.model,
        requests=requests,
        characters=characters,
        reply_tokens=requests * (budget + thinking),
        picture_tokens=picture_tokens,
    )


def workload(requests: int, longest: int, budget: int, pictures: int = 0) -> Workload:
    """Describe a run to its model.

    Args:
        requests: How many requests.
        longest: Code points of the longest prompt.
        budget: Tokens of a reply, thinking not counted.
        pictures: Most pictures in a prompt.
    """
    return Workload(requests, longest, budget, budget + THINKING_BUDGET, pictures)


@asynccontextmanager
async def loaded(workloads: Mapping[Client, Workload]) -> AsyncIterator[None]:
    """Prepare models for what each has to do, and close them all in the end.

    Raises:
        RunError: If one cannot be used.
    """
    try:
        for client, to_do in workloads.items():
            await client.model.prepare(to_do)
        yield
    finally:
        for client in workloads:
            await client.model.close()


def model_record(client: Client) -> dict[str, Any]:
    """Describe a model for the run record, while it is loaded."""
    model = client.model
    return {"provider": model.provider, "name": model.model, **model.record()}
