"""Read the word lists that lie beside this module."""

from __future__ import annotations

from importlib.resources import files
from unicodedata import normalize


def read_words(name: str) -> str:
    """Read one of the lists: its text, in NFC and lower case."""
    text = files("banglahallueval.judges.evidence").joinpath(name).read_text("utf-8")
    return normalize("NFC", text).lower()
