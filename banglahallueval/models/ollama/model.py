"""Ollama's native chat API, on this machine or on a rented one behind a proxy.

Not its OpenAI-compatible route: that one takes no context length and cuts long prompts silently.
Replies are always streamed, since proxies close a connection on which nothing moves for 100 s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import regex

from banglahallueval.errors import RunError, UsageError
from banglahallueval.models import pictures
from banglahallueval.models.chat import (
    TOP_TOKENS,
    finish_of,
    read_tokens,
    reply_budget,
    reply_schema,
    thinks_by_name,
)
from banglahallueval.models.http import as_count
from banglahallueval.models.ollama.context import (
    fitting_budget,
    is_cut,
    needed_context,
)
from banglahallueval.models.ollama.server import OllamaServer
from banglahallueval.models.ollama.shown import listed_digest, most_context, sees_pictures
from banglahallueval.models.options import OLLAMA_URL
from banglahallueval.models.types import Message, ModelError, Reply, Request, Token, Workload

KEEP_ALIVE = "30m"  # between two rows of a run the model must never be unloaded

_NO_THINKING = regex.compile(r"does not support thinking", regex.I)

_LOAD_SECONDS = 600.0  # a large model from a slow disk
_LOAD_ATTEMPTS = 3


class OllamaModel:
    """A model that Ollama serves; implements `models.types.ChatModel`."""

    provider = "ollama"

    def __init__(
        self,
        model: str,
        *,
        url: str = OLLAMA_URL,
        api_key: str | None = None,
        num_ctx: int | None = None,
        timeout: float = 120.0,
    ) -> None:
        """Set up; nothing is sent yet.

        Args:
            model: The model's name with its tag; `latest` where it has none.
            url: The server; a trailing slash, `/api` or `/v1` are taken off.
            api_key: Bearer token, for servers behind one.
            num_ctx: Tokens of context; None chooses what the longest prompt needs, at most what
                the model supports.
            timeout: Seconds that a reply may be silent, before its first byte or between two. The
                whole of it may take as long again for each further 64 tokens of its budget.

        Raises:
            UsageError: If the token or the address cannot be right.
        """
        self.model = model
        self.thinking = thinks_by_name(model)
        self.num_ctx = num_ctx
        self._given_num_ctx = num_ctx
        self._server = OllamaServer(url, api_key=api_key, timeout=timeout)
        self._think_field = False
        self._logprobs = True
        self._digest = ""
        self._version = ""
        self._pictures = 0
        self._is_blind = False

    async def prepare(self, workload: Workload) -> None:
        """Look the model up, fix the context length for the whole run, and load the model.

        Raises:
            UsageError: If more context is asked for than the model supports, or it is to be sent
                pictures and takes none.
            RunError: If the server or the model is not there; with the command that helps.
        """
        try:
            shown = await self._server.fetch("/api/show", {"model": self.model})
            tags = await self._server.fetch("/api/tags")
            self._version = await self._served_version()
            self._digest = listed_digest(tags, self.model)
            capabilities = shown.get("capabilities") or ()
            if capabilities and "completion" not in capabilities:
                raise RunError(f"{self.model} is no chat model: it offers {capabilities}")
            self._is_blind = not sees_pictures(shown)
            if workload.pictures and self._is_blind:
                raise UsageError(f"--model {self.model}: {self._blind()}")
            self._pictures = workload.pictures
            self._think_field = "thinking" in capabilities
            self.thinking = self.thinking or self._think_field
            self.num_ctx = self._context(workload, most_context(shown))
            await self._load()
        except ModelError as error:
            raise RunError(str(error)) from None
        except (AttributeError, TypeError):
            raise RunError(
                f"{self._server.url} is no Ollama server: it describes {self.model} in a shape of "
                "its own; check --ollama-url"
            ) from None

    def identity(self) -> Mapping[str, Any]:
        """Identify provider, model, digest and a context length that was asked for.

        Not the address: the same digest gives the same model on another machine, and a rented
        one changes its address with each start.
        """
        return {
            "provider": self.provider,
            "model": self.model,
            "digest": self._digest,
            "num_ctx": self._given_num_ctx,
        }

    async def _served_version(self) -> str:
        """Ask for the server's version; empty where it does not say, as some proxies do not."""
        try:
            return str((await self._server.fetch("/api/version")).get("version") or "")
        except ModelError as error:
            if error.cause not in ("not found", "request refused", "broken reply"):
                raise
            return ""

    async def complete(self, request: Request) -> Reply:
        """Ask once; what the server refuses is left out, and the request asked again.

        Raises:
            ModelError: If no reply came.
        """
        seen = pictures.count(request.messages)
        if seen and self._is_blind:
            raise self._blind()
        while True:
            body = self._body(request)
            try:
                chunks = await self._server.chat(body, reply_budget(request))
                break
            except ModelError as error:
                if seen and pictures.are_refused(error.said):
                    raise pictures.refusal(self._server.url, self.model, error.said) from None
                if not self._learns(body, str(error)):
                    raise
        if chunks is None:
            return Reply("", finish="context truncated")
        return self._reply(request, chunks)

    def _learns(self, body: Mapping[str, Any], message: str) -> bool:
        """Learn from a refusal; says whether the request can be asked again in another way."""
        if "think" in body and _NO_THINKING.search(message):
            self._think_field = False
        elif "logprobs" in body and "logprobs" in message.lower():
            self._logprobs = False
        else:
            return False
        return True

    def _reply(self, request: Request, chunks: Sequence[Mapping[str, Any]]) -> Reply:
        last = chunks[-1]
        if last.get("done_reason") in ("load", "unload"):
            raise ModelError("broken reply", f"{self._server.url} loaded the model, not a reply")
        messages = [chunk.get("message") or {} for chunk in chunks]
        prompt_tokens = as_count(last.get("prompt_eval_count"))
        completion_tokens = as_count(last.get("eval_count"))
        finish = finish_of(str(last.get("done_reason") or ""))
        if is_cut(request, self.num_ctx, prompt_tokens, completion_tokens):
            finish = "context truncated"
        return Reply(
            text="".join(message.get("content") or "" for message in messages),
            finish=finish,
            tokens=_tokens(chunks),
            thinking="".join(message.get("thinking") or "" for message in messages),
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            served=f"{last.get('model') or self.model} {self._digest[:12]}".strip(),
        )

    async def close(self) -> None:
        """Close the connections; the model stays loaded for the next run."""
        await self._server.close()

    def record(self) -> dict[str, Any]:
        """Record the server, the model's digest and the options of every request."""
        return {
            "url": self._server.url,
            "version": self._version,
            "digest": self._digest,
            "num_ctx": self.num_ctx,
            "keep_alive": KEEP_ALIVE,
            "think": self._think_field,
            **({"context_for_each_picture": pictures.MOST_TOKENS} if self._pictures else {}),
        }

    def _blind(self) -> ModelError:
        return pictures.refusal(
            self._server.url, self.model, "it lists no vision, and may drop pictures silently"
        )

    def _context(self, workload: Workload, most: int | None) -> int:
        if self._given_num_ctx is not None:
            if most is not None and self._given_num_ctx > most:
                raise UsageError(
                    f"--num-ctx {self._given_num_ctx}: {self.model} supports {most} at most"
                )
            return self._given_num_ctx
        return needed_context(workload, thinking=self.thinking, most=most)

    async def _load(self) -> None:
        """Load the model before the first row, which would lose its time to it otherwise."""
        body = {
            "model": self.model,
            "messages": [],
            "stream": False,
            "keep_alive": KEEP_ALIVE,
            "options": {"num_ctx": self.num_ctx},
        }
        for attempt in range(1, _LOAD_ATTEMPTS + 1):
            try:
                await self._server.fetch(
                    "/api/chat", body, max(self._server.timeout, _LOAD_SECONDS)
                )
            except ModelError as error:
                # What one attempt has read from the disk, the next finds in memory.
                if error.cause != "proxy timeout" or attempt == _LOAD_ATTEMPTS:
                    raise
            else:
                return

    def _body(self, request: Request) -> dict[str, Any]:
        options: dict[str, Any] = {
            "temperature": request.temperature,
            "num_predict": fitting_budget(request, self.num_ctx),
        }
        if self.num_ctx is not None:
            options["num_ctx"] = self.num_ctx
        if request.seed is not None:
            options["seed"] = request.seed
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [_message(message) for message in request.messages],
            "stream": True,
            "keep_alive": KEEP_ALIVE,
            "options": options,
            # Newer servers then refuse a prompt that does not fit; older ones ignore these.
            "truncate": False,
            "shift": False,
        }
        if self._think_field:
            body["think"] = True
        schema = reply_schema(request)
        if schema is not None and not self.thinking:  # a format would hold for the thinking too
            body["format"] = schema
        if request.probabilities and self._logprobs:
            body |= {"logprobs": True, "top_logprobs": TOP_TOKENS}
        return body


def _tokens(chunks: Sequence[Mapping[str, Any]]) -> tuple[Token, ...]:
    """Read the answer's tokens; those of separately delivered thinking are left out."""
    tokens: list[Token] = []
    for chunk in chunks:
        message = chunk.get("message") or {}
        if message.get("content") or not message.get("thinking"):
            tokens += read_tokens(chunk.get("logprobs"))
    return tuple(tokens)


def _message(message: Message) -> dict[str, Any]:
    """Write a message; its pictures stand beside its text, which names no place for them."""
    written: dict[str, Any] = {"role": message.role, "content": message.words}
    if message.pictures:
        written["images"] = [pictures.base64_of(part) for part in message.pictures]
    return written
