"""What OpenAI-like servers mean by a refusal, and by the name of a model."""

from __future__ import annotations

from fnmatch import fnmatch

import openai
import regex

from banglahallueval.models.types import Finish

# Refusals that may be about a parameter; some models refuse logprobs with a 403.
MAYBE_PARAMETER = frozenset({400, 403, 422})
# Where one may say that pictures are not taken; llama.cpp answers with 500, OpenRouter with 404.
MAYBE_ABOUT_PICTURES = frozenset({400, 404, 415, 422, 500, 501})
_TOO_LONG = regex.compile(
    r"context.length|context.window|context.size|maximum.model.length|max_model_len"
    r"|prompt.is.too.long|too.many.(?:input.)?tokens|token.count.*exceeds",
    regex.I,
)
# What gateways answer with 400 to a key that is missing or not theirs, or to a wrong model name.
_NO_ACCESS = regex.compile(r"no connected db|api.?key|authenticat|unauthori[sz]ed", regex.I)
_NO_MODEL = regex.compile(
    r"(?:invalid|unknown) model"
    r"|model.{0,80}(?:not found|does not exist|not a valid|not available)",
    regex.I,
)
# A context that is too small, as OpenAI and vLLM say it: its size, then the tokens of the prompt.
_CONTEXT = regex.compile(
    r"context length is (?P<context>\d+).*?(?P<prompt>\d+) (?:input tokens|in the messages)",
    regex.I | regex.S,
)
# What servers add to a model's name: a date, a tag, a file's ending.
_VERSION = regex.compile(r"(?:[-@:](?:\d[\d.-]*|latest))*(?:\.gguf)?")
LEAST_BUDGET = 16  # tokens; with less a reply holds no verdict
_FILTERED = regex.compile(
    r"content.filter|content.(?:management.)?policy|was flagged|moderation_blocked", regex.I
)


def withheld_as(error: openai.APIStatusError, detail: str) -> Finish | None:
    """Name how the reply ended, if the server refused this one prompt for length or content."""
    words = f"{error.code or ''} {detail}"
    if error.status_code in {400, 413, 422} and _TOO_LONG.search(words):
        return "context truncated"
    if error.status_code in {400, 403, 422} and _FILTERED.search(words):
        return "filtered"
    return None


def fitting_budget(detail: str) -> int | None:
    """Compute the reply budget that a server's context leaves; None where it does not say."""
    found = _CONTEXT.search(detail)
    return int(found["context"]) - int(found["prompt"]) - 1 if found else None


def is_model(asked: str, name: str) -> bool:
    """Whether a server's name for a model may be the one that was asked for.

    Servers add a date or a folder to a name (`gpt-4.1-mini-2025-04-14`, `models/x.gguf`); a
    gateway lists patterns (`openai/*`).
    """
    asked, name = asked.lower(), name.lower()
    if fnmatch(asked, name) or fnmatch(f"openai/{asked}", name):
        return True
    one, other = asked.rpartition("/")[2], name.rpartition("/")[2]
    return other.startswith(one) and _VERSION.fullmatch(other[len(one) :]) is not None


def is_about_access(detail: str) -> bool:
    """Whether a refusal with status 400 is about the key, as gateways answer."""
    return _NO_ACCESS.search(detail) is not None


def is_about_model(detail: str) -> bool:
    """Whether a refusal with status 400 is about the model's name, as gateways answer."""
    return _NO_MODEL.search(detail) is not None
