"""Argument types: what a flag's text may be.

Each reads a text, and raises `argparse.ArgumentTypeError`, which argparse prints behind the
flag's name, where the text is anything else.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import TypeVar

import regex

N = TypeVar("N", int, float)


def _reader(
    kind: Callable[[str], N], holds: Callable[[N], bool], meaning: str
) -> Callable[[str], N]:
    def read(text: str) -> N:
        try:
            number = kind(text)
        except ValueError:
            pass
        else:
            if holds(number):
                return number
        raise argparse.ArgumentTypeError(f"{text!r} is not {meaning}")

    return read


count = _reader(int, lambda number: number >= 0, "a whole number from 0")
seed = count
thinking_budget = _reader(int, lambda number: number >= -1, "a whole number from -1")
positive = _reader(int, lambda number: number >= 1, "a whole number from 1")
positive_number = _reader(float, lambda number: 0 < number < math.inf, "a number above 0")
ratio = _reader(float, lambda number: 1 < number < math.inf, "a number above 1")
temperature = _reader(float, lambda number: 0 <= number <= 2, "a number from 0 to 2")
share = _reader(float, lambda number: 0 <= number <= 1, "a number from 0 to 1")


def positive_or_all(text: str) -> int | None:
    """Read a whole number from 1, or `all`, which is None."""
    if text == "all":
        return None
    try:
        return positive(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}, or all") from None


def device(text: str) -> str:
    """Read a device as torch names it, such as `cpu` or `cuda:0`, or `auto`."""
    if regex.fullmatch(r"auto|(?:cpu|cuda|mps|xpu)(?::\d+)?", text):
        return text
    raise argparse.ArgumentTypeError(f"{text!r} is no device; name auto, cpu, cuda or cuda:0")
