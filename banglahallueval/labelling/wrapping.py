"""Wrapping of Bangla text for a terminal: whole words, below each other, within its width."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterator

import regex

COLOUR_ON, COLOUR_OFF = "\x1b[1;4;31m", "\x1b[0m"  # bold, underlined, red
_COLOURS = regex.compile(r"\x1b\[[\d;]*m")
_TAKES_NO_CELL = ("Mn", "Me", "Cf", "Cc")
_UNKNOWN = 100  # cells of a line where there is no terminal, as in a pipe
_LEAST = 20  # cells for a text, however narrow the terminal


def hanging(lead: str, text: str, width: int) -> str:
    """Put a text behind its lead; what does not fit goes on below the text's own beginning.

    Lines break between words only, and wherever the text itself breaks; a word longer than the
    line stands on one of its own. Colours are taken off at the end of a line and put on again.

    Args:
        lead: What stands before the first line, such as the name of a field.
        text: The text, with the terminal's colours or without.
        width: Cells of a line.
    """
    room = max(_LEAST, width - cells(lead))
    lines = [line for part in text.split("\n") for line in _lines(part, room)]
    for at, line in enumerate(lines[:-1]):
        if line.rfind(COLOUR_ON) > line.rfind(COLOUR_OFF):
            lines[at] += COLOUR_OFF
            lines[at + 1] = COLOUR_ON + lines[at + 1]
    return lead + ("\n" + " " * cells(lead)).join(lines)


def terminal_width() -> int:
    """Return the cells of a line: of the terminal or the variable COLUMNS, else 100."""
    return shutil.get_terminal_size((_UNKNOWN, 1)).columns


def cells(text: str) -> int:
    """Count the terminal's cells that a text takes, colours not counted.

    Vowel signs beside their letter count as one, which some terminals draw in none: a line never
    gets longer than this.
    """
    return sum(
        0
        if unicodedata.category(sign) in _TAKES_NO_CELL
        else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in _COLOURS.sub("", text)
    )


def _lines(text: str, room: int) -> Iterator[str]:
    line, used = "", 0
    for word in text.split(" "):
        size = cells(word)
        if line and word and used + 1 + size > room:
            yield line.rstrip(" ")
            line, used = word, size
        else:
            line, used = (f"{line} {word}", used + 1 + size) if line else (word, size)
    yield line.rstrip(" ")
