"""Speaking to an OpenAI-compatible server: connections, deadlines, its list of models."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import aiohttp
import httpx2
import openai

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
from banglahallueval.models.openai.refusals import is_about_access
from banglahallueval.models.types import ModelError
from banglahallueval.secrets import mask_values

_CHECK_SECONDS = 10.0  # what the look at the list of models may take


class OpenAIServer:
    """One OpenAI-compatible server.

    Attributes:
        url: Its address up to and including `/v1`.
        has_key: Whether it is asked with a key.
        key_name: The environment variable of the key, for messages.
    """

    def __init__(self, url: str, *, api_key: str | None, key_name: str, timeout: float) -> None:
        """Set up the client; nothing is sent yet.

        Raises:
            UsageError: If the key or the address cannot be right.
        """
        self.url = clean_url(url, "--base-url", "/chat/completions")
        if has_password(self.url):
            raise UsageError("--base-url: leave out what stands before the @; a key goes into .env")
        self._key = clean_key(api_key, key_name)
        self.has_key = bool(self._key)
        self.key_name = key_name
        self._timeout = timeout
        self._deadlines = Deadlines(timeout)
        self._bodies = BodyReader(self.url)
        self._client = openai.AsyncOpenAI(
            api_key=self._key or "none",
            base_url=self.url,
            max_retries=0,
            default_headers={"Accept-Encoding": ACCEPT_ENCODING},
            timeout=None,  # the deadline is ours: a library's timeouts start anew with each byte
            http_client=openai.DefaultAioHttpClient(
                timeout=None,
                trust_env=not is_loopback(self.url),
                # aiohttp's word for no limit; None would mean its default of 100
                limits=httpx2.Limits(max_connections=0),
                event_hooks={"response": [self._read_body]},
            ),
        )

    async def post(self, body: dict[str, Any]) -> httpx2.Response:
        """Ask for a chat completion once.

        Raises:
            openai.APIStatusError: For an error status.
            ModelError: If no response came.
        """
        try:
            async with self._deadlines.request():
                # Without the typed objects of `chat.completions.create`, a third cheaper.
                return await self._client.post(
                    "/chat/completions", cast_to=httpx2.Response, body=body
                )
        except TimeoutError:
            raise ModelError(
                "timeout", f"no reply from {self.url} in {self._timeout:g} s (--timeout)"
            ) from None
        except (openai.APIConnectionError, aiohttp.ClientError, httpx2.HTTPError) as error:
            raise transport_error(error, self.url) from None
        except ValueError as error:  # what the variables of the openai package put into a header
            said, advice = f"cannot ask {self.url}: {error}", "check the variables OPENAI_*"
            raise ModelError(
                "connection failed", said, advice=advice, retry=False, fatal=True
            ) from None

    async def offered(self) -> list[str]:
        """Fetch the names of the models that the server lists.

        Raises:
            ModelError: If it lists none.
        """
        try:
            async with asyncio.timeout(min(_CHECK_SECONDS, self._timeout)):
                response = await self._client.get("/models", cast_to=httpx2.Response)
            listed = read_json(response.content)["data"]
            return sorted(str(model["id"]) for model in listed)
        except openai.APIStatusError as error:
            detail = self.hide_key(error_detail(error.response.text))
            if error.status_code != 401 and not (
                error.status_code == 400 and is_about_access(detail)
            ):
                raise ModelError("not found", f"{self.url} lists no models") from None
            raise self.error(401, detail) from None
        except TimeoutError:
            raise ModelError("timeout", f"{self.url} does not list its models") from None
        except (openai.APIConnectionError, aiohttp.ClientError, httpx2.HTTPError) as error:
            raise transport_error(error, self.url) from None
        except (ValueError, LookupError, TypeError):
            raise ModelError("broken reply", f"{self.url} lists no models") from None

    def said(self, response: httpx2.Response) -> str:
        """Tell what a response says, and where it comes from if that was not asked."""
        said = self.hide_key(error_detail(response.text))
        if response.history:
            said += redirected(str(response.url), "/chat/completions")
        return said

    def error(
        self, status: int, detail: str, headers: Mapping[str, str] | None = None
    ) -> ModelError:
        """Turn an error status into what the client understands."""
        hint = f"{self.key_name} in .env"
        return status_error(status, detail, headers or {}, self.url, key_hint=hint)

    def hide_key(self, text: str) -> str:
        """Mask the key where the server repeats it."""
        return mask_values(text, [self._key])

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _read_body(self, response: httpx2.Response) -> None:
        """Read a response's body in place of the openai package, which takes any size."""
        stream = response.stream
        assert isinstance(stream, httpx2.AsyncByteStream)
        encoding = response.headers.get("content-encoding", "")
        try:
            body = await self._bodies.read(stream, encoding, is_error=not response.is_success)
        finally:
            await stream.aclose()
        response.headers.pop("content-encoding", None)
        response.stream = httpx2.ByteStream(body)
