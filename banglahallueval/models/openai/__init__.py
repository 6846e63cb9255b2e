"""OpenAI and OpenAI-compatible servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banglahallueval.models.endpoint import Endpoint, Variables, find_endpoint
from banglahallueval.models.options import OPENAI_URL, ClientOptions

if TYPE_CHECKING:
    from banglahallueval.models.openai.chat import OpenAIModel


def endpoint(options: ClientOptions) -> Endpoint:
    """Settle which server is asked, with which key.

    Raises:
        UsageError: If key or address cannot be used, or do not come from the same place.
    """
    given = options.providers.openai
    names = Variables("--base-url", given.address, given.key, OPENAI_URL, ("/chat/completions",))
    return find_endpoint(given.base_url, names)


def open_model(options: ClientOptions) -> OpenAIModel:
    """Make the model that the options and the environment describe."""
    # Loading the openai package takes a second, which runs without it need not wait for.
    from banglahallueval.models.openai.chat import OpenAIModel

    server = endpoint(options)
    return OpenAIModel(
        options.model,
        api_key=server.key,
        base_url=server.url,
        timeout=options.timeout,
        key_name=options.providers.openai.key,
    )
