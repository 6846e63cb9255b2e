"""A row of MMLU, whatever form it was saved in."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from banglahallueval.abstention.choices import LETTERS
from banglahallueval.errors import UsageError


class Row(NamedTuple):
    """A question with its options.

    Attributes:
        question: What is asked.
        choices: The options in order.
        answer: The letter of the right one.
        subject: Its subject; empty where it has none.
    """

    question: str
    choices: tuple[str, ...]
    answer: str
    subject: str


def make_row(cells: Mapping[str, Any], where: str, subject: str = "") -> Row:
    """Make a row of the columns question, choices, answer and subject, in upper or lower case.

    The options may also stand in columns A, B, C, …; the answer is a letter or a number from 0.

    Args:
        cells: The cells by column.
        where: What to call the row in messages.
        subject: Its subject if there is no such column.

    Raises:
        UsageError: If a column is missing, there are fewer than two options, or the answer is none.
    """
    by_name = {str(name).strip().lower(): cell for name, cell in cells.items()}
    question = str(by_name.get("question") or "")
    choices = _choices(by_name)
    if not question.strip() or len(choices) < 2:
        raise UsageError(
            f"{where}: no question with options; it has the columns {', '.join(map(repr, cells))}, "
            "and needs question, choices (or A, B, C, D), answer"
        )
    answer = str(by_name.get("answer", "")).strip().upper()
    letters = LETTERS[: len(choices)]
    if answer.isdecimal() and int(answer) < len(choices):
        answer = letters[int(answer)]
    if len(answer) != 1 or answer not in letters:
        raise UsageError(f"{where}: the answer {answer[:40]!r} is none of {', '.join(letters)}")
    return Row(question, choices, answer, str(by_name.get("subject") or subject))


def _choices(by_name: Mapping[str, Any]) -> tuple[str, ...]:
    choices = by_name.get("choices")
    if choices is None:
        choices = [by_name[letter] for letter in LETTERS.lower() if letter in by_name]
    elif isinstance(choices, str):  # as lists are written to a CSV
        choices = _read_list(choices)
    return tuple(str(choice).strip() for choice in choices)


def _read_list(text: str) -> list[Any]:
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return found if isinstance(found, list) else []
    return []
