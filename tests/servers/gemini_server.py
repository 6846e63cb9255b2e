"""A Gemini server for tests: the Developer API and Vertex AI, with the errors that they send.

python -m tests.servers.gemini_server --port 8000 --models gemini-2.5-flash-lite

Tests script it by `answer`, a function of the request's body, whose `model` stands beside the
`contents`; `prompt_of` gives the chat as one text. An answer is an `Answer`, or a `Failure`; these
are made in `tests.servers.gemini_failures`: `in_turn(rate_limited(1.5), "yes")` is limited once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import regex
from aiohttp import web

from tests.servers import process
from tests.servers.answers import Answer, Body, Failure, Piece, constrained, pieces, prompt_of
from tests.servers.asked import pictures_of
from tests.servers.base import Exchange, LoopbackServer
from tests.servers.gemini_failures import failure, invalid_key

TOKEN = "ya29.test-token"

# What a model may refuse, in the words of the API; {model} and {budget} are filled in.
REFUSALS = {
    "thinking": "Unable to submit request because thinking is not supported by this model.",
    "thinking_off": "Budget {budget} is invalid. This model only works in thinking mode.",
    "thinking_range": "The thinking budget {budget} is invalid. Please choose a value between 512 "
    "and 24576.",
    "logprobs": "Logprobs is not enabled for models/{model}",
    "many_logprobs": "Unable to submit request because logprobs has a value of 20 but the supported"
    " range is from 1 to 8.",
    "system": "Developer instruction is not enabled for models/{model}",
    "schema": "JSON mode is not enabled for models/{model}",
    "seed": "seed is not supported by this model",
    "pictures": "Image input modality is not enabled for models/{model}",
}
_PATH = regex.compile(
    r"/(?:v1|v1beta|v1beta1)/(?P<vertex>projects/[^/]+/locations/[^/]+/)?"
    r"(?:publishers/google/)?models/(?P<model>[^/:]+)(?P<asked>:generateContent)?"
)


def settings(body: Body) -> dict[str, Any]:
    """A request's generationConfig, its names and those in thinkingConfig in one spelling.

    Releases of the SDK differ in whether they write them in camel case.
    """
    config = _camel(body.get("generationConfig") or body.get("generation_config") or {})
    if "thinkingConfig" in config:
        config["thinkingConfig"] = _camel(config["thinkingConfig"])
    return config


def _camel(names: Mapping[str, Any]) -> dict[str, Any]:
    def spelled(name: str) -> str:
        first, *rest = name.split("_")
        return first + "".join(part.title() for part in rest)

    return {spelled(name): value for name, value in names.items()}


class GeminiServer(LoopbackServer):
    """A Gemini server; `url` is what GOOGLE_GEMINI_BASE_URL or GOOGLE_VERTEX_BASE_URL is set to.

    Attributes:
        logins: Number of times that a login was turned into a token.
    """

    def __init__(
        self,
        *,
        models: Iterable[str] = (),
        refuses: Iterable[str] = (),
        lists: bool = True,
        **options: Any,
    ) -> None:
        """Set the behaviour.

        Args:
            models: Names served; empty serves any name.
            refuses: What is answered with an error, of `REFUSALS`.
            lists: Whether models can be looked up and listed, as they cannot with every gateway.
            options: Those of `LoopbackServer`; the `api_key` is that of the Developer API.
        """
        super().__init__(**options)
        self.models = tuple(models)
        self.refuses = frozenset(refuses)
        self.logins = 0
        self._lists = lists
        if unknown := self.refuses - set(REFUSALS):
            raise ValueError(f"cannot refuse {', '.join(sorted(unknown))}")

    def variables(self) -> dict[str, str]:
        """Environment variables that make a script ask this server by the Developer API."""
        key = self.api_key or "AIza-test-key"
        return {"GOOGLE_API_KEY": key, "GOOGLE_GEMINI_BASE_URL": self.url}

    def vertex_variables(self, folder: Path) -> dict[str, str]:
        """Environment variables that make a script ask this server by Vertex AI.

        Args:
            folder: Where to write the file of a service account whose tokens this server gives.
        """
        return {
            "GOOGLE_GENAI_USE_VERTEXAI": "true",
            "GOOGLE_CLOUD_PROJECT": "my-project",
            "GOOGLE_CLOUD_LOCATION": "us-central1",
            "GOOGLE_APPLICATION_CREDENTIALS": str(service_account(folder, f"{self.url}/token")),
            "GOOGLE_VERTEX_BASE_URL": self.url,
        }

    def error(self, status: int, message: str) -> bytes:
        """An error in the API's own shape."""
        return failure(status, message).body.encode()

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Give a token to whoever logs in, else as every server."""
        if request.path != "/token":
            return await super().handle(request)
        self.logins += 1
        token = {"access_token": TOKEN, "expires_in": 3600, "token_type": "Bearer"}
        return web.json_response(token)

    async def respond(self, exchange: Exchange) -> web.StreamResponse:
        """Route a request."""
        request = exchange.request
        found = _PATH.fullmatch(request.path)
        vertex = request.headers.get("Authorization")
        if vertex is not None and vertex != f"Bearer {TOKEN}":
            return self.refuse(401, "Request had invalid authentication credentials.")
        if vertex is None and self.api_key not in (None, request.headers.get("x-goog-api-key")):
            return _sent(invalid_key())
        if found and found["asked"] and request.method == "POST":
            return await self._generate(exchange, found["model"])
        if request.method != "GET" or not self._lists:
            return web.Response(status=404, text="404 page not found")
        if request.path.endswith("/models"):
            return web.json_response({"models": [_model(name) for name in self.models]})
        if not found or not self._serves(found["model"]):
            return self._unknown(found["model"] if found else request.path)
        return web.json_response(_model(found["model"]))

    def _serves(self, model: str) -> bool:
        return not self.models or model in self.models

    def _unknown(self, model: str) -> web.Response:
        return self.refuse(
            404,
            f"models/{model} is not found for API version v1beta, or is not supported for "
            "generateContent. Call ListModels to see the list of available models.",
        )

    async def _generate(self, exchange: Exchange, model: str) -> web.StreamResponse:
        body: Body = {**(exchange.body or {}), "model": model}
        await self.wait(body)
        if not self._serves(model):
            return self._unknown(model)
        refused = self._refused(body)
        if refused is not None:
            return self.refuse(400, refused)
        answer = self.decide(body)
        if isinstance(answer, web.Response):
            return answer
        reply = json.dumps(_reply(body, answer), ensure_ascii=False).encode()
        sent = web.Response(body=reply, content_type="application/json")
        return await self.faulty(exchange, reply) or sent

    def _refused(self, body: Body) -> str | None:
        """The words of the first refusal that the request meets."""
        config = settings(body)
        budget = config.get("thinkingConfig", {}).get("thinkingBudget")
        wanted = {
            "thinking": budget is not None,
            "thinking_off": budget == 0,
            "thinking_range": budget is not None and not 512 <= budget <= 24576,
            "logprobs": bool(config.get("responseLogprobs")),
            "many_logprobs": config.get("logprobs", 0) > 8,
            "system": "systemInstruction" in body,
            "schema": "responseMimeType" in config,
            "seed": "seed" in config,
            "pictures": bool(pictures_of(body)),
        }
        for name, message in REFUSALS.items():
            if name in self.refuses and wanted[name]:
                return message.format(model=body["model"], budget=budget)
        return None


def _sent(given: Failure) -> web.Response:
    return web.Response(
        status=given.status, body=given.body.encode(), content_type="application/json"
    )


def _model(name: str) -> dict[str, Any]:
    actions = ["generateContent", "countTokens"]
    if name.startswith("text-embedding"):
        actions = ["embedContent"]
    return {"name": f"models/{name}", "displayName": name, "supportedGenerationMethods": actions}


def _reply(body: Body, answer: Answer) -> dict[str, Any]:
    """The response that an answer becomes: cut by its budget, against which thinking counts."""
    config = settings(body)
    text = answer.text
    schema = config.get("responseJsonSchema") or config.get("responseSchema")
    if schema and config.get("responseMimeType") == "application/json":
        text = constrained(schema, answer)
    elif schema:
        text = answer.forced or answer.text
    limit = config.get("maxOutputTokens") or 1 << 30
    said = pieces(text, answer.alternatives) if text else []
    thought = _thought(config, answer)
    kept = said[: max(limit - thought, 0)]
    cut = len(kept) < len(said) or thought > limit
    finish = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}[answer.finish]
    content: dict[str, Any] = {"role": "model"}
    if kept:
        content["parts"] = [{"text": "".join(piece.text for piece in kept)}]
    candidate: dict[str, Any] = {
        "content": content,
        "finishReason": "MAX_TOKENS" if cut else finish,
        "index": 0,
    }
    if config.get("responseLogprobs"):
        candidate["logprobsResult"] = _logprobs(kept, config.get("logprobs") or 0)
    prompt, thinking = len(prompt_of(body)) // 3, min(thought, limit)
    usage = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": len(kept),
        "totalTokenCount": prompt + len(kept) + thinking,
        **({"thoughtsTokenCount": thinking} if thinking else {}),
    }
    named = {"modelVersion": body["model"], "responseId": "test"}
    return {"candidates": [candidate], "usageMetadata": usage, **named}


def _thought(config: Mapping[str, Any], answer: Answer) -> int:
    """Tokens that the model thinks: none where it is told to think none, -1 is for any number."""
    budget = config.get("thinkingConfig", {}).get("thinkingBudget", -1)
    tokens = len(pieces(answer.thinking)) if answer.thinking else 0
    return tokens if budget < 0 else min(tokens, budget)


def _logprobs(kept: Iterable[Piece], top: int) -> dict[str, Any]:
    def entry(text: str, logprob: float) -> dict[str, Any]:
        return {"token": text, "tokenId": 1, "logProbability": logprob}

    kept = list(kept)
    return {
        "chosenCandidates": [entry(piece.text, piece.logprob) for piece in kept],
        "topCandidates": [
            {"candidates": [entry(*pair) for pair in piece.top[:top]]} for piece in kept
        ],
    }


def service_account(folder: Path, token_uri: str) -> Path:
    """Write the file of a service account with a key of its own; nobody but tests knows it."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    account = {
        "type": "service_account",
        "project_id": "my-project",
        "private_key_id": "1",
        "private_key": pem.decode(),
        "client_email": "tests@my-project.iam.gserviceaccount.com",
        "client_id": "1",
        "token_uri": token_uri,
    }
    file = folder / "service_account.json"
    file.write_text(json.dumps(account), encoding="utf-8")
    return file


if __name__ == "__main__":
    flags = process.parser(__doc__)
    flags.add_argument("--models", nargs="*", default=[], help="names served; none: any")
    flags.add_argument("--refuse", nargs="*", default=[], choices=REFUSALS, help="answer 400")
    args = flags.parse_args()
    process.serve(
        GeminiServer(models=args.models, refuses=args.refuse, **process.shared_options(args)),
        end_with_stdin=args.end_with_stdin,
    )
