"""Speaking to the Gemini API through google-genai, within bounds and without its own retries."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import google.auth.exceptions
import httpx2
from google import genai
from google.genai import types

from banglahallueval.errors import UsageError
from banglahallueval.models.bodies import ACCEPT_ENCODING, BodyReader
from banglahallueval.models.deadlines import Deadlines
from banglahallueval.models.endpoint import is_loopback
from banglahallueval.models.gemini.access import Access
from banglahallueval.models.gemini.refusals import Refusal, read_refusal
from banglahallueval.models.http import one_line, redirected, transport_error
from banglahallueval.models.types import ModelError
from banglahallueval.secrets import mask_values

# Pinned, for the SDK's defaults differ between its releases.
_DEVELOPER_VERSION, _VERTEX_VERSION = "v1beta", "v1beta1"
_CHECK_SECONDS = 10.0  # what looking a model up may take
_MOST_LISTED = 1000  # models of one page, the most that the API gives


class RefusedError(Exception):
    """An error response in the place of what was asked for."""

    def __init__(self, refusal: Refusal) -> None:
        """Keep what was read of it."""
        super().__init__(refusal.said)
        self.refusal = refusal


class GeminiServer:
    """The Gemini Developer API, Vertex AI, or whatever stands in for one of them."""

    def __init__(self, access: Access, *, timeout: float) -> None:
        """Set up; nothing is sent yet.

        Args:
            access: Which API, where, and what opens it.
            timeout: Seconds that one attempt may take once the server has time for it.

        Raises:
            UsageError: If the environment keeps the SDK from being set up.
        """
        self.access = access
        self.timeout = timeout
        self._deadlines = Deadlines(timeout)
        self._bodies = BodyReader(access.url)
        _silence_libraries()
        try:
            # With aiohttp, which the SDK would take, it asks again by itself after a lost
            # connection. A redirect would carry the key along, so none is followed.
            self._http = httpx2.AsyncClient(
                headers={"Accept-Encoding": ACCEPT_ENCODING},
                timeout=None,  # the deadline is ours: a library's starts anew with each byte
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=None),
                trust_env=not is_loopback(access.url),
                follow_redirects=False,
                event_hooks={"response": [self._read_body]},
            )
            self._client = genai.Client(
                vertexai=access.is_vertex,
                api_key=None if access.is_vertex else access.key or "none",
                project=access.project or None,
                location=access.location or None,
                http_options=types.HttpOptions(
                    base_url=access.url,
                    api_version=_VERTEX_VERSION if access.is_vertex else _DEVELOPER_VERSION,
                    httpx_async_client=self._http,
                ),
            )
        except (ValueError, ImportError) as error:  # a proxy's address, a missing SOCKS package
            raise UsageError(
                f"cannot set up google-genai: {one_line(str(error))}; check the variables *_PROXY "
                "and GOOGLE_*"
            ) from None

    async def generate(
        self,
        model: str,
        contents: Sequence[types.ContentUnionDict],
        config: types.GenerateContentConfig,
    ) -> bytes:
        """Make one attempt and return the body of the response.

        Raises:
            RefusedError: If an error comes in its place.
            ModelError: If nothing whole comes, or nobody is logged in.
        """
        try:
            async with self._named_errors(), self._deadlines.request():
                response = await self._client.aio.models.generate_content(
                    model=model, contents=list(contents), config=config
                )
        except TimeoutError:
            raise ModelError(
                "timeout", f"no reply from {self.access.url} in {self.timeout:g} s (--timeout)"
            ) from None
        raw = response.sdk_http_response
        return ((raw and raw.body) or "").encode()

    async def look_up(self, model: str) -> None:
        """Ask whether the API has a model, which costs nothing.

        Raises:
            RefusedError: If an error comes.
            ModelError: If nothing whole comes, or nobody is logged in.
        """
        async with self._in_short():
            await self._client.aio.models.get(model=model)

    async def offered(self) -> list[str]:
        """Fetch the names of the chat models that the API lists; none where it lists none."""
        try:
            async with self._in_short():
                pager = await self._client.aio.models.list(config={"page_size": _MOST_LISTED})
                listed = [
                    model.name or ""
                    for model in pager.page
                    if "generateContent" in (model.supported_actions or ["generateContent"])
                ]
        except (ModelError, RefusedError):
            return []
        return sorted(name.removeprefix("models/") for name in listed if name)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()
        self._client.close()

    def hide_key(self, text: str) -> str:
        """Mask the key in what the server says."""
        return mask_values(text, [self.access.key])

    @asynccontextmanager
    async def _in_short(self) -> AsyncIterator[None]:
        try:
            async with self._named_errors(), asyncio.timeout(min(_CHECK_SECONDS, self.timeout)):
                yield
        except TimeoutError:
            raise ModelError("timeout", f"{self.access.url} does not answer") from None

    @asynccontextmanager
    async def _named_errors(self) -> AsyncIterator[None]:
        """Name what the libraries raise."""
        try:
            yield
        except httpx2.HTTPError as error:
            raise transport_error(error, self.access.url) from None
        except google.auth.exceptions.GoogleAuthError as error:
            raise _login_error(error, self.access.url) from None
        except (ValueError, RuntimeError, AttributeError, TypeError, LookupError) as error:
            # The SDK's refusal of a model's name, or its reading of what is no reply.
            raise ModelError(
                "broken reply", f"cannot ask {self.access.url}: {one_line(str(error))}"
            ) from None

    async def _read_body(self, response: httpx2.Response) -> None:
        """Read a response's body in place of the SDK, which takes any size.

        Raises:
            RefusedError: If it is an error's.
        """
        stream = response.stream
        assert isinstance(stream, httpx2.AsyncByteStream)
        encoding = response.headers.get("content-encoding", "")
        is_error = response.status_code != 200
        try:
            body = await self._bodies.read(stream, encoding, is_error=is_error)
        finally:
            await stream.aclose()
        if is_error:
            refusal = read_refusal(response.status_code, body, dict(response.headers))
            target = response.headers.get("location")
            said = self.hide_key(refusal.said) + (redirected(target, "") if target else "")
            raise RefusedError(replace(refusal, said=said))
        response.headers.pop("content-encoding", None)
        response.stream = httpx2.ByteStream(body)


def _login_error(error: google.auth.exceptions.GoogleAuthError, url: str) -> ModelError:
    """Tell that nobody is logged in, or that the login could not be renewed."""
    said = one_line(str(error.args[0] if error.args else error)).rstrip(".")
    if isinstance(error, google.auth.exceptions.TransportError):
        return ModelError("connection failed", f"cannot log in to Google Cloud: {said}")
    return ModelError(
        "access denied",
        f"no login to Google Cloud for {url}: {said}",
        advice="run `gcloud auth application-default login`, or set GOOGLE_APPLICATION_CREDENTIALS "
        "to the file of a service account",
        retry=False,
        fatal=True,
    )


def _silence_libraries() -> None:
    """Keep to themselves what the SDK and its login would write to the terminal.

    They warn of two keys being set, of parts that are no text, of a login without a project: each
    is either told by this program or of no matter to it.
    """
    for name in ("google_genai", "google.auth", "google.genai"):
        logging.getLogger(name).addHandler(logging.NullHandler())
    warnings.filterwarnings("ignore", module=r"google\.(?:genai|auth|oauth2)\b")
