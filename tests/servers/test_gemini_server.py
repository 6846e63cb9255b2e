"""The loopback Gemini server, asked over plain HTTP in the API's own words."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import aiohttp
import pytest

from tests.servers.answers import (
    Answer,
    Body,
    always,
    hashed_label,
    hashed_p_yes,
    in_turn,
    prompt_of,
)
from tests.servers.faults import Faults
from tests.servers.gemini_failures import (
    MODEL,
    blocked,
    daily_quota,
    ended,
    invalid_key,
    rate_limited,
)
from tests.servers.gemini_server import REFUSALS, GeminiServer, settings
from tests.servers.process import child

Start = Callable[..., GeminiServer]


async def call(url: str, path: str, body: Any = None, *, key: str = "k") -> tuple[int, Any]:
    """Status, and the reply's JSON or its text."""
    method = "GET" if body is None else "POST"
    async with (
        aiohttp.ClientSession(headers={"x-goog-api-key": key}) as session,
        session.request(method, url + path, json=body) as response,
    ):
        text = await response.text()
        return response.status, json.loads(text) if response.content_type.endswith("json") else text


async def ask(
    server: GeminiServer, prompt: str = "ঢাকা কোথায়?", version: str = "v1beta", **config: Any
) -> tuple[int, Any]:
    body = {
        "contents": [{"role": "user", "parts": [{"text": prompt}]}],
        "generationConfig": config,
    }
    return await call(server.url, f"/{version}/models/{MODEL}:generateContent", body)


def text_of(reply: Any) -> str:
    return str(reply["candidates"][0]["content"]["parts"][0]["text"])


@pytest.mark.parametrize("version", ["v1", "v1beta", "v1beta1"])
async def test_answers_are_decided_by_the_prompt(gemini_server: Start, version: str) -> None:
    server = gemini_server()
    for prompt in ("এক", "দুই", "তিন"):
        _, reply = await ask(server, prompt, version)
        assert text_of(reply) == hashed_label(prompt)
    assert [seen.prompt for seen in server.requests] == ["এক", "দুই", "তিন"]


async def test_an_answer_is_a_function_of_model_and_prompt(gemini_server: Start) -> None:
    def answer(body: Body) -> Answer:
        return Answer(f"{body['model']}: {prompt_of(body)}")

    _, reply = await ask(gemini_server(answer=answer), "কে?")
    assert text_of(reply) == f"{MODEL}: কে?"


async def test_models_can_be_listed_and_looked_up(gemini_server: Start) -> None:
    url = gemini_server(models=[MODEL, "text-embedding-004"]).url
    _, listed = await call(url, "/v1beta/models")
    assert [model["name"] for model in listed["models"]] == [
        f"models/{MODEL}",
        "models/text-embedding-004",
    ]
    assert (await call(url, f"/v1beta/models/{MODEL}"))[0] == 200
    status, error = await call(url, "/v1beta/models/other")
    assert (status, error["error"]["status"]) == (404, "NOT_FOUND")
    status, error = await call(url, "/v1beta/models/other:generateContent", {"contents": []})
    assert (status, error["error"]["status"]) == (404, "NOT_FOUND")


async def test_log_probabilities_give_the_hashed_p_yes(gemini_server: Start) -> None:
    _, reply = await ask(gemini_server(), responseLogprobs=True, logprobs=20)
    result = reply["candidates"][0]["logprobsResult"]
    mass = {"yes": 0.0, "no": 0.0}
    for entry in result["topCandidates"][0]["candidates"]:
        if entry["token"].lower() in mass:
            mass[entry["token"].lower()] += math.exp(entry["logProbability"])
    assert mass["yes"] / sum(mass.values()) == pytest.approx(hashed_p_yes("ঢাকা কোথায়?"))
    assert "logprobsResult" not in (await ask(gemini_server()))[1]["candidates"][0]


async def test_thinking_counts_against_the_budget(gemini_server: Start) -> None:
    """Without a budget of its own it may leave nothing; a budget of 0 turns it off."""
    server = gemini_server(answer=always(Answer("না", thinking="এক দুই তিন চার পাঁচ")))
    _, eaten = await ask(server, maxOutputTokens=4)
    assert eaten["candidates"][0] == {
        "content": {"role": "model"},
        "finishReason": "MAX_TOKENS",
        "index": 0,
    }
    assert eaten["usageMetadata"]["thoughtsTokenCount"] == 4
    for spelling in ("thinkingBudget", "thinking_budget"):
        _, whole = await ask(server, maxOutputTokens=4, thinkingConfig={spelling: 0})
        assert text_of(whole) == "না"
        assert "thoughtsTokenCount" not in whole["usageMetadata"]


async def test_replies_can_be_constrained(gemini_server: Start) -> None:
    server = gemini_server(answer=always(Answer("Not sure", forced="no")))
    schema = {"type": "STRING", "enum": ["yes", "no"]}
    _, reply = await ask(server, responseMimeType="text/x.enum", responseSchema=schema)
    assert text_of(reply) == "no"
    form = {"type": "object", "properties": {"a": {"enum": ["yes", "no"]}}}
    _, reply = await ask(server, responseMimeType="application/json", responseJsonSchema=form)
    assert json.loads(text_of(reply)) == {"a": "no"}


@pytest.mark.parametrize(
    ("refused", "config"),
    [
        ("thinking", {"thinkingConfig": {"thinkingBudget": 5}}),
        ("thinking_off", {"thinkingConfig": {"thinkingBudget": 0}}),
        ("thinking_range", {"thinkingConfig": {"thinkingBudget": 5}}),
        ("logprobs", {"responseLogprobs": True}),
        ("many_logprobs", {"logprobs": 20}),
        ("schema", {"responseMimeType": "application/json"}),
        ("seed", {"seed": 1}),
    ],
)
async def test_a_refused_parameter_is_an_error(
    gemini_server: Start, refused: str, config: dict[str, Any]
) -> None:
    server = gemini_server(refuses=[refused])
    status, error = await ask(server, **config)
    assert (status, error["error"]["status"]) == (400, "INVALID_ARGUMENT")
    words = REFUSALS[refused].partition("{")[0]
    assert error["error"]["message"].startswith(words)
    assert (await ask(server))[0] == 200
    assert settings(server.requests[0].body) == config


async def test_failures_come_in_turn(gemini_server: Start) -> None:
    server = gemini_server(answer=in_turn(rate_limited(1.5), daily_quota(), blocked(), "না"))
    (status, limited), (_, daily), (_, withheld), (_, fine) = [await ask(server) for _ in range(4)]
    assert status == 429
    assert limited["error"]["details"][-1]["retryDelay"] == "1.5s"
    assert "PerDay" in daily["error"]["details"][0]["violations"][0]["quotaId"]
    assert withheld["promptFeedback"] == {"blockReason": "PROHIBITED_CONTENT"}
    assert text_of(fine) == "না"


async def test_a_wrong_key_is_not_let_in(gemini_server: Start) -> None:
    server = gemini_server(api_key="right", answer=always(ended("SAFETY")))
    status, error = await ask(server)
    assert (status, error) == (400, json.loads(invalid_key().body))
    assert (await call(server.url, "/v1beta/models", key="right"))[0] == 200


async def test_faults_and_the_gate_work_as_with_every_server(gemini_server: Start) -> None:
    server = gemini_server(faults=Faults({"503": 1.0}, most=1))
    assert [(await ask(server))[0] for _ in range(2)] == [503, 200]
    assert server.requests[0].fault == "503"


async def test_it_runs_in_a_process_of_its_own() -> None:
    with child("gemini_server", "--models", MODEL, "--answer", "না") as server:
        _, listed = await call(server.url, "/v1beta/models")
    assert listed["models"][0]["name"] == f"models/{MODEL}"
