"""What Ollama servers of other versions and behind proxies do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from banglahallueval.models.ollama.model import OllamaModel
from banglahallueval.models.types import Message, ModelError, Request

ASK = Request((Message("user", "প্রশ্ন?"),), max_tokens=4096, probabilities=True)


class Scripted(OllamaModel):
    """A model whose server answers from a list: chunks, or the error it refuses with."""

    def __init__(self, *answers: list[dict[str, Any]] | ModelError, num_ctx: int = 8192) -> None:
        super().__init__("m", num_ctx=num_ctx)
        self._think_field = True
        self.sent: list[dict[str, Any]] = []
        answering = iter(answers)

        async def chat(body: dict[str, Any], budget: int) -> list[dict[str, Any]] | None:
            self.sent.append(json.loads(json.dumps(body)))
            answer = next(answering)
            if isinstance(answer, ModelError):
                raise answer
            return answer

        self._server.chat = chat  # type: ignore[method-assign, assignment]


def refused(message: str) -> ModelError:
    return ModelError("request refused", message, retry=False)


def done(text: str = "না", reason: str = "stop") -> list[dict[str, Any]]:
    return [{"message": {"content": text}, "done": True, "done_reason": reason}]


async def test_a_model_that_does_not_think_is_asked_without_thinking() -> None:
    model = Scripted(refused('"m" does not support thinking'), done())
    assert (await model.complete(ASK)).text == "না"
    assert ["think" in body for body in model.sent] == [True, False]


async def test_log_probabilities_that_are_refused_are_left_out() -> None:
    model = Scripted(refused("logprobs are not supported"), done(), done())
    await model.complete(ASK)
    await model.complete(ASK)
    assert ["logprobs" in body for body in model.sent] == [True, False, False]


async def test_a_reply_that_only_loads_the_model_is_asked_again() -> None:
    model = Scripted(done("", "load"))
    with pytest.raises(ModelError) as caught:
        await model.complete(ASK)
    assert caught.value.retry


async def test_the_budget_leaves_room_for_the_prompt() -> None:
    model = Scripted(done(), num_ctx=2048)
    await model.complete(ASK)
    assert model.sent[0]["options"]["num_predict"] < 2048


async def test_every_word_for_cut_off_is_read() -> None:
    model = Scripted(done("The", "max_tokens"))
    assert (await model.complete(ASK)).finish == "length"
