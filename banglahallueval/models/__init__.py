"""Chat models: one folder per provider, the reply store, and the client that asks."""

from __future__ import annotations

import importlib
from typing import cast, get_args

from banglahallueval.models.options import ClientOptions, ProviderName
from banglahallueval.models.types import ChatModel

PROVIDERS: tuple[ProviderName, ...] = get_args(ProviderName)

_FOLDERS: dict[ProviderName, str] = {
    "openai": "openai",
    "ollama": "ollama",
    "gemini": "gemini",
    "hf": "huggingface",
}


def open_model(options: ClientOptions) -> ChatModel:
    """Make the model that the options and the environment describe.

    Only its library is loaded; nothing is sent, and no weights are read.

    Raises:
        UsageError: If a key or address cannot be used.
    """
    provider = importlib.import_module(f"{__name__}.{_FOLDERS[options.provider]}")
    return cast(ChatModel, provider.open_model(options))


def server_line(options: ClientOptions) -> str:
    """Say in one line which model is asked where, and where address and key are set.

    Raises:
        UsageError: If a key or address cannot be used.
    """
    if options.provider == "hf":
        return local_line(options.model)
    provider = importlib.import_module(f"{__name__}.{_FOLDERS[options.provider]}")
    return f"Asking {options.model} at {provider.endpoint(options)}"


def local_line(model: str) -> str:
    """Say in one line that a model runs on this machine, and whether it is downloaded first.

    Args:
        model: Name on the Hugging Face hub, or a path.
    """
    from banglahallueval.models.huggingface.local import is_here

    first = "" if is_here(model) else "; downloading it from the Hugging Face hub first"
    return f"Asking {model} on this machine{first}"
