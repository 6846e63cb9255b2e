"""A Gemini model, asked through the real SDK over real sockets."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.errors import RunError, UsageError
from banglahallueval.models.client import Client
from banglahallueval.models.gemini.access import Access
from banglahallueval.models.options import GEMINI_URL
from banglahallueval.models.spending import usage_record
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import (
    ImagePart,
    Message,
    ModelError,
    Reply,
    Request,
    TextPart,
    Workload,
)
from tests.clock import StoppedClock, stopped_clock
from tests.servers.answers import Answer, Failure, always, in_turn
from tests.servers.faults import Faults
from tests.servers.gemini_failures import (
    MODEL,
    blocked,
    daily_quota,
    ended,
    failure,
    invalid_key,
    no_candidates,
    overloaded,
    rate_limited,
    raw_reply,
)
from tests.servers.gemini_server import GeminiServer, settings
from tests.servers.raw import raw_server, response

pytest.importorskip("google.genai")

from banglahallueval.models.gemini.model import GeminiModel

LOOP = StoppedClock  # no deadline passes unless a test lets it

ASK = Request((Message("user", "ঢাকা কি রাজধানী?"),), max_tokens=16)
CHOOSE = replace(ASK, choices=("yes", "no"))


def model_at(
    url: str, model: str = MODEL, *, key: str = "AIza-test-key", **more: Any
) -> GeminiModel:
    return GeminiModel(model, Access(url, "test", key), **more)


@asynccontextmanager
async def model_of(server: GeminiServer, **options: Any) -> AsyncIterator[GeminiModel]:
    model = model_at(server.url, **options)
    try:
        yield model
    finally:
        await model.close()


async def ask(server: GeminiServer, request: Request = ASK, **options: Any) -> Reply:
    async with model_of(server, **options) as model:
        return await model.complete(request)


async def error_of(server: GeminiServer, request: Request = ASK, **options: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await ask(server, request, **options)
    assert "\n" not in str(caught.value)
    return caught.value


async def test_a_reply_carries_text_usage_and_what_was_served() -> None:
    with GeminiServer(answer=always("হ্যাঁ")) as server:
        reply = await ask(server)
        sent = server.requests[0]
    assert (reply.text, reply.finish, reply.served) == ("হ্যাঁ", "stop", MODEL)
    assert reply.prompt_tokens > 0
    assert reply.completion_tokens == 1
    assert sent.path == f"/v1beta/models/{MODEL}:generateContent"
    assert sent.headers["x-goog-api-key"] == "AIza-test-key"
    assert sent.body["contents"] == [{"role": "user", "parts": [{"text": "ঢাকা কি রাজধানী?"}]}]
    assert settings(sent.body) == {
        "temperature": 0.0,
        "maxOutputTokens": 16,
        "thinkingConfig": {"thinkingBudget": 0},
    }


async def test_turns_go_where_the_api_wants_them() -> None:
    """The system text is an instruction of its own, and the assistant is called model."""
    chat = (Message("system", "Judge."), Message("user", "প্রশ্ন"), Message("assistant", "না"))
    with GeminiServer() as server:
        await ask(server, replace(ASK, messages=(*chat, Message("user", "Sure?"))))
        body = server.requests[0].body
    assert [part["text"] for part in body["systemInstruction"]["parts"]] == ["Judge."]
    assert [turn["role"] for turn in body["contents"]] == ["user", "model", "user"]


async def test_the_bytes_of_a_picture_arrive() -> None:
    data = bytes(range(256))
    content = (TextPart("কী দেখা যায়?"), ImagePart(data, "image/png"))
    with GeminiServer() as server:
        await ask(server, replace(ASK, messages=(Message("user", content),)))
        text, picture = server.requests[0].body["contents"][0]["parts"]
    assert text == {"text": "কী দেখা যায়?"}
    assert {"image/png"} < set(picture["inlineData"].values())
    assert base64.urlsafe_b64decode(picture["inlineData"]["data"]) == data


async def test_probabilities_come_only_when_asked_for() -> None:
    """The token that was generated is among its alternatives, even where it is not listed."""
    with GeminiServer(answer=always(Answer("না", alternatives={"yes": 0.6, "no": 0.3}))) as server:
        assert (await ask(server)).tokens == ()
        reply = await ask(server, replace(ASK, probabilities=True))
        assert settings(server.requests[1].body)["logprobs"] == 20
    assert [text for text, _ in reply.tokens[0].top] == ["yes", "no", "না"]


@pytest.mark.parametrize(
    "result",
    [
        {},
        [],
        {"chosenCandidates": [{"token": "yes"}]},
        {"chosenCandidates": [{"token": 5, "logProbability": -0.1}]},
        {"chosenCandidates": [{"token": "yes", "logProbability": -0.1}], "topCandidates": [{}, {}]},
    ],
)
async def test_odd_log_probabilities_do_not_cost_the_reply(result: Any) -> None:
    content = {"parts": [{"text": "yes"}]}
    given = raw_reply(candidates=[{"content": content, "logprobsResult": result}])
    with GeminiServer(answer=always(given)) as server:
        reply = await ask(server, replace(ASK, probabilities=True))
    assert (reply.text, reply.tokens) == ("yes", ())


async def test_a_choice_is_constrained_to_its_labels() -> None:
    with GeminiServer(answer=always(Answer("Not sure", forced="no"))) as server:
        assert (await ask(server, CHOOSE)).text == "no"
        sent = settings(server.requests[0].body)
    assert sent["responseMimeType"] == "text/x.enum"
    assert sent["responseSchema"]["enum"] == ["yes", "no"]


async def test_a_schema_is_sent_as_it_is() -> None:
    schema = {
        "type": "object",
        "properties": {"claims": {"type": "array", "items": {"type": "string"}}},
        "required": ["claims"],
        "additionalProperties": False,
    }
    with GeminiServer() as server:
        assert (await ask(server, replace(ASK, schema=schema))).text == '{"claims": []}'
        sent = settings(server.requests[0].body)
    assert sent["responseMimeType"] == "application/json"
    assert sent["responseJsonSchema"] == schema


@pytest.mark.parametrize(
    ("given", "finish", "text"),
    [
        (ended("STOP", "না"), "stop", "না"),
        (ended("STOP"), "stop", ""),
        (ended("MAX_TOKENS", "না, ক"), "length", "না, ক"),
        (ended("MAX_TOKENS"), "length", ""),
        (ended("SAFETY"), "filtered", ""),
        (ended("RECITATION", "না"), "filtered", "না"),
        (ended("PROHIBITED_CONTENT"), "filtered", ""),
        (ended("BLOCKLIST"), "filtered", ""),
        (ended("SPII"), "filtered", ""),
        (ended("LANGUAGE"), "filtered", ""),
        (ended("IMAGE_SAFETY"), "filtered", ""),
        (ended("OTHER", "না, ক"), "length", "না, ক"),
        (ended("OF_TOMORROW", "না, ক"), "length", "না, ক"),
        (blocked("SAFETY"), "filtered", ""),
        (blocked("OTHER"), "filtered", ""),
        (Answer("x " * 40), "length", "x" + " x" * 15),
    ],
)
async def test_how_a_reply_ended(given: Answer | Failure, finish: str, text: str) -> None:
    """A cut, withheld or empty reply says so; one that broke off is no whole one."""
    with GeminiServer(answer=always(given)) as server:
        reply = await ask(server)
        assert len(server.requests) == 1
    assert (reply.finish, reply.text) == (finish, text)


@pytest.mark.parametrize(
    "given",
    [
        no_candidates(),
        raw_reply(),
        ended("OTHER"),
        ended("MALFORMED_FUNCTION_CALL"),
        ended("OF_TOMORROW", " "),
        raw_reply(candidates=["yes"]),
        raw_reply(candidates=[{"content": {"parts": [{"text": 5}]}}]),
        Failure(200, "[]"),
        Failure(200, "yes"),
        Failure(200, ""),
        Failure(200, "[" * 50_000),
    ],
)
async def test_a_response_without_a_reply_may_be_asked_for_again(given: Failure) -> None:
    with GeminiServer(answer=always(given)) as server:
        error = await error_of(server)
    assert (error.cause, error.retry, error.fatal) == ("broken reply", True, False)


async def test_thoughts_are_no_text_and_other_parts_are_left_out() -> None:
    """Thinking is billed as output, and part of the prompt may be cached."""
    parts = [{"text": "hm", "thought": True}, {"executableCode": {}}, {"text": "না"}]
    usage = {
        "promptTokenCount": 100,
        "candidatesTokenCount": 2,
        "thoughtsTokenCount": 30,
        "cachedContentTokenCount": 60,
    }
    candidate = {"content": {"parts": parts}, "finishReason": "STOP"}
    body = json.dumps({"candidates": [candidate], "usageMetadata": usage})
    with GeminiServer(answer=always(Failure(200, body))) as server:
        async with model_of(server) as model:
            reply = await model.complete(ASK)
            record = model.record()
    assert (reply.text, reply.thinking) == ("না", "hm")
    assert (reply.prompt_tokens, reply.completion_tokens) == (100, 32)
    assert (record["thinking_tokens"], record["cached_tokens"]) == (30, 60)


async def test_half_a_surrogate_pair_is_mended() -> None:
    body = r'{"candidates": [{"content": {"parts": [{"text": "yes \ud83d"}]}}]}'
    with GeminiServer(answer=always(Failure(200, body))) as server:
        assert (await ask(server)).text == "yes \ufffd"


@pytest.mark.parametrize(
    ("given", "cause", "retry", "fatal", "wait"),
    [
        (rate_limited(1.5), "rate limited", True, False, 1.5),
        (rate_limited(), "rate limited", True, False, None),
        (rate_limited(0), "rate limited", True, False, None),
        (daily_quota(), "rate limited", False, True, None),
        (overloaded(), "server error", True, False, None),
        (failure(500, "An internal error has occurred."), "server error", True, False, None),
        (failure(504, "Deadline exceeded"), "server error", True, False, None),
        (Failure(504, "<title>Gateway</title>"), "proxy timeout", True, False, None),
        (invalid_key(), "access denied", False, True, None),
        (failure(401, "no credentials"), "access denied", False, True, None),
        (failure(403, "Permission denied"), "access denied", False, True, None),
        (
            failure(400, "User location is not supported for the API use."),
            "access denied",
            False,
            True,
            None,
        ),
        (
            failure(400, "Request contains an invalid argument."),
            "request refused",
            False,
            False,
            None,
        ),
        (Failure(429, "slow down", {"Retry-After": "3"}), "rate limited", True, False, 3.0),
        (failure(404, "no such thing"), "not found", False, True, None),
        (Failure(500, "[" * 60_000), "server error", True, False, None),
        (Failure(400, "\xff\xfe"), "request refused", False, False, None),
    ],
)
async def test_each_error_has_its_cause(
    given: Failure, cause: str, retry: bool, fatal: bool, wait: float | None
) -> None:
    with GeminiServer(answer=always(given)) as server:
        error = await error_of(server)
    assert (error.cause, error.retry, error.fatal) == (cause, retry, fatal)
    assert error.retry_after == wait


async def test_an_error_in_a_list_is_read_too() -> None:
    limited = rate_limited(2.5)
    listed = replace(limited, body=f"[{limited.body}]")
    with GeminiServer(answer=always(listed)) as server:
        error = await error_of(server)
    assert error.retry_after == 2.5
    assert "answered 429: You exceeded your current quota" in str(error)


async def test_a_daily_quota_says_what_to_do() -> None:
    with GeminiServer(answer=always(daily_quota())) as server:
        assert "quota of the day is used up" in str(await error_of(server))


@pytest.mark.parametrize(
    ("message", "finish"),
    [
        (
            "The input token count (1048580) exceeds the maximum number of tokens allowed"
            " (1048576).",
            "context truncated",
        ),
        (
            "The prompt could not be submitted. It contains words that violate Google's"
            " Responsible AI practices.",
            "filtered",
        ),
    ],
)
async def test_a_prompt_refused_for_itself_is_a_reply(message: str, finish: str) -> None:
    with GeminiServer(answer=always(failure(400, message))) as server:
        reply = await ask(server)
    assert (reply.text, reply.finish) == ("", finish)


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        ("html", "broken reply"),
        ("empty", "broken reply"),
        ("bad_json", "broken reply"),
        ("short_body", "broken reply"),
        ("cut_chunks", "broken reply"),
        ("reset", "connection failed"),
        ("reset_midway", "connection failed"),
        ("502", "server error"),
    ],
)
async def test_each_fault_has_its_cause(kind: str, cause: str) -> None:
    """Nothing is asked again behind the client's back, as the SDK does over aiohttp."""
    with GeminiServer(faults={kind: 1.0}) as server:
        error = await error_of(server)
        assert len(server.requests) == 1
    assert (error.cause, error.retry, error.fatal) == (cause, True, False)


async def test_retry_after_headers_are_read_where_there_is_no_retry_info() -> None:
    with GeminiServer(faults=Faults({"429_fraction": 1.0}, retry_after=1.5)) as server:
        assert (await error_of(server)).retry_after == 1.5


async def test_silence_ends_at_the_deadline() -> None:
    async with GeminiServer(faults={"hang": 1.0}) as server:
        asking = asyncio.create_task(error_of(server, timeout=120))
        await server.gate.until_held(1)
        await stopped_clock().advance(119)
        assert not asking.done()
        await stopped_clock().advance(1)
        error = await asking
    assert (error.cause, error.retry, error.fatal) == ("timeout", True, False)
    assert "120 s (--timeout)" in str(error)


async def test_many_requests_are_in_flight() -> None:
    async with GeminiServer() as server:
        server.hold()
        async with model_of(server) as model:
            asks = [replace(ASK, messages=(Message("user", str(n)),)) for n in range(128)]
            asking = asyncio.gather(*map(model.complete, asks))
            await server.gate.until_held(128)
            server.gate.release()
            await asking


async def test_a_server_that_is_not_there() -> None:
    model = model_at("http://127.0.0.1:9")
    with pytest.raises(RunError, match=r"cannot reach http://127\.0\.0\.1:9"):
        await model.prepare(Workload())
    await model.close()


async def test_a_redirect_is_told_and_gets_no_key() -> None:
    """The HTTP library would carry the key's header to the other host."""
    async with raw_server(lambda head: response(b"", 200)) as other:
        location = f"Location: {other.url}/elsewhere\r\n"
        async with raw_server(lambda head: response(b"", 307, location)) as server:
            model = model_at(server.url)
            with pytest.raises(ModelError, match=f"redirects to {other.url}/elsewhere"):
                await model.complete(ASK)
            await model.close()
        assert other.heads == []


async def test_a_key_that_is_repeated_is_masked() -> None:
    given = failure(400, "the key AIza-test-key is not for this")
    with GeminiServer(answer=always(given)) as server:
        assert "AIza-test-key" not in str(await error_of(server))


async def test_a_body_larger_than_any_reply_is_not_read_to_its_end() -> None:
    async with raw_server(lambda head: response(b" " * (13 << 20))) as server:
        model = model_at(server.url)
        with pytest.raises(ModelError, match="is larger than any reply"):
            await model.complete(ASK)
        await model.close()


@pytest.mark.parametrize("name", [MODEL, f"models/{MODEL}"])
async def test_a_model_that_is_served_is_found(name: str) -> None:
    with GeminiServer(models=[MODEL]) as server:
        async with model_of(server, model=name) as model:
            await model.prepare(Workload())
            assert model.model == MODEL
        assert server.requests[0].path == f"/v1beta/models/{MODEL}"


async def test_a_model_that_is_not_served_is_refused_before_the_first_row() -> None:
    with GeminiServer(models=[MODEL, "gemini-2.5-pro", "text-embedding-004"]) as server:
        async with model_of(server, model="gemini-1.0") as model:
            with pytest.raises(RunError, match=r"does not serve the model 'gemini-1\.0'") as caught:
                await model.prepare(Workload())
    assert f"it offers {MODEL}, gemini-2.5-pro;" in str(caught.value)


async def test_a_server_that_lists_no_models_is_asked_as_it_is() -> None:
    with GeminiServer(lists=False) as server:
        async with model_of(server) as model:
            await model.prepare(Workload())
            assert (await model.complete(ASK)).text in {"yes", "no"}


async def test_a_wrong_key_is_refused_before_the_first_row() -> None:
    with GeminiServer(api_key="AIza-right") as server:
        async with model_of(server) as model:
            with pytest.raises(RunError, match=r"API key not valid.*check GOOGLE_API_KEY"):
                await model.prepare(Workload())


async def test_a_server_of_ones_own_needs_no_key() -> None:
    with GeminiServer() as server:
        async with model_of(server, key="") as model:
            await model.prepare(Workload())


async def test_google_itself_needs_a_key() -> None:
    model = model_at(GEMINI_URL, key="")
    with pytest.raises(UsageError, match="put GOOGLE_API_KEY=… into"):
        await model.prepare(Workload())
    await model.close()


@pytest.mark.parametrize("name", ["", " ", "a/../b", "m?key=1", "m#", "two words"])
def test_what_cannot_be_a_models_name(name: str) -> None:
    with pytest.raises(UsageError, match="is no model's name"):
        model_at("http://127.0.0.1:9", name)


async def test_nothing_is_written_to_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The SDK warns of two keys, of parts that are no text and of values that it does not know."""
    monkeypatch.setenv("GOOGLE_API_KEY", "AIza-one")
    monkeypatch.setenv("GEMINI_API_KEY", "AIza-two")
    parts = [{"functionCall": {"name": "f"}}, {"text": "না"}]
    given = raw_reply(candidates=[{"content": {"parts": parts}, "finishReason": "OF_TOMORROW"}])
    with GeminiServer(answer=always(given), models=[MODEL]) as server:
        async with model_of(server) as model:
            await model.prepare(Workload())
            assert (await model.complete(ASK)).text == "না"
    assert capfd.readouterr() == ("", "")


def test_the_budget_of_thinking_is_part_of_the_stores_key() -> None:
    budgets = (None, 0, 1024)
    models = [model_at("http://127.0.0.1:9", thinking_budget=budget) for budget in budgets]
    none, off, some = (model.identity() for model in models)
    assert none == off
    assert off != some


async def test_nothing_is_asked_before_the_wait_of_a_rate_limit_is_over(tmp_path: Path) -> None:
    async with (
        GeminiServer(answer=in_turn(rate_limited(1.5), "না")) as server,
        model_of(server) as model,
    ):
        client = Client(model, ReplyStore(tmp_path / "s.sqlite"))
        asking = asyncio.create_task(client.complete(ASK))
        while not client.usage.failures:
            await asyncio.sleep(0)
        await stopped_clock().advance(1.49)
        assert server.counts.requests == 1
        await stopped_clock().advance_until(asking.done, 0.1)
        assert (await asking).text == "না"
        assert usage_record(client)["cost_usd"] > 0
    assert server.counts.requests == 2


async def test_a_daily_quota_ends_the_run(tmp_path: Path) -> None:
    with GeminiServer(answer=always(daily_quota())) as server:
        async with model_of(server) as model:
            client = Client(model, ReplyStore(tmp_path / "s.sqlite"))
            with pytest.raises(RunError, match="quota of the day is used up"):
                await client.complete(ASK)
        assert server.counts.requests == 1
