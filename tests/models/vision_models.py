"""Tiny vision-language models for tests: random weights, real processors, made in a moment.

`--provider hf --model FOLDER` loads what `llava` and `idefics3` write.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from tests.models.hf_models import byte_tokenizer

# In parts, as templates of models with eyes take a message; text alone as text would come out as
# its letters.
PARTS = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{% for part in message.content %}"
    "{% if part.type == 'image' %}<image>{% else %}{{ part.text }}{% endif %}{% endfor %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
PICTURE_TOKENS = 16  # that LLaVA's picture of 32x32 pixels becomes, in patches of 8x8

_VISION: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "image_size": 32,
    "patch_size": 8,
    "initializer_range": 0.4,
}
_TILES = [f"<row_{row}_col_{column}>" for row in range(1, 4) for column in range(1, 4)]


def llava(folder: Path, template: str | None = PARTS, *, context: int = 512) -> str:
    """Write a LLaVA with a CLIP tower and a Llama; returns its folder."""
    hf = _transformers()
    tokenizer = byte_tokenizer(["<image>"])
    config = hf.LlavaConfig(
        vision_config=hf.CLIPVisionConfig(**_VISION),
        text_config=_llama(tokenizer, context),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        vision_feature_layer=-1,
        image_seq_length=PICTURE_TOKENS,
    )
    hf.LlavaForConditionalGeneration(config).save_pretrained(folder)
    side = _VISION["image_size"]
    processor = hf.LlavaProcessor(
        image_processor=hf.CLIPImageProcessorPil(
            size={"shortest_edge": side}, crop_size={"height": side, "width": side}
        ),
        tokenizer=tokenizer,
        patch_size=_VISION["patch_size"],
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=template,
    )
    processor.save_pretrained(folder)
    return str(folder)


def idefics3(folder: Path) -> str:
    """Write an Idefics3, which cuts a picture into tiles: of another number for other shapes."""
    hf = _transformers()
    marks = ["<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>"]
    tokenizer = byte_tokenizer([*marks, *_TILES])
    config = hf.Idefics3Config(
        vision_config=dict(_VISION),
        text_config=_llama(tokenizer, 1024),
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        scale_factor=2,
        pad_token_id=0,
    )
    hf.Idefics3ForConditionalGeneration(config).save_pretrained(folder)
    side = _VISION["image_size"]
    processor = hf.Idefics3Processor(
        image_processor=hf.Idefics3ImageProcessorPil(
            size={"longest_edge": 2 * side}, max_image_size={"longest_edge": side}
        ),
        tokenizer=tokenizer,
        image_seq_len=4,
        chat_template=PARTS,
    )
    processor.save_pretrained(folder)
    return str(folder)


def _transformers() -> Any:
    """The package, whose types are too narrow for what it takes; with random weights settled."""
    import torch

    torch.manual_seed(7)
    return importlib.import_module("transformers")


def _llama(tokenizer: Any, context: int) -> Any:
    return _transformers().LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=context,
        eos_token_id=0,
        initializer_range=0.4,  # larger than usual, so that random logits differ
    )
