"""What a Gemini model refuses is learned, told once and left out; thinking eats no answer."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from banglahallueval.models.chat import is_expected_to_think
from banglahallueval.models.options import ClientOptions, GeminiOptions, ProviderOptions
from banglahallueval.models.prices import cost
from banglahallueval.models.types import Message, Request
from tests.servers.answers import Answer, always
from tests.servers.gemini_failures import ended, failure
from tests.servers.gemini_server import GeminiServer, settings

pytest.importorskip("google.genai")

from banglahallueval.models.gemini.parameters import Parameters
from tests.models.test_gemini import ASK, CHOOSE, ask, error_of, model_of

FULL = replace(CHOOSE, probabilities=True, seed=3)
THOUGHTS = "পদ্মা, মেঘনা, যমুনা … " * 40


def sent(server: GeminiServer) -> list[dict[str, Any]]:
    return [settings(seen.body) for seen in server.requests]


def budgets(server: GeminiServer) -> list[tuple[int | None, int]]:
    """The thinking budget and the whole budget of each request."""
    return [
        (each.get("thinkingConfig", {}).get("thinkingBudget"), each["maxOutputTokens"])
        for each in sent(server)
    ]


@pytest.mark.parametrize(
    ("model", "given", "budget", "whole"),
    [
        ("gemini-2.5-flash", None, 0, 16),
        ("gemini-flash-latest", None, 0, 16),
        ("gemini-2.0-flash", None, None, 16),
        ("gemini-1.5-pro", None, None, 16),
        ("gemma-3-27b-it", None, None, 16),
        ("gemini-2.5-flash", 0, 0, 16),
        ("gemini-2.5-flash", 1024, 1024, 1040),
        ("gemini-2.5-flash", -1, -1, 4112),
        ("gemini-2.0-flash", 512, 512, 528),
    ],
)
async def test_thinking_has_tokens_of_its_own(
    model: str, given: int | None, budget: int | None, whole: int
) -> None:
    with GeminiServer(answer=always(Answer("না", thinking=THOUGHTS))) as server:
        reply = await ask(server, model=model, thinking_budget=given)
        assert budgets(server)[0] == (budget, whole)
    assert (reply.text, reply.finish) == ("না", "stop")


@pytest.mark.parametrize(
    ("refused", "given", "asked"),
    [
        ("thinking_off", None, [(0, 16), (128, 144)]),
        ("thinking_range", None, [(0, 16), (512, 528)]),
        ("thinking_range", 30_000, [(30_000, 30_016), (24_576, 24_592)]),
        ("thinking_range", -1, [(-1, 4112), (4096, 4112)]),
        ("thinking", None, [(0, 16), (None, 16)]),
        ("thinking", 1024, [(1024, 1040), (None, 16)]),
    ],
)
async def test_a_refused_thinking_budget_becomes_one_that_fits(
    refused: str, given: int | None, asked: list[tuple[int | None, int]]
) -> None:
    """2.5 Pro cannot be told not to think, and 2.0 nothing about thinking at all."""
    with GeminiServer(refuses=[refused]) as server:
        async with model_of(server, thinking_budget=given) as model:
            await model.complete(ASK)
            await model.complete(replace(ASK, attempt=1))
            record = model.record()
        assert budgets(server) == [*asked, asked[-1]]
    assert len(record["learned"]) == 1
    assert record["thinking_budget"] == asked[-1][0]


@pytest.mark.parametrize(
    ("message", "budget", "whole"),
    [
        ("Budget 0 is invalid. This model only works in thinking mode.", 128, 144),
        ("The model does not support setting thinking_budget to 0", 128, 144),
        ("Thinking can't be disabled for this model. Remove 'thinking_budget'.", 128, 144),
        ("thinking_budget 0 is not supported for this model", 128, 144),
        ("thinking_budget is out of range; supported values are integers from 1 to 24576.", 1, 17),
        ("Unable to submit request because thinking is not supported by this model.", None, 16),
        ("thinking isn't supported by gemini-2.0-flash", None, 16),
        ("Unknown name \"thinkingConfig\" at 'generation_config': Cannot find field.", None, 16),
    ],
)
def test_the_words_of_a_refused_budget(message: str, budget: int | None, whole: int) -> None:
    parameters = Parameters("gemini-2.5-pro", None)
    assert parameters.learn(parameters.config(ASK), message)
    config = parameters.config(ASK)
    assert parameters.thinking_budget == budget
    assert config.max_output_tokens == whole


def test_a_budget_refused_for_good_leaves_room_for_what_the_model_thinks() -> None:
    parameters = Parameters("gemini-2.5-pro", None)
    for _ in range(2):
        assert parameters.learn(parameters.config(ASK), "The thinking budget (128) is invalid.")
    assert parameters.thinking_budget is None
    assert parameters.config(ASK).max_output_tokens == 16 + 4096
    assert not parameters.learn(parameters.config(ASK), "The thinking budget is invalid.")


async def test_thoughts_that_eat_the_answer_get_more_room() -> None:
    """Only a reply whose every token went into thinking is asked for again."""

    def stubborn(body: Any) -> Answer:
        """Think whatever the budget says, as some models do."""
        config = body.setdefault("generationConfig", {})
        config.pop("thinkingConfig", None)
        return Answer("না", thinking=THOUGHTS)

    with GeminiServer(answer=stubborn) as server:
        async with model_of(server) as model:
            assert (await model.complete(ASK)).text == "না"
            assert (await model.complete(replace(ASK, attempt=1))).text == "না"
            assert "beyond its budget" in model.record()["learned"][0]
        assert [whole for _, whole in budgets(server)] == [16, 4112, 4112]


async def test_thoughts_that_eat_even_that_end_the_row() -> None:
    with GeminiServer(answer=always(Answer("না", thinking="ভাবি " * 9000))) as server:
        reply = await ask(server, thinking_budget=-1)
        assert len(server.requests) == 1
    assert (reply.text, reply.finish) == ("", "length")


@pytest.mark.parametrize(
    ("refused", "request_", "gone", "learned"),
    [
        ("logprobs", FULL, "logprobs", "without logprobs; p_hallucinated stays empty"),
        ("schema", FULL, "responseSchema", "without a list of choices"),
        (
            "schema",
            replace(ASK, schema={"type": "object"}),
            "responseJsonSchema",
            "without a schema",
        ),
        ("seed", FULL, "seed", "without seed"),
    ],
)
async def test_a_refused_parameter_is_learned_once(
    refused: str, request_: Request, gone: str, learned: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with GeminiServer(refuses=[refused]) as server:
        async with model_of(server) as model:
            await model.complete(request_)
            await model.complete(replace(request_, attempt=1))
            record = model.record()
        assert [gone in each for each in sent(server)] == [True, False, False]
    assert record["learned"] == [learned]
    assert capsys.readouterr().err.count(learned) == 1


async def test_fewer_alternatives_before_none() -> None:
    with GeminiServer(refuses=["many_logprobs"]) as server:
        await ask(server, replace(ASK, probabilities=True))
        assert [each["logprobs"] for each in sent(server)] == [20, 8]


async def test_log_probabilities_that_never_come_are_told_once() -> None:
    with GeminiServer(answer=always(ended("STOP", "না"))) as server:
        async with model_of(server) as model:
            for _ in range(30):
                await model.complete(replace(ASK, probabilities=True))
            assert model.record()["learned"] == [
                "sends no log probabilities; p_hallucinated stays empty"
            ]


@pytest.mark.parametrize(
    ("model", "budget", "thinks"),
    [
        ("gemini-2.5-flash", None, False),
        ("gemini-2.5-flash", 0, False),
        ("gemini-2.5-flash", 1024, True),
        ("gemini-2.5-flash", -1, True),
    ],
)
def test_an_estimate_counts_thinking_where_it_is_asked_for(
    model: str, budget: int | None, thinks: bool
) -> None:
    providers = ProviderOptions(gemini=GeminiOptions(budget))
    assert is_expected_to_think(ClientOptions("gemini", model, providers)) == thinks
    assert is_expected_to_think(ClientOptions("openai", model))  # as a gateway serves it


def test_the_price_is_that_of_the_models_own_name() -> None:
    price = cost("gemini", "gemini-2.5-flash", 10**6, 10**6)
    assert price
    assert cost("gemini", "publishers/google/models/gemini-2.5-flash", 10**6, 10**6) == price


async def test_a_system_turn_is_folded_where_it_is_refused() -> None:
    """Gemma takes no instruction."""
    chat = (Message("system", "Judge."), Message("user", "প্রশ্ন"))
    with GeminiServer(refuses=["system"]) as server:
        await ask(server, replace(ASK, messages=chat), model="gemma-3-27b-it")
        last = server.requests[-1].body
    assert "systemInstruction" not in last
    assert last["contents"][0]["parts"] == [{"text": "Judge.\n\nপ্রশ্ন"}]


async def test_requests_in_flight_all_recover_from_one_refusal() -> None:
    async with GeminiServer(refuses=["thinking", "logprobs"]) as server:
        server.hold()
        async with model_of(server) as model:
            asks = [replace(FULL, messages=(Message("user", str(n)),)) for n in range(40)]
            asking = asyncio.gather(*map(model.complete, asks))
            await server.gate.until_held(40)
            server.gate.release()
            assert len(await asking) == 40
            assert len(model.record()["learned"]) == 2
        assert len(server.requests) <= 3 * 40


async def test_a_server_that_refuses_everything_is_asked_a_few_times() -> None:
    words = "temperature, seed, thinking, logprobs, schema and system instruction are bad"
    with GeminiServer(answer=always(failure(400, words))) as server:
        error = await error_of(server, FULL)
        assert len(server.requests) <= 8
    assert error.cause == "request refused"
