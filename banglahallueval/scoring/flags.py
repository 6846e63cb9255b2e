"""What the scoring scripts share: the flags for labelled files, and their exit status."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from banglahallueval.cli.assignments import add_assignment_flags, assignments_of
from banglahallueval.cli.flags import add_columns_flag, read_columns
from banglahallueval.io.assignments import Assignment, Assignments
from banglahallueval.tasks import TASKS, TRACKS


def add_labelled(parser: argparse.ArgumentParser) -> None:
    """Add the labelled files, and the flags that say what they hold."""
    parser.add_argument(
        "labelled", nargs="+", metavar="CSV|DIR", help="labelled files, folders of them, or globs"
    )
    add_names(parser)
    parser.add_argument("--track", choices=TRACKS, help="track of all the files given")
    parser.add_argument(
        "--keep-flagged",
        action="store_true",
        help="keep candidates that fail a check of generation",
    )


def add_names(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say what labelled files hold, but for their track."""
    parser.add_argument("--task", choices=list(TASKS), help="task of all the files given")
    parser.add_argument("--judge", metavar="NAME", help="judge of all the files given")
    parser.add_argument("--prompt", metavar="NAME", help="prompt of all the files given")
    add_columns_flag(parser)
    add_assignment_flags(parser)


def read_flags(args: argparse.Namespace) -> Assignments:
    """Read what the flags say of labelled files.

    Raises:
        UsageError: If something in them is no assignment.
    """
    track = getattr(args, "track", None)
    everywhere = Assignment(args.task, track, args.judge, args.prompt)
    return assignments_of(args, everywhere, read_columns(args.columns))


def exit_status(left_out: Iterable[str]) -> int:
    """Print which files were left out and why, and return the exit status."""
    lines = list(left_out)
    for line in lines:
        # Unbroken, whatever its length: it may hold a flag to copy.
        print(f"left out: {line}", file=sys.stderr)
    return 1 if lines else 0
