"""How a CSV separates its fields: by commas, or as a spreadsheet of another country saves them."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

import regex

# Excel's first line that names the separator, also quoted as LibreOffice saves it.
_NAMED = regex.compile(r'"?sep=([^\p{L}\p{N}"\s]|\t)"?\s*', regex.IGNORECASE)
_WORDS = {",": "comma", ";": "semicolon", "\t": "tab"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file separates its fields.

    Attributes:
        delimiter: What stands between two fields.
        lines_before: Lines before the header: 1 where a `sep=` line names the delimiter.
    """

    delimiter: str = ","
    lines_before: int = 0

    @property
    def word(self) -> str:
        """What the delimiter is called in messages."""
        return _WORDS.get(self.delimiter, repr(self.delimiter))


def find_dialect(file: IO[str]) -> Dialect:
    """Find how a file separates its fields, by a `sep=` line or by its header.

    A header separates its names by semicolons or tabs only if commas separate none.

    Args:
        file: The file, at its beginning; where it stands afterwards is not settled.
    """
    first = file.readline()
    if named := _NAMED.fullmatch(first):
        return Dialect(named[1], 1)
    for delimiter in _WORDS:
        file.seek(0)
        if len(_named(_header(file, delimiter))) > 1:
            return Dialect(delimiter)
    return Dialect()


def _header(file: IO[str], delimiter: str) -> Sequence[str]:
    try:
        return next(csv.reader(file, delimiter=delimiter, strict=True), ())
    except csv.Error:  # a quoted name that another delimiter follows
        return ()


def _named(header: Sequence[str]) -> Sequence[str]:
    return [name for name in header if name]
