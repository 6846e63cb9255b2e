"""Read questions from a CSV, and draw some of a list at random."""

from __future__ import annotations

import random
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TypeVar

from banglahallueval.abstention.types import Question
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import short
from banglahallueval.io.tables import Cells, Table
from banglahallueval.runs.summary import read_as
from banglahallueval.text.digits import TO_ASCII

_NEEDED = ("id", "question", "gold", "unknown_ok")
_SUBJECTS = ("subject", "category")
_UNKNOWN_OK = {
    **dict.fromkeys(("1", "true", "yes", "y", "হ্যাঁ"), True),
    **dict.fromkeys(("0", "false", "no", "n", "না", ""), False),
}
_LINES_NAMED = 5

T = TypeVar("T")


class _NumberedTable(Table):
    """A table that knows the line on which the row last read starts."""

    line = 0

    def _records(self, file: IO[str]) -> Iterator[tuple[int, Cells]]:
        for self.line, cells in super()._records(file):
            yield self.line, cells


def read_questions(path: Path) -> list[Question]:
    """Read the questions of a CSV with the columns id, question, gold and unknown_ok.

    Texts are kept as they stand. `subject`, else `category`, becomes the subject and `source` the
    source; other columns are ignored. `unknown_ok` is 1, true, yes, y or হ্যাঁ; or 0, false, no, n,
    না or empty. Where it is true no answer is right, so that a gold answer beside it counts for
    nothing.

    Raises:
        UsageError: If the file cannot be read, lacks a column or rows, or has rows that cannot be
            used: without an id or a question, with another row's id, with another word in
            unknown_ok, or without a gold answer to a question that can be answered.
    """
    table = _NumberedTable(path)
    read_as(table)
    missing = [name for name in _NEEDED if name not in table.columns]
    if missing:
        raise UsageError(
            f"{short(path)} has no column {', '.join(map(repr, missing))}; it has "
            f"{', '.join(map(repr, table.columns))}"
        )
    problems: dict[str, list[str]] = defaultdict(list)
    questions: dict[str, Question] = {}
    first_lines: dict[str, int] = {}
    for cells in table.rows():
        row = dict(zip(table.columns, cells, strict=True))
        question = _question(row)
        for problem, detail in _problems(row):
            problems[problem].append(f"line {table.line}{detail}")
        if question.id in questions:
            # What names a question in every output must name one: its trials at all thresholds
            # belong together.
            detail = f" repeats {question.id!r} of line {first_lines[question.id]}"
            problems["with an id that another has"].append(f"line {table.line}{detail}")
        elif question.id.strip():
            questions[question.id] = question
            first_lines[question.id] = table.line
    if problems:
        told = "; ".join(_told(problem, lines) for problem, lines in problems.items())
        raise UsageError(f"{short(path)}: {told}")
    if not questions:
        raise UsageError(f"{short(path)} has no rows")
    return list(questions.values())


def _question(row: dict[str, str]) -> Question:
    return Question(
        row["id"],
        row["question"],
        row["gold"],
        _unknown_ok(row) is True,
        subject=next((row[name] for name in _SUBJECTS if name in row), ""),
        source=row.get("source", ""),
    )


def _unknown_ok(row: dict[str, str]) -> bool | None:
    word = unicodedata.normalize("NFC", row["unknown_ok"]).strip().lower()
    return _UNKNOWN_OK.get(word.translate(TO_ASCII))


def _problems(row: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each problem of a row, and what to say of it after its line."""
    if not row["id"].strip():
        yield "without an id", ""
    if not row["question"].strip():
        yield "without a question", ""
    unknown_ok = _unknown_ok(row)
    if unknown_ok is None:
        yield "with an unknown_ok that is neither 1 nor 0", f" has {row['unknown_ok'][:40]!r}"
    elif not unknown_ok and not row["gold"].strip():
        yield "without a gold answer, though unknown_ok is 0", ""


def _told(problem: str, lines: Sequence[str]) -> str:
    rows = "1 row" if len(lines) == 1 else f"{len(lines)} rows"
    more = ", …" if len(lines) > _LINES_NAMED else ""
    return f"{rows} {problem} ({', '.join(lines[:_LINES_NAMED])}{more})"


def draw(items: Sequence[T], limit: int | None, seed: int) -> list[T]:
    """Draw items at random, and keep them in their order.

    Args:
        items: What to draw from.
        limit: Maximum number of items, from 1; None for all of them.
        seed: Equal seeds draw equally.

    Raises:
        UsageError: If the limit is below 1.
    """
    if limit is not None and limit < 1:
        raise UsageError(f"--limit {limit}: draw at least 1 question")
    if limit is None or limit >= len(items):
        return list(items)
    places = random.Random(seed).sample(range(len(items)), limit)
    return [items[place] for place in sorted(places)]
