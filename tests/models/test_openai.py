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
from banglahallueval.models import openai as provider
from banglahallueval.models.openai.chat import OpenAIModel
from banglahallueval.models.openai.parameters import STOP
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.types import Message, ModelError, Reply, Request, Workload
from tests.clock import StoppedClock, stopped_clock
from tests.servers.answers import Answer, Failure, always, in_turn
from tests.servers.faults import Faults
from tests.servers.openai_server import OpenAIServer

LOOP = StoppedClock  # no deadline passes unless a test lets it

ASK = Request((Message("user", "ঢাকা কি রাজধানী?"),), max_tokens=16)
CHOOSE = replace(ASK, choices=("yes", "no"))


@asynccontextmanager
async def model_of(server: OpenAIServer, **options: Any) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel("gpt-test", base_url=server.url, **options)
    try:
        yield model
    finally:
        await model.close()


async def ask(server: OpenAIServer, request: Request = ASK, **options: Any) -> Reply:
    async with model_of(server, **options) as model:
        return await model.complete(request)


async def failure(server: OpenAIServer, request: Request = ASK, **options: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await ask(server, request, **options)
    return caught.value


def refusal(
    status: int, message: str, param: str | None = None, code: str | None = None
) -> Failure:
    body = {"error": {"message": message, "type": "x", "param": param, "code": code}}
    return Failure(status, json.dumps(body))


async def test_a_reply_carries_text_usage_and_what_was_served() -> None:
    """A plain reply comes through with its usage and the server's own name for the model."""
    with OpenAIServer(answer=always("হ্যাঁ")) as server:
        reply = await ask(server)
        sent = server.requests[0]
    assert (reply.text, reply.finish, reply.served) == (
        "হ্যাঁ",
        "stop",
        "gpt-test-2025-04-14 fp_tests",
    )
    assert reply.prompt_tokens > 0
    assert reply.completion_tokens == 1
    assert sent.body == {
        "model": "gpt-test",
        "messages": [{"role": "user", "content": "ঢাকা কি রাজধানী?"}],
        "max_tokens": 16,
        "temperature": 0.0,
        "stop": list(STOP),
    }


async def test_probabilities_come_only_when_asked_for() -> None:
    """Token alternatives are asked for with the 20 that the API gives, and only on request."""
    with OpenAIServer(answer=always(Answer("yes", alternatives={"yes": 0.7, "no": 0.2}))) as server:
        assert (await ask(server)).tokens == ()
        reply = await ask(server, replace(ASK, probabilities=True))
        assert server.requests[1].body["top_logprobs"] == 20
    assert [text for text, _ in reply.tokens[0].top] == ["yes", "no"]


@pytest.mark.parametrize(
    "logprobs",
    [
        {"content": [{"token": "yes", "logprob": -0.1}]},
        {"content": [{"token": "yes", "logprob": -0.1, "top_logprobs": None}]},
        {"content": [{"token": "yes", "top_logprobs": [{"token": "yes", "logprob": None}]}]},
        {"content": [{"token": "yes", "top_logprobs": [{"token": 5, "logprob": -0.1}]}]},
        {"content": [{"token": "yes", "top_logprobs": {"yes": -0.1}}]},
        {"tokens": ["yes"], "token_logprobs": [-0.1], "top_logprobs": [{"yes": -0.1}]},
        [-0.1],
        True,
    ],
)
async def test_odd_log_probabilities_do_not_cost_the_reply(logprobs: Any) -> None:
    """A reply was once thrown away, and asked for again, for the shape of its probabilities."""
    choice = {"message": {"content": "yes"}, "finish_reason": "stop", "logprobs": logprobs}
    body = json.dumps({"choices": [choice], "usage": [1]})
    with OpenAIServer(answer=always(Failure(200, body))) as server:
        reply = await ask(server)
    assert reply.text == "yes"
    assert all(not token.top for token in reply.tokens)


@pytest.mark.parametrize(
    "content",
    ["yes", ["yes"], [{"text": "yes"}], [{"type": "output_text", "text": "yes"}]],
)
async def test_content_may_be_a_list_of_parts(content: Any) -> None:
    """The text of a part that names no type, or another one, was once lost."""
    body = json.dumps({"choices": [{"message": {"content": content}}]})
    with OpenAIServer(answer=always(Failure(200, body))) as server:
        assert (await ask(server)).text == "yes"


async def test_half_a_surrogate_pair_is_no_reason_to_hang() -> None:
    """A reply cut inside an emoji could not be stored, and the run once waited for ever."""
    body = r'{"choices": [{"message": {"content": "yes \ud83d"}}]}'
    with OpenAIServer(answer=always(Failure(200, body))) as server:
        assert (await ask(server)).text == "yes \ufffd"


async def test_a_refusal_in_a_shape_of_its_own() -> None:
    """Lists in the place of an error's param and code were once a traceback."""
    error = {"message": "bad", "param": ["temperature"], "code": ["x"], "type": [1]}
    for status, cause in ((400, "request refused"), (429, "rate limited")):
        body = json.dumps({"error": error})
        with OpenAIServer(answer=always(Failure(status, body))) as server:
            assert (await failure(server)).cause == cause


@pytest.mark.parametrize(
    "address",
    [
        "http://a..b/v1", f"http://{'a' * 300}/v1", "http://h\n/v1", "http://user:pw@host/v1",
        "user:pw@host/v1", "http://host/v1?key=1", "http://host/v1#x",
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_asked(address: str) -> None:
    """Addresses that no library takes, or that hold a password, were once a traceback."""
    with pytest.raises(UsageError, match="--base-url"):
        OpenAIModel("m", base_url=address)


async def test_a_choice_is_constrained_by_a_schema() -> None:
    """Choices become a strict JSON schema of one key, with room for the object around them."""
    with OpenAIServer(answer=always(Answer("Not sure", forced="no"))) as server:
        reply = await ask(server, replace(CHOOSE, max_tokens=4))
        body = server.requests[0].body
    assert json.loads(reply.text) == {"is_hallucinated": "no"}
    assert body["max_tokens"] >= 32
    assert body["response_format"]["json_schema"]["strict"] is True


@pytest.mark.parametrize(
    ("answer", "finish", "text"),
    [
        (Answer("x " * 40), "length", "x x x x x x x x x x x x x x x x"),
        (Answer(None, finish="content_filter"), "filtered", ""),
        (Answer(None, refusal="I can't help with that."), "refused", "I can't help with that."),
        (Answer(None), "stop", ""),
        (Answer(""), "stop", ""),
    ],
)
async def test_how_a_reply_ended(answer: Answer, finish: str, text: str) -> None:
    """A cut, withheld, refused or empty reply says so."""
    with OpenAIServer(answer=always(answer)) as server:
        reply = await ask(server)
    assert (reply.finish, reply.text) == (finish, text)


async def test_thinking_is_kept_apart() -> None:
    """Separately delivered thinking does not reach the answer."""
    with OpenAIServer(answer=always(Answer("no", thinking="yes? no."))) as server:
        reply = await ask(server)
    assert (reply.text, reply.thinking) == ("no", "yes? no.")


@pytest.mark.parametrize(
    ("refused", "gone", "learned"),
    [
        ("temperature", "temperature", "without temperature"),
        ("max_tokens", "max_tokens", "max_completion_tokens instead of max_tokens"),
        ("seed", "seed", "without seed"),
        ("logprobs", "top_logprobs", "without logprobs"),
        ("logprobs_forbidden", "logprobs", "without logprobs"),
        ("json_schema", "response_format", "without response_format"),
    ],
)
async def test_a_refused_parameter_is_learned_once(refused: str, gone: str, learned: str) -> None:
    """One 400 (or logprobs' 403) teaches the run; the same request is asked again at once."""
    full = replace(CHOOSE, probabilities=True, seed=3)
    with OpenAIServer(refuses=[refused]) as server:
        async with model_of(server) as model:
            await model.complete(full)
            await model.complete(replace(full, attempt=1))
            record = model.record()
        bodies = [seen.body for seen in server.requests]
    assert [gone in body for body in bodies] == [True, False, False]
    assert record["learned"] == [learned]
    assert bodies[1].get("max_completion_tokens", bodies[1].get("max_tokens")) == 48


async def test_fewer_alternatives_before_none() -> None:
    """A server that gives five alternatives at most is asked for five."""
    with OpenAIServer(refuses=["top_logprobs"]) as server:
        await ask(server, replace(ASK, probabilities=True))
        assert [seen.body["top_logprobs"] for seen in server.requests] == [20, 5]


async def test_a_reasoning_model_refuses_several_parameters() -> None:
    """Every refusal is learned in turn, and the reply still comes."""
    with OpenAIServer(refuses=["temperature", "max_tokens", "logprobs_forbidden"]) as server:
        reply = await ask(server, replace(ASK, probabilities=True))
        assert len(server.requests) == 4
    assert reply.text in {"yes", "no"}


async def test_requests_in_flight_all_recover_from_one_refusal() -> None:
    """Requests that meet the same 400 at once each get their reply, and it is learned once."""
    async with OpenAIServer(refuses=["temperature", "max_tokens"]) as server:
        server.hold()
        async with model_of(server) as model:
            asks = [replace(ASK, messages=(Message("user", str(n)),)) for n in range(40)]
            asking = asyncio.gather(*map(model.complete, asks))
            await server.gate.until_held(40)
            server.gate.release()
            replies = await asking
            record = model.record()
        assert len(server.requests) <= 3 * 40
    assert len(replies) == 40
    assert sorted(record["learned"]) == [
        "max_completion_tokens instead of max_tokens",
        "without temperature",
    ]


async def test_refusing_both_spellings_of_the_budget_ends() -> None:
    """A reply is never asked for without a budget, nor the same thing asked for ever."""
    with OpenAIServer(refuses=["max_tokens", "max_completion_tokens"]) as server:
        error = await failure(server)
        assert len(server.requests) == 2
    assert (error.cause, error.retry) == ("request refused", False)


async def test_a_server_that_refuses_everything_is_asked_a_few_times() -> None:
    """A 400 about ever the same parameter does not loop."""
    words = "temperature, seed and max_tokens are unsupported, as are logprobs and response_format"
    with OpenAIServer(answer=always(refusal(400, words))) as server:
        error = await failure(server, replace(CHOOSE, probabilities=True, seed=1))
        assert len(server.requests) <= 7
    assert error.cause == "request refused"


async def test_a_system_turn_is_folded_where_it_is_refused() -> None:
    """A model without a system role gets its text in the first user turn."""
    words = "Unsupported value: 'messages[0].role' does not support 'system' with this model."
    answer = in_turn(refusal(400, words, "messages[0].role"), "yes")
    chat = (Message("system", "Judge."), Message("user", "প্রশ্ন"))
    with OpenAIServer(answer=lambda body: answer({"messages": []})) as server:
        await ask(server, replace(ASK, messages=chat))
        assert server.requests[1].body["messages"] == [
            {"role": "user", "content": "Judge.\n\nপ্রশ্ন"}
        ]


@pytest.mark.parametrize(
    ("scripted", "finish"),
    [
        (refusal(400, "too long", "messages", "context_length_exceeded"), "context truncated"),
        (
            refusal(
                400,
                "'max_tokens' is too large: 1024. This model's maximum context length is 2048"
                " tokens and your request has 1500 input tokens",
            ),
            "context truncated",
        ),
        (
            refusal(400, "the request exceeds the available context size, try increasing it"),
            "context truncated",
        ),
        (refusal(400, "The response was filtered", "prompt", "content_filter"), "filtered"),
        (refusal(403, "Your input was flagged by moderation"), "filtered"),
    ],
)
async def test_a_prompt_refused_for_itself_is_a_reply(scripted: Failure, finish: str) -> None:
    """A prompt too long, or withheld by a filter, ends its own row and nothing else."""
    with OpenAIServer(answer=always(scripted)) as server:
        reply = await ask(server)
        assert len(server.requests) == 1
    assert (reply.text, reply.finish) == ("", finish)


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        ("429", "rate limited"),
        ("500", "server error"),
        ("502", "server error"),
        ("503", "server error"),
        ("524", "proxy timeout"),
        ("html", "broken reply"),
        ("empty", "broken reply"),
        ("bad_json", "broken reply"),
        ("short_body", "broken reply"),
        ("cut_chunks", "broken reply"),
        ("reset", "connection failed"),
    ],
)
async def test_each_fault_has_its_cause(kind: str, cause: str) -> None:
    """Every way a reply can fail to come is named for what it is, and may be retried."""
    with OpenAIServer(faults={kind: 1.0}) as server:
        error = await failure(server)
    assert (error.cause, error.retry, error.fatal) == (cause, True, False)
    assert "\n" not in str(error)


async def test_silence_ends_at_the_deadline() -> None:
    """A reply that has not come when the timeout is up may be asked for again."""
    async with OpenAIServer(faults={"hang": 1.0}) as server:
        asking = asyncio.create_task(failure(server, timeout=120))
        await server.gate.until_held(1)
        await stopped_clock().advance(119)
        assert not asking.done()
        await stopped_clock().advance(1)
        error = await asking
    assert (error.cause, error.retry, error.fatal) == ("timeout", True, False)
    assert "120 s (--timeout)" in str(error)


@pytest.mark.parametrize(
    ("kind", "seconds"), [("429_seconds", 2), ("429_fraction", 1.5), ("429_date", 1.75)]
)
async def test_retry_after_is_read_in_every_form(
    kind: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole seconds, fractions and dates, which are whole seconds too, say how long to wait."""
    monkeypatch.setattr("time.time", lambda: 1_700_000_000.25)
    with OpenAIServer(faults=Faults({kind: 1.0}, retry_after=1.5)) as server:
        error = await failure(server)
    assert error.retry_after == seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "250", "Retry-After": "9"}, 0.25),
        ({"x-ratelimit-reset-requests": "8.5s", "x-ratelimit-reset-tokens": "6m0s"}, 8.5),
        (
            {
                "x-ratelimit-reset-requests": "120ms",
                "x-ratelimit-reset-tokens": "1m30s",
                "x-ratelimit-remaining-tokens": "0",
            },
            90.0,
        ),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "-4"}, None),
        ({"Retry-After": "0"}, None),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, None),
        ({"Retry-After": "0", "x-ratelimit-reset-requests": "7s"}, None),
        ({"x-ratelimit-reset-requests": "0s", "x-ratelimit-reset-tokens": "7s"}, 7.0),
    ],
)
async def test_other_headers_that_ask_to_wait(
    headers: dict[str, str], seconds: float | None
) -> None:
    """Milliseconds and the reset of the limit that ran out count too; nonsense does not."""
    with OpenAIServer(answer=always(Failure(429, "{}", headers))) as server:
        error = await failure(server)
    assert error.retry_after == seconds


async def test_a_slow_drip_ends_at_the_deadline() -> None:
    """A body that arrives byte by byte cannot outlast the timeout."""
    connected = asyncio.Event()

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        connected.set()
        while not writer.is_closing():
            writer.write(b" ")
            await asyncio.sleep(1)

    server = await asyncio.start_server(drip, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    model = OpenAIModel("m", base_url=f"http://127.0.0.1:{port}/v1", timeout=120)
    asking = asyncio.create_task(model.complete(ASK))
    await connected.wait()
    await stopped_clock().advance_until(asking.done, 1)
    with pytest.raises(ModelError) as caught:
        await asking
    await model.close()
    server.close()
    assert caught.value.cause == "timeout"
    assert stopped_clock().time() == 120


async def test_more_than_a_hundred_requests_are_in_flight() -> None:
    """Regression: the transport's default pool let only 100 through at once."""
    async with OpenAIServer() as server:
        server.hold()
        async with model_of(server) as model:
            asks = [replace(ASK, messages=(Message("user", str(n)),)) for n in range(256)]
            asking = asyncio.gather(*map(model.complete, asks))
            await server.gate.until_held(256)
            server.gate.release()
            await asking


async def test_used_up_credit_stops_the_run() -> None:
    """429 for lack of credit is no rate limit to wait for."""
    words = refusal(429, "You exceeded your current quota", None, "insufficient_quota")
    with OpenAIServer(answer=always(words)) as server:
        error = await failure(server)
    assert error.fatal
    assert "credit" in str(error)


async def test_a_missing_model_names_those_that_are_there() -> None:
    """404 is fatal and says which models the server offers."""
    with OpenAIServer(models=["gpt-4.1-mini", "gpt-4.1"]) as server:
        error = await failure(server)
        assert server.url in str(error)
    assert (error.cause, error.fatal) == ("not found", True)
    assert "'gpt-test'" in str(error)
    assert "gpt-4.1, gpt-4.1-mini" in str(error)


async def test_a_wrong_path_is_told_from_a_missing_model() -> None:
    """A base URL without /v1 gets a message that says so."""
    with OpenAIServer() as server:
        model = OpenAIModel("m", base_url=server.url.removesuffix("/v1"))
        with pytest.raises(ModelError, match="ends in /v1") as caught:
            await model.complete(ASK)
        await model.close()
    assert caught.value.fatal


async def test_a_refused_key_is_fatal_and_never_shown() -> None:
    """401 stops the run before its first request; the key is not in the message."""
    words = refusal(401, "Incorrect API key provided: sk-secret-123")
    with OpenAIServer(answer=always(words), api_key="right") as server:
        async with model_of(server, api_key="sk-secret-123") as model:
            with pytest.raises(RunError, match=r"OPENAI_API_KEY in \.env") as refused:
                await model.prepare(Workload())
        server.api_key = None
        error = await failure(server, api_key="sk-secret-123")
    assert (error.cause, error.fatal) == ("access denied", True)
    assert "sk-secret" not in f"{error} {refused.value}"


async def test_prepare_accepts_servers_without_a_list_of_models() -> None:
    """A server that answers only chat completions is no reason to stop."""
    with OpenAIServer() as server:
        model = OpenAIModel("m", base_url=server.url.removesuffix("/v1"))
        await model.prepare(Workload())
        await model.close()


async def test_a_server_that_is_not_up() -> None:
    """Prepare names the address that nothing listens at."""
    model = OpenAIModel("m", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(RunError, match=r"cannot reach http://127\.0\.0\.1:9/v1"):
        await model.prepare(Workload())
    await model.close()


async def test_a_variable_that_no_header_can_carry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line break in one of the openai package's own variables was once a traceback."""
    monkeypatch.setenv("OPENAI_ORG_ID", "a\nb")
    with OpenAIServer() as server:
        error = await failure(server)
    assert error.fatal
    assert "OPENAI_*" in str(error)


async def test_openai_itself_needs_a_key() -> None:
    """Without a key for the default server, the message names the file to put it in."""
    model = OpenAIModel("gpt-4.1-mini", api_key="  ")
    with pytest.raises(UsageError, match=r"OPENAI_API_KEY=… into \.env"):
        await model.prepare(Workload())
    await model.close()


@pytest.mark.parametrize("key", ["sk-আমার", "sk-a\nb", "sk a"])
def test_a_key_that_no_header_can_carry(key: str) -> None:
    """Regression: a non-ASCII key failed deep in the HTTP library, at the first request."""
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        OpenAIModel("m", api_key=key)


async def test_blanks_and_quotes_around_a_key_are_taken_off() -> None:
    """A key copied with its quotes and a line break still works."""
    with OpenAIServer(api_key="sk-1") as server:
        assert (await ask(server, api_key=' "sk-1"\n')).text in {"yes", "no"}


@pytest.mark.parametrize(
    ("name", "thinks"),
    [
        ("gpt-4.1-mini", False),
        ("gpt-4o", False),
        ("o3-mini", True),
        ("openai/o4-mini", True),
        ("gpt-5-mini", True),
        ("gpt-5-chat-latest", False),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", True),
        ("deepseek-reasoner", True),
        ("Qwen/QwQ-32B", True),
        ("Qwen/Qwen3-4B-Instruct-2507", False),
        ("Qwen/Qwen3-30B-A3B-Thinking-2507", True),
        ("md-nishat-008/TigerLLM-9B-it", False),
        ("llama3.1:8b", False),
    ],
)
def test_models_that_think_are_known_by_name(name: str, thinks: bool) -> None:
    """Families that think first get the larger budget, others do not."""
    assert OpenAIModel(name, api_key="k").thinking is thinks


def test_the_flags_and_the_environment_make_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """--base-url beats OPENAI_BASE_URL; a full endpoint or a slash at the end is accepted."""
    parser = argparse.ArgumentParser()
    add_provider_flags(parser, ["openai"])
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://a:1/v1/")

    def model_of(*flags: str) -> OpenAIModel:
        options = provider_options(parser.parse_args(flags))
        return provider.open_model(ClientOptions("openai", "m", options))

    assert model_of().base_url == "http://a:1/v1"
    model = model_of("--base-url", "b:2/v1/chat/completions")
    assert model.identity() == {"provider": "openai", "model": "m", "base_url": "http://b:2/v1"}
