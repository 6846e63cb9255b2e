"""`scripts/combine_labels.py`: flags become options."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.assignments import add_assignment_flags, assignments_of, check_assigned
from banglahallueval.cli.parser import new_parser
from banglahallueval.io.assignments import Assignment
from banglahallueval.labelling.combine import CombineOptions, combine_labels
from banglahallueval.tasks import TASKS


def combine_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/combine_labels.py` and return its exit status.

    Raises:
        UsageError: If the flags or files cannot be combined.
    """
    parser = new_parser(doc)
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="CSV", help="labelled files")
    add("--output", type=Path, required=True, metavar="CSV", help="the combined file")
    add("--name", default="", help="the combined judge's, so that main and candidates pair")
    add(
        "--offline-first",
        action="store_true",
        help="settle first what the offline judge proves (yes) and outputs that abstain (no); "
        "labels count for the rest",
    )
    add("--task", choices=list(TASKS), help="task of all the files given")
    add_assignment_flags(parser)
    add("--overwrite", action="store_true", help="replace an output that is there")
    args = parser.parse_args(argv)
    assignments = assignments_of(args, Assignment(task=args.task))
    check_assigned(assignments, args.files)
    options = CombineOptions(
        args.files, args.output, args.offline_first, assignments, args.overwrite, args.name.strip()
    )
    counts = combine_labels(options)
    labels = ", ".join(f"{name} {counts[name]}" for name in ("yes", "no", "unknown"))
    print(f"{options.output}: {labels} ({counts['tie']} ties); decided offline {counts['offline']}")
    return 0
