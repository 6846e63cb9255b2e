"""Ollama's native chat API, on this machine or on a rented one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banglahallueval.models.endpoint import Endpoint, Variables, find_endpoint
from banglahallueval.models.options import OLLAMA_URL, ClientOptions

if TYPE_CHECKING:
    from banglahallueval.models.ollama.model import OllamaModel

_VARIABLES = Variables(
    "--ollama-url", "OLLAMA_BASE_URL", "OLLAMA_API_KEY", OLLAMA_URL, ("/chat", "/api", "/v1")
)


def endpoint(options: ClientOptions) -> Endpoint:
    """Settle which server is asked, with which key.

    Raises:
        UsageError: If key or address cannot be used, or do not come from the same place.
    """
    return find_endpoint(options.providers.ollama.url, _VARIABLES)


def open_model(options: ClientOptions) -> OllamaModel:
    """Make the model that the options and the environment describe."""
    from banglahallueval.models.ollama.model import OllamaModel

    server = endpoint(options)
    return OllamaModel(
        options.model,
        url=server.url,
        api_key=server.key,
        num_ctx=options.providers.ollama.num_ctx,
        timeout=options.timeout,
    )
