"""Loading a chat model of transformers, with or without eyes, and its tokenizer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from banglahallueval.errors import RunError, UsageError
from banglahallueval.models.http import one_line
from banglahallueval.models.huggingface.chat_template import ChatTemplate
from banglahallueval.models.huggingface.decoding import transformers
from banglahallueval.models.huggingface.loaded import Loaded
from banglahallueval.models.huggingface.local import source_of
from banglahallueval.models.huggingface.sight import Sight

_ADVICE = (
    "pictures need a vision-language model, such as HuggingFaceTB/SmolVLM-Instruct or"
    " Qwen/Qwen2.5-VL-3B-Instruct"
)


def load(model: str, *, dtype: str, device: str, load_in_4bit: bool, pictures: bool) -> Loaded:
    """Load a model that transformers knows.

    Args:
        model: Name on the hub, a folder, or a `.gguf` file.
        dtype: As torch names it; `auto` takes what the model was saved in.
        device: `auto` spreads the model over what there is; else as torch names it.
        load_in_4bit: Whether to load it quantised to 4 bits.
        pictures: Whether it will be shown pictures. A model that can also be loaded without eyes
            is, where it will not.

    Raises:
        UsageError: If it is to be shown pictures and takes none, or its processor lacks a package.
        RunError: If it cannot be loaded.
    """
    transformers.utils.logging.set_verbosity_error()
    path = Path(model).expanduser()
    source, more = source_of(model), {}
    if path.suffix == ".gguf":
        source, more = str(path.parent), {"gguf_file": path.name}
    options: dict[str, Any] = {"dtype": dtype, "device_map": device, **more}
    if dtype != "auto":
        options["dtype"] = getattr(torch, dtype)
    if load_in_4bit:
        options["quantization_config"] = transformers.BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_compute_dtype=torch.bfloat16,
        )
    try:
        sees = not more and _has_eyes(model, source, pictures=pictures)
        if pictures and not sees:
            raise UsageError(f"--model {model} reads text only; {_ADVICE}")
        processor = _processor(model, source, pictures=pictures) if sees else None
        tokenizer = getattr(processor, "tokenizer", None)
        if tokenizer is None:
            tokenizer = transformers.AutoTokenizer.from_pretrained(source, **more)
        template = getattr(processor, "chat_template", None)
        chat = ChatTemplate(tokenizer, template=template, of_pictures=sees)
        if pictures and not chat.shows_pictures:
            raise UsageError(f"--model {model} has no chat template with a place for a picture")
        kind = "AutoModelForImageTextToText" if sees else "AutoModelForCausalLM"
        loaded = getattr(transformers, kind).from_pretrained(source, **options)
    except (UsageError, RunError):
        raise
    except Exception as error:
        # Loaders fail in as many ways as there are broken folders; all are the user's to mend.
        raise RunError(f"cannot load {model}: {one_line(str(error))}") from None
    loaded.eval()
    context = getattr(loaded.config.get_text_config(), "max_position_embeddings", None)
    eyed = processor is not None and chat.shows_pictures
    sight = Sight(processor, loaded, chat) if eyed else None
    return Loaded(loaded, tokenizer, chat, context, sight)


def _has_eyes(model: str, source: str, *, pictures: bool) -> bool:
    """Whether a model's config makes it one for images and text, to be loaded as such.

    Raises:
        UsageError: If it writes its replies in a way that is not supported.
    """
    try:
        config = transformers.AutoConfig.from_pretrained(source)
    except Exception:
        if pictures:
            raise
        return False  # the loader may know better, as it does of an adapter without a config
    if type(config) not in transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        return False
    if not pictures and type(config) in transformers.MODEL_FOR_CAUSAL_LM_MAPPING:
        return False
    if getattr(config, "is_encoder_decoder", False):
        raise UsageError(f"--model {model} is an encoder with a decoder, and no chat model")
    return True


def _processor(model: str, source: str, *, pictures: bool) -> Any:
    """Load what makes tokens of texts and pictures, with Pillow for the latter.

    Processors by torchvision give slightly different pixels, so that replies would depend on what
    happens to be installed.

    Returns:
        The processor; None where a package for it is missing that text alone does not need.

    Raises:
        UsageError: If a package is missing.
    """
    try:
        return transformers.AutoProcessor.from_pretrained(source, backend="pil")
    except ImportError as error:
        if not pictures:
            return None
        raise UsageError(
            f"--model {model}: its processor needs a package that is not here"
            f" ({one_line(str(error))}); pip install torchvision num2words"
        ) from None
