"""What a server sends is read within bounds, and whole where it is a reply."""

from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator, Callable, Sequence

import pytest

from banglahallueval.models.bodies import BodyReader
from banglahallueval.models.ollama.model import OllamaModel
from banglahallueval.models.openai.chat import OpenAIModel
from banglahallueval.models.types import Message, ModelError, Request
from tests.scripting import ROOT
from tests.servers.answers import Failure, always
from tests.servers.floods import KINDS, Flood
from tests.servers.ollama_server import OllamaServer
from tests.servers.raw import raw_server, response

ASK = Request((Message("user", "ঢাকা?"),), max_tokens=16)
COMPLETION = json.dumps({"choices": [{"message": {"content": "হ্যাঁ"}}]}).encode()

_LARGE = "broken reply: the reply of URL is larger than any reply"
_TOO_LONG = "broken reply: a reply of"
CAME = {
    "endless": _LARGE,
    "endless error": "server error: URL answered 500: no",
    "endless redirect": _LARGE,
    "gzip bomb": _LARGE,
    "gzip bomb as error": "server error: URL answered 500: \0",
    "deflated twice": "broken reply: the reply of URL is encoded as 'gzip, gzip'",
    "values": _LARGE,
    "values in values": _LARGE,
    "nested": _LARGE,
    "ten million code points": _TOO_LONG,
    "halves of pairs": _TOO_LONG,
    "longest honest reply": "yes",
    "endless chunks": _LARGE,
    "endless line": _LARGE,
}
# How many are asked for at once; these take long to make and to read.
REPLIES = {"ten million code points": 4, "halves of pairs": 4, "longest honest reply": 4}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("provider", "kinds"),
    [
        ("openai", list(KINDS)),
        ("ollama", ["gzip bomb", "values", "endless error", "endless chunks", "endless line"]),
        ("gemini", ["endless", "endless error", "gzip bomb", "deflated twice", "values", "nested"]),
    ],
)
def test_no_server_fills_the_memory(provider: str, kinds: Sequence[str]) -> None:
    """An endless body once took 790 MB in five seconds, a gzip bomb 1.4 GB."""
    if provider == "gemini":
        pytest.importorskip("google.genai")
    assert set(CAME) == set(KINDS)
    command = [sys.executable, "-m", "tests.models.asking_floods", provider]
    with Flood() as server:
        addresses = [f"{kind}={server.url(kind)}={REPLIES.get(kind, 16)}" for kind in kinds]
        done = subprocess.run(
            [*command, *addresses], cwd=ROOT, capture_output=True, text=True, check=True
        )
        came = [json.loads(line) for line in done.stdout.splitlines()]
        assert [kind for kind, _, _ in came] == list(kinds)
        for kind, outcomes, peak in came:
            expected = CAME[kind].replace("URL", server.url(kind))
            assert all(outcome.startswith(expected) for outcome in outcomes), (kind, outcomes)
            assert peak < 300, kind


@pytest.mark.parametrize(
    ("encoding", "encode"),
    [
        ("gzip", gzip.compress),
        ("GZIP", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body)[2:-4]),
        ("identity", bytes),
    ],
)
async def test_a_compressed_reply_is_read(encoding: str, encode: Callable[[bytes], bytes]) -> None:
    """What is asked for in Accept-Encoding is understood, with and without zlib's header."""
    said = response(encode(COMPLETION), headers=f"Content-Encoding: {encoding}\r\n")
    chunk = {"message": {"content": "হ্যাঁ"}, "done": True}
    streamed = response(
        encode(json.dumps(chunk).encode()), headers=f"Content-Encoding: {encoding}\r\n"
    )
    async with raw_server(lambda head: streamed if "/api/chat" in head else said) as server:
        for model in (OpenAIModel("m", base_url=server.url), OllamaModel("m", url=server.url)):
            assert (await model.complete(ASK)).text == "হ্যাঁ"
            assert "accept-encoding: gzip, deflate\r\n" in server.heads[-1].lower()
            await model.close()


@pytest.mark.parametrize("cut", [10, -9, -1])
async def test_a_compressed_body_that_breaks_off_is_no_reply(cut: int) -> None:
    """Half an answer is never taken for a whole one."""

    async def pieces() -> AsyncIterator[bytes]:
        yield gzip.compress(COMPLETION)[:cut]

    with pytest.raises(ModelError, match="broke off") as caught:
        await BodyReader("http://h").read(pieces(), "gzip")
    assert caught.value.cause == "broken reply"


async def test_a_body_that_is_not_compressed_as_it_says_is_no_reply() -> None:
    """A wrong header is a broken reply, not a traceback."""

    async def pieces() -> AsyncIterator[bytes]:
        yield COMPLETION

    with pytest.raises(ModelError, match="no valid gzip"):
        await BodyReader("http://h").read(pieces(), "gzip")


async def test_bodies_that_together_are_large_are_read_one_at_a_time() -> None:
    """Sixteen bodies, each of a size that is allowed, do not all lie in memory together."""
    held = most = 0
    reader = BodyReader("http://h")

    async def pieces() -> AsyncIterator[bytes]:
        nonlocal held, most
        for _ in range(11):
            held += 1
            most = max(most, held)
            yield bytes(1 << 20)
            await asyncio.sleep(0)

    async def read() -> None:
        nonlocal held
        body = await reader.read(pieces())
        held -= 11
        assert len(body) == 11 << 20

    await asyncio.gather(*(read() for _ in range(16)))
    assert most <= 24 + 16 + 11  # the bound, a piece each, and the one that is read on


async def test_a_long_line_of_a_streamed_reply_is_read() -> None:
    """A line over 512 KiB once ended the run in a traceback."""
    long = json.dumps({"message": {"content": "yes " * 150_000}, "done": True})
    with OllamaServer() as server:
        server.answer = always(Failure(200, long + "\n"))
        model = OllamaModel("llama3.1:8b", url=server.url)
        assert len((await model.complete(ASK)).text) == 600_000
        await model.close()
