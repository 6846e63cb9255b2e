"""Print how long reading a verdict takes as replies grow; a factor near 2 is linear.

    python bench/verdict_reading.py [--longest 131072]

The shapes are those of models that repeat themselves to the end of their budget, and of texts made
to stall a reader.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from banglahallueval.models.types import Reply
from banglahallueval.verdicts import read_verdict

UNITS: Final[Mapping[str, str]] = {
    "latin": "a",
    "bangla": "ক",
    "stem": "হ্যালুসিনে",
    "hallucinated": "hallucinated ",
    "hallucinat": "hallucinat",
    "brace and stem": "{hallucinat",
    "digits": "1",
    "spaces": " ",
    "lines": "\n",
    "dots": ".",
    "dots and spaces": ". ",
    "colons": ":",
    "quotes": '"',
    "apostrophes": " 'a",
    "backticks": "`",
    "escaped quotes": '\\"',
    "asterisks": "*",
    "underscores": "_",
    "tildes": "~",
    "braces": "{",
    "brackets": "[",
    "parentheses": "(",
    "json": '{"is_hallucinated": ',
    "json values": '{"is_hallucinated": "No"} ',
    "yes no": "yes no ",
    "yes": "yes ",
    "yes is": "yes = ",
    "no": "no",
    "no words": "no ",
    "না": "না ",
    "not": "not ",
    "says": "says that ",
    "answer": "answer: ",
    "the": "the ",
    "final answer is": "the final answer is ",
    "supported": "the answer is supported and ",
    "think": "<think>",
    "unthink": "</think>",
    "angles": "<",
    "tags": "<a ",
    "turns": "<|im_end|>",
    "users": "\nUser:",
    "steps": "Step 1: ",
    "sorry": "sorry, ",
    "zero width": "\u200b",
    "ligature": "\ufdfa",
}
STYLES: Final = ("standard", "cot")


def main() -> None:
    """Time every shape at lengths that double."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--longest", type=int, default=131_072, help="code points (131072)")
    longest = parser.parse_args().longest
    lengths = [longest // 4, longest // 2, longest]
    print(f"{'seconds at':>20} " + " ".join(f"{length:>9,}" for length in lengths) + "   factors")
    for name, unit in UNITS.items():
        for head in ("", "hallucinated no "):
            seconds = [_seconds(head, unit, length) for length in lengths]
            factors = (f"{after / before:.1f}" for before, after in pairwise(seconds))
            row = " ".join(f"{value:9.4f}" for value in seconds)
            print(f"{name + (' +' if head else ''):>20} {row}   {' '.join(factors)}")


def _seconds(head: str, unit: str, length: int) -> float:
    text = (head + unit * (length // len(unit) + 1))[:length]
    _read(text[:1_000])  # compiles the patterns that the shape needs
    begin = time.perf_counter()
    _read(text)
    return time.perf_counter() - begin


def _read(text: str) -> None:
    for style in STYLES:
        read_verdict(Reply(text), style)


if __name__ == "__main__":
    main()
