"""The languages that prompts name."""

from __future__ import annotations

import regex

from banglahallueval.errors import UsageError

DEFAULT = "bn"

# Bangla, and the languages of PsiloQA and its README.
_NAMES = {
    "bn": "Bangla",
    "ar": "Arabic",
    "ca": "Catalan",
    "cs": "Czech",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "eu": "Basque",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "hi": "Hindi",
    "it": "Italian",
    "ru": "Russian",
    "sv": "Swedish",
    "zh": "Chinese",
}
_CODE = regex.compile(r"[a-z]{2,8}(?:-[a-z0-9]{1,8})*")


def language_name(code: str) -> str:
    """Name a language in English; another one than these by its code."""
    return _NAMES.get(code, f"the language with the code {code!r}" if code else "its language")


def check_code(code: str, where: str) -> str:
    """Return a language's code, which becomes part of Wikipedia's address.

    Raises:
        UsageError: If it is no such code as `bn` or `zh-yue`.
    """
    if not _CODE.fullmatch(code):
        raise UsageError(f"{where}: {code!r} is no language code, such as bn or en")
    return code
