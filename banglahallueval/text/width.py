"""How wide text is in a terminal, in columns of one Latin letter."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import regex

WIDTH = 100  # columns of what is made for a terminal of any width
_NO_WIDTH = ("Mn", "Me", "Cf")  # marks that a terminal puts onto the letter before them
_PARTS = regex.compile(r"\s+|[^\s\-_/:·,]+[\-_/:·,]*|[\-_/:·,]+")


def display_width(text: str) -> int:
    """Count the columns that a text takes."""
    return sum(
        0
        if unicodedata.category(letter) in _NO_WIDTH
        else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )


def padded(text: str, width: int) -> str:
    """Fill a text up with spaces to a width."""
    return text + " " * (width - display_width(text))


def wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines of at most a width: at spaces, else in long words.

    Long words are broken behind one of `-_/:·,`, else between letters that readers see as one.
    """
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if display_width(joined) <= width:
            lines[-1] = joined
        elif display_width(word) <= width:
            lines.append(word)
        else:
            lines += _broken(word, width)
    return [line for line in lines if line] or [""]


def hanging(text: str, width: int) -> list[str]:
    """Break a text into lines of at most a width, of which all but the first are indented."""
    first, *more = wrapped(text, width - 2)
    return [first, *(f"  {line}" for line in more)]


def _broken(word: str, width: int) -> Iterator[str]:
    line = ""
    for part in _PARTS.findall(word):
        pieces = [part] if display_width(part) <= width else regex.findall(r"\X", part)
        for piece in pieces:
            if line and display_width(line + piece) > width:
                yield line
                line = ""
            line += piece
    yield line
