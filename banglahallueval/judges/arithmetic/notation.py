r"""Writes LaTeX, Markdown and broken lines as plain equations, and keeps the map back.

`\(\frac{12}{5} = 2.4\)`, `১২ × ৫ = **৬০**`, `| ১২ × ৫ | ৬০ |` and an `=` that begins a line
are read as if they were typed plainly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

_DIGIT = "[0-9০-৯]"
# Nearly all texts without markup are told by this one search.
_HINT = re.compile(r"[\\|`]|=[^\S\n]*[*_]|\*\*|__|\n[^\S\n]*[=≈]|[=+×÷][^\S\n]*\n")
_MARK = re.compile(
    rf"""
    \\[dt]?frac\s*(?P<over>\d)\s*(?P<under>\d)
  | (?P<whole>{_DIGIT}+)\\[dt]?frac\s*\{{
  | (?<=[.\d])\\(?:overline|dot|bar)\s*\{{(?P<recurring>\d+)\}}
  | \{{,\}} | (?<={_DIGIT})\\,(?={_DIGIT}{{3}})
  | \\(?:begin|end)\s*\{{[a-z*]{{1,20}}\}}
  | \\(?P<command>[A-Za-z]+)(?P<opens>\s*\{{)?
  | (?P<broken>(?<=[=+×÷])[^\S\n]*\n|(?:\n|\\\\)\s*&?(?=[=≈])|&
      |\|(?=\s*=)|(?<==)[^\S\n]*\|)
  | \\(?P<escaped>[^A-Za-z])
  | (?P<raised>\^\s*\{{)
  | (?P<brace>[{{}}])
  | (?<={_DIGIT})\*\*(?={_DIGIT})
  | (?P<label>(?<=[^\s0-9০-৯)%*])\*\*\s+[–-](?=\s)|(?<={_DIGIT})\*\*(?=\s+{_DIGIT}))
  | (?P<bold>\*\*|__|`+|(?<==)[^\S\n]*[*_](?![*_\s]))
  | (?P<column>\|)
    """,
    re.VERBOSE,
)
_NEXT_BRACE = re.compile(r"\s*\{")
_SIGNS = {
    "times": "×", "cdot": "·", "div": "÷", "approx": "≈", "simeq": "≈", "to": "→", "implies": "→",
    "rightarrow": "→", "Rightarrow": "→", "longrightarrow": "→", "Longrightarrow": "→", "ne": "≠",
    "neq": "≠", "pm": "±", "sqrt": "√", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
    "newline": "\n", "lt": "<", "gt": ">", "quad": ";", "qquad": ";", "Omega": "Ω",
    "degree": "°",
    "circ": "°", "mu": "µ",
}  # fmt: skip
# Commands that only say how something looks; what any other means is not known.
_LOOKS = frozenset({
    "text", "mathrm", "mathbf", "mathit", "mathsf", "textbf", "textit", "textrm", "mbox", "boxed",
    "left", "right", "big", "Big", "bigl", "bigr", "displaystyle", "textstyle", "underline", "bf",
    "rm", "hfill", "hspace", "vspace", "therefore", "because", "color",
})  # fmt: skip
_UNKNOWN = "¿"
_FRACTIONS = frozenset({"frac", "dfrac", "tfrac"})
_ESCAPED = {"%": "%", "\\": "\n", "&": " ", "#": "#", "_": "_", "[": "\n", "]": "\n"}
# A cell that is one calculation, perhaps in brackets behind a label; a cell with one in it; and a
# cell that is a result. A slash or a dash without blanks may be a fraction, a date or a range.
_OPERANDS = r"[0-9০-৯.,()%৳\s/÷×*+−–-]*"
_OPERATOR = r"(?:[÷×*+]|\s[−–/-]\s)"
_CALCULATION = re.compile(
    rf"[৳(\[\s]*{_DIGIT}{_OPERANDS}{_OPERATOR}{_OPERANDS}[0-9০-৯)%]\s*"
    rf"|[^()=|]*\([0-9০-৯.,\s]*(?:{_OPERATOR}|\.[0-9০-৯]+/){_OPERANDS}\)\s*"
)
_CALCULATES = re.compile(rf"{_DIGIT}[^\s=]*(?:\s[^\s=]+)?\s?[÷×*+−–/-]\s?৳?{_DIGIT}[^=]*")
_LONGEST_CELL = 120
_RESULT = re.compile(rf"\s*(?:\*\*|\$)?[৳-]?\s*{_DIGIT}[^=|+×÷/()]*")


class Plain(NamedTuple):
    """A text in plain notation.

    Attributes:
        text: The plain text.
        at: For each of its characters the code point of the raw text it stands for; None if the
            text is unchanged.
    """

    text: str
    at: Sequence[int] | None

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Map a non-empty place of the plain text to code points of the raw one."""
        return (start, end) if self.at is None else (self.at[start], self.at[end - 1] + 1)


def plain(text: str) -> Plain:
    """Write a text in plain notation; in time linear in its length."""
    if not _HINT.search(text):
        return Plain(text, None)
    writer = _Writer(text)
    position = 0
    while found := _MARK.search(text, position):
        writer.copy(position, found.start())
        position = writer.mark(found)
    writer.copy(position, len(text))
    return Plain("".join(writer.pieces), writer.at)


class _Writer:
    """What has been written of a plain text.

    Attributes:
        raw: The text as given.
        pieces: Pieces of the plain text.
        at: The code point of each of its characters in the raw text.
        closing: What to write for the brace that closes each open one, innermost last.
        results: Where in the raw text a table's column mark stands for a sign, and for which.
    """

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.pieces: list[str] = []
        self.at: list[int] = []
        self.closing: list[str] = []
        self.results = _result_columns(raw) if "|" in raw else {}

    def copy(self, start: int, end: int) -> None:
        """Write a place of the raw text as it stands."""
        self.pieces.append(self.raw[start:end])
        self.at.extend(range(start, end))

    def write(self, piece: str, at: int) -> None:
        """Write a piece that stands for one code point of the raw text."""
        self.pieces.append(piece)
        self.at.extend([at] * len(piece))

    def mark(self, found: re.Match[str]) -> int:
        """Write what a mark stands for, and return where the raw text goes on."""
        start, end = found.span()
        if found["over"]:
            self.write(f"({found['over']}/{found['under']})", start)
        elif found["whole"]:  # 2\\frac{1}{2} is a mixed number
            self.write("(", start)
            self.copy(start, found.end("whole"))
            self.closing.append(")))/(")
            self.write("+((", found.end("whole"))
        elif found["recurring"]:
            self.write(found["recurring"] * 3 + "…", start)
        elif found["command"]:
            return self.command(found)
        elif found["escaped"]:
            self.write(_ESCAPED.get(found["escaped"], " "), start)
        elif found["raised"]:
            self.closing.append(")")
            self.write("^(", start)
        elif found["brace"]:
            return self.brace(found["brace"], start)
        elif found["column"]:
            self.write(self.results.get(start, "|"), start)
        else:
            self.write(_written(found), start)
        return end

    def command(self, found: re.Match[str]) -> int:
        """Write a LaTeX command: a sign, a fraction, or nothing around what its braces hold."""
        name, start = found["command"], found.start()
        if name in _FRACTIONS and found["opens"]:
            self.closing.append("))/(")
            self.write("((", start)
        else:
            sign = " " if name in _LOOKS else _SIGNS.get(name, _UNKNOWN)
            if found["opens"]:
                self.closing.append("" if name in _LOOKS else ")")
                sign += "" if name in _LOOKS else "("
            self.write(sign, start)
        return found.end()

    def brace(self, brace: str, start: int) -> int:
        """Write a brace, which is a bracket unless a command opened it."""
        if brace == "{":
            self.closing.append("}")
            self.write("{", start)
            return start + 1
        closing = self.closing.pop() if self.closing else "}"
        if closing.endswith("/("):
            closing = closing[:-3]  # of a mixed number one bracket more
            after = _NEXT_BRACE.match(self.raw, start + 1)
            if after:
                self.closing.append(closing + ")")
                self.write(")/(", start)
                return after.end()
        self.write(closing, start)
        return start + 1


def _written(found: re.Match[str]) -> str:
    """Return what a mark without text of its own stands for."""
    if found["bold"]:
        return ""
    if found["broken"]:
        return " "
    if found["label"]:
        return ": "
    return "^" if found[0] == "**" else "," if found[0] == "{,}" else ""


def _result_columns(raw: str) -> dict[int, str]:
    """Find the column marks of tables that stand between a calculation and its result."""
    found = {}
    line_start = 0
    for line in raw.split("\n"):
        if line.lstrip().startswith("|"):
            cells = line.split("|")
            at = line_start + len(cells[0])
            for cell, following in pairwise(cells[1:]):
                at += len(cell) + 1
                if len(cell) <= _LONGEST_CELL and _RESULT.fullmatch(following):
                    bare = cell.replace("**", "")
                    if _CALCULATION.fullmatch(bare):
                        found[at] = "="
                    elif "=" not in bare and _CALCULATES.search(bare):
                        found[at] = "⇢"
        line_start += len(line) + 1
    return found
