"""The loopback OpenAI-compatible server, asked by the real client."""

from __future__ import annotations

import contextlib
import http.client
import json
import math
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import openai
import pytest

from tests.clock import GUARD
from tests.servers.answers import Answer, Failure, always, hashed_label, hashed_p_yes, in_turn
from tests.servers.faults import KINDS, Faults
from tests.servers.openai_server import OpenAIServer
from tests.servers.process import Child, child, read_journal

Start = Callable[..., OpenAIServer]
SCHEMA = {
    "type": "object",
    "properties": {"is_hallucinated": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["is_hallucinated"],
    "additionalProperties": False,
}
CLIENT = openai.OpenAI(api_key="sk-test", max_retries=0)
FORM = {"type": "json_schema", "json_schema": {"name": "v", "strict": True, "schema": SCHEMA}}


def ask(url: str, prompt: str = "ঢাকা কোথায়?", *, key: str = "sk-test", **more: Any) -> Any:
    client = CLIENT.with_options(base_url=url, api_key=key, timeout=GUARD)
    messages: Any = [{"role": "user", "content": prompt}]
    return client.chat.completions.create(
        model=more.pop("model", "gpt-4.1-mini"), messages=messages, **more
    )


@contextlib.contextmanager
def under_way(server: OpenAIServer | Child, prompt: str = "ঢাকা কোথায়?") -> Iterator[None]:
    """A request that is held; with the block, its client leaves."""
    address = urlsplit(server.url)
    assert address.hostname is not None
    messages = [{"role": "user", "content": prompt}]
    with contextlib.closing(http.client.HTTPConnection(address.hostname, address.port)) as line:
        body = json.dumps({"model": "m", "messages": messages})
        line.request("POST", f"{address.path}/chat/completions", body)
        server.until_held(1)
        yield
    server.until_held(0)


def test_answers_are_decided_by_the_prompt(openai_server: Start) -> None:
    """The same prompt gets the same label from every server, and both labels occur."""
    prompts = [f"প্রশ্ন {i}" for i in range(20)]
    given = [ask(openai_server().url, p).choices[0].message.content for p in prompts[:5]]
    assert given == [hashed_label(p) for p in prompts[:5]]
    assert {hashed_label(p) for p in prompts} == {"yes", "no"}


@pytest.mark.parametrize("shape", ["{}", '{{"is_hallucinated": …}} {}', "Final answer {}"])
def test_log_probabilities_give_the_hashed_p_yes(openai_server: Start, shape: str) -> None:
    """P(yes) over its spellings at the verdict's token is exactly the hashed one."""
    prompt = shape.format("বাংলা")
    choice = ask(openai_server().url, prompt, logprobs=True, top_logprobs=20).choices[0]
    assert "".join(token.token for token in choice.logprobs.content) == choice.message.content
    top = max((token.top_logprobs for token in choice.logprobs.content), key=len)
    mass = {"yes": 0.0, "no": 0.0}
    for entry in top:
        if entry.token.strip().lower() in mass:
            mass[entry.token.strip().lower()] += math.exp(entry.logprob)
    assert mass["yes"] / sum(mass.values()) == pytest.approx(hashed_p_yes(prompt))


@pytest.mark.parametrize(
    ("refused", "sent", "status", "param", "code"),
    [
        ("temperature", {"temperature": 0}, 400, "temperature", "unsupported_value"),
        ("max_tokens", {"max_tokens": 9}, 400, "max_tokens", "unsupported_parameter"),
        ("logprobs", {"logprobs": True}, 400, "logprobs", "unsupported_parameter"),
        ("logprobs_forbidden", {"logprobs": True}, 403, None, None),
        (
            "top_logprobs",
            {"logprobs": True, "top_logprobs": 20},
            400,
            "top_logprobs",
            "integer_above_max_value",
        ),
        ("json_schema", {"response_format": FORM}, 400, None, None),
    ],
)
def test_parameters_are_refused_as_the_real_api_does(
    openai_server: Start, refused: str, sent: Any, status: int, param: str | None, code: str | None
) -> None:
    """A refused parameter brings its real error; without the parameter the reply comes."""
    server = openai_server(refuses=[refused])
    with pytest.raises(openai.APIStatusError) as caught:
        ask(server.url, **sent)
    error = caught.value
    assert (error.status_code, error.param, error.code) == (status, param, code)
    assert ask(server.url).choices[0].message.content in {"yes", "no"}


def test_access_and_models_are_checked(openai_server: Start) -> None:
    """A wrong key is 401, an unknown model 404, a listed one is listed and answers."""
    server = openai_server(api_key="sk-right", models=["gpt-4.1-mini"])
    with pytest.raises(openai.AuthenticationError):
        ask(server.url)
    with pytest.raises(openai.NotFoundError, match="does not exist"):
        ask(server.url, key="sk-right", model="gpt-9")
    assert ask(server.url, key="sk-right").model.startswith("gpt-4.1-mini")
    client = CLIENT.with_options(base_url=server.url, api_key="sk-right")
    assert [model.id for model in client.models.list()] == ["gpt-4.1-mini"]


def test_a_schema_constrains_the_reply(openai_server: Start) -> None:
    """A reply that must follow a schema does, whatever the model would have said."""
    server = openai_server(answer=always(Answer("Not sure", forced="no")))
    text = ask(server.url, response_format=FORM).choices[0].message.content
    assert json.loads(text) == {"is_hallucinated": "no"}
    open_schema = {"type": "json_schema", "json_schema": {"name": "v", "schema": {"enum": [1]}}}
    with pytest.raises(openai.BadRequestError, match="Invalid schema"):
        ask(server.url, response_format=open_schema)
    ignoring = openai_server(answer=always("Not sure"), ignores=["json_schema", "usage"])
    reply = ask(ignoring.url, response_format=FORM)
    assert (reply.choices[0].message.content, reply.usage) == ("Not sure", None)


def test_every_way_a_reply_can_disappoint(openai_server: Start) -> None:
    """Length, thinking that eats the budget, filters, refusals and nulls come as scripted."""
    server = openai_server(answer=always("one two three"))
    cut = ask(server.url, max_completion_tokens=2).choices[0]
    assert (cut.message.content, cut.finish_reason) == ("one two", "length")
    server.answer = always(Answer("yes", thinking="long thinking here"))
    thought = ask(server.url, max_tokens=3)
    assert (thought.choices[0].message.content, thought.choices[0].finish_reason) == ("", "length")
    assert thought.usage.completion_tokens_details.reasoning_tokens == 3
    server.answer = always(Answer(None, refusal="I cannot", finish="content_filter"))
    refused = ask(server.url).choices[0]
    assert (refused.message.content, refused.message.refusal) == (None, "I cannot")
    assert refused.finish_reason == "content_filter"
    server.answer = in_turn(Failure(418, '{"error": {"message": "teapot"}}'), "no")
    with pytest.raises(openai.APIStatusError, match="teapot"):
        ask(server.url)
    assert ask(server.url).choices[0].message.content == "no"


@pytest.mark.parametrize("kind", KINDS)
def test_every_fault_is_felt_once_and_then_over(openai_server: Start, kind: str) -> None:
    """Each fault spoils the first reply, is counted, and the same prompt then gets its answer."""
    faults = Faults({kind: 1.0}, most=1)
    server = openai_server(faults=faults)
    content = None
    if kind == "hang":
        with under_way(server):
            pass
    else:
        with contextlib.suppress(openai.OpenAIError, json.JSONDecodeError):
            reply = ask(server.url)
            content = getattr(reply, "choices", None) and reply.choices[0].message.content
    assert content is None
    assert ask(server.url).choices[0].message.content == hashed_label("ঢাকা কোথায়?")
    assert faults.counts == {kind: 1}
    faulty, good = server.requests
    assert (faulty.fault, good.fault, good.completed) == (kind, None, True)
    assert not (kind in {"hang", "reset", "reset_midway", "short_body"} and faulty.completed)


def test_a_rate_limit_says_how_long_to_wait_in_every_form(openai_server: Start) -> None:
    """Retry-After comes in whole seconds, as a fraction and as a date, or not at all."""
    for kind, form in {
        "429_seconds": r"1",
        "429_fraction": r"0\.2",
        "429_date": r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT",
        "429": "",
    }.items():
        with pytest.raises(openai.RateLimitError) as caught:
            ask(openai_server(faults={kind: 1.0}).url)
        assert re.fullmatch(form, caught.value.response.headers.get("Retry-After", ""))


def test_faults_depend_on_the_prompt_and_the_attempt_alone() -> None:
    """Two runs that ask in different orders meet the same faults, none more than allowed."""
    prompts = [f"প্রশ্ন {i}" for i in range(40)]

    def met(order: list[str]) -> dict[str, list[str | None]]:
        faults = Faults({"500": 0.4, "reset": 0.4}, seed=7, most=2)
        return {prompt: [faults.pick(prompt) for _ in range(6)] for prompt in order}

    forward = met(prompts)
    assert forward == met(prompts[::-1])
    assert max(len([k for k in kinds if k]) for kinds in forward.values()) == 2


def test_a_client_that_leaves_is_noted_as_not_served(openai_server: Start) -> None:
    """A request whose client gave up is in the journal, not completed, and no longer in flight."""
    server = openai_server()
    server.hold()
    with under_way(server):
        pass
    server.release()
    ask(server.url)
    left, served = server.requests
    assert (left.status, left.completed, served.completed) == (None, False, True)
    assert (server.counts.in_flight, server.counts.completed) == (0, 1)


@pytest.mark.parametrize("where", ["thread", "process"])
def test_replies_are_held_until_released(openai_server: Start, where: str) -> None:
    """Whoever holds a server's replies knows how many wait; those before them have left."""
    with contextlib.ExitStack() as running:
        server: OpenAIServer | Child
        if where == "process":
            server = running.enter_context(child("openai_server", "--answer", "yes"))
        else:
            server = openai_server(answer=always("yes"))
        server.hold(after=2)
        pool = running.enter_context(ThreadPoolExecutor(5))
        asking = [pool.submit(ask, server.url, f"প্রশ্ন {n}") for n in range(5)]
        server.until_held(3)
        assert server.counts.requests == 5
        server.release()
        assert {reply.result().choices[0].message.content for reply in asking} == {"yes"}
        server.until_held(0)
        assert ask(server.url).choices[0].message.content == "yes"


def test_a_child_server_keeps_a_journal_and_dies_at_once(tmp_path: Path) -> None:
    """A server in its own process answers, journals across processes and can be killed."""
    journal = tmp_path / "journal.jsonl"
    with child("openai_server", "--answer", "না", journal=journal) as server:
        assert ask(server.url, "এক").choices[0].message.content == "না"
        assert [(seen.n, seen.prompt, seen.completed) for seen in server.requests] == [
            (0, "এক", True)
        ]
        assert server.counts.requests == 1
        server.process.kill()
        server.process.wait()
        with pytest.raises(openai.APIConnectionError):
            ask(server.url)
    assert read_journal(journal)[0].headers["authorization"] == "Bearer sk-test"


def test_a_quick_server_repeats_its_first_reply() -> None:
    """The bench's mode answers later requests with the first reply, counting them."""
    with child("openai_server", "--quick") as server:
        first = ask(server.url, "এক").choices[0].message.content
        later = {ask(server.url, f"{i}").choices[0].message.content for i in range(6)}
        assert later == {first}
        assert (server.counts.requests, server.counts.completed) == (7, 7)
