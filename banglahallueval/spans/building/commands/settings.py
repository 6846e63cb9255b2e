"""Which model a step asks and how: by flags, else by the step's variables of .env.

The variables are those of PsiloQA, such as QA_GENERATOR_MODEL. The spelling of its example file,
QA_GENERATOR_OPENAI_MODEL, is read, too.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from banglahallueval.cli.flags import client_options
from banglahallueval.cli.types import count, positive, temperature
from banglahallueval.environment import places_of
from banglahallueval.errors import UsageError
from banglahallueval.models.options import ClientOptions, OpenAIOptions, ProviderName

T = TypeVar("T")

# By step, what its variables begin with.
PREFIXES = {"questions": "QA_GENERATOR_", "annotate": "ANNOTATOR_", "filter": "FILTER_"}

_MAX_RETRIES = 6  # as everywhere in this project


def step_client(
    args: argparse.Namespace, step: str, provider: ProviderName, model: str | None, flag: str
) -> ClientOptions:
    """Settle which model a step asks; flags override variables.

    Args:
        args: The flags.
        step: The step, one of `PREFIXES`.
        provider: Who serves the model.
        model: The model that a flag names; None where none does.
        flag: That flag, for messages.

    Raises:
        UsageError: If no model is named, or a variable cannot be used.
    """
    prefix = PREFIXES[step]
    name = model or _setting(prefix, "model", str)
    if not name:
        raise UsageError(f"no model for {step}: name it with {flag}, or set {prefix}MODEL in .env")
    client = plain_client(args, provider, name)
    if args.max_retries is None:
        retries = _setting(prefix, "max_retries", count)
        client = replace(client, max_retries=_MAX_RETRIES if retries is None else retries)
    if args.concurrency is None:
        client = replace(client, max_in_flight=_setting(prefix, "max_concurrency", positive))
    openai = _server(prefix, client.providers.openai.base_url)
    return replace(client, providers=replace(client.providers, openai=openai))


def plain_client(args: argparse.Namespace, provider: ProviderName, model: str) -> ClientOptions:
    """Read how a model is asked that has no variables of its own."""
    client = client_options(args, provider, model)
    return client if args.max_retries is not None else replace(client, max_retries=_MAX_RETRIES)


def step_temperature(given: float | None, step: str) -> float:
    """Settle a step's sampling temperature: the flag's, its variable's, else 0.

    Raises:
        UsageError: If the variable cannot be used.
    """
    if given is not None:
        return given
    return _setting(PREFIXES[step], "temperature", temperature) or 0.0


def _server(prefix: str, base_url: str | None) -> OpenAIOptions:
    """Choose the variables of key and address: both the step's own, or both those of all steps.

    So that neither the key of one server goes to the address of another, nor the other way round.
    """
    key, address = f"{prefix}OPENAI_API_KEY", _name(prefix, "base_url")
    if os.environ.get(key) or os.environ.get(address):
        return OpenAIOptions(base_url, address, key)
    return OpenAIOptions(base_url)


def _setting(prefix: str, name: str, read: Callable[[str], T]) -> T | None:
    """Read a variable; None where it is not set.

    Raises:
        UsageError: If it cannot be read, or its two spellings say two things.
    """
    variable = _name(prefix, name)
    text = os.environ.get(variable, "").strip()
    if not text:
        return None
    try:
        return read(text)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"{variable} in {places_of(variable)[0]}: {error}") from None


def _name(prefix: str, name: str) -> str:
    """Find the spelling of a variable that is set.

    Raises:
        UsageError: If both are, to different values.
    """
    plain, long = f"{prefix}{name.upper()}", f"{prefix}OPENAI_{name.upper()}"
    values = [os.environ.get(variable, "").strip() for variable in (plain, long)]
    if all(values) and values[0] != values[1]:
        raise UsageError(f"{plain} and {long} are set to different values; unset one of them")
    return long if values[1] and not values[0] else plain
