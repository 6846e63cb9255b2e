"""What is said to a model, and what comes back."""

from __future__ import annotations

import asyncio

import pytest

from banglahallueval.models.chat import fold_system
from banglahallueval.models.ollama.model import OllamaModel
from banglahallueval.models.openai.chat import OpenAIModel
from banglahallueval.models.types import (
    ChatModel,
    ImagePart,
    Message,
    ModelError,
    Request,
    TextPart,
)

PICTURE = ImagePart(b"\x89PNG", "image/png")
WITH_PICTURE = Message("user", (TextPart("কী দেখা যায়?"), PICTURE))


def test_text_parts_read_as_one_text() -> None:
    """A message in parts is the same text to whatever takes nothing but text."""
    parts = Message("user", (TextPart("ঢাকা "), TextPart("কোথায়?")))
    assert parts.text == Message("user", "ঢাকা কোথায়?").text == "ঢাকা কোথায়?"


def test_a_picture_has_no_text() -> None:
    """A picture is never dropped on the way to a provider that takes only text."""
    for use in (
        lambda: WITH_PICTURE.text,
        lambda: fold_system((Message("system", "s"), WITH_PICTURE)),
    ):
        with pytest.raises(ModelError, match="cannot send pictures"):
            use()


@pytest.mark.parametrize("model", [OpenAIModel("m", base_url="h/v1"), OllamaModel("m", url="h")])
def test_a_provider_refuses_a_picture_that_it_cannot_send(model: ChatModel) -> None:
    """The run ends in one line before anything is sent, not in a traceback."""
    with pytest.raises(ModelError, match="cannot send pictures") as caught:
        asyncio.run(model.complete(Request((WITH_PICTURE,), max_tokens=4)))
    assert caught.value.fatal
