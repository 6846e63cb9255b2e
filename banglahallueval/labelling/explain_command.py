"""`scripts/explain.py`: flags become options."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.assignments import add_assignment_flags, assignments_of, check_assigned
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.types import positive
from banglahallueval.labelling.explain import ExplainOptions, show
from banglahallueval.labelling.wrapping import terminal_width


def explain_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/explain.py` and return its exit status.

    Raises:
        UsageError: If the file was not labelled with `--explain`.
    """
    parser = new_parser(doc)
    add = parser.add_argument
    add("file", type=Path, help="a CSV labelled with --explain")
    add("--label", choices=["yes", "no", "unknown"], help="only these rows")
    add("--limit", type=positive, help="maximum number of rows")
    add_assignment_flags(parser)
    args = parser.parse_args(argv)
    assignments = assignments_of(args)
    check_assigned(assignments, [args.file])
    options = ExplainOptions(
        args.file,
        args.label,
        args.limit,
        assignments,
        is_coloured=sys.stdout.isatty(),
        width=terminal_width(),
    )
    show(options)
    return 0
