"""Keys of stored replies: what determines a reply, as 16 bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from banglahallueval.hashing import digest
from banglahallueval.models.types import Message, Request

# The parameters that stores of format 1 were keyed by, in their order.
_FIRST_PARAMETERS = (
    "max_tokens",
    "temperature",
    "schema",
    "choices",
    "compare",
    "probabilities",
    "seed",
    "attempt",
)
_FIRST_FIELDS = frozenset({"messages", "role", "content", *_FIRST_PARAMETERS})


def request_key(identity: Mapping[str, Any], request: Request) -> bytes:
    """Return the store's key: 16 bytes over the model's identity and every field of the request.

    A field added later is part of the key only where it differs from its default, so a request
    that could be made without it keeps the key under which older stores hold its reply.
    """
    texts = [json.dumps(identity, sort_keys=True, ensure_ascii=False, default=str)]
    if _fits_format_1(request):
        for message in request.messages:
            texts += (message.role, message.text)
        parameters: Any = [getattr(request, name) for name in _FIRST_PARAMETERS]
    else:
        parameters = request
    texts.append(json.dumps(parameters, sort_keys=True, ensure_ascii=False, default=_by_name))
    return digest(texts)


def _fits_format_1(request: Request) -> bool:
    """Whether the request says nothing that requests could not say in format 1."""
    return not _has_later(request) and all(
        isinstance(message.content, str) and not _has_later(message) for message in request.messages
    )


def _has_later(part: Request | Message) -> bool:
    """Whether a field added since format 1 is not at its default."""
    return any(
        field.name not in _FIRST_FIELDS and not is_default(getattr(part, field.name), field)
        for field in fields(part)
    )


def is_default(value: object, field: Field[Any]) -> bool:
    """Tell whether a dataclass's field has its default value, so that it need not be written."""
    if field.default_factory is not MISSING:
        return bool(value == field.default_factory())
    return field.default is not MISSING and bool(value == field.default)


def _by_name(value: object) -> object:
    """Describe what JSON cannot hold: a dataclass by its fields, bytes by their hash."""
    if isinstance(value, bytes):
        return {"sha256": hashlib.sha256(value).hexdigest()}
    if not is_dataclass(value) or isinstance(value, type):
        raise TypeError(f"a {type(value).__name__} cannot be part of a request")
    described = {
        field.name: getattr(value, field.name)
        for field in fields(value)
        if field.name in _FIRST_FIELDS or not is_default(getattr(value, field.name), field)
    }
    return {type(value).__name__: described}
