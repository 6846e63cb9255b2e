"""Explained verdicts in a terminal: each output with what gave it away made visible."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from banglahallueval.cli.assignments import add_assignment_flags, assignments_of, check_assigned
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.types import positive
from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import Assignments
from banglahallueval.io.labelled import LABEL_COLUMN
from banglahallueval.io.readings import Labels
from banglahallueval.io.recognition import recognise
from banglahallueval.io.tables import Table
from banglahallueval.judges.offline import EXPLAIN_COLUMNS
from banglahallueval.tasks import PATTERN_GLOSS
from banglahallueval.text.spans import merged

_ON, _OFF = "\x1b[1;4;31m", "\x1b[0m"  # bold, underlined, red
_PLAIN_ON, _PLAIN_OFF = "[[", "]]"


def highlight(text: str, spans: Sequence[dict[str, Any]], *, colour: bool) -> str:
    """A text with its spans marked; spans that overlap are marked as one.

    Args:
        text: The raw text.
        spans: Objects with `start` and `end`, code points, end exclusive.
        colour: Whether to use the terminal's colours, else `[[` and `]]`.
    """
    on, off = (_ON, _OFF) if colour else (_PLAIN_ON, _PLAIN_OFF)
    marked, at = [], 0
    for start, end in merged((span["start"], span["end"]) for span in spans):
        marked += [text[at:start], on, text[start:end], off]
        at = end
    return "".join([*marked, text[at:]])


def explained(
    path: Path,
    label: str | None,
    limit: int | None,
    *,
    colour: bool,
    assignments: Assignments | None = None,
) -> Iterator[str]:
    """The rows of a file labelled with `--explain`, as blocks of text.

    Raises:
        UsageError: If the file was not labelled with `--explain`.
    """
    table = Table(path)
    at = {name: i for i, name in enumerate(table.columns)}
    missing = [name for name in (LABEL_COLUMN, *EXPLAIN_COLUMNS) if name not in at]
    if missing:
        raise UsageError(
            f"{path} has no column {missing[0]!r}; label it with scripts/label.py --judge offline "
            "--explain"
        )
    labels = Labels(path, table.columns, table.rows)
    found = recognise(labels, assignments or Assignments(), track_needed=False, judge_needed=False)
    if not found.record:
        print(f"{path}: {found}", file=sys.stderr)
    layout = found.layout
    shown = 0
    for number, cells in enumerate(table.rows()):
        if label and cells[at[LABEL_COLUMN]] != label:
            continue
        if limit is not None and shown == limit:
            return
        shown += 1
        item = layout.item(cells)
        spans = json.loads(cells[at["unsupported_spans"]] or "[]")
        pattern = cells[at[layout.pattern]] if layout.pattern else ""
        gloss = f" ({PATTERN_GLOSS[pattern]})" if pattern in PATTERN_GLOSS else ""
        p = cells[at["p_hallucinated"]] or "-"
        yield "\n".join(
            [
                f"row {number}  {cells[at[LABEL_COLUMN]]}  p {p}  {pattern}{gloss}".rstrip(),
                *([f"  question  {item.question}"] if item.question else []),
                "  output    "
                + highlight(
                    item.output, [s for s in spans if s["field"] == "output"], colour=colour
                ).replace("\n", "\n            "),
                f"  because   {cells[at['explanation']]}",
            ]
        )


def main(doc: str) -> int:
    """The script: print explained rows."""
    parser = new_parser(doc)
    parser.add_argument("file", type=Path, help="a CSV labelled with --judge offline --explain")
    parser.add_argument("--label", choices=["yes", "no", "unknown"], help="only these rows")
    parser.add_argument("--limit", type=positive, help="maximum number of rows")
    add_assignment_flags(parser)
    args = parser.parse_args()
    assignments = assignments_of(args)
    check_assigned(assignments, [args.file])
    colour = sys.stdout.isatty()
    for block in explained(
        args.file, args.label, args.limit, colour=colour, assignments=assignments
    ):
        print(block + "\n")
    return 0
