"""The flags of each model provider, and the options they become."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping, Sequence

from banglahallueval.cli.types import device, positive, thinking_budget
from banglahallueval.models import PROVIDERS
from banglahallueval.models.options import (
    DTYPES,
    OLLAMA_URL,
    OPENAI_URL,
    GeminiOptions,
    HuggingFaceOptions,
    OllamaOptions,
    OpenAIOptions,
    ProviderName,
    ProviderOptions,
)


def add_provider_flags(
    parser: argparse.ArgumentParser,
    names: Sequence[ProviderName] = PROVIDERS,
    *,
    scores: bool = True,
) -> None:
    """Add the flags of these providers.

    Args:
        parser: The parser to add them to.
        names: The providers.
        scores: Whether yes and no may be compared; else `--decode` is left out.
    """
    for name in names:
        if name == "hf":
            _add_hf_flags(parser, scores=scores)
        else:
            _ADDING[name](parser)


def provider_options(args: argparse.Namespace) -> ProviderOptions:
    """Read every provider's options; those whose flags a script lacks are the defaults."""
    given = vars(args)
    default = HuggingFaceOptions()
    return ProviderOptions(
        openai=OpenAIOptions(given.get("base_url")),
        ollama=OllamaOptions(given.get("ollama_url"), given.get("num_ctx")),
        gemini=GeminiOptions(given.get("thinking_budget")),
        hf=HuggingFaceOptions(
            decode=given.get("decode", default.decode),
            batch_size=given.get("batch_size", default.batch_size),
            dtype=given.get("dtype", default.dtype),
            device=given.get("device", default.device),
            load_in_4bit=given.get("load_in_4bit", default.load_in_4bit),
        ),
    )


def flags_of_other_providers(args: argparse.Namespace, asked: Collection[str]) -> list[str]:
    """List the flags given that belong only to providers that are not asked."""
    return given_flags(args, *(_ADDING[name] for name in PROVIDERS if name not in asked))


def given_flags(
    args: argparse.Namespace, *adding: Callable[[argparse.ArgumentParser], None]
) -> list[str]:
    """List which of the flags that these functions add have another value than their default."""
    parser = argparse.ArgumentParser()
    for add in adding:
        add(parser)
    return [
        "--" + name.replace("_", "-")
        for name, default in vars(parser.parse_args([])).items()
        if getattr(args, name, default) != default
    ]


def _add_openai_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="OpenAI-compatible server, up to and including /v1 (default: OPENAI_BASE_URL, else"
        f" {OPENAI_URL}); the key is OPENAI_API_KEY in .env",
    )


def _add_ollama_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ollama-url",
        metavar="URL",
        help=f"Ollama server (default: OLLAMA_BASE_URL, else {OLLAMA_URL})",
    )
    parser.add_argument(
        "--num-ctx",
        type=positive,
        metavar="TOKENS",
        help="context length for the whole run (default: what the longest prompt needs)",
    )


def _add_gemini_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--thinking-budget",
        type=thinking_budget,
        metavar="TOKENS",
        help="how long a Gemini model may think, beside the reply budget; 0: not at all, -1: as it "
        "likes (default: 0)",
    )


def _add_hf_flags(parser: argparse.ArgumentParser, *, scores: bool = True) -> None:
    group = parser.add_argument_group("Hugging Face model")
    if scores:
        group.add_argument(
            "--decode",
            choices=("generate", "score"),
            default="generate",
            help="let the model write, or compare the probabilities of yes and no in one pass",
        )
    group.add_argument(
        "--batch-size",
        type=positive,
        default=8,
        help="rows at once (default: 8); fewer of long ones",
    )
    group.add_argument("--dtype", choices=DTYPES, default="auto", help="(default: as saved)")
    add_device_flag(group)
    group.add_argument("--load-in-4bit", action="store_true", help="quantise; needs a CUDA GPU")


def add_device_flag(group: argparse._ActionsContainer) -> None:
    """Add `--device` of a model on this machine."""
    group.add_argument(
        "--device", type=device, default="auto", help="as cpu or cuda:0 (default: what there is)"
    )


_ADDING: Mapping[str, Callable[[argparse.ArgumentParser], None]] = {
    "openai": _add_openai_flags,
    "ollama": _add_ollama_flags,
    "gemini": _add_gemini_flags,
    "hf": _add_hf_flags,
}
