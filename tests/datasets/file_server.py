"""A loopback file server: byte ranges, dropped connections, announced checksums."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import unquote


@dataclass
class FileServer:
    """Serves bytes by path.

    Attributes:
        files: Path below the root, without its slash, to bytes.
        headers: Further headers of every reply.
        drops: How many replies end half-way.
        status: Sent in place of files, as long as it is not 0.
        ranges: Whether byte ranges are served.
        asked: Path and Range header of every request.
    """

    files: dict[str, bytes]
    headers: dict[str, str] = field(default_factory=dict)
    drops: int = 0
    status: int = 0
    ranges: bool = True
    asked: list[tuple[str, str]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer._answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, to: BaseHTTPRequestHandler) -> None:
        path = unquote(to.path).lstrip("/")
        wanted = to.headers.get("Range", "")
        self.asked.append((path, wanted))
        if self.status or path not in self.files:
            to.send_response(self.status or 404)
            to.send_header("Content-Length", "0")
            to.end_headers()
            return
        data = self.files[path]
        tag = f'"{len(data)}"'
        start = 0
        if self.ranges and wanted and to.headers.get("If-Range") == tag:
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
        if start >= len(data) > 0:
            to.send_response(416)
            to.send_header("Content-Range", f"bytes */{len(data)}")
            to.send_header("Content-Length", "0")
            to.end_headers()
            return
        to.send_response(206 if start else 200)
        to.send_header("Content-Length", str(len(data) - start))
        to.send_header("ETag", tag)
        if start:
            to.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        for name, value in self.headers.items():
            to.send_header(name, value)
        to.end_headers()
        body = data[start:]
        if self.drops:
            self.drops -= 1
            body = body[: len(body) // 2]
        to.wfile.write(body)
        to.close_connection = True
