"""The command behind `scripts/score.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from banglahallueval.cli.assignments import check_assigned
from banglahallueval.cli.parser import new_parser
from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import Assignments
from banglahallueval.io.paths import check_not_inputs
from banglahallueval.scoring import tables
from banglahallueval.scoring.contrast_tables import contrast_tables
from banglahallueval.scoring.flags import add_labelled, exit_status, read_flags
from banglahallueval.scoring.inputs import read_inputs
from banglahallueval.scoring.load import find_files
from banglahallueval.scoring.report_tables import overview
from banglahallueval.scoring.results import results


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """What to score, and where the tables go.

    Attributes:
        inputs: Labelled files, folders of them, or globs.
        assignments: What flags say they hold.
        output: Folder to write the tables into; None to print them only.
        formats: The first is printed, all are written.
        against_published: Whether the judges are placed among the published ones.
        keep_flagged: Whether candidates that fail a generation check are scored.
    """

    inputs: tuple[str, ...]
    assignments: Assignments
    output: Path | None
    formats: tuple[tables.Format, ...]
    against_published: bool
    keep_flagged: bool


def score(doc: str, argv: Sequence[str] | None = None) -> int:
    """Score labelled files: print the tables, and write them where `--output` says.

    Returns:
        The exit status.

    Raises:
        UsageError: If the flags or files are wrong.
    """
    options = _score_options(doc, argv)
    check_assigned(options.assignments, find_files(options.inputs, []))
    read = read_inputs(options.inputs, options.assignments, keep_flagged=options.keep_flagged)
    made: list[tables.ReportTable] = []
    if read.labelled:
        made = overview(results(read.labelled), against_published=options.against_published)
    if read.contrast:
        made += contrast_tables(read.contrast)
    if options.output:
        written = tables.places(made, options.output, options.formats)
        check_not_inputs(written, [source.path for source in read.files])
    printed = options.formats[0]
    print(tables.render(made, printed), end="")
    if printed == "markdown":
        for note in read.notes:
            print(f"note: {note}")
    if options.output:
        written = tables.write(made, options.output, options.formats)
        if printed == "markdown":
            print(f"written: {', '.join(map(str, written))}")
    return exit_status(read.left_out)


def _score_options(doc: str, argv: Sequence[str] | None) -> ScoreOptions:
    parser = new_parser(doc)
    add_labelled(parser)
    parser.add_argument("--output", type=Path, metavar="DIR", help="write the tables there too")
    parser.add_argument(
        "--format",
        default="markdown",
        metavar="FORMAT[,…]",
        help=f"{', '.join(tables.FORMATS)}; the first is printed, all are written "
        "(default: markdown)",
    )
    parser.add_argument(
        "--against", choices=["published"], help="place the judges among the published ones"
    )
    args = parser.parse_args(argv)
    return ScoreOptions(
        tuple(args.labelled),
        read_flags(args),
        args.output,
        _formats(args.format),
        against_published=args.against is not None,
        keep_flagged=args.keep_flagged,
    )


def _formats(text: str) -> tuple[tables.Format, ...]:
    names = text.split(",")
    formats = [name for name in tables.FORMATS if name in names]
    if len(formats) < len(names):
        raise UsageError(f"--format {text}: it takes {', '.join(tables.FORMATS)}")
    return tuple(sorted(formats, key=names.index))
