"""Small Hugging Face models for tests: random ones made in a moment, and a real one converted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
NO_SYSTEM = (
    "{% for message in messages %}{% if message.role == 'system' %}"
    "{{ raise_exception('System role not supported') }}{% endif %}{% endfor %}" + CHATML
)
DROPS_SYSTEM = CHATML.replace("messages %}", "messages if message.role != 'system' %}", 1)
THINKS = CHATML.replace("assistant\n{% endif %}", "assistant\n<think>\n{% endif %}")
_TEXTS = ["yes no Yes No yes no হ্যাঁ না", "is it a hallucination? yes or no", "ঢাকা বাংলাদেশের রাজধানী"]


def byte_tokenizer(more: Sequence[str] = ()) -> Any:
    """Train a small byte-level tokenizer.

    Args:
        more: Special tokens beside those of the chat.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *more]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    raw.train_from_iterator(_TEXTS * 5, trainer)
    made: Any = PreTrainedTokenizerFast
    return made(tokenizer_object=raw, eos_token="<|endoftext|>")


def random_model(folder: Path, template: str | None = CHATML, *, context: int = 512) -> str:
    """Write a tiny Llama with random weights and a byte-level tokenizer; returns its folder."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = byte_tokenizer()
    tokenizer.chat_template = template
    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=context,
        eos_token_id=0,
        initializer_range=0.4,  # larger than usual, so that random logits differ
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)
