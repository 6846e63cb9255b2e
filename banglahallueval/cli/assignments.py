"""The flags `--as` and `--assign`, which say what single labelled files hold."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from banglahallueval.io.assignments import FORM, Assignment, Assignments, read_assignments


def add_assignment_flags(parser: argparse.ArgumentParser) -> None:
    """Add `--as` and `--assign`."""
    parser.add_argument(
        "--as",
        dest="assigned",
        action="append",
        default=[],
        metavar=FORM,
        help="what one file holds, as in x.csv=qa:main:qwen2.5 (repeatable); an empty part is read "
        "from the file",
    )
    parser.add_argument(
        "--assign",
        type=Path,
        metavar="CSV",
        help="the same for many files: columns file and any of task, track, judge, prompt",
    )


def assignments_of(
    args: argparse.Namespace,
    everywhere: Assignment | None = None,
    columns: Mapping[str, str] | None = None,
) -> Assignments:
    """Read `--as` and `--assign`.

    Args:
        args: The flags.
        everywhere: What flags say of all the files.
        columns: Role to column name, for all the files.

    Raises:
        UsageError: If something in them is no assignment.
    """
    files, named = read_assignments(args.assigned, args.assign)
    return Assignments(everywhere or Assignment(), columns or {}, files, named)


def check_assigned(assignments: Assignments, read: Iterable[Path]) -> None:
    """Note on standard error how many files of `--assign` are not among those read.

    Raises:
        UsageError: If `--as` names one that is not.
    """
    if unused := assignments.unused(read):
        print(f"note: files of --assign that are not among those read: {unused}", file=sys.stderr)
