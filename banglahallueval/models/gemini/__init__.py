"""Gemini models of Google: by the Gemini Developer API with a key, or by Vertex AI with a login."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banglahallueval.errors import UsageError
from banglahallueval.models.gemini.access import Access, find_access
from banglahallueval.models.options import ClientOptions

if TYPE_CHECKING:
    from banglahallueval.models.gemini.model import GeminiModel


def endpoint(options: ClientOptions) -> Access:
    """Settle which API is asked, where, and with which key or login.

    Raises:
        UsageError: If the environment contradicts itself, or lacks what Vertex AI needs.
    """
    return find_access()


def open_model(options: ClientOptions) -> GeminiModel:
    """Make the model that the options and the environment describe.

    Raises:
        UsageError: If the environment contradicts itself, or google-genai is not installed.
    """
    access = find_access()
    try:
        # Loading google-genai takes a second, which runs without it need not wait for.
        from banglahallueval.models.gemini.model import GeminiModel
    except ImportError as error:
        if not (error.name or "").startswith("google"):
            raise
        raise UsageError(
            "a Gemini model needs google-genai: install the extra with "
            "pip install 'banglahallueval[gemini]' (in a clone: pip install -e '.[gemini]')"
        ) from None
    return GeminiModel(
        options.model,
        access,
        thinking_budget=options.providers.gemini.thinking_budget,
        timeout=options.timeout,
    )
