"""A server that works on few requests at a time answers them all, however many are in flight."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from banglahallueval.models.client import Client
from banglahallueval.models.ollama.model import OllamaModel
from banglahallueval.models.openai.chat import OpenAIModel
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import ChatModel, Message, Request
from tests.clock import StoppedClock, stopped_clock
from tests.servers.raw import raw_server, response

LOOP = StoppedClock

CHOICE = {"message": {"content": "no"}}
REPLY = json.dumps({"choices": [CHOICE], "done": True, **CHOICE}).encode()  # as either API has it


@pytest.mark.parametrize("provider", ["openai", "ollama"])
async def test_two_slots_serve_sixteen_in_flight(tmp_path: Path, provider: str) -> None:
    """The default concurrency once lost 68 requests to time-outs and got 2 rows in 150 seconds."""
    slots = asyncio.Semaphore(2)

    async def answer(head: str) -> bytes:
        async with slots:
            await asyncio.sleep(15)
        return response(REPLY)

    async with raw_server(answer) as server:
        model: ChatModel = (
            OpenAIModel("m", base_url=server.url, timeout=30)
            if provider == "openai"
            else OllamaModel("m", url=server.url, timeout=30)
        )
        client = Client(model, ReplyStore(tmp_path / "s.sqlite"), concurrency=16)
        requests = [Request((Message("user", str(n)),), max_tokens=16) for n in range(32)]
        asking = asyncio.gather(*map(client.complete, requests))
        await stopped_clock().advance_until(asking.done, 1)
        assert [reply.text for reply in await asking] == ["no"] * 32
        await model.close()
    assert client.usage.failures == {}


async def test_a_server_that_gives_up_is_asked_less_at_once(tmp_path: Path) -> None:
    """A proxy that cuts waiting requests off narrows the window until the server keeps up."""
    waiting = 0
    slots = asyncio.Semaphore(2)
    counts: list[int] = []

    async def answer(head: str) -> bytes:
        nonlocal waiting
        waiting += 1
        counts.append(waiting)
        try:
            async with asyncio.timeout(60), slots:
                await asyncio.sleep(15)
            return response(REPLY)
        except TimeoutError:
            return response(b"<title>524: A timeout occurred</title>", 524)
        finally:
            waiting -= 1

    async with raw_server(answer) as server:
        model = OpenAIModel("m", base_url=server.url, timeout=600)
        client = Client(model, ReplyStore(tmp_path / "s.sqlite"), concurrency=16)
        requests = [Request((Message("user", str(n)),), max_tokens=16) for n in range(64)]
        asking = asyncio.gather(*map(client.complete, requests))
        await stopped_clock().advance_until(asking.done, 1)
        assert [reply.text for reply in await asking] == ["no"] * 64
        await model.close()
    assert counts[15] == 16
    assert max(counts[32:]) < 14
