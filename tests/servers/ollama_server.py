"""A server that speaks Ollama's native API, for tests: tags, show, version and chat.

python -m tests.servers.ollama_server --port 11434 --models llama3.1:8b deepseek-r1:14b+thinking
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from aiohttp import web

from tests.servers import ollama_models, process
from tests.servers.answers import Answer, Body, Piece, constrained, pieces, prompt_of
from tests.servers.asked import pictures_of
from tests.servers.base import Exchange, LoopbackServer
from tests.servers.faults import page, reset
from tests.servers.ollama_models import Model

DEFAULT_CONTEXT = 4096
PICTURE_TOKENS = 576
NDJSON = "application/x-ndjson"


class OllamaServer(LoopbackServer):
    """A native Ollama server."""

    def __init__(
        self,
        *,
        models: Iterable[Model | str] = ("llama3.1:8b",),
        logprobs: bool = True,
        overflow: Literal["half", "full", "error"] = "half",
        pause: float = 0.0,
        proxy_timeout: float | None = None,
        version: str = "0.33.2",
        **options: Any,
    ) -> None:
        """Set the behaviour.

        Args:
            models: Pulled models; a bare name has the defaults of `Model`.
            logprobs: Whether log probabilities are known; older servers ignore the request.
            overflow: What becomes of a prompt longer than the context: cut to half the context
                and 2 tokens (newer servers), to the context (older ones), or refused.
            pause: Seconds between streamed chunks.
            proxy_timeout: Seconds of silence after which a proxy in front answers 524, or resets
                a connection on which bytes have flowed; None: no proxy.
            version: What /api/version says.
            options: Those of `LoopbackServer`.
        """
        super().__init__(**options)
        listed = [Model(model) if isinstance(model, str) else model for model in models]
        self.models = {model.name: model for model in listed}
        self.logprobs = logprobs
        self.overflow = overflow
        self.pause = pause
        self.proxy_timeout = proxy_timeout
        self.version = version

    def error(self, status: int, message: str) -> bytes:
        """An error in Ollama's shape."""
        return json.dumps({"error": message}).encode()

    async def respond(self, exchange: Exchange) -> web.StreamResponse:
        """Route a request."""
        if not self.allowed(exchange):
            return self.refuse(401, "unauthorized")
        body: Body = exchange.body or {}
        match exchange.request.method, exchange.request.path:
            case "GET" | "HEAD", "/":
                return web.Response(text="Ollama is running")
            case "GET", "/api/version":
                return web.json_response({"version": self.version})
            case "GET", "/api/tags":
                return web.json_response({"models": [self._tag(m) for m in self.models.values()]})
            case "POST", "/api/show":
                model = self._find(body)
                return web.json_response(model.shown()) if model else self._missing(body)
            case "POST", "/api/chat":
                model = self._find(body)
                return await self._chat(exchange, model) if model else self._missing(body)
        return web.Response(status=404, text="404 page not found")

    def _find(self, body: Body) -> Model | None:
        name = str(body.get("model", ""))
        return self.models.get(name if ":" in name else f"{name}:latest")

    def _missing(self, body: Body) -> web.Response:
        return self.refuse(404, f"model '{body.get('model')}' not found")

    @staticmethod
    def _tag(model: Model) -> dict[str, Any]:
        return {
            "name": model.name,
            "model": model.name,
            "modified_at": "2026-01-01T00:00:00Z",
            "size": 4_900_000_000,
            "digest": model.digest,
            "details": model.details,
        }

    async def _chat(self, exchange: Exchange, model: Model) -> web.StreamResponse:
        body: Body = exchange.body
        if body.get("think") and model.thinking != "field":
            return self.refuse(400, f'"{model.name}" does not support thinking')
        seen = len(pictures_of(body))
        if seen and not model.vision:
            return self.refuse(500, "this model is missing data required for image input")
        options = body.get("options") or {}
        context = min(options.get("num_ctx") or DEFAULT_CONTEXT, model.context)
        prompt = len(prompt_of(body)) // 3 + seen * PICTURE_TOKENS
        if prompt > context and self.overflow == "error":
            told = f"request ({prompt} tokens) exceeds the available context size"
            return self.refuse(400, f"{told} ({context} tokens), try increasing it")
        if prompt > context:
            prompt = context // 2 + 2 if self.overflow == "half" else context
        answer = self.decide(body)
        if isinstance(answer, web.Response):
            await self.wait(body)
            return answer
        chunks = self._chunks(body, model, answer, prompt)
        if body.get("stream", True):
            return await self._stream(exchange, chunks)
        whole = json.dumps(_joined(chunks)).encode()
        if await self._cut_by_proxy(self.latency + self.pause * len(chunks)):
            return page(524, "524: A timeout occurred")
        await self.wait(body)
        await asyncio.sleep(self.pause * len(chunks))
        response = web.Response(body=whole, content_type="application/json")
        return await self.faulty(exchange, whole) or response

    async def _stream(
        self, exchange: Exchange, chunks: Sequence[dict[str, Any]]
    ) -> web.StreamResponse:
        # Not even the headers leave before the first token is there.
        if await self._cut_by_proxy(self.latency):
            return page(524, "524: A timeout occurred")
        await self.wait(exchange.body)
        lines = [json.dumps(chunk, ensure_ascii=False).encode() + b"\n" for chunk in chunks]
        fault = await self.faulty(exchange, b"".join(lines))
        if fault is not None:
            return fault
        response = web.StreamResponse(headers={"Content-Type": NDJSON})
        response.enable_chunked_encoding()
        await response.prepare(exchange.request)
        for number, line in enumerate(lines):
            if number and await self._cut_by_proxy(self.pause):
                reset(exchange.request)
                break
            if number and self.pause:
                await asyncio.sleep(self.pause)
            await response.write(line)
        return response

    async def _cut_by_proxy(self, silence: float) -> bool:
        """Whether the proxy gives up on so long a silence; waits until it does."""
        if self.proxy_timeout is None or silence <= self.proxy_timeout:
            return False
        await asyncio.sleep(self.proxy_timeout)
        return True

    def _chunks(
        self, body: Body, model: Model, answer: Answer, prompt_tokens: int
    ) -> list[dict[str, Any]]:
        def chunk(**more: Any) -> dict[str, Any]:
            created = datetime.now(UTC).isoformat().replace("+00:00", "Z")
            return {"model": model.name, "created_at": created, **more}

        def message(thought: bool, text: str) -> dict[str, Any]:
            said = {"content": "", "thinking": text} if thought else {"content": text}
            return {"role": "assistant", **said}

        if not body.get("messages"):  # only loads the model
            return [chunk(message=message(False, ""), done_reason="load", done=True)]
        pieces_ = self._pieces(body, model, answer)
        budget = (body.get("options") or {}).get("num_predict", -1)
        kept = pieces_ if budget < 0 else pieces_[:budget]
        chunks = []
        for thought, piece in kept:
            more: dict[str, Any] = {"message": message(thought, piece.text), "done": False}
            if body.get("logprobs") and self.logprobs:
                more["logprobs"] = [_logprob(piece, body.get("top_logprobs") or 0)]
            chunks.append(chunk(**more))
        cut = len(kept) < len(pieces_) or answer.finish == "length"
        last = {
            "done_reason": "length" if cut else "stop",
            "done": True,
            "total_duration": 1_000_000,
            "load_duration": 1_000,
            "prompt_eval_count": prompt_tokens,
            "prompt_eval_duration": 1_000,
            "eval_count": len(kept) + 1,
            "eval_duration": 1_000,
        }
        return [*chunks, chunk(message=message(False, ""), **last)]

    def _pieces(self, body: Body, model: Model, answer: Answer) -> list[tuple[bool, Piece]]:
        """The generated tokens, each with whether it goes to the thinking field."""
        text, form = answer.text or "", body.get("format")
        thinking = answer.thinking
        if model.thinking is None or (model.thinking == "field" and body.get("think") is False):
            thinking = ""
        if form and not thinking:  # a constraint does not hold for a model that thinks first
            text = constrained(form, answer) if isinstance(form, dict) else _as_json(text)
        if model.thinking == "inline" and thinking:
            thinking, text = "", f"<think>\n{thinking}\n</think>\n\n{text}"
        thoughts = [(True, piece) for piece in pieces(thinking)] if thinking else []
        return [*thoughts, *((False, piece) for piece in pieces(text, answer.alternatives))]


def _as_json(text: str) -> str:
    try:
        json.loads(text)
    except ValueError:
        return json.dumps({"answer": text}, ensure_ascii=False)
    return text


def _joined(chunks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The reply that is not streamed: the last chunk with everything said before."""
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    logprobs: list[Any] = []
    for chunk in chunks:
        for key in ("content", "thinking"):
            if key in chunk["message"]:
                message[key] = message.get(key, "") + chunk["message"][key]
        logprobs += chunk.get("logprobs", [])
    return {**chunks[-1], "message": message, **({"logprobs": logprobs} if logprobs else {})}


def _logprob(piece: Piece, top: int) -> dict[str, Any]:
    def entry(text: str, logprob: float) -> dict[str, Any]:
        return {"token": text, "logprob": logprob, "bytes": list(text.encode())}

    listed = [entry(*pair) for pair in piece.top[:top]]
    return {**entry(piece.text, piece.logprob), **({"top_logprobs": listed} if listed else {})}


if __name__ == "__main__":
    flags = process.parser(__doc__)
    known = "NAME, with +thinking, +inline, +vision or +CONTEXT after it"
    flags.add_argument("--models", nargs="+", default=["llama3.1:8b"], help=known)
    flags.add_argument("--no-logprobs", action="store_true", help="an older server")
    flags.add_argument(
        "--overflow", default="half", choices=["half", "full", "error"], help="too long a prompt"
    )
    flags.add_argument("--pause", type=float, default=0.0, help="seconds between chunks")
    flags.add_argument("--proxy-timeout", type=float, help="silence that a proxy cuts with 524")
    args = flags.parse_args()
    process.serve(
        OllamaServer(
            models=map(ollama_models.parse, args.models),
            logprobs=not args.no_logprobs,
            overflow=args.overflow,
            pause=args.pause,
            proxy_timeout=args.proxy_timeout,
            **process.shared_options(args),
        ),
        end_with_stdin=args.end_with_stdin,
    )
