"""The command behind `scripts/make_bangla_spans.py`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banglahallueval.cli.parser import new_parser
from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.paths import keep_apart, no_file, repository_root, short
from banglahallueval.io.records import command_line, utc_now, write_record
from banglahallueval.spans.bangla.samples import SilverSpans, make_bangla_spans
from banglahallueval.spans.tables import writing_samples
from banglahallueval.tasks import TASKS, TaskName, Track

_OUTPUT = "Spans/Results/bangla_silver.csv"


@dataclass(frozen=True, slots=True)
class SilverOptions:
    """What to make a span set from, and where to.

    Attributes:
        files: Per task its main file and its candidates.
        output: The span CSV.
        overwrite: Whether an output that is there is replaced.
    """

    files: Mapping[TaskName, tuple[Path, Path]]
    output: Path
    overwrite: bool


def main(doc: str, argv: Sequence[str] | None = None) -> int:
    """Make the Bangla span set and print what is in it, and what was left out.

    Returns:
        The exit status.

    Raises:
        UsageError: If the flags or files are wrong.
    """
    options = _parse(doc, argv)
    if options.output.exists() and not options.overwrite:
        raise UsageError(f"{short(options.output)} exists; name another --output, or --overwrite")
    whole = SilverSpans()
    for task, files in options.files.items():
        for file in files:
            keep_apart(file, output=options.output)
        made = make_bangla_spans(*files, task)
        print(f"{task}: {_listed(made)}")
        for reason, count in made.left_out.most_common():
            print(f"  left out, {reason}: {count:,}")
        whole.extend(made)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with writing_samples(options.output) as writer:
        for sample, rule in zip(whole.samples, whole.rules, strict=True):
            writer.write(sample, rule)
    write_record(options.output, _record(options, whole))
    print(f"{short(options.output)}: {len(whole.samples):,} samples")
    return 0


def _record(options: SilverOptions, made: SilverSpans) -> dict[str, Any]:
    inputs = [file for files in options.files.values() for file in files]
    return {
        "command": command_line(),
        "finished": utc_now(),
        "tasks": list(options.files),
        "inputs": [{"path": str(file), "sha256": file_sha256(file)} for file in inputs],
        "output": {
            "path": str(options.output),
            "sha256": file_sha256(options.output),
            "rows": len(made.samples),
        },
        "rules": made.counts,
        "left_out": made.left_out,
    }


def _listed(made: SilverSpans) -> str:
    return ", ".join(f"{count:,} {rule}" for rule, count in made.counts.most_common()) or "none"


def _parse(doc: str, argv: Sequence[str] | None) -> SilverOptions:
    parser = new_parser(doc)
    parser.add_argument(
        "--tasks", nargs="+", choices=list(TASKS), default=list(TASKS), help="(default: all)"
    )
    parser.add_argument(
        "--samples", action="store_true", help="the committed samples, not the published files"
    )
    parser.add_argument("--main", type=Path, metavar="CSV", help="gold outputs of the one task")
    parser.add_argument("--candidates", type=Path, metavar="CSV", help="its hallucinated outputs")
    parser.add_argument("--output", type=Path, metavar="CSV", help=f"(default: {_OUTPUT})")
    parser.add_argument("--overwrite", action="store_true", help="replace an output that is there")
    args = parser.parse_args(argv)
    tasks: list[TaskName] = list(dict.fromkeys(args.tasks))
    given = {"main": args.main, "candidates": args.candidates}
    if any(given.values()) and len(tasks) > 1:
        raise UsageError("--main and --candidates are files of one task; name it with --tasks")
    files = {task: (_file(task, "main", args), _file(task, "candidates", args)) for task in tasks}
    return SilverOptions(files, args.output or repository_root() / _OUTPUT, args.overwrite)


def _file(task: TaskName, track: Track, args: argparse.Namespace) -> Path:
    """Find a file: the one given, else the sample or the published one.

    Raises:
        UsageError: If it is not there.
    """
    names = TASKS[task].samples if args.samples else TASKS[task].files
    path: Path = getattr(args, track) or repository_root() / names[track]
    if not path.exists():
        given = getattr(args, track) is not None
        raise UsageError(no_file(path, "" if given else "--samples"))
    return path
