from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from banglahallueval.cli.providers import add_provider_flags, provider_options
from banglahallueval.errors import RunError, UsageError
from banglahallueval.models import ollama as provider
from banglahallueval.models.ollama.model import OllamaModel
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.types import Message, ModelError, Reply, Request, Workload
from tests.clock import StoppedClock, stopped_clock
from tests.servers.answers import Answer, Failure, always
from tests.servers.faults import Faults
from tests.servers.ollama_models import Model
from tests.servers.ollama_server import OllamaServer

LOOP = StoppedClock  # no deadline passes unless a test lets it

LLAMA = "llama3.1:8b"
ASK = Request((Message("user", "ঢাকা কি রাজধানী?"),), max_tokens=16)
CHOOSE = replace(ASK, choices=("yes", "no"))
LOAD = Workload(requests=1, longest_prompt=1000, max_tokens=16, max_tokens_thinking=4096)


@asynccontextmanager
async def model_of(
    server: OllamaServer, name: str = LLAMA, workload: Workload = LOAD, **options: Any
) -> AsyncIterator[OllamaModel]:
    model = OllamaModel(name, url=server.url, **options)
    try:
        await model.prepare(workload)
        yield model
    finally:
        await model.close()


async def ask(server: OllamaServer, request: Request = ASK, **options: Any) -> Reply:
    async with model_of(server, **options) as model:
        return await model.complete(request)


@pytest.mark.parametrize(
    ("chunk", "text"),
    [
        ({"message": "yes"}, None),
        ({"message": {"content": ["yes"]}}, None),
        ({"message": {"content": "yes", "thinking": 5}}, None),
        ({"message": {"content": "yes"}, "logprobs": ["x"]}, "yes"),
        ({"message": {"content": "yes"}, "logprobs": [{"logprob": 1}]}, "yes"),
        ({"message": {"content": "yes"}, "logprobs": 5}, "yes"),
    ],
)
async def test_chunks_in_a_shape_of_their_own(chunk: Any, text: str | None) -> None:
    """Odd chunks were once a traceback that ended the run."""
    last = {"done": True, "message": {"content": ""}, **chunk}
    with OllamaServer() as server:
        async with model_of(server) as model:
            server.answer = always(Failure(200, json.dumps(last)))
            if text is None:
                with pytest.raises(ModelError) as caught:
                    await model.complete(ASK)
                assert caught.value.cause == "broken reply"
            else:
                assert (await model.complete(ASK)).text == text


def test_a_password_leaves_no_room_for_a_key() -> None:
    """Both at once were once a traceback from deep inside the HTTP library."""
    with pytest.raises(UsageError, match="take one"):
        OllamaModel(LLAMA, url="http://user:pw@host", api_key="key")


def chats(server: OllamaServer) -> list[Any]:
    """The bodies of all requests for a reply; not those that only load the model."""
    return [
        seen.body
        for seen in server.requests
        if seen.path == "/api/chat" and seen.body.get("messages")
    ]


async def test_a_streamed_reply_comes_whole() -> None:
    """Chunks are joined; usage, digest and the options of the request are right."""
    with OllamaServer(answer=always("হ্যাঁ, এটি ভুল।")) as server:
        reply = await ask(server)
        body = chats(server)[0]
    assert (reply.text, reply.finish) == ("হ্যাঁ, এটি ভুল।", "stop")
    assert reply.served.startswith(f"{LLAMA} ")
    assert min(reply.prompt_tokens, reply.completion_tokens) > 0
    assert body["stream"] is True
    assert body["keep_alive"] == "30m"
    assert body["options"] == {"temperature": 0.0, "num_predict": 16, "num_ctx": 2048}


@pytest.mark.parametrize(
    ("longest", "budget", "most", "context"),
    [
        (100, 16, 131072, 2048),
        (4000, 16, 131072, 6144),
        (4000, 1024, 131072, 7168),
        (4000, 1024, 4096, 4096),
        (100_000, 16, 131072, 131072),
    ],
)
async def test_one_context_length_for_the_whole_run(
    longest: int, budget: int, most: int, context: int
) -> None:
    """It follows the longest prompt and the reply budget, at most what the model supports."""
    with OllamaServer(models=[Model(LLAMA, context=most)]) as server:
        async with model_of(server, workload=Workload(1, longest, budget)) as model:
            for attempt in range(3):
                await model.complete(replace(ASK, attempt=attempt))
            assert model.record()["num_ctx"] == context
        assert {body["options"]["num_ctx"] for body in chats(server)} == {context}
        loads = [
            s.body for s in server.requests if s.path == "/api/chat" and not s.body["messages"]
        ]
    assert [load["options"]["num_ctx"] for load in loads] == [context]


async def test_more_context_than_the_model_has_is_an_error() -> None:
    """--num-ctx beyond the model's own limit says what the limit is."""
    with (
        OllamaServer(models=[Model(LLAMA, context=8192)]) as server,
        pytest.raises(UsageError, match=r"--num-ctx 9000: llama3\.1:8b supports 8192 at most"),
    ):
        await ask(server, num_ctx=9000)


@pytest.mark.parametrize("overflow", ["half", "full", "error"])
async def test_a_prompt_that_was_cut_is_told(overflow: Any) -> None:
    """Regression: an Ollama server answers 200 after it dropped part of the prompt."""
    long = replace(ASK, messages=(Message("user", "ক" * 8000),))
    with OllamaServer(overflow=overflow) as server:
        reply = await ask(server, long, num_ctx=2048)
    assert reply.finish == "context truncated"


@pytest.mark.parametrize("length", [20, 3000, 3075, 3078, 5900])
async def test_a_whole_prompt_is_not_taken_for_a_cut_one(length: int) -> None:
    """Prompts that fit are judged, those near half the context among them."""
    request = replace(ASK, messages=(Message("user", "ক" * length),))
    with OllamaServer() as server:
        reply = await ask(server, request, workload=Workload(1, length, 16))
    assert reply.finish == "stop"


async def test_thinking_comes_apart_from_the_answer() -> None:
    """A model that can think is asked to, with room for it, and never with a format."""
    thinker = Model("deepseek-r1:14b", thinking="field")
    answer = Answer("no", thinking="yes? rather no.", alternatives={"no": 0.8, "yes": 0.1})
    with OllamaServer(models=[thinker], answer=always(answer)) as server:
        async with model_of(server, thinker.name) as model:
            assert model.thinking
            request = replace(CHOOSE, probabilities=True, max_tokens=4096)
            reply = await model.complete(request)
            assert model.record()["num_ctx"] >= 4096 + 1500
        body = chats(server)[0]
    assert (reply.text, reply.thinking) == ("no", "yes? rather no.")
    assert [token.text for token in reply.tokens] == ["no"]
    assert body["think"] is True
    assert "format" not in body


async def test_thinking_inside_the_answer_is_known_by_name() -> None:
    """An older server's thinker is not asked for what it does not support, nor constrained."""
    thinker = Model("deepseek-r1:14b", thinking="inline")
    with OllamaServer(models=[thinker], answer=always(Answer("no", thinking="hm"))) as server:
        reply = await ask(server, replace(CHOOSE, max_tokens=64), name=thinker.name)
        body = chats(server)[0]
    assert reply.text == "<think>\nhm\n</think>\n\nno"
    assert not {"think", "format"} & body.keys()


async def test_a_choice_is_constrained_by_a_schema() -> None:
    """Choices become a JSON schema of one key."""
    with OllamaServer(answer=always(Answer("Not sure", forced="no"))) as server:
        reply = await ask(server, CHOOSE)
    assert json.loads(reply.text) == {"is_hallucinated": "no"}


@pytest.mark.parametrize("offered", [True, False])
async def test_probabilities_where_the_server_has_them(offered: bool) -> None:
    """Token alternatives come from newer servers; from older ones there are none, and no error."""
    answer = Answer("yes", alternatives={"yes": 0.7, "no": 0.2})
    with OllamaServer(logprobs=offered, answer=always(answer)) as server:
        reply = await ask(server, replace(ASK, probabilities=True))
        assert chats(server)[0]["top_logprobs"] == 20
    listed = [[text for text, _ in token.top] for token in reply.tokens]
    assert listed == ([["yes", "no"]] if offered else [])


async def test_a_reply_cut_by_its_budget() -> None:
    """done_reason length is kept."""
    with OllamaServer(answer=always("না " * 40)) as server:
        assert (await ask(server)).finish == "length"


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        ("429", "rate limited"),
        ("500", "server error"),
        ("502", "server error"),
        ("524", "proxy timeout"),
        ("html", "broken reply"),
        ("empty", "broken reply"),
        ("bad_json", "broken reply"),
        ("short_body", "broken reply"),
        ("cut_chunks", "broken reply"),
        ("no_done", "broken reply"),
        ("stream_error", "server error"),
        ("reset", "connection failed"),
    ],
)
async def test_each_fault_has_its_cause(kind: str, cause: str) -> None:
    """Every way a reply can fail to come is named for what it is, and may be retried."""
    with OllamaServer(answer=always("yes, it is")) as server:
        async with model_of(server) as model:
            server.faults = Faults({kind: 1.0})
            with pytest.raises(ModelError) as caught:
                await model.complete(ASK)
    error = caught.value
    assert (error.cause, error.retry, error.fatal) == (cause, True, False)
    assert "\n" not in str(error)


async def under_way(
    server: OllamaServer, model: OllamaModel, request: Request
) -> asyncio.Task[Reply]:
    """A request whose reply is about to begin."""
    server.hold()
    asking = asyncio.create_task(model.complete(request))
    await server.gate.until_held(1)
    server.gate.release()
    return asking


async def test_silence_ends_at_the_deadline() -> None:
    """A reply that has not begun when the timeout is up may be asked for again."""
    async with OllamaServer() as server, model_of(server, timeout=120) as model:
        server.hold()
        asking = asyncio.create_task(model.complete(ASK))
        await server.gate.until_held(1)
        await stopped_clock().advance(119)
        assert not asking.done()
        await stopped_clock().advance(1)
        with pytest.raises(ModelError) as caught:
            await asking
    error = caught.value
    assert (error.cause, error.retry, error.fatal) == ("timeout", True, False)


async def test_a_slow_drip_ends_and_a_long_reply_does_not() -> None:
    """The deadline covers a drip; a larger reply budget moves it."""
    clock = stopped_clock()
    async with (
        OllamaServer(answer=always("না " * 200)) as server,
        model_of(server, timeout=100) as model,
    ):
        server.pause = 2
        asking = await under_way(server, model, replace(ASK, max_tokens=64))
        await clock.advance_until(asking.done, 1)
        with pytest.raises(ModelError) as caught:
            await asking
        assert caught.value.cause == "timeout"
        assert 100 <= clock.time() <= 102  # it begins with the first byte, at most a pause later
        asking = await under_way(server, model, replace(ASK, max_tokens=1024))
        await clock.advance_until(lambda: server.counts.in_flight == 0, 1)
        assert (await asking).finish == "stop"
        assert clock.time() >= 400


async def test_streaming_outlives_a_proxy_that_cuts_silence() -> None:
    """A reply longer than the proxy's patience arrives, since it is never silent for so long."""
    async with (
        OllamaServer(answer=always("না " * 10), proxy_timeout=100) as server,
        model_of(server) as model,
    ):
        server.pause = 30
        asking = await under_way(server, model, replace(ASK, max_tokens=1024))
        await stopped_clock().advance_until(lambda: server.counts.in_flight == 0, 30)
        assert (await asking).finish == "stop"
        assert stopped_clock().time() >= 300


async def test_a_proxy_timeout_explains_itself() -> None:
    """524 says that a proxy gave up, and what to do."""
    with OllamaServer(latency=0.02, proxy_timeout=0.01) as server:
        model = OllamaModel(LLAMA, url=server.url)
        with pytest.raises(RunError, match="proxy before the server gave up waiting"):
            await model.prepare(LOAD)
        await model.close()
        loads = [seen for seen in server.requests if seen.path == "/api/chat"]
    assert len(loads) == 3  # loading went on behind the proxy, so it is tried again


async def test_a_model_that_is_not_pulled() -> None:
    """The message is the command that pulls it."""
    with (
        OllamaServer() as server,
        pytest.raises(RunError, match=r"run `ollama pull gemma2:27b` there"),
    ):
        await ask(server, name="gemma2:27b")


async def test_a_model_that_goes_away_stops_the_run() -> None:
    """A model removed during a run is fatal."""
    with OllamaServer() as server:
        async with model_of(server) as model:
            server.models.clear()
            with pytest.raises(ModelError, match="ollama pull") as caught:
                await model.complete(ASK)
    assert (caught.value.cause, caught.value.fatal) == ("not found", True)


async def test_a_server_that_is_not_up() -> None:
    """The message is the command that starts it."""
    model = OllamaModel(LLAMA, url="http://127.0.0.1:9")
    with pytest.raises(RunError, match=r"cannot reach http://127\.0\.0\.1:9.*`ollama serve`"):
        await model.prepare(LOAD)
    await model.close()


async def test_an_address_that_is_no_ollama_server() -> None:
    """A stopped pod's 404 page is not a missing model."""
    with OllamaServer() as server:
        model = OllamaModel(LLAMA, url=f"{server.url}/elsewhere")
        with pytest.raises(RunError, match="is no Ollama server"):
            await model.prepare(LOAD)
        await model.close()


@pytest.mark.parametrize("suffix", ["", "/", "/api", "/api/", "/v1", "/v1/", "/api/chat"])
async def test_addresses_are_taken_as_people_write_them(suffix: str) -> None:
    """A slash or an API path at the end of the URL does no harm."""
    with OllamaServer() as server:
        model = OllamaModel(LLAMA, url=server.url + suffix)
        await model.prepare(LOAD)
        await model.close()


async def test_a_bearer_token_is_sent_and_never_shown() -> None:
    """A server behind a token is served; a wrong token is named by its variable only."""
    with OllamaServer(api_key="secret-1") as server:
        assert (await ask(server, api_key="secret-1")).text in {"yes", "no"}
        with pytest.raises(RunError, match=r"check OLLAMA_API_KEY in \.env") as refused:
            await ask(server, api_key="secret-2")
    assert "secret-2" not in str(refused.value)


@pytest.mark.parametrize(
    ("status", "error", "cause", "fatal"),
    [
        (
            500,
            "model requires more system memory (43.1 GiB) than is available (9.8 GiB)",
            "server error",
            True,
        ),
        (
            503,
            "server busy, please try again. maximum pending requests exceeded",
            "rate limited",
            False,
        ),
        (500, "llama runner process has terminated: exit status 2", "server error", False),
        (400, "invalid format", "request refused", False),
    ],
)
async def test_ollamas_own_errors(status: int, error: str, cause: str, fatal: bool) -> None:
    """Too little memory ends a run, a full queue slows it, a crash is tried again."""
    with OllamaServer() as server:
        async with model_of(server) as model:
            server.answer = always(Failure(status, json.dumps({"error": error})))
            with pytest.raises(ModelError) as caught:
                await model.complete(ASK)
    assert (caught.value.cause, caught.value.fatal) == (cause, fatal)


async def test_the_digest_identifies_the_model_and_the_address_does_not() -> None:
    """A rented server may come back under another address; another model of the name may not."""
    with OllamaServer() as one, OllamaServer() as other:
        async with model_of(one) as first, model_of(other) as second:
            assert first.identity() == second.identity()
            assert first.identity()["digest"] == one.models[LLAMA].digest
            assert first.record()["url"] != second.record()["url"]


def test_the_flags_and_the_environment_make_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """--ollama-url comes before OLLAMA_BASE_URL, and that before this machine."""
    parser = argparse.ArgumentParser()
    add_provider_flags(parser, ["ollama"])

    def url(*flags: str) -> str:
        options = provider_options(parser.parse_args(flags))
        return str(provider.open_model(ClientOptions("ollama", LLAMA, options)).record()["url"])

    monkeypatch.delenv("OLLAMA_BASE_URL", raising=False)
    assert url() == "http://localhost:11434"
    monkeypatch.setenv("OLLAMA_BASE_URL", "https://pod-11434.proxy.example.net/")
    assert url() == "https://pod-11434.proxy.example.net"
    assert url("--ollama-url", "gpu:11434/api") == "http://gpu:11434"
