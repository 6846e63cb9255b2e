"""Show explained verdicts in a terminal: each output with what gave it away made visible."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import Assignments
from banglahallueval.io.labelled import LABEL_COLUMN
from banglahallueval.io.readings import Labels
from banglahallueval.io.recognition import recognise
from banglahallueval.io.tables import Table
from banglahallueval.judges.offline import EXPLAIN_COLUMNS
from banglahallueval.labelling.wrapping import COLOUR_OFF, COLOUR_ON, hanging
from banglahallueval.tasks import PATTERN_GLOSS, Item
from banglahallueval.text.spans import merged
from banglahallueval.verdicts import Label

_PLAIN_ON, _PLAIN_OFF = "[[", "]]"


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """Which explained rows are shown, and how.

    Attributes:
        file: A file labelled with `--explain`.
        label: Only rows with this label; None for all.
        limit: Maximum number of rows; None for all.
        assignments: What the user says that the file holds.
        is_coloured: Whether spans are marked by the terminal's colours, else by `[[` and `]]`.
        width: Cells of a line.
    """

    file: Path
    label: Label | None = None
    limit: int | None = None
    assignments: Assignments = field(default_factory=Assignments)
    is_coloured: bool = False
    width: int = 100


def highlight(text: str, spans: Sequence[dict[str, Any]], *, is_coloured: bool) -> str:
    """Mark the spans of a text; spans that overlap are marked as one.

    Args:
        text: The raw text.
        spans: Objects with `start` and `end`, code points, end exclusive.
        is_coloured: Whether to use the terminal's colours, else `[[` and `]]`.
    """
    on, off = (COLOUR_ON, COLOUR_OFF) if is_coloured else (_PLAIN_ON, _PLAIN_OFF)
    marked, at = [], 0
    for start, end in merged((span["start"], span["end"]) for span in spans):
        marked += [text[at:start], on, text[start:end], off]
        at = end
    return "".join([*marked, text[at:]])


def show(options: ExplainOptions) -> None:
    """Print the rows of a file labelled with `--explain`, or that there are none.

    Raises:
        UsageError: If the file was not labelled with `--explain`.
    """
    block = ""
    for block in explained(options):
        print(block + "\n")
    if not block:
        rows = f"row labelled {options.label}" if options.label else "rows"
        print(f"{options.file} has no {rows}", file=sys.stderr)


def explained(options: ExplainOptions) -> Iterator[str]:
    """Give the rows of a file labelled with `--explain` as blocks of text.

    Raises:
        UsageError: If the file was not labelled with `--explain`.
    """
    path = options.file
    table = Table(path)
    at = {name: i for i, name in enumerate(table.columns)}
    missing = [name for name in (LABEL_COLUMN, *EXPLAIN_COLUMNS) if name not in at]
    if missing:
        raise UsageError(
            f"{path} has no column {missing[0]!r}; label it with scripts/label.py --judge offline "
            "--explain"
        )
    labels = Labels(path, table.columns, table.rows)
    found = recognise(labels, options.assignments, track_needed=False, judge_needed=False)
    if not found.record:
        print(f"{path}: {found}", file=sys.stderr)
    layout = found.layout
    wanted = (
        (number, {name: cells[i] for name, i in at.items()}, layout.item(cells))
        for number, cells in enumerate(table.rows())
        if options.label in (None, cells[at[LABEL_COLUMN]])
    )
    for number, cells, item in islice(wanted, options.limit):
        pattern = cells[layout.pattern] if layout.pattern else ""
        yield _block(number, cells, item, pattern, options)


def _block(
    number: int, cells: Mapping[str, str], item: Item, pattern: str, options: ExplainOptions
) -> str:
    gloss = f" ({PATTERN_GLOSS[pattern]})" if pattern in PATTERN_GLOSS else ""
    p = cells["p_hallucinated"] or "-"
    output = highlight(item.output, _spans(cells, number), is_coloured=options.is_coloured)
    fields = {"question": item.question} if item.question else {}
    fields["output"] = output
    fields["because"] = cells["explanation"] or cells.get("unknown_reason", "")
    lines = [f"row {number}  {cells[LABEL_COLUMN]}  p {p}  {pattern}{gloss}".rstrip()]
    lines += [hanging(f"  {name:8}  ", text, options.width) for name, text in fields.items()]
    return "\n".join(lines)


def _spans(cells: Mapping[str, str], row: int) -> list[dict[str, Any]]:
    """Read the spans of the output.

    Raises:
        UsageError: If the cell does not hold spans.
    """
    text = cells["unsupported_spans"]
    try:
        spans = [span for span in json.loads(text or "[]") if span["field"] == "output"]
        if all(isinstance(span[edge], int) for span in spans for edge in ("start", "end")):
            return spans
    except (ValueError, TypeError, KeyError):
        pass
    raise UsageError(
        f"row {row}: unsupported_spans holds {text[:40]!r}, not spans; label the file again with "
        "--explain"
    )
