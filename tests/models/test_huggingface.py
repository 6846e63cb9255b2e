from __future__ import annotations

import argparse
import asyncio
import math
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.cli.providers import add_provider_flags, provider_options
from banglahallueval.errors import RunError, UsageError
from banglahallueval.models import open_model
from banglahallueval.models.huggingface import model as huggingface
from banglahallueval.models.huggingface.model import HuggingFaceModel
from banglahallueval.models.openai.chat import OpenAIModel
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.types import Message, ModelError, Reply, Request, Workload
from banglahallueval.verdicts import probability_at_verdict, probability_of
from tests.models.hf_models import CHATML, DROPS_SYSTEM, NO_SYSTEM, THINKS, random_model
from tests.servers.real_llm import MODEL, PATIENCE, real_llm

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

ASK = Request((Message("user", "is ঢাকা the রাজধানী?"),), max_tokens=6, probabilities=True)
CHOOSE = replace(ASK, choices=("yes", "no"), compare=True)
SCHEMA = {"type": "object", "properties": {"is_hallucinated": {"enum": ["yes", "no"]}}}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return random_model(tmp_path_factory.mktemp("tiny"))


@asynccontextmanager
async def loaded(folder: str, **options: Any) -> AsyncIterator[HuggingFaceModel]:
    model = HuggingFaceModel(folder, device="cpu", **options)
    try:
        await model.prepare(Workload())
        yield model
    finally:
        await model.close()


def of_lengths(*lengths: int, like: Request = ASK) -> list[Request]:
    return [replace(like, messages=(Message("user", "ক খ " * n),)) for n in lengths]


def chat_and_logprobs(folder: str, text: str) -> Any:
    """Log probabilities of the first token after a text, computed the plainest way."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    ids = tokenizer(text, add_special_tokens=False, return_tensors="pt").input_ids
    with torch.inference_mode():
        return tokenizer, torch.log_softmax(model(ids).logits[0, -1].float(), -1)


async def test_a_greedy_reply_is_the_models_own_likeliest(tiny: str) -> None:
    """Text and probabilities are those of plain forward passes, one a token."""
    async with loaded(tiny) as model:
        reply = await model.complete(ASK)
    chat = f"<|im_start|>user\n{ASK.messages[0].content}<|im_end|>\n<|im_start|>assistant\n"
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny)
    plain = transformers.AutoModelForCausalLM.from_pretrained(tiny, dtype=torch.float32)
    ids = tokenizer(chat, add_special_tokens=False).input_ids
    made: list[int] = []
    for token in reply.tokens:
        with torch.inference_mode():
            logprobs = torch.log_softmax(plain(torch.tensor([ids + made])).logits[0, -1], -1)
        made.append(int(logprobs.argmax()))
        text, logprob = token.top[0]
        assert text == token.text
        assert logprob == pytest.approx(float(logprobs.max()), abs=1e-4)
        assert len(token.top) == 20
    assert reply.text == tokenizer.decode(made)
    assert reply.prompt_tokens == len(ids)
    assert len(made) == reply.completion_tokens <= 6
    assert reply.finish == ("stop" if reply.completion_tokens < 6 else "length")


@pytest.mark.parametrize("like", [ASK, CHOOSE])
async def test_a_row_alone_and_in_a_batch_gets_the_same_reply(tiny: str, like: Request) -> None:
    """Regression: right padding or a missing mask changed the replies of batched rows."""
    requests = of_lengths(1, 30, 2, 12, 3, 40, 5, 8, like=like)
    async with loaded(tiny, batch_size=8) as model:
        together = await asyncio.gather(*map(model.complete, requests))
        alone = [await model.complete(request) for request in requests]
    for one, other in zip(together, alone, strict=True):
        assert one.text == other.text
        assert [token.text for token in one.tokens] == [token.text for token in other.tokens]
        for token, same in zip(one.tokens, other.tokens, strict=True):
            assert dict(token.top) == pytest.approx(dict(same.top), abs=1e-3)


async def test_choices_are_compared_over_all_their_spellings(tiny: str) -> None:
    """The reply is the choice with the larger sum, computed here from one forward pass."""
    async with loaded(tiny, decode="score") as model:
        reply = await model.complete(replace(ASK, choices=()))
    chat = f"<|im_start|>user\n{ASK.messages[0].content}<|im_end|>\n<|im_start|>assistant\n"
    tokenizer, logprobs = chat_and_logprobs(tiny, chat)
    mass = {"yes": 0.0, "no": 0.0}
    for token, logprob in enumerate(logprobs.tolist()):
        word = tokenizer.decode([token]).strip().casefold()
        word = {"হ্যাঁ": "yes", "না": "no"}.get(word, word)
        if word in mass:
            mass[word] += math.exp(logprob)
    assert min(mass.values()) > 0
    assert reply.text == max(mass, key=lambda label: mass[label])
    found = probability_at_verdict(reply, "standard")
    assert found is not None
    assert found.p == pytest.approx(mass["yes"] / (mass["yes"] + mass["no"]), abs=1e-4)
    assert found.leftover == pytest.approx(1 - mass["yes"] - mass["no"], abs=1e-4)


async def test_a_json_verdict_is_compared_after_its_opening(tiny: str) -> None:
    """With a schema, the choices are compared where the object's value begins."""
    async with loaded(tiny) as model:
        reply = await model.complete(replace(CHOOSE, schema=SCHEMA))
    chat = f"<|im_start|>user\n{ASK.messages[0].content}<|im_end|>\n<|im_start|>assistant\n"
    tokenizer, logprobs = chat_and_logprobs(tiny, chat + '{"is_hallucinated": "')
    (yes,) = tokenizer.encode("yes", add_special_tokens=False)
    listed = dict(reply.tokens[0].top)
    assert listed["yes"] == pytest.approx(float(logprobs[yes]), abs=1e-4)


async def test_choices_without_a_token_of_their_own(tiny: str) -> None:
    """First tokens stand for longer choices; those that share them all are refused."""
    async with loaded(tiny) as model:
        reply = await model.complete(replace(ASK, choices=("supported", "refuted")))
        assert reply.text in {"supported", "refuted"}
        with pytest.raises(ModelError, match="no single token tells"):
            await model.complete(replace(ASK, choices=("q1", "q2")))


@pytest.mark.parametrize(
    ("template", "folded"), [(CHATML, False), (NO_SYSTEM, True), (DROPS_SYSTEM, True)]
)
async def test_system_text_reaches_every_model(tmp_path: Path, template: str, folded: bool) -> None:
    """Regression: templates without a system role raise at it, or drop its text silently."""
    system = (Message("system", "SYS"), Message("user", "প্রশ্ন"))
    as_user = (Message("user", "SYS\n\nপ্রশ্ন"),)
    async with loaded(random_model(tmp_path, template)) as model:
        assert model.record()["system_text_in_user_turn"] is folded
        one = await model.complete(replace(ASK, messages=system))
        other = await model.complete(replace(ASK, messages=as_user))
    assert (one.prompt_tokens == other.prompt_tokens) is folded


async def test_a_model_without_a_template_gets_the_bare_texts(tmp_path: Path) -> None:
    """The turns with a blank line between, and a line end."""
    folder = random_model(tmp_path, None)
    chat = (Message("system", "a"), Message("user", "b"))
    async with loaded(folder) as model:
        reply = await model.complete(replace(ASK, messages=chat))
        assert model.record()["chat_template"] is False
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    assert reply.prompt_tokens == len(tokenizer("a\n\nb\n").input_ids)


async def test_a_chat_that_the_template_refuses(tmp_path: Path) -> None:
    """What a template raises is an error of its own row, in one line."""
    refuses = "{{ raise_exception('roles must\nalternate') }}"
    template = "{% if messages | length > 2 %}" + refuses + "{% endif %}" + CHATML
    async with loaded(random_model(tmp_path, template)) as model:
        with pytest.raises(ModelError, match="roles must alternate") as caught:
            await model.complete(replace(ASK, messages=ASK.messages * 3))
    assert (caught.value.cause, caught.value.retry) == ("request refused", False)


async def test_a_prompt_longer_than_the_context_is_not_run(tmp_path: Path) -> None:
    """It is told apart; a prompt that fits gets what room is left for its reply."""
    async with loaded(random_model(tmp_path, context=64)) as model:
        fits, too_long = of_lengths(9, 40, like=replace(ASK, max_tokens=4096))
        assert (await model.complete(too_long)).finish == "context truncated"
        reply = await model.complete(fits)
    assert reply.finish in {"stop", "length"}
    assert 0 < reply.prompt_tokens + reply.completion_tokens <= 64


async def test_seeded_samples_do_not_depend_on_their_batch(tiny: str) -> None:
    """A seed gives the same text alone and among others; another attempt gives another."""
    like = replace(ASK, temperature=1.0, seed=11, max_tokens=12)
    requests = of_lengths(3, 4, 5, 6, like=like)
    async with loaded(tiny) as model:
        together = await asyncio.gather(*map(model.complete, requests))
        alone = [await model.complete(request) for request in requests]
        again = await model.complete(replace(requests[0], attempt=1))
    assert [reply.text for reply in together] == [reply.text for reply in alone]
    assert again.text != alone[0].text


async def test_samples_follow_the_models_probabilities(tiny: str) -> None:
    """First tokens drawn at temperature 1 are as frequent as the model says they are."""
    like = replace(ASK, temperature=1.0, max_tokens=1)
    asks = [replace(like, seed=seed) for seed in range(400)]
    async with loaded(tiny, batch_size=100) as model:
        replies = await asyncio.gather(*map(model.complete, asks))
        greedy = await model.complete(replace(like, temperature=0.0))
    counts = Counter(reply.tokens[0].text for reply in replies if reply.tokens)
    expected: defaultdict[str, float] = defaultdict(float)
    for text, logprob in greedy.tokens[0].top:
        expected[text] += math.exp(logprob)
    likeliest = sorted(expected.items(), key=lambda each: -each[1])[:3]
    for text, p in likeliest:
        assert counts[text] / 400 == pytest.approx(p, abs=4 * math.sqrt(p / 400))


async def test_pieces_of_a_character_keep_their_bytes(tiny: str) -> None:
    """Regression: half a Bangla letter came as a replacement mark, and its probability was lost."""
    async with loaded(tiny) as model:
        reply = await model.complete(replace(ASK, max_tokens=40))
    texts = {text for token in reply.tokens for text, _ in token.top}
    assert any(text.startswith("bytes:\\xe0") for text in texts)
    assert not any("\ufffd" in text for text in texts)


async def test_thinking_that_the_template_opens(tmp_path: Path) -> None:
    """Regression: a reply cut inside thinking that the prompt opened looked like an answer."""
    folder = random_model(tmp_path, THINKS)
    async with loaded(folder) as model:
        assert model.thinking
        for ask in (ASK, CHOOSE):  # choices are not compared in the midst of thinking
            assert (await model.complete(ask)).text.startswith("<think>")
    with pytest.raises(UsageError, match="thinks before it answers"):
        async with loaded(folder, decode="score"):
            pass


async def test_the_turns_end_ends_a_reply(tmp_path: Path) -> None:
    """Regression: fine-tuned models do not name the end-of-turn token, and ran on after it."""
    folder = random_model(tmp_path)
    async with loaded(folder) as model:
        assert model._decoder is not None
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        assert tokenizer.convert_tokens_to_ids("<|im_end|>") in model._decoder._ends


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"load_in_4bit": True}, "bitsandbytes|needs a CUDA GPU"),
        ({"device": "cuda:0"}, "no CUDA GPU here"),
    ],
)
async def test_what_this_machine_lacks(tiny: str, options: dict[str, Any], words: str) -> None:
    """A missing GPU or package is told before anything is loaded."""
    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    with pytest.raises(UsageError, match=words):
        await HuggingFaceModel(tiny, **options).prepare(Workload())


async def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch, tiny: str) -> None:
    """The message is the command that installs them."""
    monkeypatch.setattr(huggingface, "_PACKAGES", ("torch", "no_such_package"))
    with pytest.raises(UsageError, match=r"needs no_such_package: pip install .*\[hf\]"):
        await HuggingFaceModel(tiny).prepare(Workload())


async def test_a_model_that_is_not_there_or_broken(tmp_path: Path) -> None:
    """A wrong path and a broken folder each get one line."""
    for name in (str(tmp_path / "none"), "./none", "none.gguf"):
        with pytest.raises(UsageError, match="no such folder or file"):
            await HuggingFaceModel(name).prepare(Workload())
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(RunError, match="cannot load") as caught:
        await HuggingFaceModel(str(tmp_path)).prepare(Workload())
    assert "\n" not in str(caught.value)


async def test_changed_weights_are_another_model(tmp_path: Path) -> None:
    """Replies of a folder are not taken for those of what replaces it under the same name."""
    folder = random_model(tmp_path / "m")
    async with loaded(folder) as model:
        before = model.identity()
    file = Path(folder) / "model.safetensors"
    raw = bytearray(file.read_bytes())
    raw[-1] ^= 1
    file.write_bytes(raw)
    async with loaded(folder) as model:
        assert model.identity()["revision"] != before["revision"]
        assert {**model.identity(), "revision": ""} == {**before, "revision": ""}


def test_the_flags_make_the_model() -> None:
    """Every flag reaches the model; an empty batch is refused."""
    parser = argparse.ArgumentParser()
    add_provider_flags(parser, ["hf"])
    args = parser.parse_args(["--decode", "score", "--dtype", "float16", "--load-in-4bit"])
    identity = open_model(ClientOptions("hf", "a/b", provider_options(args))).identity()
    assert (identity["decode"], identity["dtype"], identity["load_in_4bit"]) == (
        "score",
        "float16",
        True,
    )
    with pytest.raises(SystemExit):
        parser.parse_args(["--batch-size", "0"])


# A real model: what follows needs the packages that tests.servers.real_llm names.

PASSAGES = (
    "ঢাকা বাংলাদেশের রাজধানী। প্রশ্ন: রাজধানী কোনটি? উত্তর: {}।",
    "The Padma is a river in Bangladesh; it meets the Meghna. Answer: the river is {}.",
)
JUDGE = "Is the answer a hallucination? Only reply yes or no."


REAL = [
    replace(ASK, messages=(Message("user", f"{passage.format(answer)}\n{JUDGE}"),), max_tokens=4)
    for passage in PASSAGES
    for answer in ("ঢাকা", "চট্টগ্রাম", "Padma")
]


def first_p(reply: Reply) -> float:
    found = probability_of(reply.tokens[0])
    assert found is not None
    return found.p


@pytest.fixture(scope="module")
def scored(smollm2: str) -> tuple[list[Reply], list[Reply]]:
    """The real prompts scored together and one by one."""

    async def score() -> tuple[list[Reply], list[Reply]]:
        async with loaded(smollm2, dtype="float32", decode="score") as model:
            together = await asyncio.gather(*map(model.complete, REAL))
            return together, [await model.complete(request) for request in REAL]

    return asyncio.run(score())


def test_a_real_model_scores_batched_as_alone(scored: tuple[list[Reply], list[Reply]]) -> None:
    """Real prompts of differing lengths: the same verdict, p within a thousandth."""
    together, alone = scored
    assert [reply.text for reply in together] == [reply.text for reply in alone]
    assert [*map(first_p, together)] == pytest.approx([*map(first_p, alone)], abs=1e-3)


async def test_transformers_and_llama_cpp_agree(scored: tuple[list[Reply], list[Reply]]) -> None:
    """The same weights behind both interfaces give p_hallucinated within 0.03 of each other."""
    with real_llm() as server:
        served = OpenAIModel(MODEL, base_url=server.url, timeout=PATIENCE)
        theirs = [first_p(await served.complete(request)) for request in REAL]
        await served.close()
    assert [*map(first_p, scored[1])] == pytest.approx(theirs, abs=0.03)
