"""Servers that send more than anybody can hold; each answers every request with one flood."""

from __future__ import annotations

import asyncio
import json
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import TracebackType
from typing import Self

from tests.clock import GUARD

MIB = 1 << 20
_OPENAI = '{"choices": [{"message": {"content": "yes"}, "logprobs": {"content": ['
_OLLAMA = '{"message": {"content": "yes "}, "done": false}\n'


def _zeros() -> Iterator[bytes]:
    """2 GiB of zeros in gzip: 2 MiB on the wire."""
    press = zlib.compressobj(wbits=31)
    yield press.compress(b"") + press.flush(zlib.Z_FULL_FLUSH)
    raw = zlib.compressobj(wbits=-15)
    block = raw.compress(bytes(8 * MIB)) + raw.flush(zlib.Z_FULL_FLUSH)
    for _ in range(256):
        yield block


def _repeated(text: str, start: str = "") -> Iterator[bytes]:
    """A start, then a text again and again for 256 MiB."""
    yield start.encode()
    block = (text * (MIB // len(text.encode()))).encode()
    for _ in range(256):
        yield block


def _one(text: str) -> Iterator[bytes]:
    yield text.encode()


def _content(text: str) -> str:
    return json.dumps({"choices": [{"message": {"content": text}}]}, ensure_ascii=False)


@cache
def _likely() -> str:
    """4,096 tokens with 20 alternatives each: the longest reply that a run may ask for."""
    tokens = []
    for number in range(4096):
        likely = [
            {"token": f"ভাব{n}", "logprob": -n - number / 7, "bytes": list(f"ভাব{n}".encode())}
            for n in range(20)
        ]
        tokens.append({**likely[0], "top_logprobs": likely})
    choice = {"message": {"content": "yes"}, "logprobs": {"content": tokens}}
    return json.dumps({"choices": [choice]}, ensure_ascii=False, separators=(",", ":"))


# Per kind: status, headers, body.
KINDS: dict[str, tuple[int, str, Callable[[], Iterable[bytes]]]] = {
    "endless": (200, "", lambda: _repeated(" ")),
    "endless error": (500, "", lambda: _repeated("<title>no<b ")),
    "endless redirect": (302, "Location: /v1/elsewhere\r\n", lambda: _repeated(" ")),
    "gzip bomb": (200, "Content-Encoding: gzip\r\n", _zeros),
    "gzip bomb as error": (500, "Content-Encoding: gzip\r\n", _zeros),
    "deflated twice": (200, "Content-Encoding: gzip, gzip\r\n", _zeros),
    "values": (200, "", lambda: _repeated("{},", _OPENAI)),
    "values in values": (200, "", lambda: _repeated('{"":[]},', _OPENAI)),
    "nested": (200, "", lambda: _repeated("[", _OPENAI)),
    "ten million code points": (200, "", lambda: _one(_content("😀" + "a" * 10_000_000))),
    "longest honest reply": (200, "", lambda: _one(_likely())),
    "halves of pairs": (
        200,
        "",
        lambda: _one(_content("HALF" * 1_500_000).replace("HALF", "\\ud83d")),
    ),
    "endless chunks": (200, "", lambda: _repeated(_OLLAMA)),
    "endless line": (200, "", lambda: _repeated("yes ", '{"message": {"content": "')),
}


class Flood:
    """A server on 127.0.0.1 that answers every request with the flood whose name its path ends in.

    The base address of a kind is `url(kind)`.
    """

    def __enter__(self) -> Self:
        """Start serving in a thread."""
        self._started = threading.Event()
        self._thread = threading.Thread(target=asyncio.run, args=(self._serve(),), daemon=True)
        self._thread.start()
        assert self._started.wait(GUARD)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop serving."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(GUARD)

    def url(self, kind: str) -> str:
        """The base address of a kind of flood."""
        return f"http://127.0.0.1:{self._port}/{list(KINDS).index(kind)}"

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self._port = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._stop.wait()
        server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            number = head.split(b" ")[1].split(b"/")[1]
            status, headers, body = list(KINDS.values())[int(number) if number.isdigit() else 0]
            start = f"HTTP/1.1 {status} Flood\r\nContent-Type: application/json\r\n{headers}"
            writer.write(f"{start}Connection: close\r\n\r\n".encode())
            for block in body():
                writer.write(block)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # who has read enough leaves
        finally:
            writer.close()
