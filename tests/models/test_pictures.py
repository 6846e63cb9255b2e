"""Pictures on their way to servers: exact bytes, refusals, the room that they need."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.models import pictures
from banglahallueval.models.gemini.access import Access
from banglahallueval.models.gemini.model import GeminiModel
from banglahallueval.models.ollama.model import OllamaModel
from banglahallueval.models.ollama.shown import sees_pictures
from banglahallueval.models.openai.chat import OpenAIModel
from banglahallueval.models.prices import estimate
from banglahallueval.models.types import (
    ChatModel,
    ImagePart,
    Message,
    ModelError,
    Request,
    TextPart,
    Workload,
)
from tests.clock import StoppedClock
from tests.servers.answers import Failure, always
from tests.servers.asked import SentPicture
from tests.servers.base import LoopbackServer
from tests.servers.gemini_server import GeminiServer
from tests.servers.ollama_models import Model
from tests.servers.ollama_server import OllamaServer
from tests.servers.openai_server import OpenAIServer

LOOP = StoppedClock

JPEG = ImagePart(b"\xff\xd8\xff\xe0" + bytes(range(256)) * 3, "image/jpeg")
PNG = ImagePart(b"\x89PNG\r\n\x1a\n\xfb\xef\xbe", "image/png")  # base64 with + and /
CAPTION = TextPart("ছবিতে কি একটি বিড়াল আছে?")
ASK = Request((Message("user", (JPEG, CAPTION)),), max_tokens=16)
TWO = replace(ASK, messages=(Message("system", "Look."), Message("user", (JPEG, CAPTION, PNG))))
TEXT = replace(ASK, messages=(Message("user", CAPTION.text),))
LOAD = Workload(1, 100, 16, 16, pictures=2)
LLAVA = Model("llava:7b", context=32768, vision=True)


def model_behind(server: LoopbackServer) -> ChatModel:
    match server:
        case OllamaServer():
            return OllamaModel(next(iter(server.models)), url=server.url)
        case GeminiServer():
            return GeminiModel("gemini-2.5-flash", Access(server.url, "test", "k"))
    return OpenAIModel("gpt-test", base_url=server.url)


@asynccontextmanager
async def prepared(server: LoopbackServer, workload: Workload = LOAD) -> AsyncIterator[ChatModel]:
    model = model_behind(server)
    try:
        await model.prepare(workload)
        yield model
    finally:
        await model.close()


def seeing() -> list[LoopbackServer]:
    return [OpenAIServer(), OllamaServer(models=[LLAVA]), GeminiServer()]


@pytest.mark.parametrize("server", seeing(), ids=lambda server: type(server).__name__)
async def test_every_provider_sends_the_bytes(server: LoopbackServer) -> None:
    """Whole, in order, with their types where the API has a place for them."""
    with server:
        async with prepared(server) as model:
            reply = await model.complete(TWO)
        (asked,) = [seen for seen in server.requests if seen.pictures]
    assert reply.finish == "stop"
    typed = not isinstance(server, OllamaServer)
    assert asked.pictures == [
        SentPicture(part.data, part.media_type if typed else "") for part in (JPEG, PNG)
    ]
    assert CAPTION.text in asked.prompt


async def test_openai_gets_data_urls_in_order() -> None:
    with OpenAIServer() as server:
        async with prepared(server) as model:
            await model.complete(TWO)
        system, user = server.requests[-1].body["messages"]
    assert system == {"role": "system", "content": "Look."}
    assert [part["type"] for part in user["content"]] == ["image_url", "text", "image_url"]
    assert user["content"][1] == {"type": "text", "text": CAPTION.text}
    url = user["content"][2]["image_url"]["url"]
    assert url == "data:image/png;base64,iVBORw0KGgr7774="


async def test_openai_gets_plain_text_where_there_is_no_picture() -> None:
    """Servers that know no parts still take what has none."""
    parts = replace(ASK, messages=(Message("user", (TextPart("a"), TextPart("b"))),))
    with OpenAIServer(refuses=["pictures"]) as server:
        async with prepared(server) as model:
            await model.complete(parts)
        assert server.requests[-1].body["messages"] == [{"role": "user", "content": "ab"}]


async def test_ollama_gets_bare_base64_beside_the_text() -> None:
    with OllamaServer(models=[LLAVA]) as server:
        async with prepared(server) as model:
            await model.complete(TWO)
        system, user = server.requests[-1].body["messages"]
    assert system == {"role": "system", "content": "Look."}
    assert user["content"] == CAPTION.text
    assert user["images"][1] == "iVBORw0KGgr7774="


def refusing() -> list[LoopbackServer]:
    return [OpenAIServer(refuses=["pictures"]), GeminiServer(refuses=["pictures"])]


@pytest.mark.parametrize("server", refusing(), ids=lambda server: type(server).__name__)
async def test_a_model_that_takes_no_pictures_ends_the_run(server: LoopbackServer) -> None:
    """No other picture would be taken either; text still is."""
    with server:
        async with prepared(server) as model:
            with pytest.raises(ModelError, match="takes no pictures for") as caught:
                await model.complete(ASK)
            assert (await model.complete(TEXT)).text
    assert (caught.value.cause, caught.value.fatal) == ("request refused", True)
    assert "choose a model that sees pictures" in str(caught.value)


BLIND_WORDS = [
    "Invalid content type. image_url is only supported by certain models.",
    "image input is not supported - hint: you may need to provide the mmproj",
    "image input is not supported by this server",
    "meta-llama/Llama-3.1-8B-Instruct is not a multimodal model",
    "At most 0 image(s) may be provided in one prompt.",
    "No endpoints found that support image input",
    "Failed to deserialize the JSON body: unknown variant `image_url`, expected `text`",
    "messages[0].content must be a string",
    "Model does not support images. Please use a model that does.",
    "This model doesn't support image input",
    "Image input is not enabled for this model",
    "Image input modality is not enabled for models/gemma-3-1b-it",
    "this model is missing data required for image input",
]
OTHER_WORDS = [
    "You uploaded an unsupported image. Please make sure your image is valid.",
    "The image format is not supported; use PNG or JPEG",
    "this server does not support images larger than 20 MB",
    "Failed to load image or audio file",
    "Unable to process input image",
    "image dimensions are not within the limits",
    "Unsupported parameter: 'logprobs' is not supported with this model.",
    "This model's maximum context length is 4096 tokens",
]


@pytest.mark.parametrize("words", BLIND_WORDS)
def test_servers_say_in_many_ways_that_they_see_nothing(words: str) -> None:
    assert pictures.are_refused(words)


@pytest.mark.parametrize("words", OTHER_WORDS)
def test_a_picture_that_is_not_liked_is_another_matter(words: str) -> None:
    """It costs one row, not the run."""
    assert not pictures.are_refused(words)


@pytest.mark.parametrize("status", [400, 404, 500])
async def test_the_words_count_under_any_status(status: int) -> None:
    body = json.dumps({"error": {"message": "image input is not supported by this server"}})
    with OpenAIServer(answer=always(Failure(status, body))) as server:
        async with prepared(server) as model:
            with pytest.raises(ModelError, match="takes no pictures") as caught:
                await model.complete(ASK)
            with pytest.raises(ModelError) as of_text:
                await model.complete(TEXT)
    assert caught.value.fatal
    assert "takes no pictures" not in str(of_text.value)


async def test_too_large_a_request_names_the_flag_that_helps() -> None:
    body = json.dumps({"error": {"message": "Request Entity Too Large"}})
    with OpenAIServer(answer=always(Failure(413, body))) as server:
        async with prepared(server) as model:
            with pytest.raises(ModelError, match="--max-side") as caught:
                await model.complete(ASK)
    assert (caught.value.fatal, caught.value.retry) == (False, False)


async def test_ollama_refuses_a_blind_model_before_the_first_row() -> None:
    """Some servers drop the pictures and answer all the same."""
    with OllamaServer() as server:
        with pytest.raises(UsageError, match=r"--model llama3\.1:8b: .* takes no pictures"):
            async with prepared(server):
                pass
        assert not [seen for seen in server.requests if seen.path == "/api/chat"]


async def test_ollama_never_sends_a_picture_to_a_blind_model() -> None:
    """Not even where nobody said before that there would be any."""
    with OllamaServer() as server:
        async with prepared(server, Workload(1, 100, 16)) as model:
            with pytest.raises(ModelError, match="takes no pictures") as caught:
                await model.complete(ASK)
        assert not [seen for seen in server.requests if seen.pictures]
    assert caught.value.fatal


@pytest.mark.parametrize(
    ("shown", "sees"),
    [
        ({"capabilities": ["completion", "vision"]}, True),
        ({"capabilities": ["completion"], "projector_info": {"x": 1}}, False),
        ({"projector_info": {"clip.vision.block_count": 23}}, True),
        ({"model_info": {"gemma3.vision.block_count": 27}}, True),
        ({"details": {"families": ["llama", "clip"]}}, True),
        ({"details": {"families": ["mllama"]}}, True),
        ({"details": {"families": ["llama"]}}, False),
        ({"details": {"families": None}, "model_info": None}, False),
    ],
)
def test_older_ollama_servers_are_read_too(shown: dict[str, object], sees: bool) -> None:
    assert sees_pictures(shown) is sees


@pytest.mark.parametrize(("seen", "context"), [(0, 2048), (1, 4096), (2, 7168)])
async def test_ollama_makes_room_for_pictures(seen: int, context: int) -> None:
    """3,072 tokens for each, and the record says so."""
    with OllamaServer(models=[LLAVA]) as server:
        async with prepared(server, Workload(1, 100, 16, pictures=seen)) as model:
            record = model.record()
    assert record["num_ctx"] == context
    assert record.get("context_for_each_picture") == (3072 if seen else None)


async def test_ollama_lowers_the_budget_by_what_pictures_take() -> None:
    """Regression: the parts of a message were counted in place of its length."""
    with OllamaServer(models=[Model("llava:7b", context=4096, vision=True)]) as server:
        async with prepared(server) as model:
            reply = await model.complete(replace(ASK, max_tokens=4096))
        asked = server.requests[-1].body["options"]
    assert asked["num_ctx"] == 4096
    assert asked["num_predict"] == 4096 - 3072 - 128 - round(len(CAPTION.text) * 1.5)
    assert reply.finish == "stop"


async def test_ollama_tells_a_prompt_with_pictures_that_was_cut() -> None:
    with OllamaServer(models=[Model("llava:7b", context=1024, vision=True)]) as server:
        async with prepared(server) as model:
            assert (await model.complete(TWO)).finish == "context truncated"


@pytest.mark.parametrize(
    ("provider", "width", "height", "tokens"),
    [
        ("openai", 1024, 1024, 765),
        ("openai", 2048, 4096, 1105),
        ("openai", 100, 100, 255),
        ("openai", 5000, 1, 765),
        ("gemini", 300, 200, 258),
        ("gemini", 1024, 700, 516),
    ],
)
def test_picture_tokens_follow_the_published_rules(
    provider: str, width: int, height: int, tokens: int
) -> None:
    """Those of OpenAI's own examples: 765 for 1024x1024, 1,105 for 2048x4096."""
    assert pictures.estimated_tokens(provider, width, height) == tokens


def test_an_estimate_says_what_it_took_for_pictures() -> None:
    with_pictures = estimate(
        "openai", "gpt-4o", requests=2, characters=200, reply_tokens=10, picture_tokens=1530
    )
    assert with_pictures.prompt_tokens == 1600
    assert "1,530 of them for pictures, a rough estimate" in str(with_pictures)
    text = estimate("openai", "gpt-4o", requests=2, characters=200, reply_tokens=10)
    assert "pictures" not in str(text)
    assert (with_pictures + text).picture_tokens == 1530
