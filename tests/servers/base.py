"""The frame of a loopback server: sockets, journal, latency, faults; in a thread or a process."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.clock import GUARD
from tests.servers.answers import Answer, Answerer, Body, Failure, by_hash, hashed
from tests.servers.asked import Seen as Seen
from tests.servers.asked import prompt_of
from tests.servers.faults import Faults
from tests.servers.gate import Gate

MOST_BYTES = 64 << 20  # of a request


@dataclass(slots=True)
class Counts:
    """Totals of a server, also at GET /counts: asked, answered in full, under way, faults."""

    requests: int = 0
    completed: int = 0
    in_flight: int = 0
    faults: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Exchange:
    """A request under way; the handlers note here what the journal is to say."""

    request: web.BaseRequest
    body: Any
    fault: str | None = None


class LoopbackServer:
    """A server on 127.0.0.1: `with` serves in a thread of its own, `async with` in this loop.

    Subclasses answer in `respond`. Inside the block `url` says where it is, `requests` what it was
    asked, `counts` the totals; `answer`, `latency` and `faults` may be changed meanwhile. `hold`
    and `release` stop and start its replies; `until_held` waits until so many are held.
    """

    base_path = ""

    def __init__(
        self,
        *,
        answer: Answerer | None = None,
        latency: float = 0.0,
        jitter: float = 0.0,
        faults: Faults | Mapping[str, float] | None = None,
        api_key: str | None = None,
        journal: Path | None = None,
        keep: bool = True,
        port: int = 0,
    ) -> None:
        """Set the behaviour all servers share.

        Args:
            answer: Decides a reply from the request's body; by a hash of the prompt unless given.
            latency: Seconds before a reply.
            jitter: Up to so many seconds more, decided by a hash of the prompt.
            faults: Faults to commit, or just their rates.
            api_key: The only bearer token that is let in; None lets everyone in.
            journal: JSON-lines file to append every request to.
            keep: Whether requests are kept in memory, for `requests`.
            port: Port to listen on; 0 takes a free one.
        """
        self.answer = answer or by_hash()
        self.latency = latency
        self.jitter = jitter
        self.faults = faults if isinstance(faults, Faults) or faults is None else Faults(faults)
        self.api_key = api_key
        self.counts = Counts()
        self.gate = Gate()
        self.port = port
        self._seen: list[Seen] = []
        self._keep = keep
        self._journal = journal.open("a", encoding="utf-8", buffering=1) if journal else None
        self.started = threading.Event()
        self._stopping = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The base URL that a client is given."""
        return f"http://127.0.0.1:{self.port}{self.base_path}"

    @property
    def requests(self) -> list[Seen]:
        """Every request that ended so far, in that order."""
        if self._thread is not None and self._loop is not None and self._loop.is_running():
            # One turn of the loop: whoever has a reply in hand finds its request noted.
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self._loop).result(GUARD)
        return list(self._seen)

    def hold(self, after: int = 0) -> None:
        """Hold every reply but the next `after` ones, from now on."""
        self.gate.hold(after)

    def release(self) -> None:
        """Let everything pass, what is held included."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self.gate.release)

    def until_held(self, count: int) -> None:
        """Block this thread, which is not the server's own, until exactly `count` are held.

        Raises:
            TimeoutError: If that never comes.
        """
        assert self._loop is not None
        waiting = asyncio.run_coroutine_threadsafe(self.gate.until_held(count), self._loop)
        try:
            waiting.result(GUARD)
        except TimeoutError:
            held = self.gate.held
            raise TimeoutError(f"{held} replies are held after {GUARD} s, not {count}") from None

    async def respond(self, exchange: Exchange) -> web.StreamResponse:
        """Answer one request."""
        raise NotImplementedError

    def error(self, status: int, message: str) -> bytes:
        """The body of this server's own errors."""
        raise NotImplementedError

    def refuse(self, status: int, message: str) -> web.Response:
        """An error response."""
        body = self.error(status, message)
        return web.Response(status=status, body=body, content_type="application/json")

    def allowed(self, exchange: Exchange) -> bool:
        """Whether the request brings the right bearer token."""
        given = exchange.request.headers.get("Authorization")
        return self.api_key is None or given == f"Bearer {self.api_key}"

    async def wait(self, body: Body) -> None:
        """Stay silent for as long as the model takes, and while the reply is held."""
        if prompt_of(body):  # without one, a model is only loaded
            await self.gate.enter()
        seconds = self.latency
        if self.jitter:
            seconds += self.jitter * hashed(prompt_of(body), 1)
        if seconds:
            await asyncio.sleep(seconds)

    async def faulty(self, exchange: Exchange, reply: bytes) -> web.StreamResponse | None:
        """The response where the request meets a fault, else None: then send `reply`."""
        if self.faults is None:
            return None
        exchange.fault = self.faults.pick(prompt_of(exchange.body))
        if exchange.fault is None:
            return None
        if exchange.fault == "hang":
            await self.gate.stay()
            return None
        request = exchange.request
        return await self.faults.commit(exchange.fault, request, reply, self.error)

    def decide(self, body: Body) -> Answer | web.Response:
        """The answer to a request, or the failure scripted in its place."""
        given = self.answer(body)
        if isinstance(given, Failure):
            return web.Response(
                status=given.status,
                body=given.body.encode(),
                headers={"Content-Type": "application/json", **given.headers},
            )
        return given

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Take a request from its arrival to its line in the journal."""
        control = await self._control(request)
        if control is not None:
            return control
        counts = self.counts
        n = counts.requests
        counts.requests += 1
        counts.in_flight += 1
        exchange, status, completed = Exchange(request, None), None, False
        try:
            raw = await request.read()
            try:
                exchange.body = json.loads(raw) if raw else None
            except ValueError:
                response: web.StreamResponse = self.refuse(400, "could not parse the JSON body")
            else:
                response = await self.respond(exchange)
            status = response.status
            if request.transport is not None and not request.transport.is_closing():
                await response.prepare(request)
                await response.write_eof()
                completed = request.transport is not None and not request.transport.is_closing()
            return response
        finally:
            counts.in_flight -= 1
            counts.completed += completed
            if self._keep or self._journal:
                headers = {name.lower(): value for name, value in request.headers.items()}
                asked = (request.method, request.path_qs, headers, exchange.body)
                self._note(Seen(n, *asked, status, exchange.fault, completed))

    async def _control(self, request: web.BaseRequest) -> web.Response | None:
        """The response to a test in another process, which asks for totals or moves the gate."""
        match request.path:
            case "/counts":
                self.counts.faults = dict(self.faults.counts) if self.faults else {}
                return web.json_response(asdict(self.counts))
            case "/hold":
                self.gate.hold(int(request.query["after"]))
            case "/release":
                self.gate.release()
            case "/held":
                await self.gate.until_held(int(request.query["count"]))
            case _:
                return None
        return web.Response()

    def _request(self, *parts: Any) -> web.BaseRequest:
        """A request whose body may be as large as pictures make it."""
        made: Any = web.BaseRequest
        request: web.BaseRequest = made(*parts, self._loop, client_max_size=MOST_BYTES)
        return request

    def _note(self, seen: Seen) -> None:
        if self._keep:
            self._seen.append(seen)
        if self._journal:
            self._journal.write(json.dumps(asdict(seen), ensure_ascii=False) + "\n")

    def stop(self) -> None:
        """Ask a running server to end; may be called from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)

    async def serve(self) -> None:
        """Listen until stopped."""
        async with self:
            self.started.set()
            await self._stopping.wait()

    async def __aenter__(self) -> Self:
        """Start serving in the running loop."""
        self._loop = asyncio.get_running_loop()
        server = web.Server(
            self.handle,
            request_factory=self._request,
            handler_cancellation=True,
            access_log=None,
        )
        self._runner = web.ServerRunner(server, shutdown_timeout=0.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port, backlog=4096).start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop serving; whatever is in flight is cut off."""
        await self._runner.cleanup()
        if self._journal:
            self._journal.close()

    def __enter__(self) -> Self:
        """Start serving in a thread."""
        self._thread = threading.Thread(target=asyncio.run, args=(self.serve(),), daemon=True)
        self._thread.start()
        if not self.started.wait(GUARD):
            raise RuntimeError(f"{type(self).__name__} did not start")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop serving; whatever is in flight is cut off."""
        self.stop()
        if self._thread is not None:
            self._thread.join(GUARD)
