"""The command behind `scripts/audit_dataset.py`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from banglahallueval.audit import Check, audit, read_side
from banglahallueval.cli.parser import new_parser
from banglahallueval.errors import UsageError
from banglahallueval.io.markdown import markdown_table
from banglahallueval.tasks import TASKS, TRACKS, TaskName, Track


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """What to audit, and how to print it.

    Attributes:
        files: One file, or a main and candidates pair.
        task: Task of the files; None to go by their columns.
        track: Track of the one file; None to go by its columns.
        as_json: Whether to print JSON.
        keep_flagged: Whether to keep rows that fail a generation check.
    """

    files: tuple[Path, ...]
    task: TaskName | None
    track: Track | None
    as_json: bool
    keep_flagged: bool


def main(doc: str, argv: Sequence[str] | None = None) -> int:
    """Audit one benchmark file, or a main and candidates pair.

    Returns:
        The exit status.

    Raises:
        UsageError: If the files cannot be read or are no pair.
    """
    options = _parse(doc, argv)
    keep = options.keep_flagged
    sides = [
        read_side(path, options.task, options.track, keep_flagged=keep) for path in options.files
    ]
    checks = audit(*sides)
    print(_as_json(checks) if options.as_json else _as_text(checks))
    return 0


def _parse(doc: str, argv: Sequence[str] | None) -> AuditOptions:
    parser = new_parser(doc)
    parser.add_argument("files", nargs="+", type=Path, metavar="CSV", help="one file, or a pair")
    parser.add_argument("--task", choices=list(TASKS), help="task of the files")
    parser.add_argument("--track", choices=TRACKS, help="track of the one file given")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--keep-flagged", action="store_true", help="keep rows that fail a generation check"
    )
    args = parser.parse_args(argv)
    if len(args.files) > 2 or (args.track and len(args.files) > 1):
        raise UsageError("give one file (with --track if needed), or one main and one candidates")
    return AuditOptions(tuple(args.files), args.task, args.track, args.json, args.keep_flagged)


def _as_json(checks: Sequence[Check]) -> str:
    none = dict.fromkeys(("auroc", "low", "high"))
    made = [{**asdict(check), **(none if check.of else {})} for check in checks]
    return json.dumps(made, ensure_ascii=False, indent=2)


def _as_text(checks: Sequence[Check]) -> str:
    """Render the checks as a table, those that need attention first."""
    warnings = [check for check in checks if check.warning]
    table = markdown_table(
        ["", "file", "check", "found", "details"],
        [
            [
                "warning" if check.warning else "",
                check.where,
                check.name,
                check.found,
                check.where_seen,
            ]
            for check in [*warnings, *(check for check in checks if not check.warning)]
        ],
    )
    need = f"{len(warnings)} of {len(checks)} checks need attention"
    return f"## Audit\n\n{table}\n{need}"
