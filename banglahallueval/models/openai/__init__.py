"""The provider for OpenAI and OpenAI-compatible servers: its flags, and the model they describe."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from banglahallueval.models.openai.chat import OpenAIModel

DEFAULT_URL = "https://api.openai.com/v1"


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the provider's own flags."""
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="OpenAI-compatible server, up to and including /v1 (default: OPENAI_BASE_URL, else"
        f" {DEFAULT_URL}); the key is OPENAI_API_KEY in .env",
    )


def from_args(model: str, args: argparse.Namespace) -> OpenAIModel:
    """The model that the flags and the environment describe."""
    # Loading the openai package takes a second, which runs without it need not wait for.
    from banglahallueval.models.openai.chat import OpenAIModel

    return OpenAIModel(
        model,
        api_key=os.environ.get("OPENAI_API_KEY"),
        base_url=args.base_url or os.environ.get("OPENAI_BASE_URL"),
        timeout=args.timeout,
    )
