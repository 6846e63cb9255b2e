"""Ollama's native chat API, on this machine or on a rented one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from banglahallueval.models.options import ClientOptions

if TYPE_CHECKING:
    from banglahallueval.models.ollama.model import OllamaModel

DEFAULT_URL = "http://localhost:11434"


def open_model(options: ClientOptions) -> OllamaModel:
    """Make the model that the options and the environment describe."""
    from banglahallueval.models.ollama.model import OllamaModel

    own = options.providers.ollama
    return OllamaModel(
        options.model,
        url=own.url or os.environ.get("OLLAMA_BASE_URL") or DEFAULT_URL,
        api_key=os.environ.get("OLLAMA_API_KEY"),
        num_ctx=own.num_ctx,
        timeout=options.timeout,
    )
