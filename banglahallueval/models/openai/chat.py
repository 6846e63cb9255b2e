"""OpenAI-compatible chat completions: OpenAI itself, vLLM, llama.cpp and everything like them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx2
import openai

from banglahallueval.errors import MissingKeyError, RunError
from banglahallueval.models import pictures
from banglahallueval.models.chat import reply_budget, thinks_by_name
from banglahallueval.models.http import error_detail, read_json
from banglahallueval.models.openai.completions import read_completion
from banglahallueval.models.openai.parameters import Parameters
from banglahallueval.models.openai.refusals import (
    LEAST_BUDGET,
    MAYBE_ABOUT_PICTURES,
    MAYBE_PARAMETER,
    fitting_budget,
    is_about_access,
    is_about_model,
    is_model,
    withheld_as,
)
from banglahallueval.models.openai.server import OpenAIServer
from banglahallueval.models.options import OPENAI_URL
from banglahallueval.models.types import ModelError, Reply, Request, Workload

_REPLIES_WITHOUT_LOGPROBS = 20  # so many in a row mean that the server never sends any


class OpenAIModel:
    """A model behind an OpenAI-compatible server; implements `models.types.ChatModel`."""

    provider = "openai"

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 120.0,
        key_name: str = "OPENAI_API_KEY",
    ) -> None:
        """Set up the client; nothing is sent yet.

        Args:
            model: The model's name.
            api_key: The key; a server of one's own may do without.
            base_url: The server's address up to and including `/v1`; OpenAI's own unless given.
            timeout: Seconds that one attempt may take once the server has time for it.
            key_name: The environment variable of the key, for messages.

        Raises:
            UsageError: If the key or the address cannot be right.
        """
        self.model = model
        self.thinking = thinks_by_name(model)
        self._server = OpenAIServer(
            base_url or OPENAI_URL, api_key=api_key, key_name=key_name, timeout=timeout
        )
        self.base_url = self._server.url
        self._parameters = Parameters(model)
        self._served: set[str] = set()
        self._logprobs_seen = False
        self._without_logprobs = 0

    async def prepare(self, workload: Workload) -> None:
        """Check the key and that the server is there, by asking for its list of models.

        Raises:
            MissingKeyError: If OpenAI's own server is asked without a key.
            RunError: If the server cannot be reached or refuses the key.
        """
        if not self._server.has_key and self.base_url == OPENAI_URL:
            raise MissingKeyError(
                f"no OpenAI key: put {self._server.key_name}=… into .env (see .env.example), or "
                "name a server of your own with --base-url"
            )
        try:
            offered = await self._server.offered()
            if offered and not any(is_model(self.model, name) for name in offered):
                raise RunError(self._not_offered(offered))
        except ModelError as error:
            # Not every server lists its models, and not every key may ask for the list.
            if error.cause == "connection failed":
                raise RunError(error) from None
            if error.cause == "access denied":
                raise RunError(error) from None

    def identity(self) -> Mapping[str, Any]:
        """Identify provider, model and server."""
        return {"provider": self.provider, "model": self.model, "base_url": self.base_url}

    async def complete(self, request: Request) -> Reply:
        """Ask once; a parameter that the server refuses is left out, and the request asked again.

        Raises:
            ModelError: If no reply came.
        """
        while True:
            body = self._parameters.body(request)
            try:
                reply = self._reply(await self._server.post(body))
            except openai.APIStatusError as error:
                detail = self._server.said(error.response)
                self._refuse_pictures(request, error, detail)
                if self._learns(request, body, error, detail):
                    continue
                withheld = withheld_as(error, detail)
                if withheld is not None:
                    return Reply("", finish=withheld)
                bare = await self._reply_without_logprobs(body, error)
                if bare is None:
                    failure = await self._failure(error, detail)
                    if pictures.count(request.messages):
                        failure = pictures.too_large(error.status_code, failure)
                    raise failure from None
                reply = bare
            self._watch(body, reply)
            return reply

    def _refuse_pictures(self, request: Request, error: openai.APIStatusError, detail: str) -> None:
        """End the run where the server takes no pictures.

        Raises:
            ModelError: If that is what it says.
        """
        if (
            error.status_code in MAYBE_ABOUT_PICTURES
            and pictures.are_refused(detail)
            and pictures.count(request.messages)
        ):
            raise pictures.refusal(self.base_url, self.model, detail) from None

    def _learns(
        self,
        request: Request,
        body: Mapping[str, Any],
        error: openai.APIStatusError,
        detail: str,
    ) -> bool:
        """Learn from a refusal; says whether the request can be asked again in another way."""
        if body != self._parameters.body(request) and error.status_code < 500:
            return True  # a request in flight beside this one has learned it already
        budget = fitting_budget(detail)
        if budget is not None and budget < reply_budget(request):
            if budget < LEAST_BUDGET:
                return False
            self._parameters.fit_budget(budget)
            return True
        if error.status_code in MAYBE_PARAMETER:
            return self._parameters.learn(body, str(error.param or ""), detail)
        return False

    async def _reply_without_logprobs(
        self, body: Mapping[str, Any], error: openai.APIStatusError
    ) -> Reply | None:
        """Ask without log probabilities, where the server may have failed because of them.

        Servers that cannot give any say so with a 500 or 501 in words of their own.
        """
        if error.status_code not in {500, 501} or "logprobs" not in body or self._logprobs_seen:
            return None
        bare = {key: value for key, value in body.items() if "logprobs" not in key}
        try:
            reply = self._reply(await self._server.post(bare))
        except openai.APIStatusError:
            return None
        self._parameters.leave_out_logprobs()
        return reply

    def _watch(self, body: Mapping[str, Any], reply: Reply) -> None:
        """Note what the server does not do of what it was asked for."""
        if "logprobs" in body:
            self._logprobs_seen = self._logprobs_seen or bool(reply.tokens)
            self._without_logprobs += not reply.tokens
            if not self._logprobs_seen and self._without_logprobs == _REPLIES_WITHOUT_LOGPROBS:
                self._parameters.note("sends no log probabilities; p_hallucinated stays empty")
        if "response_format" in body and reply.finish == "stop" and "{" not in reply.text:
            self._parameters.note("does not follow response_format")
        served = reply.served.partition(" ")[0]
        if served and not is_model(self.model, served):
            self._parameters.note(f"replies come from {served}")

    async def close(self) -> None:
        """Close the connections."""
        await self._server.close()

    def record(self) -> dict[str, Any]:
        """Record the server, what it says it serves, and what it refused."""
        return {
            "base_url": self.base_url,
            "served": sorted(self._served),
            "learned": list(self._parameters.learned),
        }

    async def _failure(self, error: openai.APIStatusError, detail: str) -> ModelError:
        if error.status_code == 400 and is_about_access(detail):
            return self._server.error(401, detail)
        if error.status_code == 404 or (error.status_code == 400 and is_about_model(detail)):
            return ModelError("not found", await self._not_found(detail), retry=False, fatal=True)
        if error.status_code == 429 and "insufficient_quota" in (error.code, error.type):
            said = f"the credit of the account at {self.base_url} is used up: {detail}"
            advice = "add credit, or use the key of another account"
            return ModelError("rate limited", said, advice=advice, retry=False, fatal=True)
        return self._server.error(error.status_code, detail, error.response.headers)

    async def _not_found(self, detail: str) -> str:
        try:
            return self._not_offered(await self._server.offered(), f" ({detail})")
        except ModelError:
            return (
                f"{self.base_url} does not serve the model {self.model!r} ({detail}); --base-url "
                "mostly ends in /v1"
            )

    def _not_offered(self, offered: list[str], detail: str = "") -> str:
        names = ", ".join(offered[:20]) + (", …" if len(offered) > 20 else "")
        message = f"{self.base_url} does not serve the model {self.model!r}{detail}"
        return f"{message}; it offers {names}" if names else message

    def _reply(self, response: httpx2.Response) -> Reply:
        try:
            data = read_json(response.content)
            if data.get("error") and not data.get("choices"):
                raise self._late_error(data["error"])
            reply = read_completion(data)
        except (ValueError, LookupError, TypeError, AttributeError):
            what = self._server.said(response) or "an empty body"
            raise ModelError(
                "broken reply", f"{self.base_url} sent no chat completion: {what}"
            ) from None
        self._served.add(reply.served)
        return reply

    def _late_error(self, error: Any) -> ModelError:
        """Read an error under status 200, as gateways send it whose own server failed."""
        detail = self._server.hide_key(error_detail(json.dumps({"error": error})))
        code = error.get("code") if isinstance(error, dict) else None
        status = code if isinstance(code, int) and code >= 400 else 502
        return self._server.error(status, detail)
