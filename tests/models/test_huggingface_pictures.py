"""Vision-language models on this machine: real processors and real generation."""

from __future__ import annotations

import asyncio
import io
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from banglahallueval.errors import RunError, UsageError
from banglahallueval.models.huggingface.model import HuggingFaceModel
from banglahallueval.models.types import (
    ImagePart,
    Message,
    ModelError,
    Request,
    TextPart,
    Workload,
)
from tests.models.hf_models import CHATML, random_model
from tests.models.vision_models import PARTS, PICTURE_TOKENS, idefics3, llava

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

LOAD = Workload(pictures=1)


def picture(shade: int = 0, size: tuple[int, int] = (60, 40), mode: str = "RGB") -> ImagePart:
    """A gradient that no two shades share."""
    image = Image.linear_gradient("L").resize(size).rotate(shade).convert(mode)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return ImagePart(buffer.getvalue(), "image/png")


def about(
    *parts: ImagePart | TextPart, text: str = "is ঢাকা here?", like: Request | None = None
) -> Request:
    message = Message("user", (*parts, TextPart(text)))
    return replace(like or ASK, messages=(message,))


ASK = Request((Message("user", "is ঢাকা here?"),), max_tokens=6, probabilities=True)
SEE = about(picture())
CHOOSE = replace(ASK, choices=("yes", "no"), compare=True)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return llava(tmp_path_factory.mktemp("llava"))


@pytest.fixture(scope="module")
def tiled(tmp_path_factory: pytest.TempPathFactory) -> str:
    return idefics3(tmp_path_factory.mktemp("idefics3"))


@asynccontextmanager
async def loaded(
    folder: str, workload: Workload = LOAD, **options: Any
) -> AsyncIterator[HuggingFaceModel]:
    model = HuggingFaceModel(folder, device="cpu", **options)
    try:
        await model.prepare(workload)
        yield model
    finally:
        await model.close()


def plain_inputs(folder: str, part: ImagePart, text: str) -> tuple[Any, Any]:
    """The processor's own inputs, asked for in the way that transformers documents."""
    processor = transformers.AutoProcessor.from_pretrained(folder, backend="pil")
    image = Image.open(io.BytesIO(part.data)).convert("RGB")
    content = [{"type": "image", "image": image}, {"type": "text", "text": text}]
    inputs = processor.apply_chat_template(
        [{"role": "user", "content": content}],
        add_generation_prompt=True,
        tokenize=True,
        return_dict=True,
        return_tensors="pt",
    )
    return processor, inputs


@pytest.mark.parametrize("folder", ["tiny", "tiled"])
async def test_a_reply_is_what_transformers_itself_generates(
    folder: str, request: pytest.FixtureRequest
) -> None:
    """Tokens, counts and probabilities are those of its documented way."""
    folder = request.getfixturevalue(folder)
    asks = [about(picture(turn, (60, 20 + turn))) for turn in (0, 30, 60, 90)]
    async with loaded(folder) as model:
        replies = [await model.complete(ask) for ask in asks]
    plain = transformers.AutoModelForImageTextToText.from_pretrained(folder, dtype=torch.float32)
    for ask, reply in zip(asks, replies, strict=True):
        processor, inputs = plain_inputs(folder, ask.messages[0].pictures[0], "is ঢাকা here?")
        width = inputs["input_ids"].shape[1]
        with torch.inference_mode():
            made = plain.generate(**inputs, max_new_tokens=6, do_sample=False)[0, width:].tolist()
            logprobs = torch.log_softmax(plain(**inputs).logits[0, -1].float(), -1)
        ends = processor.tokenizer.convert_tokens_to_ids(["<|endoftext|>", "<|im_end|>"])
        ids = made[: next((i for i, token in enumerate(made) if token in ends), None)]
        assert reply.text == processor.tokenizer.decode(ids, skip_special_tokens=True)
        assert (reply.prompt_tokens, reply.completion_tokens) == (width, len(ids))
        assert reply.finish == ("length" if len(ids) == 6 else "stop")
        for token in reply.tokens[:1]:
            assert token.top[0][1] == pytest.approx(float(logprobs.max()), abs=1e-4)
    assert any(reply.tokens for reply in replies)


@pytest.mark.parametrize("folder", ["tiny", "tiled"])
@pytest.mark.parametrize("options", [{}, {"choices": ("yes", "no"), "compare": True}])
async def test_a_batch_gets_the_replies_of_single_rows(
    folder: str, options: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    """Prompts of other lengths, pictures of other shapes and tiles, and text among them."""
    shapes = [(60, 40), (20, 90), (33, 33), (200, 40)]
    asks = [
        about(picture(turn, size), text="ক খ " * (turn + 1), like=replace(ASK, **options))
        for turn, size in enumerate(shapes)
    ]
    asks += [replace(ask, messages=(Message("user", "ক " * 9),)) for ask in asks[:2]]
    async with loaded(request.getfixturevalue(folder)) as model:
        together = await asyncio.gather(*map(model.complete, asks))
        alone = [await model.complete(ask) for ask in asks]
    for one, other in zip(together, alone, strict=True):
        assert one.text == other.text
        assert one.prompt_tokens == other.prompt_tokens
        for token, same in zip(one.tokens, other.tokens, strict=True):
            assert dict(token.top) == pytest.approx(dict(same.top), abs=1e-3)


async def test_the_picture_decides_with_the_text(tiny: str) -> None:
    """Another picture gives other probabilities, the same one in another mode the same."""
    pictures = [picture(), picture(90), picture(mode="L"), picture(mode="RGBA")]
    asks = [CHOOSE, *(about(each, like=CHOOSE) for each in pictures)]
    async with loaded(tiny) as model:
        text, seen, turned, gray, opaque = [
            (await model.complete(ask)).tokens[0].top for ask in asks
        ]
    assert len({seen, turned, text}) == 3
    assert seen == gray == opaque


async def test_pictures_and_texts_keep_their_order(tiny: str) -> None:
    """Two pictures of one message are told apart by their places."""
    first, second = picture(0), picture(90)
    async with loaded(tiny) as model:
        one = await model.complete(about(first, TextPart("ক"), second, like=CHOOSE))
        other = await model.complete(about(second, TextPart("ক"), first, like=CHOOSE))
        single = await model.complete(about(first, TextPart("ক"), like=CHOOSE))
    assert one.prompt_tokens == other.prompt_tokens == single.prompt_tokens + PICTURE_TOKENS
    assert one.tokens[0].top != other.tokens[0].top


async def test_choices_are_compared_by_their_probabilities(tiny: str) -> None:
    """`--decode score`: the larger sum over the spellings, after the picture."""
    async with loaded(tiny, decode="score") as model:
        reply = await model.complete(SEE)
    processor, inputs = plain_inputs(tiny, SEE.messages[0].pictures[0], "is ঢাকা here?")
    plain = transformers.AutoModelForImageTextToText.from_pretrained(tiny, dtype=torch.float32)
    with torch.inference_mode():
        probabilities = torch.softmax(plain(**inputs).logits[0, -1].float(), -1).tolist()
    mass = {"yes": 0.0, "no": 0.0}
    for token, p in enumerate(probabilities):
        word = processor.tokenizer.decode([token]).strip().casefold()
        word = {"হ্যাঁ": "yes", "না": "no"}.get(word, word)
        if word in mass:
            mass[word] += p
    assert reply.text == max(mass, key=lambda label: mass[label])
    listed = dict(reply.tokens[0].top)
    assert sum(math.exp(listed[w]) for w in ("yes", " yes", "Yes") if w in listed) > 0


async def test_a_json_verdict_is_compared_after_its_opening(tiny: str) -> None:
    schema = {"type": "object", "properties": {"is_hallucinated": {"enum": ["yes", "no"]}}}
    choose = replace(SEE, choices=("yes", "no"), compare=True)
    async with loaded(tiny) as model:
        plain = await model.complete(choose)
        opened = await model.complete(replace(choose, schema=schema))
    assert opened.prompt_tokens > plain.prompt_tokens
    assert opened.tokens != plain.tokens


async def test_seeded_samples_do_not_depend_on_their_batch(tiny: str) -> None:
    like = replace(ASK, temperature=1.0, seed=11, max_tokens=12)
    asks = [about(picture(turn), like=like) for turn in range(4)]
    async with loaded(tiny) as model:
        together = await asyncio.gather(*map(model.complete, asks))
        alone = [await model.complete(ask) for ask in asks]
        again = await model.complete(replace(asks[0], attempt=1))
    assert [reply.text for reply in together] == [reply.text for reply in alone]
    assert again.text != alone[0].text


async def test_a_prompt_longer_than_the_context_is_not_run(tmp_path: Path) -> None:
    """A picture's tokens count."""
    folder = llava(tmp_path, context=PICTURE_TOKENS + 24)
    async with loaded(folder) as model:
        reply = await model.complete(about(picture(), text="ক" * 30))
        fits = await model.complete(about(picture(), text="a", like=replace(ASK, max_tokens=99)))
    assert reply.finish == "context truncated"
    assert fits.finish in ("stop", "length")
    assert fits.prompt_tokens + fits.completion_tokens <= PICTURE_TOKENS + 24


async def test_system_text_comes_first(tiny: str) -> None:
    system = replace(SEE, messages=(Message("system", "Look."), *SEE.messages))
    async with loaded(tiny) as model:
        assert model.record()["system_text_in_user_turn"] is False
        one, other = await model.complete(SEE), await model.complete(system)
    assert other.prompt_tokens > one.prompt_tokens


async def test_a_template_without_a_system_role_gets_its_text_before_the_picture(
    tmp_path: Path,
) -> None:
    refuses = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    system = replace(SEE, messages=(Message("system", "Look."), *SEE.messages))
    before = about(TextPart("Look.\n\n"), picture())
    async with loaded(llava(tmp_path, refuses + PARTS)) as model:
        assert model.record()["system_text_in_user_turn"] is True
        assert await model.complete(system) == await model.complete(before)


async def test_text_alone_needs_no_parts(tmp_path: Path) -> None:
    """Regression of templates that print the parts of a text as they are."""
    either = (
        "{% for message in messages %}{% if message.content is string %}T{{ message.content }}"
        "{% else %}{% for part in message.content %}{% if part.type == 'image' %}<image>{% endif %}"
        "{% endfor %}{{ message.content[-1].text }}{% endif %}{% endfor %}"
    )
    strings = "{% for message in messages %}{{ message.content }}{% endfor %}"
    async with loaded(llava(tmp_path / "either", either)) as model:
        assert (await model.complete(SEE)).prompt_tokens > PICTURE_TOKENS
    with pytest.raises(UsageError, match="no chat template with a place for a picture"):
        async with loaded(llava(tmp_path / "strings", strings)):
            pass
    async with loaded(str(tmp_path / "strings"), Workload()) as model:
        reply = await model.complete(ASK)
        tokens = model.loaded.tokenizer(ASK.messages[0].text).input_ids
    assert reply.prompt_tokens == len(tokens)


async def test_a_model_without_a_template_takes_no_pictures(tmp_path: Path) -> None:
    """Where a picture stands in its prompt is not known."""
    with pytest.raises(UsageError, match="no chat template with a place for a picture"):
        async with loaded(llava(tmp_path, None)):
            pass


async def test_a_model_of_text_is_refused_before_it_is_loaded(tmp_path: Path) -> None:
    folder = random_model(tmp_path, CHATML)
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(UsageError, match="reads text only; pictures need a vision-language model"):
        async with loaded(folder):
            pass


async def test_a_model_of_text_never_gets_a_picture(tmp_path: Path) -> None:
    """Not even where nobody said before that there would be any."""
    async with loaded(random_model(tmp_path), Workload()) as model:
        with pytest.raises(ModelError, match="takes no pictures") as caught:
            await model.complete(SEE)
    assert caught.value.fatal


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (about(picture(), text="a <image> in the text"), "model's mark for a picture"),
        (about(ImagePart(b"no picture", "image/png")), "processor refuses the prompt"),
    ],
)
async def test_what_the_processor_cannot_take_costs_one_row(
    tiny: str, request_: Request, words: str
) -> None:
    async with loaded(tiny) as model:
        bad, good = await asyncio.gather(
            model.complete(request_), model.complete(SEE), return_exceptions=True
        )
        assert not isinstance(good, BaseException)
    assert isinstance(bad, ModelError)
    assert words in str(bad)
    assert (bad.cause, bad.fatal, bad.retry) == ("request refused", False, False)


async def test_what_the_model_cannot_take_costs_its_batch(
    tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a model's own code raises at pictures was once a traceback."""
    async with loaded(tiny) as model:

        def fail(**inputs: Any) -> None:
            raise ValueError("Image features and image tokens do not match")

        monkeypatch.setattr(model.loaded.model, "generate", fail)
        with pytest.raises(ModelError, match="do not match") as caught:
            await model.complete(SEE)
    assert (caught.value.fatal, caught.value.retry) == (False, False)


async def test_a_missing_package_of_the_processor_is_named(
    tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ImportError("requires the Torchvision library\nbut it was not found")

    monkeypatch.setattr(transformers.AutoProcessor, "from_pretrained", fail)
    with pytest.raises(UsageError, match=r"Torchvision .*; pip install torchvision") as caught:
        async with loaded(tiny):
            pass
    assert "\n" not in str(caught.value)
    async with loaded(tiny, Workload()) as model:  # text needs no processor
        assert (await model.complete(ASK)).prompt_tokens > 0
        with pytest.raises(ModelError, match="takes no pictures"):
            await model.complete(SEE)


async def test_a_broken_folder_is_one_line(tmp_path: Path) -> None:
    folder = llava(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"none")
    with pytest.raises(RunError, match="cannot load") as caught:
        async with loaded(folder):
            pass
    assert "\n" not in str(caught.value)


async def test_pictures_do_not_change_what_a_model_is(tiny: str) -> None:
    """The store finds replies to text under the same key, whether pictures are sent or not."""
    async with loaded(tiny) as seeing, loaded(tiny, Workload()) as reading:
        assert seeing.identity() == reading.identity()
        assert await seeing.complete(ASK) == await reading.complete(ASK)
        assert seeing.record()["image_processor"] == "CLIPImageProcessorPil"
