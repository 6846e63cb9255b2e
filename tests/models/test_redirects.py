"""A server's address that redirects is named, since requests lose their body on the way."""

from __future__ import annotations

import json

import pytest

from banglahallueval.models.ollama.model import OllamaModel
from banglahallueval.models.openai.chat import OpenAIModel
from banglahallueval.models.types import ChatModel, Message, ModelError, Request
from tests.servers.raw import raw_server, response

ASK = Request((Message("user", "ঢাকা?"),), max_tokens=16)
COMPLETION = json.dumps({"choices": [{"message": {"content": "no"}}]}).encode()
CHUNK = json.dumps({"message": {"content": "no"}, "done": True}).encode()


def moved(head: str, status: int) -> bytes:
    """Every path is elsewhere, where nothing but a POST is answered."""
    method, path, _ = head.split(" ", 2)
    if not path.startswith("/new"):
        return response(b"", status, f"Location: /new{path}\r\n")
    if method != "POST":
        return response(b"<title>Method Not Allowed</title>", 405)
    return response(CHUNK if "/api/" in path else COMPLETION)


@pytest.mark.parametrize("status", [301, 302, 303])
async def test_a_redirect_that_loses_the_request_is_named(status: int) -> None:
    """Only "405 Method Not Allowed" was once said, of an address that nobody had given."""
    async with raw_server(lambda head: moved(head, status)) as server:
        models: tuple[ChatModel, ...] = (
            OpenAIModel("m", base_url=f"{server.url}/v1"),
            OllamaModel("m", url=server.url),
        )
        for model, base in zip(models, ("/new/v1", "/new"), strict=True):
            with pytest.raises(ModelError) as caught:
                await model.complete(ASK)
            assert f"redirects to {server.url}{base}: name that one instead" in str(caught.value)
            assert "405" in str(caught.value)
            await model.close()


@pytest.mark.parametrize("status", [307, 308])
async def test_a_redirect_that_keeps_the_request_is_followed(status: int) -> None:
    """A server may add a slash to each path, which no address can spare it."""
    async with raw_server(lambda head: moved(head, status)) as server:
        for model in (
            OpenAIModel("m", base_url=f"{server.url}/v1"),
            OllamaModel("m", url=server.url),
        ):
            assert (await model.complete(ASK)).text == "no"
            await model.close()


async def test_a_page_that_a_redirect_leads_to_is_named() -> None:
    """A login page with status 200 is no reply, and its address is said."""

    def to_login(head: str) -> bytes:
        if " /login" in head:
            return response(b"<html><title>Sign in</title></html>")
        return response(b"", 302, "Location: /login?key=secret-0\r\n")

    async with raw_server(to_login) as server:
        for model in (
            OpenAIModel("m", base_url=f"{server.url}/v1"),
            OllamaModel("m", url=server.url),
        ):
            with pytest.raises(ModelError, match="Sign in") as caught:
                await model.complete(ASK)
            assert f"redirects to {server.url}/login" in str(caught.value)
            assert "secret-0" not in str(caught.value)
            await model.close()
