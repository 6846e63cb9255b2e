"""An OpenAI-compatible server for tests: chat completions and the list of models.

python -m tests.servers.openai_server --port 8000 --latency 0.05 --fault 429_seconds=0.1
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable
from typing import Any

from aiohttp import web

from tests.servers import process
from tests.servers.answers import Answer, Body, Piece, constrained, pieces, prompt_of
from tests.servers.asked import pictures_of
from tests.servers.base import Exchange, LoopbackServer

# Parameters that a model may refuse, with the status, message, `param` and `code` of the real API.
REFUSALS: dict[str, tuple[int, str, str | None, str | None]] = {
    "temperature": (
        400,
        "Unsupported value: 'temperature' does not support 0 with this model. "
        "Only the default (1) value is supported.",
        "temperature",
        "unsupported_value",
    ),
    "max_tokens": (
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. "
        "Use 'max_completion_tokens' instead.",
        "max_tokens",
        "unsupported_parameter",
    ),
    "max_completion_tokens": (
        400,
        "Unrecognized request argument supplied: max_completion_tokens",
        None,
        None,
    ),
    "seed": (
        400,
        "Unsupported parameter: 'seed' is not supported with this model.",
        "seed",
        "unsupported_parameter",
    ),
    "logprobs": (
        400,
        "Unsupported parameter: 'logprobs' is not supported with this model.",
        "logprobs",
        "unsupported_parameter",
    ),
    # What the older reasoning models say: a 403 that is no matter of access.
    "logprobs_forbidden": (
        403,
        "You are not allowed to request logprobs from this model",
        None,
        None,
    ),
    # What reasoning models say that offer five alternatives at most.
    "top_logprobs": (
        400,
        "Invalid 'top_logprobs': integer above maximum value. "
        "Expected a value <= 5, but got {top_logprobs} instead.",
        "top_logprobs",
        "integer_above_max_value",
    ),
    "json_schema": (
        400,
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this "
        "model. Learn more about supported models at the Structured Outputs guide: "
        "https://platform.openai.com/docs/guides/structured-outputs",
        None,
        None,
    ),
    "pictures": (
        400,
        "Invalid content type. image_url is only supported by certain models.",
        "messages.[0].content.[1].type",
        None,
    ),
}
IGNORABLE = ("logprobs", "json_schema", "usage")


class OpenAIServer(LoopbackServer):
    """An OpenAI-compatible server; `url` ends in /v1."""

    base_path = "/v1"

    def __init__(
        self,
        *,
        models: Iterable[str] = (),
        refuses: Iterable[str] = (),
        ignores: Iterable[str] = (),
        quick: bool = False,
        **options: Any,
    ) -> None:
        """Set the behaviour.

        Args:
            models: Names served; empty serves any name and lists none.
            refuses: Parameters answered with an error, of `REFUSALS`.
            ignores: What is silently not done, of `IGNORABLE`: no log probabilities, an
                unconstrained reply, no usage.
            quick: Give the reply to the first request to all later ones, unread and not noted but
                in `counts`: for benches, where the server must not be what is measured.
            options: Those of `LoopbackServer`.
        """
        super().__init__(**options)
        self.models = tuple(models)
        self.refuses = frozenset(refuses)
        self.ignores = frozenset(ignores)
        self._quick = quick
        self._reply = b""
        unknown = (self.refuses - set(REFUSALS)) | (self.ignores - set(IGNORABLE))
        if unknown:
            raise ValueError(f"cannot refuse or ignore {', '.join(sorted(unknown))}")

    def error(self, status: int, message: str) -> bytes:
        """An error in the API's own shape."""
        return self._error(message, None, None, "server_error" if status >= 500 else "requests")

    async def respond(self, exchange: Exchange) -> web.StreamResponse:
        """Route a request."""
        if not self.allowed(exchange):
            body = self._error("Incorrect API key provided.", None, "invalid_api_key")
            return _json(401, body)
        match exchange.request.method, exchange.request.path:
            case "GET", "/v1/models":
                listed = [
                    {"id": name, "object": "model", "created": 0, "owned_by": "tests"}
                    for name in self.models
                ]
                return web.json_response({"object": "list", "data": listed})
            case "POST", "/v1/chat/completions":
                return await self._chat(exchange)
        return _json(404, self._error("Invalid URL", None, "unknown_url"))

    async def _chat(self, exchange: Exchange) -> web.StreamResponse:
        body: Body = exchange.body or {}
        await self.wait(body)
        refused = self._refused(body)
        if refused is not None:
            return refused
        answer = self.decide(body)
        if isinstance(answer, web.Response):
            return answer
        reply = json.dumps(self._completion(body, answer)).encode()
        if self._quick:
            self._reply = reply
        return await self.faulty(exchange, reply) or _json(200, reply)

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Give the ready reply where there is one, else as every server."""
        if not self._reply or request.method != "POST":
            return await super().handle(request)
        counts = self.counts
        counts.requests += 1
        counts.in_flight += 1
        try:
            await request.read()
            if self.latency:
                await asyncio.sleep(self.latency)
        finally:
            counts.in_flight -= 1
        counts.completed += 1
        return _json(200, self._reply)

    def _refused(self, body: Body) -> web.Response | None:
        model = body.get("model")
        if self.models and model not in self.models:
            message = f"The model `{model}` does not exist or you do not have access to it."
            return _json(404, self._error(message, None, "model_not_found"))
        if body.get("stream"):
            return _json(400, self._error("This server does not stream.", "stream", None))
        form = body.get("response_format") or {}
        wanted = {
            "temperature": body.get("temperature", 1) != 1,
            "max_tokens": "max_tokens" in body,
            "max_completion_tokens": "max_completion_tokens" in body,
            "seed": "seed" in body,
            "logprobs": bool(body.get("logprobs")),
            "logprobs_forbidden": bool(body.get("logprobs")),
            "top_logprobs": (body.get("top_logprobs") or 0) > 5,
            "json_schema": form.get("type") == "json_schema",
            "pictures": bool(pictures_of(body)),
        }
        for name, (status, message, param, code) in REFUSALS.items():
            if name in self.refuses and wanted[name]:
                text = message.replace("{top_logprobs}", str(body.get("top_logprobs")))
                return _json(status, self._error(text, param, code))
        if form.get("type") == "json_schema":
            return self._bad_schema(form["json_schema"])
        return None

    def _bad_schema(self, named: Body) -> web.Response | None:
        """The API takes only closed objects at the root, and strict ones only with all required."""
        schema = named.get("schema") or {}
        names = set(schema.get("properties", {}))
        closed = schema.get("additionalProperties") is False
        if schema.get("type") != "object":
            wrong = f"schema must be a JSON Schema of 'type: \"object\"', got '{schema}'."
        elif named.get("strict") and (not closed or set(schema.get("required", ())) != names):
            wrong = "'additionalProperties' must be false and 'required' must hold every property."
        else:
            return None
        message = f"Invalid schema for response_format '{named.get('name')}': {wrong}"
        return _json(400, self._error(message, "response_format", None))

    def _completion(self, body: Body, answer: Answer) -> dict[str, Any]:
        form = body.get("response_format") or {}
        text = answer.text
        if form.get("type") == "json_schema" and "json_schema" not in self.ignores:
            text = constrained(form["json_schema"]["schema"], answer)
        budget = body.get("max_completion_tokens") or body.get("max_tokens") or 1 << 30
        thought = len(pieces(answer.thinking)) if answer.thinking else 0
        said = pieces(text, answer.alternatives) if text else []
        kept = said[: max(budget - thought, 0)]
        finish = "length" if len(kept) < len(said) or thought > budget else answer.finish
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": answer.refusal}
        if len(kept) < len(said):
            message["content"] = "".join(piece.text for piece in kept)
        if answer.thinking:
            message["reasoning_content"] = answer.thinking
        logprobs = None
        if body.get("logprobs") and "logprobs" not in self.ignores:
            top = body.get("top_logprobs") or 0
            logprobs = {"content": [_token(piece, top) for piece in kept], "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": logprobs, "finish_reason": finish}
        completion: dict[str, Any] = {
            "id": "chatcmpl-test",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": f"{body.get('model')}-2025-04-14",
            "choices": [choice],
            "system_fingerprint": "fp_tests",
        }
        if "usage" not in self.ignores:
            prompt, made = len(prompt_of(body)) // 3, min(thought, budget) + len(kept)
            completion["usage"] = {
                "prompt_tokens": prompt,
                "completion_tokens": made,
                "total_tokens": prompt + made,
                "completion_tokens_details": {"reasoning_tokens": min(thought, budget)},
            }
        return completion

    @staticmethod
    def _error(
        message: str, param: str | None, code: str | None, kind: str = "invalid_request_error"
    ) -> bytes:
        error = {"message": message, "type": kind, "param": param, "code": code}
        return json.dumps({"error": error}).encode()


def _token(piece: Piece, top: int) -> dict[str, Any]:
    def entry(text: str, logprob: float) -> dict[str, Any]:
        return {"token": text, "logprob": logprob, "bytes": list(text.encode())}

    return {
        **entry(piece.text, piece.logprob),
        "top_logprobs": [entry(*pair) for pair in piece.top[:top]],
    }


def _json(status: int, body: bytes) -> web.Response:
    return web.Response(status=status, body=body, content_type="application/json")


if __name__ == "__main__":
    flags = process.parser(__doc__)
    flags.add_argument("--models", nargs="*", default=[], help="names served; none: any")
    flags.add_argument("--refuse", nargs="*", default=[], choices=REFUSALS, help="answer 400")
    flags.add_argument("--ignore", nargs="*", default=[], choices=IGNORABLE, help="leave undone")
    flags.add_argument("--quick", action="store_true", help="the first reply for all, unread")
    args = flags.parse_args()
    process.serve(
        OpenAIServer(
            models=args.models,
            refuses=args.refuse,
            ignores=args.ignore,
            quick=args.quick,
            **process.shared_options(args),
        ),
        end_with_stdin=args.end_with_stdin,
    )
