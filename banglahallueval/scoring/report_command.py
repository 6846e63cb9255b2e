"""The command behind `scripts/report.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from banglahallueval.cli import types
from banglahallueval.cli.assignments import check_assigned
from banglahallueval.cli.parser import new_parser
from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import Assignments
from banglahallueval.io.paths import check_not_inputs, short
from banglahallueval.scoring.flags import add_labelled, exit_status, read_flags
from banglahallueval.scoring.rows import DEFAULT_ROWS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from banglahallueval.scoring.sections import SectionFinder


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What to report on, and where the page and plots go.

    Attributes:
        inputs: Labelled files, folders of them, or globs.
        assignments: What flags say they hold.
        output: The page.
        title: Its title.
        plots: Folder to write plots into; None for none.
        keep_flagged: Whether candidates that fail a generation check are scored.
        rows: Maximum number of rows that the page shows one by one; None for all.
    """

    inputs: tuple[str, ...]
    assignments: Assignments
    output: Path
    title: str
    plots: Path | None
    keep_flagged: bool
    rows: int | None


def report(
    doc: str,
    argv: Sequence[str] | None = None,
    finders: Callable[[], Sequence[SectionFinder]] = tuple,
) -> int:
    """Write the HTML report of labelled files, and plots where `--plots` says.

    Args:
        doc: The script's docstring, shown by `--help`.
        argv: The flags; None for those of the command line.
        finders: Give what makes sections of files and folders that other capabilities wrote.

    Returns:
        The exit status.

    Raises:
        UsageError: If the flags or files are wrong.
    """
    options = _report_options(doc, argv)
    # What counts and draws takes seconds to import.
    from banglahallueval.scoring.contrast_tables import contrast_section
    from banglahallueval.scoring.inputs import read_inputs
    from banglahallueval.scoring.load import find_files
    from banglahallueval.scoring.plots import bengali_font, figures, save
    from banglahallueval.scoring.report import write_report
    from banglahallueval.scoring.results import results
    from banglahallueval.scoring.rows.packing import pack
    from banglahallueval.scoring.sections import section_figures, split_inputs

    sections, inputs, left_out = split_inputs(options.inputs, finders())
    read = found = rows = None
    made: dict[str, Figure] = {}
    if inputs:
        check_assigned(options.assignments, find_files(inputs, []))
        read = read_inputs(inputs, options.assignments, keep_flagged=options.keep_flagged)
        left_out += read.left_out
        if read.labelled:
            found = results(read.labelled)
            made = figures(found)
            rows = pack(read.labelled, options.rows)
    elif not sections:
        raise UsageError("\n".join(left_out))
    paths = [Path(given) for given in (*options.inputs, *(section.output for section in sections))]
    paths += [source.path for source in read.files] if read else []
    check_not_inputs([options.output], paths)
    if read and read.contrast:
        sections.append(contrast_section(read.contrast))
    write_report(found, made, options.output, options.title, sections=sections, rows=rows)
    print(f"written: {short(options.output)}")
    if rows:
        print(rows.sentence)
    if options.plots:
        made |= {name: figure for name, (figure, _) in section_figures(sections).items()}
        save(made, options.plots)
        names = ", ".join(f"{name}.png, {name}.svg" for name in made)
        print(f"written: {names} in {short(options.plots)}")
        if bengali_font() is None:
            print(
                "no Bengali font was found, so Bangla names in plots may show as boxes; install "
                "Noto Sans Bengali"
            )
    return exit_status(left_out)


def _report_options(doc: str, argv: Sequence[str] | None) -> ReportOptions:
    parser = new_parser(doc)
    add_labelled(parser)
    parser.add_argument(
        "--output", type=Path, default=Path("report.html"), help="the page (default: %(default)s)"
    )
    parser.add_argument("--title", default="BanglaHalluEval report", help="(default: %(default)s)")
    parser.add_argument(
        "--rows",
        type=types.positive_or_all,
        default=DEFAULT_ROWS,
        metavar="N|all",
        help="maximum number of rows that the page shows one by one (default: %(default)s)",
    )
    parser.add_argument("--plots", type=Path, metavar="DIR", help="also write PNG and SVG plots")
    args = parser.parse_args(argv)
    return ReportOptions(
        tuple(args.labelled),
        read_flags(args),
        args.output,
        args.title,
        args.plots,
        args.keep_flagged,
        args.rows,
    )
