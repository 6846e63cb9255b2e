"""Generation with a transformers model: greedy or sampled, and comparing choices in one pass."""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping, Sequence
from typing import Any

import regex
import torch

from banglahallueval.models.chat import TOP_TOKENS
from banglahallueval.models.http import one_line
from banglahallueval.models.huggingface.batches import Job
from banglahallueval.models.huggingface.local import device_failure
from banglahallueval.models.huggingface.sight import Sight
from banglahallueval.models.types import ModelError, Reply, Token
from banglahallueval.text.yes_no import NO, YES, fold

transformers: Any = importlib.import_module("transformers")  # much of it has no types

_alphabet: Any = importlib.import_module("transformers.convert_slow_tokenizer").bytes_to_unicode()
_BYTES = {char: byte for byte, char in _alphabet.items()}  # of byte-level vocabularies

_AROUND = regex.compile(r"^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$")
_SPELLINGS: Mapping[str, Sequence[str]] = {"yes": YES, "no": NO}


class Decoder:
    """Replies to batches of prompts."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        end_tokens: Sequence[int],
        sight: Sight | None = None,
    ) -> None:
        """Settle how this model ends a reply.

        Args:
            model: A causal language model of transformers.
            tokenizer: Its tokenizer.
            end_tokens: Tokens that end a reply beside those that the model names itself.
            sight: How it is given pictures.
        """
        self._sight = sight
        named = model.generation_config.eos_token_id
        named = named if isinstance(named, list) else [named]
        ends = {*named, tokenizer.eos_token_id, *end_tokens} - {None}
        self._model = model
        self._tokenizer = tokenizer
        self._ends = sorted(ends)
        self._pad = tokenizer.pad_token_id
        if self._pad is None:
            self._pad = self._ends[0] if self._ends else 0
        # The model's own settings, such as a repetition penalty, would change what greedy means.
        model.generation_config = transformers.GenerationConfig(
            do_sample=False, eos_token_id=self._ends or None, pad_token_id=self._pad
        )
        self._choice_tokens: dict[tuple[str, ...], tuple[tuple[int, ...], ...]] = {}

    def choice_tokens(self, choices: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """List the tokens that spell each choice: any spelling of yes and no, else any case.

        Spellings in another script than Latin count only where every choice has one, so that a
        vocabulary that holds না whole and হ্যাঁ only in pieces does not lean to no. Where the
        vocabulary has no whole word for a choice, the first tokens of its spellings stand for it,
        as far as no other choice shares them.

        Raises:
            ModelError: If the choices cannot be told apart by one token.
        """
        known = tuple(choices)
        if known not in self._choice_tokens:  # a look through the vocabulary takes seconds
            self._choice_tokens[known] = self._find_choices(choices)
        return self._choice_tokens[known]

    def _find_choices(self, choices: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        texts = self._tokenizer.batch_decode([[i] for i in range(len(self._tokenizer))])
        wanted = [set(_SPELLINGS.get(choice, (fold(choice),))) for choice in choices]
        cores = [_AROUND.sub("", fold(text)) for text in texts]
        spelled = [[i for i, core in enumerate(cores) if core in words] for words in wanted]
        fair = all(any(not cores[i].isascii() for i in ids) for ids in spelled)
        found = [tuple(i for i in ids if fair or cores[i].isascii()) for ids in spelled]
        if not all(found):
            first = [self._first_tokens(choice) for choice in choices]
            found = [
                tuple(ids.difference(*(other for other in first if other is not ids)))
                for ids in first
            ]
        if not all(found):
            told = f"no single token tells {' from '.join(map(repr, choices))} for this model"
            advice = "use --decode generate, or another model"
            raise ModelError("request refused", told, advice=advice, retry=False)
        return tuple(found)

    def _first_tokens(self, choice: str) -> set[int]:
        forms = {choice.lower(), choice.capitalize(), choice.upper()}
        encoded = [
            self._tokenizer.encode(space + form, add_special_tokens=False)
            for form in forms
            for space in ("", " ")
        ]
        return {ids[0] for ids in encoded if ids}

    def run(self, batch: Sequence[Job]) -> list[Reply]:
        """Reply to a batch of jobs of one kind.

        Raises:
            OutOfMemoryError: If the batch is too large.
            ModelError: If the device fails otherwise.
        """
        try:
            with torch.inference_mode():
                return self._run(batch)
        except RuntimeError as error:
            failure = device_failure(error)
        except Exception as error:
            if not batch[0].pictures:
                raise
            # What a model's own code raises at pictures that its processor let through.
            told = f"the model fails at the pictures: {one_line(str(error))}"
            advice = "use another picture or model"
            failure = ModelError("request refused", told, advice=advice, retry=False)
        # Out of the handler, whose traceback keeps the failed batch's tensors alive.
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        raise failure

    def _run(self, batch: Sequence[Job]) -> list[Reply]:
        inputs = self._inputs(batch)
        width = inputs["input_ids"].shape[1]
        steps = _Steps(batch)
        generated = self._model.generate(
            **inputs,
            max_new_tokens=batch[0].new_tokens,
            logits_processor=transformers.LogitsProcessorList([steps]),
        )
        new = generated[:, width:].tolist()
        if batch[0].choices:
            return [self._compared(job, row, steps) for row, job in enumerate(batch)]
        return [self._generated(job, row, new[row], steps) for row, job in enumerate(batch)]

    def _inputs(self, batch: Sequence[Job]) -> dict[str, Any]:
        """Put the prompts of a batch side by side, filled up on their left."""
        if batch[0].pictures:
            assert self._sight is not None
            return self._sight.inputs(batch, self._pad)
        width = max(len(job.ids) for job in batch)
        padding = [width - len(job.ids) for job in batch]
        rows = [[self._pad] * pad + list(job.ids) for pad, job in zip(padding, batch, strict=True)]
        seen = [[0] * pad + [1] * len(job.ids) for pad, job in zip(padding, batch, strict=True)]
        return {
            "input_ids": torch.tensor(rows, device=self._model.device),
            "attention_mask": torch.tensor(seen, device=self._model.device),
        }

    def _generated(self, job: Job, row: int, new: list[int], steps: _Steps) -> Reply:
        end = next((i for i, token in enumerate(new) if token in self._ends), None)
        kept = new[:end]
        tokens: tuple[Token, ...] = ()
        if job.request.probabilities:
            tokens = tuple(
                self._token(token, steps.alternatives(place, row))
                for place, token in enumerate(kept)
            )
        return Reply(
            text=self._tokenizer.decode(kept, skip_special_tokens=True),
            finish="length" if end is None else "stop",
            tokens=tokens,
            prompt_tokens=len(job.ids),
            completion_tokens=len(kept),
        )

    def _compared(self, job: Job, row: int, steps: _Steps) -> Reply:
        """Pick the choice with the larger sum over its spellings; no text where two are equal."""
        listed = steps.alternatives(0, row)
        masses = [sum(math.exp(listed[i]) for i in ids) for ids in job.choices]
        most = max(masses)
        winner = masses.index(most)
        compared = {i: listed[i] for ids in job.choices for i in ids}
        token = max(job.choices[winner], key=lambda i: compared[i])
        return Reply(
            text=job.request.choices[winner] if masses.count(most) == 1 else "",
            tokens=(self._token(token, compared),),
            prompt_tokens=len(job.ids),
            completion_tokens=1,
        )

    def _token(self, token: int, listed: Mapping[int, float]) -> Token:
        top = tuple((self._piece(i), logprob) for i, logprob in listed.items())
        return Token(self._piece(token), top)

    def _piece(self, token: int) -> str:
        """Decode a token; of a piece of a character give its bytes, as OpenAI writes them."""
        text = str(self._tokenizer.decode([token]))
        if "\ufffd" not in text:
            return text
        piece = str(self._tokenizer.convert_ids_to_tokens(token))
        raw = [_BYTES.get(char) for char in piece]
        if None in raw:
            return piece
        return "bytes:" + "".join(f"\\x{byte:02x}" for byte in raw)


class _Steps:
    """Sees the logits of every step: keeps the likeliest tokens, and samples where that is asked.

    Sampling is greedy choice among logits / temperature + Gumbel noise, which is the same as
    drawing from their softmax (Maddison, Tarlow & Minka 2014). Each row draws its noise from a
    generator of its own, so a seeded reply does not depend on the batch it came in.
    """

    def __init__(self, batch: Sequence[Job]) -> None:
        self._temperatures = [job.request.temperature for job in batch]
        self._generators = [_generator(job) for job in batch]
        self._record = any(job.request.probabilities or job.choices for job in batch)
        self._wanted = [sorted({i for ids in job.choices for i in ids}) for job in batch]
        self._kept: list[tuple[list[list[int]], list[list[float]]]] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        chosen = scores
        if any(self._temperatures):
            chosen = torch.stack([self._draw(row, logits) for row, logits in enumerate(scores)])
        if self._record:
            logprobs = torch.log_softmax(scores.float(), dim=-1)
            ids = logprobs.topk(min(TOP_TOKENS, logprobs.shape[-1])).indices
            picked = chosen.argmax(dim=-1, keepdim=True)
            columns = [ids, picked]
            if any(self._wanted):
                columns.append(torch.tensor(self._wanted, device=ids.device))
            ids = torch.cat(columns, dim=-1)
            self._kept.append((ids.tolist(), logprobs.gather(-1, ids).tolist()))
        return chosen

    def alternatives(self, place: int, row: int) -> dict[int, float]:
        """List token ids with their log probabilities at one place of a row, likeliest first."""
        ids, logprobs = self._kept[place]
        return dict(zip(ids[row], logprobs[row], strict=True))

    def _draw(self, row: int, logits: Any) -> Any:
        temperature = self._temperatures[row]
        if not temperature:
            return logits
        uniform = torch.rand(logits.shape, generator=self._generators[row]).clamp_min(1e-20)
        return logits / temperature - torch.log(-torch.log(uniform)).to(logits.device)


def _generator(job: Job) -> torch.Generator:
    generator = torch.Generator()
    if job.request.seed is None:
        generator.seed()
    else:
        generator.manual_seed(job.request.seed * 1_000_003 + job.request.attempt)
    return generator
