"""A Hugging Face model on this machine: from the hub, a folder, or a GGUF file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from banglahallueval.errors import RunError, UsageError
from banglahallueval.models.chat import thinks_by_name
from banglahallueval.models.http import one_line
from banglahallueval.models.huggingface.batches import Batcher, Job
from banglahallueval.models.huggingface.chat_template import ChatTemplate
from banglahallueval.models.huggingface.local import refuse_missing, revision, source_of
from banglahallueval.models.options import Decode
from banglahallueval.models.types import Reply, Request, Workload

if TYPE_CHECKING:
    from banglahallueval.models.huggingface.decoding import Decoder

_LABELS = ("yes", "no")
_TOKENS_PER_ROW = 1024  # rows beyond this length make a batch smaller
_PACKAGES = ("torch", "transformers", "accelerate")


class Loaded(NamedTuple):
    """A loaded model, for other uses than to ask it.

    Attributes:
        model: The causal language model of transformers.
        tokenizer: Its tokenizer.
        chat: Its chat template.
        context: Maximum number of tokens that it reads; None where it does not say.
    """

    model: Any
    tokenizer: Any
    chat: ChatTemplate
    context: int | None


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
        self._context: int | None = None
        self._tokenizer: Any = None
        self._loaded: Any = None
        self._chat: ChatTemplate | None = None
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
        await asyncio.to_thread(self._load)
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
            "dtype": str(self._loaded.dtype) if self._loaded is not None else self._dtype,
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
        assert self._chat is not None
        comparing = not self.thinking and (self._decode == "score" or bool(request.choices))
        if comparing and not request.choices:
            request = replace(request, choices=_LABELS)
        ids = self._chat.tokens(request.messages, _opening(request) if comparing else "")
        new_tokens = 1 if comparing else request.max_tokens
        if self._context is not None:
            new_tokens = min(new_tokens, self._context - len(ids))
        if new_tokens < 1:
            return Reply("", finish="context truncated", prompt_tokens=len(ids))
        choices = self._decoder.choice_tokens(request.choices) if comparing else ()
        reply = await self._batcher.reply(Job(request, ids, new_tokens, choices))
        if self._chat.opens_thinking:
            reply = replace(reply, text=f"<think>{reply.text}")
        return reply

    @property
    def loaded(self) -> Loaded:
        """What `prepare` has loaded."""
        assert self._chat is not None
        return Loaded(self._loaded, self._tokenizer, self._chat, self._context)

    async def close(self) -> None:
        """Stop generating and give the memory back."""
        if self._batcher is not None:
            await self._batcher.close()
        self._batcher = self._decoder = self._loaded = None

    def record(self) -> dict[str, Any]:
        """Record what was loaded, how and where."""
        record: dict[str, Any] = {**self.identity(), "batch_size": self._batch_size}
        if self._chat is not None:
            record |= {
                "device": str(self._loaded.device),
                "context": self._context,
                "chat_template": self._chat.exists,
                "system_text_in_user_turn": self._chat.folds_system,
            }
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

    def _load(self) -> None:
        import torch

        from banglahallueval.models.huggingface.decoding import Decoder, transformers

        transformers.utils.logging.set_verbosity_error()
        path = Path(self.model).expanduser()
        source, more = source_of(self.model), {}
        if path.suffix == ".gguf":
            source, more = str(path.parent), {"gguf_file": path.name}
        options: dict[str, Any] = {"dtype": self._dtype, "device_map": self._device, **more}
        if self._dtype != "auto":
            options["dtype"] = getattr(torch, self._dtype)
        if self._load_in_4bit:
            options["quantization_config"] = transformers.BitsAndBytesConfig(
                load_in_4bit=True,
                bnb_4bit_quant_type="nf4",
                bnb_4bit_compute_dtype=torch.bfloat16,
            )
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(source, **more)
            loaded = transformers.AutoModelForCausalLM.from_pretrained(source, **options)
        except Exception as error:
            # Loaders fail in as many ways as there are broken folders; all are the user's to mend.
            raise RunError(f"cannot load {self.model}: {one_line(str(error))}") from None
        loaded.eval()
        self._loaded = loaded
        self._revision = revision(loaded, self.model)
        config = loaded.config.get_text_config()
        self._context = getattr(config, "max_position_embeddings", None)
        self._chat = ChatTemplate(self._tokenizer)
        self._decoder = Decoder(loaded, self._tokenizer, self._chat.end_of_turn())
        self.thinking = self.thinking or self._chat.opens_thinking


def _opening(request: Request) -> str:
    """Write how a reply that must be a JSON object begins: up to its first key's value."""
    key = next(iter((request.schema or {}).get("properties", {})), None)
    return "" if key is None else f'{{"{key}": "'
