"""A server that takes few requests at a time answers them all, however many a run would send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from banglahallueval.models.client import Client
from banglahallueval.models.ollama.model import OllamaModel
from banglahallueval.models.openai.chat import OpenAIModel
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import ChatModel, Message, Reply, Request
from tests.clock import StoppedClock, stopped_clock
from tests.servers.raw import raw_server, response

LOOP = StoppedClock

CHOICE = {"message": {"content": "no"}}
REPLY = json.dumps({"choices": [CHOICE], "done": True, **CHOICE}).encode()  # as either API has it


class Slots:
    """Answers two requests at a time, each in 15 seconds; a proxy may give up before.

    Attributes:
        held: Number of requests that wait or are being answered.
        seen: What `held` was with each request that came.
    """

    def __init__(self, patience: float | None = None) -> None:
        self.held = 0
        self.seen: list[int] = []
        self._free = asyncio.Semaphore(2)
        self._patience = patience

    async def answer(self, head: str) -> bytes:
        self.held += 1
        self.seen.append(self.held)
        try:
            async with asyncio.timeout(self._patience), self._free:
                await asyncio.sleep(15)
            return response(REPLY)
        except TimeoutError:
            return response(b"<title>524: A timeout occurred</title>", 524)
        finally:
            self.held -= 1


async def ask_all(client: Client, count: int, slots: Slots | None = None) -> Sequence[Reply]:
    """Ask so often; time passes only while every request in flight has reached the server."""
    requests = [Request((Message("user", str(n)),), max_tokens=16) for n in range(count)]
    asking = asyncio.gather(*map(client.complete, requests))
    while not asking.done():
        while client._rate_limit._in_flight != (slots.held if slots else 0) and not asking.done():
            await asyncio.sleep(0)
        await stopped_clock().advance(0.25)
    await client.model.close()
    return await asking


@pytest.mark.parametrize("provider", ["openai", "ollama"])
async def test_two_slots_serve_sixteen_in_flight(tmp_path: Path, provider: str) -> None:
    """The default concurrency once lost 68 requests to time-outs and got 2 rows in 150 seconds."""
    slots = Slots()
    async with raw_server(slots.answer) as server:
        model: ChatModel = (
            OpenAIModel("m", base_url=server.url, timeout=30)
            if provider == "openai"
            else OllamaModel("m", url=server.url, timeout=30)
        )
        client = Client(model, ReplyStore(tmp_path / "s.sqlite"), concurrency=16)
        replies = await ask_all(client, 32, slots)
    assert [reply.text for reply in replies] == ["no"] * 32
    assert client.usage.failures == {}
    assert max(slots.seen) == 16


async def test_a_proxy_that_gives_up_is_sent_less_at_once(tmp_path: Path) -> None:
    """The window narrows until the server keeps up with what waits for it."""
    slots = Slots(patience=60)
    async with raw_server(slots.answer) as server:
        model = OpenAIModel("m", base_url=server.url, timeout=600)
        client = Client(model, ReplyStore(tmp_path / "s.sqlite"), concurrency=16)
        replies = await ask_all(client, 64, slots)
    assert [reply.text for reply in replies] == ["no"] * 64
    assert slots.seen[15] == 16
    assert max(slots.seen[32:]) < 14


@pytest.mark.parametrize("wait", ["", "0", "-1", "Wed, 21 Oct 2015 07:28:00 GMT", "0.01"])
async def test_a_limit_that_names_no_time_is_waited_out(tmp_path: Path, wait: str) -> None:
    """Retry-After: 0, or a date in the past, once ended whole runs after 13 requests."""
    clock = stopped_clock()
    header = f"Retry-After: {wait}\r\n" if wait else ""
    limited = 0

    def answer(head: str) -> bytes:
        nonlocal limited
        if clock.time() < 60:
            limited += 1
            return response(b"slow down", 429, header)
        return response(REPLY)

    async with raw_server(answer) as server:
        model = OpenAIModel("m", base_url=server.url)
        client = Client(model, ReplyStore(tmp_path / "s.sqlite"), concurrency=16, max_retries=1)
        replies = await ask_all(client, 48)
    assert [reply.text for reply in replies] == ["no"] * 48
    assert limited == client.usage.failures["rate limited"].count
    assert limited <= 16 + 8 + 4 + 2 + 4  # ever fewer at once, and ever less often
