"""A Hugging Face model on this machine: from the hub, a folder, or a GGUF file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banglahallueval.errors import UsageError
from banglahallueval.models.chat import thinks_by_name
from banglahallueval.models.huggingface.batches import Batcher, Job
from banglahallueval.models.huggingface.kept import loaded_once
from banglahallueval.models.huggingface.loaded import Loaded
from banglahallueval.models.huggingface.local import refuse_missing, revision
from banglahallueval.models.options import Decode
from banglahallueval.models.pictures import refusal
from banglahallueval.models.types import ImagePart, Reply, Request, Workload

if TYPE_CHECKING:
    from banglahallueval.models.huggingface.decoding import Decoder

_LABELS = ("yes", "no")
_TOKENS_PER_ROW = 1024  # rows beyond this length make a batch smaller
_PACKAGES = ("torch", "transformers", "accelerate")


class HuggingFaceModel:
    """A causal language model run by transformers; implements `models.types.ChatModel`.

    The chat template is always applied. Replies are greedy unless a
    temperature is asked for; a repetition penalty of the model's own settings is not applied.
    """

    provider = "hf"

    def __init__(
        self,
        model: str,
        *,
        decode: Decode = "generate",
        batch_size: int = 8,
        dtype: str = "auto",
        device: str = "auto",
        load_in_4bit: bool = False,
    ) -> None:
        """Set up; nothing is loaded yet.

        Args:
            model: Name on the hub, a folder, or a `.gguf` file.
            decode: `generate` lets the model write; `score` compares in one pass the
                probabilities of the spellings of yes and no where the reply would begin.
            batch_size: Rows generated together, of up to 1,024 tokens each; fewer of longer ones.
            dtype: One of `DTYPES`; `auto` takes what the model was saved in.
            device: `auto` spreads the model over what there is; else as torch names it.
            load_in_4bit: Whether to load it quantised to 4 bits, which needs a CUDA GPU.
        """
        self.model = model
        self.thinking = thinks_by_name(Path(model).name)
        self._decode = decode
        self._batch_size = batch_size
        self._dtype = dtype
        self._device = device
        self._load_in_4bit = load_in_4bit
        self._revision = ""
        self._loaded: Loaded | None = None
        self._decoder: Decoder | None = None
        self._batcher: Batcher[Job, Reply] | None = None

    async def prepare(self, workload: Workload) -> None:
        """Load the model.

        Raises:
            UsageError: If a package, a device or the model's folder is missing, or `score` is
                asked of a model that thinks first.
            RunError: If it cannot be loaded.
        """
        self._check()
        await asyncio.to_thread(self._load, workload.pictures > 0)
        if self._decode == "score" and self.thinking:
            raise UsageError(
                f"--decode score: {self.model} thinks before it answers, so its first token says"
                " nothing; use --decode generate"
            )
        decoder = self._decoder
        assert decoder is not None
        self._batcher = Batcher(
            decoder.run,
            most_rows=self._batch_size,
            most_tokens=self._batch_size * _TOKENS_PER_ROW,
        )

    def identity(self) -> Mapping[str, Any]:
        """Identify provider, model, revision or fingerprint of its files, and decoding."""
        return {
            "provider": self.provider,
            "model": Path(self.model).name if Path(self.model).exists() else self.model,
            "revision": self._revision,
            "dtype": str(self._loaded.model.dtype) if self._loaded is not None else self._dtype,
            "load_in_4bit": self._load_in_4bit,
            "decode": self._decode,
        }

    async def complete(self, request: Request) -> Reply:
        """Ask once; choices are compared, since that constrains the reply to them.

        A model that thinks first is left to write instead: before its thinking it has no answer.

        Raises:
            ModelError: If the chat template refuses the chat, or memory does not do for it.
        """
        assert self._batcher is not None
        assert self._decoder is not None
        loaded = self.loaded
        comparing = not self.thinking and (self._decode == "score" or bool(request.choices))
        if comparing and not request.choices:
            request = replace(request, choices=_LABELS)
        text, ids = await self._prompt(request, _opening(request) if comparing else "")
        new_tokens = 1 if comparing else request.max_tokens
        if loaded.context is not None:
            new_tokens = min(new_tokens, loaded.context - len(ids))
        if new_tokens < 1:
            return Reply("", finish="context truncated", prompt_tokens=len(ids))
        choices = self._decoder.choice_tokens(request.choices) if comparing else ()
        job = Job(request, ids, new_tokens, choices, text, _pictures(request))
        reply = await self._batcher.reply(job)
        if loaded.chat.opens_thinking:
            reply = replace(reply, text=f"<think>{reply.text}")
        return reply

    async def _prompt(self, request: Request, opening: str) -> tuple[str, list[int]]:
        """Encode a prompt; one with pictures comes as text as well.

        Raises:
            ModelError: If that cannot be done, or the model takes no pictures.
        """
        loaded = self.loaded
        if not _pictures(request):
            return "", loaded.chat.tokens(request.messages, opening)
        if loaded.sight is None:
            raise refusal("transformers", self.model, "it was loaded as a model of text")
        return await asyncio.to_thread(loaded.sight.tokens, request.messages, opening)

    @property
    def loaded(self) -> Loaded:
        """What `prepare` has loaded."""
        assert self._loaded is not None
        return self._loaded

    async def close(self) -> None:
        """Stop generating and give the memory back."""
        if self._batcher is not None:
            await self._batcher.close()
        self._batcher = self._decoder = self._loaded = None

    def record(self) -> dict[str, Any]:
        """Record what was loaded, how and where."""
        record: dict[str, Any] = {**self.identity(), "batch_size": self._batch_size}
        loaded = self._loaded
        if loaded is not None:
            record |= {
                "device": str(loaded.model.device),
                "context": loaded.context,
                "chat_template": loaded.chat.exists,
                "system_text_in_user_turn": loaded.chat.folds_system,
            }
            if loaded.sight is not None:
                record["image_processor"] = loaded.sight.name
        if self._batcher is not None:
            record["batch_tokens"] = self._batcher.most_tokens
        return record

    def _check(self) -> None:
        """Find what a user can mend before seconds of loading."""
        needed = [*_PACKAGES, *(["gguf"] if self.model.endswith(".gguf") else [])]
        needed += ["bitsandbytes"] if self._load_in_4bit else []
        refuse_missing(self.model, needed, self._device)
        import torch

        if self._load_in_4bit and not torch.cuda.is_available():
            raise UsageError("--load-in-4bit needs a CUDA GPU, and this machine has none")

    def _load(self, pictures: bool) -> None:
        # These need torch, which `_check` has found.
        from banglahallueval.models.huggingface.decoding import Decoder
        from banglahallueval.models.huggingface.loading import load

        loaded = loaded_once(
            (self.model, self._dtype, self._device, self._load_in_4bit, pictures),
            lambda: load(
                self.model,
                dtype=self._dtype,
                device=self._device,
                load_in_4bit=self._load_in_4bit,
                pictures=pictures,
            ),
        )
        self._loaded = loaded
        self._revision = revision(loaded.model, self.model)
        self._decoder = Decoder(
            loaded.model, loaded.tokenizer, loaded.chat.end_of_turn(), loaded.sight
        )
        self.thinking = self.thinking or loaded.chat.opens_thinking


def _pictures(request: Request) -> tuple[ImagePart, ...]:
    return tuple(part for message in request.messages for part in message.pictures)


def _opening(request: Request) -> str:
    """Write how a reply that must be a JSON object begins: up to its first key's value."""
    key = next(iter((request.schema or {}).get("properties", {})), None)
    return "" if key is None else f'{{"{key}": "'
