"""Chat models: one module per provider, the reply store, and the client that asks."""

from __future__ import annotations

import argparse
import importlib
from typing import Protocol, cast

from banglahallueval.models.types import ChatModel

# A further provider is a module with `add_flags` and `from_args`, and a line here.
PROVIDERS: dict[str, str] = {
    "openai": "banglahallueval.models.openai",
    "ollama": "banglahallueval.models.ollama.model",
    "hf": "banglahallueval.models.huggingface.model",
}


class Provider(Protocol):
    """What a provider's module offers."""

    def add_flags(self, parser: argparse.ArgumentParser) -> None:
        """Add the flags that only this provider has."""

    def from_args(self, model: str, args: argparse.Namespace) -> ChatModel:
        """The model that the flags name."""
        ...


def provider(name: str) -> Provider:
    """A provider's module; its library is loaded only when a model is made."""
    return cast(Provider, importlib.import_module(PROVIDERS[name]))
