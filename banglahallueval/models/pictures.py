"""What providers share about pictures in a chat: their encoding, their tokens, their refusal."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence

import regex

from banglahallueval.models.types import ImagePart, Message, ModelError

# The largest number of tokens that a common model makes of one picture: five tiles of 576 in
# LLaVA 1.6. LLaVA 1.5 makes 576, Gemma 3 256, Qwen2.5-VL with Ollama's settings up to 1,280.
MOST_TOKENS = 3072

# What servers say whose model, or whose own code, takes no picture at all: OpenAI, vLLM,
# llama.cpp, Ollama, OpenRouter, LM Studio, Mistral, Gemini; DeepSeek and Groq speak of the type of
# the content.
_REFUSED = regex.compile(
    r"image_url\W* is only supported by"
    r"|not an? (?:multi-?modal|vision) model"
    r"|(?:image|picture|vision|multi-?modal)(?: inputs?| modality| data| content)+ (?:is|are) not"
    r"|(?:images|vision|multi-?modality) (?:is|are) not (?:supported|enabled|available)"
    r"|(?:does|do|can)(?: not|n't|not) (?:support|accept|take|handle|process|have) "
    r"(?:any )?(?:images?\b(?! (?:of|with|larger|format|type))|vision|multi-?modal)"
    r"|missing data required for image"
    r"|no endpoints found that support image"
    r"|unknown variant \W?image_url"
    r"|at most 0 image"
    r"|content\W* must be a string",
    regex.I,
)
_TOO_LARGE = 413  # the HTTP status


def base64_of(part: ImagePart) -> str:
    """Encode a picture's bytes."""
    return base64.b64encode(part.data).decode("ascii")


def data_url(part: ImagePart) -> str:
    """Write a picture as a URL that holds it."""
    return f"data:{part.media_type};base64,{base64_of(part)}"


def count(messages: Sequence[Message]) -> int:
    """Count the pictures of a chat."""
    return sum(len(message.pictures) for message in messages)


def are_refused(detail: str) -> bool:
    """Whether a server's words say that it, or its model, takes no pictures at all.

    A picture that it does not like, for its format or its size, is another matter: only that
    request is lost.
    """
    return _REFUSED.search(detail) is not None


def refusal(where: str, model: str, detail: str) -> ModelError:
    """Say that no request with a picture can succeed there."""
    said = f"{where} takes no pictures for {model}: {detail}"
    advice = "choose a model that sees pictures, and serve it with its vision part"
    return ModelError("request refused", said, advice=advice, retry=False, fatal=True)


def too_large(status: int, error: ModelError) -> ModelError:
    """Give the advice that helps where a request with pictures is too large for a server."""
    if status != _TOO_LARGE:
        return error
    advice = "make the pictures smaller with --max-side"
    return ModelError(error.cause, error.said, advice=advice, retry=False)


def estimated_tokens(provider: str, width: int, height: int) -> int:
    """Estimate the tokens of a picture's prompt, for a price before anything is asked.

    Gemini counts 258 for each tile of 768 pixels; for all others OpenAI's rule for GPT-4o stands:
    85, and 170 for each tile of 512 pixels after the picture is scaled into 2,048 pixels with a
    shorter side of at most 768. Other models count otherwise.
    """
    if provider == "gemini":
        return 258 * math.ceil(width / 768) * math.ceil(height / 768)
    scale = min(1.0, 2048 / max(width, height))
    scale = min(scale, 768 / min(width, height))
    # A side of a hair more than its tiles is rounding's.
    across, down = (max(1, math.ceil(round(side * scale, 3) / 512)) for side in (width, height))
    return 85 + 170 * across * down
