"""A chat model of transformers that has been loaded, with all that belongs to it."""

from __future__ import annotations

from typing import Any, NamedTuple

from banglahallueval.models.huggingface.chat_template import ChatTemplate
from banglahallueval.models.huggingface.sight import Sight


class Loaded(NamedTuple):
    """A loaded model.

    Attributes:
        model: The causal language model of transformers, or the one for images and text.
        tokenizer: Its tokenizer.
        chat: Its chat template.
        context: Maximum number of tokens that it reads; None where it does not say.
        sight: How it is given pictures; None where it takes none.
    """

    model: Any
    tokenizer: Any
    chat: ChatTemplate
    context: int | None
    sight: Sight | None = None
