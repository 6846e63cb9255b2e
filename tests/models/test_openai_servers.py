"""What servers that only resemble OpenAI's do, as they were found in use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from banglahallueval.errors import RunError
from banglahallueval.models.openai.completions import read_completion
from banglahallueval.models.openai.parameters import Parameters
from banglahallueval.models.types import Message, Request, Workload
from tests.models.test_openai import ASK, CHOOSE, ask, failure, model_of, refusal
from tests.servers.answers import Answer, Body, Failure, always
from tests.servers.openai_server import OpenAIServer

LOGPROBS = replace(ASK, probabilities=True)


def without(parameter: str, refused: Failure) -> OpenAIServer:
    """A server that fails as long as a parameter is sent."""
    return OpenAIServer(answer=lambda body: refused if parameter in body else Answer("না"))


@pytest.mark.parametrize("status", [500, 501])
async def test_log_probabilities_that_break_a_server_are_left_out(status: int) -> None:
    with without("logprobs", Failure(status, "Internal Server Error")) as server:
        async with model_of(server) as model:
            assert (await model.complete(LOGPROBS)).text == "না"
            assert (await model.complete(LOGPROBS)).text == "না"
            assert model.record()["learned"] == ["without logprobs"]
        assert server.counts.requests == 3  # refused, without them, then never with them again


async def test_a_server_error_that_has_nothing_to_do_with_log_probabilities_stays_one() -> None:
    with OpenAIServer(answer=lambda body: Failure(500, "down")) as server:
        assert (await failure(server, LOGPROBS)).cause == "server error"


@pytest.mark.parametrize("parameter", ["logprobs", "response_format", "stop"])
async def test_forbidden_extra_inputs_are_left_out(parameter: str) -> None:
    detail = [{"type": "extra_forbidden", "loc": ["body", parameter], "msg": "Extra inputs"}]
    refused = Failure(422, json.dumps({"detail": detail}))
    with without(parameter, refused) as server:
        async with model_of(server) as model:
            await model.complete(replace(CHOOSE, probabilities=True))
            assert model.record()["learned"][0] == f"without {parameter}"


@pytest.mark.parametrize(
    ("message", "top"),
    [
        ("Requested sample logprobs of 20, which is greater than max allowed: 10", 10),
        ("top_logprobs must be less than or equal to 8", 8),
        ("Invalid top_logprobs: integer above maximum value", 5),
    ],
)
def test_the_limit_of_alternatives_is_the_servers_own(message: str, top: int) -> None:
    parameters = Parameters("m")
    assert parameters.learn(parameters.body(LOGPROBS), "top_logprobs", message)
    assert parameters.body(LOGPROBS)["top_logprobs"] == top


@pytest.mark.parametrize(
    ("offered", "served"),
    [
        (["gpt-test"], True),
        (["gpt-test-2025-04-14"], True),
        (["models/GPT-test.gguf"], True),
        (["openai/*"], True),
        ([], True),
        (["gpt-test-mini", "other"], False),
        (["gpt-tes"], False),
    ],
)
async def test_the_list_of_models_decides_before_the_first_row(
    offered: list[str], served: bool
) -> None:
    with OpenAIServer(models=offered) as server:
        async with model_of(server) as model:
            if served:
                await model.prepare(Workload())
                return
            with pytest.raises(RunError, match=rf"does not serve .*; it offers {offered[0]}"):
                await model.prepare(Workload())


async def test_a_reply_of_another_model_is_noted() -> None:
    with OpenAIServer(answer=always("no")) as server:
        async with model_of(server) as model:
            model.model = "gpt-other"
            await model.complete(ASK)
            assert model.record()["learned"] == ["replies come from gpt-test-2025-04-14"]


async def test_a_wrong_model_name_is_told_in_the_gateways_words() -> None:
    words = "/chat/completions: Invalid model name passed in model=gpt-test. Call `/v1/models`"
    with OpenAIServer(answer=lambda body: refusal(400, words)) as server:
        error = await failure(server)
    assert error.fatal
    assert "Invalid model name passed" in str(error)


async def test_a_missing_key_that_comes_as_400_is_a_matter_of_access() -> None:
    with OpenAIServer(answer=lambda body: refusal(400, "No connected db.")) as server:
        error = await failure(server)
    assert (error.cause, error.fatal) == ("access denied", True)
    assert "No connected db." in str(error)
    assert "OPENAI_API_KEY" in str(error)


def small_context(body: Body) -> Answer | Failure:
    """Refuse a budget that does not fit into 2,048 tokens, as vLLM does."""
    if body["max_tokens"] <= 1643:
        return Answer("হ্যাঁ")
    message = (
        "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context "
        "length is 2048 tokens and your request has 404 input tokens (4096 > 2048 - 404)."
    )
    return refusal(400, message)


async def test_a_budget_is_fitted_to_the_servers_context() -> None:
    with OpenAIServer(answer=small_context) as server:
        async with model_of(server) as model:
            thinking = replace(ASK, max_tokens=4096)
            assert (await model.complete(thinking)).text == "হ্যাঁ"
            assert (await model.complete(thinking)).text == "হ্যাঁ"
        assert [seen.body["max_tokens"] for seen in server.requests if seen.body] == [
            4096,
            1643,
            1643,
        ]


async def test_a_prompt_that_fills_the_context_is_no_matter_of_the_budget() -> None:
    message = (
        "This model's maximum context length is 2048 tokens. However, you requested 6196 tokens "
        "(2100 in the messages, 4096 in the completion)."
    )
    with OpenAIServer(answer=lambda body: refusal(400, message)) as server:
        reply = await ask(server, replace(ASK, max_tokens=4096))
    assert reply.finish == "context truncated"


async def test_log_probabilities_that_never_come_are_told_once() -> None:
    with OpenAIServer(answer=always("no"), ignores=["logprobs"]) as server:
        async with model_of(server) as model:
            for _ in range(30):
                await model.complete(LOGPROBS)
            assert model.record()["learned"] == [
                "sends no log probabilities; p_hallucinated stays empty"
            ]


async def test_a_constraint_that_is_not_followed_is_told_once() -> None:
    with OpenAIServer(answer=always("no"), ignores=["json_schema"]) as server:
        async with model_of(server) as model:
            await model.complete(CHOOSE)
            await model.complete(CHOOSE)
            assert model.record()["learned"] == ["does not follow response_format"]


def completion(**choice: Any) -> Mapping[str, Any]:
    return {"choices": [{"message": {"content": "না"}, **choice}]}


@pytest.mark.parametrize("ended", ["length", "max_tokens", "MAX_TOKENS", "model_length"])
def test_every_word_for_cut_off_is_read(ended: str) -> None:
    assert read_completion(completion(finish_reason=ended)).finish == "length"


@pytest.mark.parametrize("ended", ["content_filter", "SAFETY", "RECITATION", "PROHIBITED_CONTENT"])
def test_every_word_for_filtered_is_read(ended: str) -> None:
    assert read_completion(completion(finish_reason=ended)).finish == "filtered"


def test_no_choice_beside_a_filter_result_is_filtered() -> None:
    assert read_completion({"choices": [], "prompt_filter_results": [{}]}).finish == "filtered"


def test_no_choice_without_a_filter_result_is_broken() -> None:
    with pytest.raises(IndexError):
        read_completion({"choices": []})


def test_texts_and_lists_of_a_schema_are_bounded() -> None:
    schema = {
        "type": "object",
        "properties": {"claims": {"type": "array", "items": {"type": "string"}}},
    }
    request = Request((Message("user", "?"),), 16, schema=schema)
    parameters = Parameters("m")
    sent = parameters.body(request)["response_format"]["json_schema"]["schema"]
    assert sent["properties"]["claims"]["maxItems"] > 0
    assert sent["properties"]["claims"]["items"]["maxLength"] > 0
    refused = "Invalid schema for response_format 'reply': 'maxLength' is not permitted."
    assert parameters.learn(parameters.body(request), "response_format", refused)
    assert parameters.body(request)["response_format"]["json_schema"]["schema"] == schema
