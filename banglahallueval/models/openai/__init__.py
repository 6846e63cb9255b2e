"""OpenAI and OpenAI-compatible servers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from banglahallueval.models.options import ClientOptions

if TYPE_CHECKING:
    from banglahallueval.models.openai.chat import OpenAIModel

DEFAULT_URL = "https://api.openai.com/v1"


def open_model(options: ClientOptions) -> OpenAIModel:
    """Make the model that the options and the environment describe."""
    # Loading the openai package takes a second, which runs without it need not wait for.
    from banglahallueval.models.openai.chat import OpenAIModel

    return OpenAIModel(
        options.model,
        api_key=os.environ.get("OPENAI_API_KEY"),
        base_url=options.providers.openai.base_url or os.environ.get("OPENAI_BASE_URL"),
        timeout=options.timeout,
    )
