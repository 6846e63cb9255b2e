"""A loopback MediaWiki: pages by number, as the API of Wikipedia gives them."""

from __future__ import annotations

import contextlib
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from tests.clock import GUARD


@dataclass
class WikiServer:
    """Serves pages.

    Attributes:
        texts: The articles by number.
        others: Pages that are no articles, by number: `redirect` or a namespace.
        failures: Statuses to answer with before anything else, each once.
        body: Sent in place of every answer, where it is not empty.
        hold_after: Number of requests after which answers are held; None for none.
        asked: The query of every request.
        agents: The User-Agent of every request.
    """

    texts: dict[int, str]
    others: dict[int, str | int] = field(default_factory=dict)
    failures: list[int] = field(default_factory=list)
    body: str = ""
    hold_after: int | None = None
    asked: list[dict[str, str]] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    _held: threading.Event = field(default_factory=threading.Event)
    _released: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/{{language}}/w/api.php"

    def until_held(self) -> None:
        """Block until an answer is held."""
        assert self._held.wait(GUARD)

    def release(self) -> None:
        """Let everything pass."""
        self.hold_after = None
        self._released.set()

    def __enter__(self) -> Self:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                query = {k: v[0] for k, v in parse_qs(urlsplit(self.path).query).items()}
                outer.asked.append(query)
                outer.agents.add(self.headers["User-Agent"])
                if outer.hold_after is not None and len(outer.asked) > outer.hold_after:
                    outer._held.set()
                    outer._released.wait(GUARD)
                status = outer.failures.pop(0) if outer.failures else 200
                text = outer.body or json.dumps(outer._answer(query))
                data = text.encode() if status == 200 else b""
                with contextlib.suppress(ConnectionError):  # who asked was killed
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(data)))
                    self.send_header("Retry-After", "0")
                    self.end_headers()
                    self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, query: dict[str, str]) -> dict[str, Any]:
        if query.get("list") == "recentchanges":
            newest = max([*self.texts, *self.others])
            return {"query": {"recentchanges": [{"pageid": newest}]}}
        pages = [self._page(int(number), query) for number in query["pageids"].split("|")]
        return {"batchcomplete": True, "query": {"pages": pages}}

    def _page(self, number: int, query: dict[str, str]) -> dict[str, Any]:
        if number not in self.texts and number not in self.others:
            return {"pageid": number, "missing": True}
        other = self.others.get(number, 0)
        page: dict[str, Any] = {
            "pageid": number,
            "ns": other if isinstance(other, int) else 0,
            "title": f"পাতা {number}",
        }
        if other == "redirect":
            page["redirect"] = True
        if "extracts" in query["prop"]:
            page |= {"extract": self.texts[number], "fullurl": f"https://wiki.example/{number}"}
        return page
