"""Speaking to an Ollama server: streamed replies, and its failures in words that help."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import aiohttp
import regex

from banglahallueval.errors import UsageError
from banglahallueval.models.bodies import ACCEPT_ENCODING, BodyReader
from banglahallueval.models.deadlines import Deadlines
from banglahallueval.models.endpoint import clean_key, clean_url, has_password, is_loopback
from banglahallueval.models.http import (
    error_detail,
    read_json,
    redirected,
    status_error,
    transport_error,
)
from banglahallueval.models.types import ModelError
from banglahallueval.secrets import mask_values

_TOKENS_PER_TIMEOUT = 64  # a reply budget beyond this lengthens the deadline in proportion

_TOO_LONG = regex.compile(r"context (?:size|length|window)|(?:prompt|input).*too long", regex.I)
_NO_MEMORY = regex.compile(r"requires more (?:system |gpu )?memory", regex.I)


class OllamaServer:
    """One Ollama server, local or behind a proxy."""

    def __init__(self, url: str, *, api_key: str | None, timeout: float) -> None:
        """Set up; nothing is sent yet.

        Args:
            url: The address; a trailing slash, `/api` or `/v1` are taken off.
            api_key: Bearer token, for servers behind one.
            timeout: Seconds that a reply may be silent, once the server has time for it, before its
                first byte or between two. The whole of it may take as long again for each further
                64 tokens of its budget.

        Raises:
            UsageError: If the token or the address cannot be right.
        """
        self.url = clean_url(url, "--ollama-url", "/chat", "/api", "/v1")
        self.timeout = timeout
        self._deadlines = Deadlines(timeout)
        self._bodies = BodyReader(self.url)
        self._key = clean_key(api_key, "OLLAMA_API_KEY")
        if self._key and has_password(self.url):
            raise UsageError("--ollama-url has a password, and OLLAMA_API_KEY is set: take one")
        self._session: aiohttp.ClientSession | None = None

    async def chat(self, body: Mapping[str, Any], budget: int) -> list[dict[str, Any]] | None:
        """Collect the chunks of one streamed reply; None if the prompt does not fit.

        Args:
            body: What is asked.
            budget: Most tokens of the reply, which the deadline allows for.
        """
        limit = self.timeout * max(1.0, budget / _TOKENS_PER_TIMEOUT)
        line, where = b"", ""
        try:
            async with (
                self._deadlines.request() as deadline,
                self._open().post(f"{self.url}/api/chat", json=body) as response,
                asyncio.timeout(limit),  # from the first byte on: headers come with it
            ):
                where = self._where(response)
                raw = await self._body(response, deadline.begun)
                if response.status != 200:
                    text = raw.decode(errors="replace")
                    if response.status in {400, 413, 500} and _TOO_LONG.search(text):
                        return None
                    raise self._refusal(response, text, body["model"])
            chunks = []
            for line in raw.split(b"\n"):
                if line.strip():
                    chunks.append(_chunk(line))
        except (aiohttp.ClientError, TimeoutError) as error:
            raise self._unreachable(error) from None
        except (ValueError, TypeError, AttributeError):
            what = (error_detail(line.decode(errors="replace")) or "nothing") + where
            raise ModelError("broken reply", f"{self.url} sent no chat reply: {what}") from None
        if not chunks or not chunks[-1].get("done"):
            raise ModelError("broken reply", f"{self.url} ended a reply before it was done")
        return chunks

    async def fetch(
        self, path: str, body: Mapping[str, Any] | None = None, seconds: float = 30.0
    ) -> dict[str, Any]:
        """Fetch the JSON object at a path: GET without a body, POST with one."""
        method = "GET" if body is None else "POST"
        limit = aiohttp.ClientTimeout(total=seconds)
        try:
            async with self._open().request(
                method, f"{self.url}{path}", json=body, timeout=limit
            ) as response:
                raw = await self._body(response)
                text = raw.decode(errors="replace")
                if response.status != 200:
                    model = str((body or {}).get("model", ""))
                    raise self._refusal(response, text, model)
            data = read_json(raw)
            if not isinstance(data, dict):
                raise ValueError
        except (aiohttp.ClientError, TimeoutError) as error:
            raise self._unreachable(error) from None
        except ValueError:
            what = error_detail(text) or "nothing"
            raise ModelError("broken reply", f"{self.url} is no Ollama server: {what}") from None
        return data

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    async def _body(
        self, response: aiohttp.ClientResponse, on_piece: Callable[[], None] = lambda: None
    ) -> bytes:
        return await self._bodies.read(
            response.content.iter_any(),
            response.headers.get("Content-Encoding", ""),
            is_error=response.status != 200,
            on_piece=on_piece,
        )

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            authorization = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                headers={"Accept-Encoding": ACCEPT_ENCODING, **authorization},
                auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=self.timeout),
                trust_env=not is_loopback(self.url),
            )
        return self._session

    def _unreachable(self, error: BaseException) -> ModelError:
        if isinstance(error, TimeoutError):
            message = f"{self.url} was silent or not done after {self.timeout:g} s (--timeout)"
            return ModelError("timeout", message)
        failure = transport_error(error, self.url)
        if failure.cause != "connection failed":
            return failure
        advice = "start it with `ollama serve`, or check --ollama-url"
        return ModelError("connection failed", failure.said, advice=advice)

    @staticmethod
    def _where(response: aiohttp.ClientResponse) -> str:
        """Say where a response comes from, if that was not asked; else nothing."""
        return redirected(str(response.url), "/api/chat") if response.history else ""

    def _refusal(self, response: aiohttp.ClientResponse, text: str, model: str) -> ModelError:
        status = response.status
        detail = mask_values(error_detail(text), [self._key]) + self._where(response)
        if status == 404:
            said, advice = f"{self.url} is no Ollama server ({detail})", "check --ollama-url"
            if "model" in detail and "not found" in detail:
                said, advice = f"{self.url} answered: {detail}", f"run `ollama pull {model}` there"
            return ModelError("not found", said, advice=advice, retry=False, fatal=True)
        if status == 503 and "busy" in detail:  # its queue is full
            return ModelError("rate limited", f"{self.url} answered 503: {detail}")
        if _NO_MEMORY.search(detail):
            said, advice = f"{self.url}: {detail}", "choose a smaller model or a smaller --num-ctx"
            return ModelError("server error", said, advice=advice, retry=False, fatal=True)
        hint = "OLLAMA_API_KEY in .env"
        return status_error(status, detail, response.headers, self.url, key_hint=hint)


def _chunk(line: bytes) -> dict[str, Any]:
    chunk = read_json(line)
    if not isinstance(chunk, dict):
        raise ValueError
    message = chunk.get("message") or {}
    if any(not isinstance(message.get(name) or "", str) for name in ("content", "thinking")):
        raise ValueError
    if chunk.get("error"):  # the status was sent before the failure
        raise ModelError("server error", f"the server broke off its reply: {chunk['error']}")
    return chunk
