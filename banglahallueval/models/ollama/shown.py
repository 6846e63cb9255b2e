"""What an Ollama server says of a model before it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def most_context(shown: Mapping[str, Any]) -> int | None:
    """Read the most tokens that a model supports; None where the server does not say.

    Args:
        shown: The reply of /api/show.
    """
    info = shown.get("model_info") or {}
    lengths = [value for key, value in info.items() if key.endswith(".context_length")]
    return next((int(value) for value in lengths if isinstance(value, int) and value > 0), None)


def sees_pictures(shown: Mapping[str, Any]) -> bool:
    """Whether a model takes pictures.

    Servers before 0.6.4 name no capabilities, but the projector that makes tokens of a picture, or
    its parameters among the model's own.

    Args:
        shown: The reply of /api/show.
    """
    capabilities = shown.get("capabilities") or ()
    if capabilities:
        return "vision" in capabilities
    families = (shown.get("details") or {}).get("families") or ()
    return (
        bool(shown.get("projector_info"))
        or any(".vision." in key for key in shown.get("model_info") or {})
        or not {"clip", "mllama"}.isdisjoint(families)
    )


def listed_digest(tags: Mapping[str, Any], model: str) -> str:
    """Find a model's digest in the reply of /api/tags; empty where it is not listed."""
    names = {model, f"{model}:latest"}
    for listed in tags.get("models") or ():
        if listed.get("name") in names or listed.get("model") in names:
            return str(listed.get("digest") or "")
    return ""
