"""The loopback Ollama server, asked over aiohttp as the package asks it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest

from tests.servers.answers import Answer, always, hashed_label, hashed_p_yes
from tests.servers.faults import STREAM_BREAKS, Faults
from tests.servers.ollama_models import Model, parse
from tests.servers.ollama_server import OllamaServer
from tests.servers.process import child

Start = Callable[..., OllamaServer]


async def call(url: str, path: str, body: Any = None, *, key: str = "") -> tuple[int, Any, str]:
    """Status, the reply's JSON objects or its text, and its content type."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    method = "GET" if body is None else "POST"
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.request(method, url + path, json=body) as response,
    ):
        text = await response.text()
        form = response.content_type
        if "json" not in form:
            return response.status, text, form
        objects = [json.loads(line) for line in text.splitlines()]
        return response.status, objects if "ndjson" in form else objects[0], form


async def chat(url: str, prompt: str = "ঢাকা কোথায়?", **more: Any) -> tuple[int, Any, str]:
    messages = [{"role": "user", "content": prompt}]
    body = {"model": "llama3.1:8b", "messages": messages, "stream": False, **more}
    return await call(url, "/api/chat", body)


async def test_what_is_pulled_can_be_listed_and_shown(ollama_server: Start) -> None:
    """Tags give digests; show gives context length and capabilities; unknown models are 404."""
    thinker = Model("deepseek-r1:14b", 32768, "field", "qwen2")
    url = ollama_server(models=["mistral-nemo:latest", thinker], version="0.9.1").url
    assert (await call(url, "/api/version"))[1] == {"version": "0.9.1"}
    _, tags, _ = await call(url, "/api/tags")
    assert [model["name"] for model in tags["models"]] == ["mistral-nemo:latest", thinker.name]
    assert tags["models"][1]["digest"] == thinker.digest
    _, shown, _ = await call(url, "/api/show", {"model": "deepseek-r1:14b"})
    assert shown["model_info"]["qwen2.context_length"] == 32768
    assert "thinking" in shown["capabilities"]
    _, shown, _ = await call(url, "/api/show", {"model": "mistral-nemo"})
    assert "thinking" not in shown["capabilities"]
    for path in ("/api/show", "/api/chat"):
        status, missing, _ = await call(url, path, {"model": "x"})
        assert (status, missing) == (404, {"error": "model 'x' not found"})


async def test_a_chat_streams_the_same_as_it_answers_whole(ollama_server: Start) -> None:
    """Streamed chunks add up to the whole reply, and the last carries counts and reason."""
    server = ollama_server(answer=always("yes, it is"))
    options = {"num_ctx": 8192, "num_predict": 16, "temperature": 0, "seed": 1}
    _, chunks, form = await chat(server.url, stream=True, options=options, keep_alive="30m")
    assert form == "application/x-ndjson"
    assert "".join(chunk["message"]["content"] for chunk in chunks) == "yes, it is"
    assert [chunk["done"] for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    assert (chunks[-1]["done_reason"], chunks[-1]["prompt_eval_count"]) == ("stop", 4)
    _, whole, _ = await chat(server.url)
    assert whole["message"]["content"] == "yes, it is"
    seen = server.requests[0].body
    assert (seen["options"], seen["keep_alive"]) == (options, "30m")


async def test_log_probabilities_as_the_newest_servers_give_them(ollama_server: Start) -> None:
    """Asked-for log probabilities give the hashed p(yes); an older server sends none."""
    server = ollama_server()
    _, reply, _ = await chat(server.url, "বাংলা", logprobs=True, top_logprobs=20)
    top = reply["logprobs"][0]["top_logprobs"]
    yes = sum(math.exp(t["logprob"]) for t in top if t["token"].lower() == "yes")
    no = sum(math.exp(t["logprob"]) for t in top if t["token"].lower() == "no")
    assert yes / (yes + no) == pytest.approx(hashed_p_yes("বাংলা"))
    assert reply["message"]["content"] == hashed_label("বাংলা")
    server.logprobs = False
    assert "logprobs" not in (await chat(server.url, logprobs=True))[1]


@pytest.mark.parametrize(("overflow", "left"), [("half", 514), ("full", 1024)])
async def test_too_long_a_prompt_is_cut_in_silence(
    ollama_server: Start, overflow: str, left: int
) -> None:
    """The only sign of a cut prompt is prompt_eval_count, as each age of server gives it."""
    url = ollama_server(overflow=overflow).url
    status, reply, _ = await chat(url, "ক" * 6000, options={"num_ctx": 1024})
    assert (status, reply["prompt_eval_count"]) == (200, left)
    _, reply, _ = await chat(url, "ক" * 6000, options={"num_ctx": 4096})
    assert reply["prompt_eval_count"] == 2000


async def test_context_is_at_most_what_the_model_supports(ollama_server: Start) -> None:
    """Asking for more context than the model has does not give it; some servers refuse."""
    small = Model("llama3.1:8b", 1024)
    server = ollama_server(models=[small])
    _, reply, _ = await chat(server.url, "ক" * 6000, options={"num_ctx": 9999})
    assert reply["prompt_eval_count"] == 514
    server.overflow = "error"
    status, reply, _ = await chat(server.url, "ক" * 6000, options={"num_ctx": 9999})
    assert status == 400
    assert "exceeds the available context size (1024 tokens)" in reply["error"]


async def test_thinking_goes_where_the_model_puts_it(ollama_server: Start) -> None:
    """Thinking fills its field or the content, eats the budget, and can be refused."""
    answer = always(Answer("yes", thinking="no, maybe"))
    models = [Model("a:1", thinking="field"), Model("b:1", thinking="inline"), Model("c:1")]
    url = ollama_server(models=models, answer=answer).url
    _, reply, _ = await chat(url, model="a:1")
    assert (reply["message"]["thinking"], reply["message"]["content"]) == ("no, maybe", "yes")
    _, reply, _ = await chat(url, model="a:1", options={"num_predict": 2})
    assert (reply["message"]["content"], reply["done_reason"]) == ("", "length")
    _, reply, _ = await chat(url, model="a:1", think=False)
    assert "thinking" not in reply["message"]
    _, reply, _ = await chat(url, model="b:1")
    assert reply["message"]["content"] == "<think>\nno, maybe\n</think>\n\nyes"
    assert (await chat(url, model="c:1"))[1]["message"]["content"] == "yes"
    status, reply, _ = await chat(url, model="c:1", think=True)
    assert (status, reply) == (400, {"error": '"c:1" does not support thinking'})


async def test_a_format_constrains_only_models_that_do_not_think(ollama_server: Start) -> None:
    """A schema or `json` holds for a plain model and is lost on one that thinks."""
    schema = {"type": "object", "properties": {"is_hallucinated": {"enum": ["Yes", "No"]}}}
    answer = always(Answer("Not sure", forced="no", thinking="hm"))
    models = ["llama3.1:8b", Model("r1:1", thinking="field")]
    url = ollama_server(answer=answer, models=models).url
    _, reply, _ = await chat(url, format=schema)
    assert json.loads(reply["message"]["content"]) == {"is_hallucinated": "No"}
    _, reply, _ = await chat(url, format="json")
    assert json.loads(reply["message"]["content"]) == {"answer": "Not sure"}
    _, reply, _ = await chat(url, format=schema, model="r1:1")
    assert reply["message"]["content"] == "Not sure"


async def test_a_proxy_cuts_silence_but_not_a_stream(ollama_server: Start) -> None:
    """Silence past the limit is 524; flowing bytes keep a longer reply alive; a stall kills it."""
    server = ollama_server(answer=always("a b c d e f"), pause=0.005, proxy_timeout=0.02)
    assert (await chat(server.url, stream=True))[0] == 200
    status, text, form = await chat(server.url)
    assert (status, form) == (524, "text/html")
    assert "524" in text
    server.latency = 0.04
    assert (await chat(server.url, stream=True))[0] == 524
    server.latency, server.pause = 0.0, 0.04
    with pytest.raises(aiohttp.ClientError):
        await chat(server.url, stream=True)


@pytest.mark.parametrize("kind", STREAM_BREAKS)
async def test_a_stream_can_break_under_status_200(ollama_server: Start, kind: str) -> None:
    """An error object in mid-stream and a stream without its end come with status 200, once."""
    server = ollama_server(faults=Faults({kind: 1.0}, most=1))
    status, chunks, _ = await chat(server.url, stream=True)
    assert status == 200
    assert not any(chunk.get("done") for chunk in chunks)
    assert ("error" in chunks[-1]) == (kind == "stream_error")
    _, chunks, _ = await chat(server.url, stream=True)
    assert chunks[-1]["done"]
    assert server.requests[0].fault == kind


async def test_a_token_is_asked_for(ollama_server: Start) -> None:
    """Without the right bearer token every path is 401."""
    url = ollama_server(api_key="secret").url
    assert (await call(url, "/api/tags"))[0] == 401
    assert (await call(url, "/api/tags", key="secret"))[0] == 200


async def test_a_child_server_serves_models_from_its_flags() -> None:
    """The command line names models with their kind and context."""
    assert parse("r1:14b+thinking+8192") == Model("r1:14b", 8192, "field")
    assert parse("q:1+inline").thinking == "inline"
    with child("ollama_server", "--models", "r1:14b+thinking", "llama3.1:8b") as server:
        _, tags, _ = await call(server.url, "/api/tags")
    assert [model["name"] for model in tags["models"]] == ["r1:14b", "llama3.1:8b"]
