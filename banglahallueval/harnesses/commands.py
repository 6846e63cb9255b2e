"""The command lines that export tasks and import results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.sources import read_names, read_sources
from banglahallueval.errors import UsageError
from banglahallueval.harnesses.export import KINDS, ExportPlan, export
from banglahallueval.harnesses.importing import HARNESSES, ImportPlan, import_results
from banglahallueval.tasks import TASKS, TRACKS


def export_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/export_tasks.py`.

    Raises:
        UsageError: If the flags, a file or the folder are wrong.
        RunError: If writing fails on the way.
    """
    parser = new_parser(doc)
    add = parser.add_argument
    add("folder", type=Path, metavar="DIR", help="the folder to write")
    add("--to", choices=KINDS, required=True, help="what it is for; hf is a Hugging Face dataset")
    add(
        "--task",
        default="all",
        metavar="A,B",
        help=f"of {', '.join(TASKS)} (default: all)",
    )
    add(
        "--tracks",
        default=",".join(TRACKS),
        metavar="A,B",
        help=f"of {', '.join(TRACKS)}; BHS needs both (default: both)",
    )
    add(
        "--input",
        action="append",
        metavar="TASK.TRACK=CSV",
        help="your own file in place of the published one (repeatable)",
    )
    add("--samples", action="store_true", help="the committed samples, not the published files")
    add(
        "--prompt",
        metavar="NAME|FILE",
        help="a named prompt, the ending of one that each task has (cot), or your template "
        "(default: standard)",
    )
    add("--licence", metavar="ID", help="of the data, as the Hub names it; hf needs it")
    add(
        "--keep-flagged",
        action="store_true",
        help="export candidates that fail a check of generation, too",
    )
    add("--overwrite", action="store_true", help="replace an earlier export")
    args = parser.parse_args(argv)
    if args.licence and args.to != "hf":
        raise UsageError("--licence goes into the card of a dataset; leave it out")
    named = [*TASKS] if args.task == "all" else read_names(args.task, [*TASKS], "--task")
    tasks = [task for task in TASKS if task in named]
    tracks = [track for track in TRACKS if track in read_names(args.tracks, TRACKS, "--tracks")]
    if not (tasks and tracks):
        raise UsageError("--task and --tracks name nothing to export")
    export(
        ExportPlan(
            args.to,
            args.folder,
            read_sources(args.input or (), tasks, tracks, samples=args.samples),
            args.prompt,
            args.licence,
            args.keep_flagged,
            args.overwrite,
        )
    )
    return 0


def import_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/import_results.py`.

    Returns:
        The exit status: 0, or 1 if rows got no reply.

    Raises:
        UsageError: If the results cannot be read, or are not those of the input's rows.
    """
    parser = new_parser(doc)
    add = parser.add_argument
    add("results", type=Path, metavar="RESULTS", help="a file that the harness wrote, or a folder")
    add("--from", dest="harness", choices=HARNESSES, required=True, help="the harness")
    add("--input", type=Path, required=True, metavar="CSV", help="the file that was exported")
    add("--output", type=Path, required=True, metavar="CSV", help="the labelled file")
    add(
        "--partial",
        action="store_true",
        help="write only the rows that have a result, where some have none",
    )
    add("--overwrite", action="store_true", help="replace an output that is there")
    args = parser.parse_args(argv)
    return import_results(
        ImportPlan(
            args.harness, args.results, args.input, args.output, args.partial, args.overwrite
        )
    )
