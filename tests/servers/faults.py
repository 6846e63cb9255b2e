"""Faults that a loopback server commits: which, when, and over the wire."""

from __future__ import annotations

import json
import math
import random
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate

from aiohttp import web

ErrorBody = Callable[[int, str], bytes]

ERRORS = {
    "429": (429, "Rate limit reached for requests."),
    "429_seconds": (429, "Rate limit reached for requests."),
    "429_date": (429, "Rate limit reached for requests."),
    "429_fraction": (429, "Rate limit reached for requests."),
    "429_zero": (429, "Rate limit reached for requests."),
    "429_past": (429, "Rate limit reached for requests."),
    "500": (500, "The server had an error while processing your request."),
    "503": (503, "The server is overloaded, please try again later."),
}
PAGES = {
    "502": (502, "502 Bad Gateway"),
    "524": (524, "524: A timeout occurred"),
    "html": (200, "Checking your browser before you continue"),
}
BREAKS = (
    "reset",  # before a byte of the reply
    "reset_midway",  # after the headers and half the body
    "short_body",  # closed before the promised length
    "cut_chunks",  # closed before the last chunk
    "empty",  # 200 and nothing
    "bad_json",  # 200, whole, and no JSON
    "hang",  # the right reply, held until released
)
STREAM_BREAKS = (
    "stream_error",  # an error object in the middle of a stream
    "no_done",  # a stream that ends without its last object
)
KINDS = (*ERRORS, *PAGES, *BREAKS)


@dataclass(slots=True)
class Faults:
    """Seeded faults; the same prompt meets the same ones in every run, whatever the order.

    Attributes:
        rates: Probability per request of each kind (`KINDS`, for Ollama `STREAM_BREAKS` too).
        seed: Seed of the draw.
        most: Faults that one prompt meets at most, so that a run can end right; None: no limit.
        retry_after: Seconds of the Retry-After header, rounded up where its form is whole.
        counts: How often each kind was committed.
    """

    rates: Mapping[str, float]
    seed: int = 0
    most: int | None = 2
    retry_after: float = 0.2
    counts: Counter[str] = field(default_factory=Counter)
    _asked: Counter[str] = field(default_factory=Counter)
    _met: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Refuse kinds that no server knows."""
        unknown = set(self.rates) - {*KINDS, *STREAM_BREAKS}
        if unknown:
            raise ValueError(f"unknown faults: {', '.join(sorted(unknown))}")

    def pick(self, prompt: str) -> str | None:
        """The fault of this request, if it gets one; counts it."""
        attempt = self._asked[prompt]
        self._asked[prompt] += 1
        if self.most is not None and self._met[prompt] >= self.most:
            return None
        draw = random.Random(f"{self.seed}|{attempt}|{prompt}").random()
        for kind, rate in self.rates.items():
            if draw < rate:
                self._met[prompt] += 1
                self.counts[kind] += 1
                return kind
            draw -= rate
        return None

    async def commit(
        self, kind: str, request: web.BaseRequest, reply: bytes, error: ErrorBody
    ) -> web.StreamResponse:
        """Answer a request with a fault.

        Args:
            kind: The fault; any but a hang, which answers nothing.
            request: The request it meets.
            reply: The right reply's body, of which some faults send half.
            error: Builds the body of a server's own error from status and message.
        """
        if kind in ERRORS:
            status, message = ERRORS[kind]
            headers = {"Content-Type": "application/json", **self._retry_after(kind)}
            return web.Response(status=status, body=error(status, message), headers=headers)
        if kind in PAGES:
            status, title = PAGES[kind]
            return page(status, title)
        match kind:
            case "empty":
                return web.Response(body=b"", content_type="application/json")
            case "bad_json":
                return web.Response(body=b'{"choices": [oops', content_type="application/json")
            case "stream_error":
                lines = reply.splitlines(keepends=True)
                broken = json.dumps({"error": "an error was encountered while running the model"})
                body = b"".join(lines[: len(lines) // 2]) + broken.encode() + b"\n"
                return web.Response(body=body, content_type="application/x-ndjson")
            case "no_done":
                body = b"".join(reply.splitlines(keepends=True)[:-1])
                return web.Response(body=body, content_type="application/x-ndjson")
            case "reset":
                reset(request)
                return web.Response()
        return await _half(kind, request, reply)

    def _retry_after(self, kind: str) -> dict[str, str]:
        match kind:
            case "429_seconds":
                return {"Retry-After": str(math.ceil(self.retry_after))}
            case "429_zero":
                return {"Retry-After": "0"}
            case "429_past":
                return {"Retry-After": formatdate(time.time() - 3600, usegmt=True)}
            case "429_fraction":
                return {"Retry-After": str(self.retry_after)}
            case "429_date":
                when = math.ceil(time.time() + self.retry_after)
                return {"Retry-After": formatdate(when, usegmt=True)}
        return {}


def page(status: int, title: str) -> web.Response:
    """A proxy's HTML page."""
    html = f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{title}</body></html>"
    reason = title if status >= 500 else None
    response = web.Response(status=status, text=html, content_type="text/html", reason=reason)
    response.headers["Server"] = "cloudflare"
    return response


def reset(request: web.BaseRequest) -> None:
    """Reset the connection, as a crashed server or a middlebox does."""
    transport = request.transport
    if transport is not None:
        linger = struct.pack("ii", 1, 0)  # on, no time: close sends RST instead of FIN
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        transport.abort()


async def _half(kind: str, request: web.BaseRequest, reply: bytes) -> web.StreamResponse:
    """Send half a reply, then close or reset the connection."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    if kind == "cut_chunks":
        response.enable_chunked_encoding()
    else:
        response.content_length = len(reply)
    await response.prepare(request)
    await response.write(reply[: len(reply) // 2])
    if kind == "reset_midway":
        reset(request)
    elif request.transport is not None:
        request.transport.close()
    return response
