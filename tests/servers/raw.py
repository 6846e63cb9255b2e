"""A server in the test's own event loop that answers with bytes as they are given."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Raw:
    """A running server: where it is, and the heads of the requests it was sent."""

    url: str
    heads: list[str] = field(default_factory=list)


def response(body: bytes, status: int = 200, headers: str = "") -> bytes:
    """A response with these header lines besides its length."""
    head = f"HTTP/1.1 {status} Raw\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@asynccontextmanager
async def raw_server(answer: Callable[[str], bytes | Awaitable[bytes]]) -> AsyncIterator[Raw]:
    """Serve on 127.0.0.1; `answer` makes the whole response from a request's head."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                length = head.lower().partition("content-length: ")[2].partition("\r\n")[0]
                await reader.readexactly(int(length or 0))
                server.heads.append(head)
                answered = answer(head)
                writer.write(await answered if inspect.isawaitable(answered) else answered)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            writer.close()

    listening = await asyncio.start_server(handle, "127.0.0.1", 0)
    server = Raw(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}")
    try:
        yield server
    finally:
        listening.close()
