"""A Gemini model, asked through google-genai."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.genai import types

from banglahallueval.errors import MissingKeyError, RunError, UsageError
from banglahallueval.models import pictures
from banglahallueval.models.gemini.access import Access
from banglahallueval.models.gemini.parameters import Parameters
from banglahallueval.models.gemini.refusals import Refusal
from banglahallueval.models.gemini.replies import NoReplyError, read_reply
from banglahallueval.models.gemini.server import GeminiServer, RefusedError
from banglahallueval.models.http import error_detail, read_json
from banglahallueval.models.options import GEMINI_URL
from banglahallueval.models.types import ModelError, Reply, Request, Workload

_KEY = "GOOGLE_API_KEY in .env"
_LOGIN = "the login to Google Cloud and its right to use Vertex AI"
_MOST_NAMED = 20  # models that a message lists
_REPLIES_WITHOUT_LOGPROBS = 20  # so many in a row mean that the server never sends any


class GeminiModel:
    """A model behind the Gemini API; implements `models.types.ChatModel`.

    Attributes:
        thinking: False even for a model that thinks: the room for it is added to each reply's
            budget here, as far as the model is told to think.
    """

    provider = "gemini"

    def __init__(
        self,
        model: str,
        access: Access,
        *,
        thinking_budget: int | None = None,
        timeout: float = 120.0,
    ) -> None:
        """Set up the client; nothing is sent yet.

        Args:
            model: The model's name, with or without `models/` before it.
            access: Which API, where, and what opens it.
            thinking_budget: Tokens to think for before the answer: 0 for none, -1 for as many as
                the model likes; None for none where it can think.
            timeout: Seconds that one attempt may take once the server has time for it.

        Raises:
            UsageError: If no model can have the name, or the SDK cannot be set up.
        """
        if not model.strip() or any(mark in model for mark in ("..", "?", "&", "#", "%", " ")):
            raise UsageError(f"--model {model!r} is no model's name, such as gemini-2.5-flash")
        self.model = model if access.is_vertex else model.removeprefix("models/")
        self.thinking = False
        self._access = access
        self._server = GeminiServer(access, timeout=timeout)
        self._parameters = Parameters(model, thinking_budget)
        self._thinking_budget = self._parameters.thinking_budget
        self._served: set[str] = set()
        self._logprobs_seen = False
        self._without_logprobs = 0
        self._thinking_tokens = 0
        self._cached_tokens = 0

    async def prepare(self, workload: Workload) -> None:
        """Check key or login, and that the model is there, by looking it up.

        Raises:
            MissingKeyError: If Google's own server is asked without a key.
            RunError: If the server cannot be reached, or refuses the key or the model.
        """
        access = self._access
        if not access.is_vertex and not access.key and access.url == GEMINI_URL:
            raise MissingKeyError(
                "no Gemini key: put GOOGLE_API_KEY=… into .env (see .env.example), or set "
                "GOOGLE_GENAI_USE_VERTEXAI=true to use Vertex AI"
            )
        try:
            await self._server.look_up(self.model)
        except RefusedError as refused:
            # What stands in for the API may have no models to look up, and who may use one on
            # Vertex AI need not have the right to look at it.
            refusal = refused.refusal
            error = await self._failure(refusal)
            denied = error.cause == "access denied" and (
                not access.is_vertex or refusal.status == 401
            )
            unknown = error.cause == "not found" and refusal.code == "NOT_FOUND"
            if denied or (unknown and not access.is_vertex):
                raise RunError(error) from None
        except ModelError as error:
            if error.fatal or error.cause == "connection failed":
                raise RunError(error) from None

    def identity(self) -> Mapping[str, Any]:
        """Identify provider, model, server and how long the model is told to think."""
        return {
            "provider": self.provider,
            "model": self.model,
            "base_url": self._access.url,
            "thinking_budget": self._thinking_budget,
        }

    async def complete(self, request: Request) -> Reply:
        """Ask once; what the model refuses is left out, and the request asked again.

        Raises:
            ModelError: If no reply came.
        """
        while True:
            config = self._parameters.config(request)
            contents = self._parameters.contents(request)
            try:
                body = await self._server.generate(self.model, contents, config)
            except RefusedError as refused:
                refusal, seen = refused.refusal, pictures.count(request.messages)
                if seen and refusal.status == 400 and pictures.are_refused(refusal.said):
                    url = self._access.url
                    raise pictures.refusal(url, self.model, refusal.said) from None
                if self._learns(request, config, refusal):
                    continue
                withheld = refusal.withheld_as()
                if withheld is not None:
                    return Reply("", finish=withheld)
                raise await self._failure(refusal) from None
            reply, thinking_tokens = self._reply(body)
            if config.response_logprobs:
                self._watch_logprobs(reply)
            eaten = reply.finish == "length" and not reply.text.strip() and thinking_tokens > 0
            if not (eaten and self._parameters.make_room(config, request.max_tokens)):
                return reply

    def _learns(
        self, request: Request, config: types.GenerateContentConfig, refusal: Refusal
    ) -> bool:
        """Learn from a refusal; says whether the request can be asked again in another way."""
        if refusal.status != 400:
            return False
        if config != self._parameters.config(request):
            return True  # a request in flight beside this one has learned it already
        return self._parameters.learn(config, refusal.said)

    def _watch_logprobs(self, reply: Reply) -> None:
        """Note where they were asked for, not refused, and yet never come."""
        self._logprobs_seen = self._logprobs_seen or bool(reply.tokens)
        self._without_logprobs += not reply.tokens
        if not self._logprobs_seen and self._without_logprobs == _REPLIES_WITHOUT_LOGPROBS:
            self._parameters.note("sends no log probabilities; p_hallucinated stays empty")

    def _reply(self, body: bytes) -> tuple[Reply, int]:
        """Read a reply, and count the tokens that it does not tell apart."""
        url = self._access.url
        try:
            counted = read_reply(read_json(body))
        except NoReplyError as error:
            raise ModelError("broken reply", f"{url} sent {error}") from None
        except (ValueError, LookupError, TypeError, AttributeError):
            what = self._server.hide_key(error_detail(body.decode())) or "an empty body"
            raise ModelError("broken reply", f"{url} sent no Gemini reply: {what}") from None
        self._served.add(counted.reply.served)
        self._thinking_tokens += counted.thinking_tokens
        self._cached_tokens += counted.cached_tokens
        return counted.reply, counted.thinking_tokens

    async def _failure(self, refusal: Refusal) -> ModelError:
        """Name why a request was refused."""
        if refusal.status != 404:
            return refusal.error(self._access.url, _LOGIN if self._access.is_vertex else _KEY)
        message = f"{self._access.url} does not serve the model {self.model!r} ({refusal.said})"
        names = [] if self._access.is_vertex else await self._server.offered()
        if names:
            more = ", …" if len(names) > _MOST_NAMED else ""
            message += f"; it offers {', '.join(names[:_MOST_NAMED])}{more}"
        return ModelError("not found", message, retry=False, fatal=True)

    async def close(self) -> None:
        """Close the connections."""
        await self._server.close()

    def record(self) -> dict[str, Any]:
        """Record the server, what it says it serves, what it refused, and hidden tokens.

        `thinking_tokens` are among the completion tokens, `cached_tokens` among the prompt's.
        """
        place = {"project": self._access.project, "location": self._access.location}
        return {
            "base_url": self._access.url,
            "api": "Vertex AI" if self._access.is_vertex else "Gemini Developer API",
            **(place if self._access.is_vertex else {}),
            "served": sorted(self._served),
            "thinking_budget": self._parameters.thinking_budget,
            "thinking_tokens": self._thinking_tokens,
            "cached_tokens": self._cached_tokens,
            "learned": list(self._parameters.learned),
        }
