"""The commands behind the scoring scripts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from matplotlib.figure import Figure

from banglahallueval.cli.assignments import add_assignment_flags, assignments_of, check_assigned
from banglahallueval.cli.flags import read_columns
from banglahallueval.cli.parser import new_parser
from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import Assignment, Assignments
from banglahallueval.io.paths import check_not_inputs
from banglahallueval.scoring import tables
from banglahallueval.scoring.estimate import Measured, Shares, estimate_rate, measure_shares
from banglahallueval.scoring.load import find_files, load_readable
from banglahallueval.scoring.plots import bengali_font, figures, save
from banglahallueval.scoring.report import write_report
from banglahallueval.scoring.report_tables import overview
from banglahallueval.scoring.results import results
from banglahallueval.scoring.sections import Section, SectionFinder, section_figures
from banglahallueval.tasks import TASKS, TRACKS


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """What to score, and where the tables go.

    Attributes:
        inputs: Labelled files, folders of them, or globs.
        assignments: What flags say they hold.
        output: Folder to write the tables into; None to print them only.
        formats: The first is printed, all are written.
        against_published: Whether the judges are placed among the published ones.
    """

    inputs: tuple[str, ...]
    assignments: Assignments
    output: Path | None
    formats: tuple[tables.Format, ...]
    against_published: bool


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What to report on, and where the page and plots go.

    Attributes:
        inputs: Labelled files, folders of them, or globs.
        assignments: What flags say they hold.
        output: The page.
        title: Its title.
        plots: Folder to write plots into; None for none.
    """

    inputs: tuple[str, ...]
    assignments: Assignments
    output: Path
    title: str
    plots: Path | None


@dataclass(frozen=True, slots=True)
class EstimateOptions:
    """What to estimate a rate from: three shares, or labelled files where there are none.

    Attributes:
        shares: The shares given; None to measure them on the files.
        outputs: A user's own outputs, labelled.
        benchmark: The same judge's labels of both tracks.
        assignments: What flags say the files hold.
        as_json: Whether to print JSON.
    """

    shares: Shares | None
    outputs: tuple[str, ...]
    benchmark: tuple[str, ...]
    assignments: Assignments
    as_json: bool


def score(doc: str, argv: Sequence[str] | None = None) -> int:
    """Score labelled files: print the tables, and write them where `--output` says.

    Returns:
        The exit status.

    Raises:
        UsageError: If the flags or files are wrong.
    """
    options = _score_options(doc, argv)
    check_assigned(options.assignments, find_files(options.inputs, []))
    labelled = load_readable(options.inputs, options.assignments)
    made = overview(results(labelled), against_published=options.against_published)
    if options.output:
        written = tables.places(made, options.output, options.formats)
        check_not_inputs(written, [source.path for source in labelled.files])
    printed = options.formats[0]
    print(tables.render(made, printed), end="")
    if printed == "markdown":
        for note in labelled.notes:
            print(f"note: {note}")
    if options.output:
        written = tables.write(made, options.output, options.formats)
        if printed == "markdown":
            print(f"written: {', '.join(map(str, written))}")
    return _status(labelled.left_out)


def report(
    doc: str, argv: Sequence[str] | None = None, finders: Sequence[SectionFinder] = ()
) -> int:
    """Write the HTML report of labelled files, and plots where `--plots` says.

    Args:
        doc: The script's docstring, shown by `--help`.
        argv: The flags; None for those of the command line.
        finders: Make sections of files and folders that other capabilities wrote.

    Returns:
        The exit status.

    Raises:
        UsageError: If the flags or files are wrong.
    """
    options = _report_options(doc, argv)
    sections, inputs, left_out = _split_inputs(options.inputs, finders)
    labelled = found = None
    made: dict[str, Figure] = {}
    if inputs:
        check_assigned(options.assignments, find_files(inputs, []))
        labelled = load_readable(inputs, options.assignments)
        found = results(labelled)
        made = figures(found)
    elif not sections:
        raise UsageError("\n".join(left_out))
    read = [source.path for source in labelled.files] if labelled else []
    read += [Path(given) for given in options.inputs]
    check_not_inputs([options.output], [*read, *(Path(section.output) for section in sections)])
    write_report(found, made, options.output, options.title, sections=sections)
    print(f"written: {options.output}")
    if options.plots:
        made |= {name: figure for name, (figure, _) in section_figures(sections).items()}
        save(made, options.plots)
        names = ", ".join(f"{name}.png, {name}.svg" for name in made)
        print(f"written: {names} in {options.plots}")
        if bengali_font() is None:
            print(
                "no Bengali font was found, so Bangla names in plots may show as boxes; install "
                "Noto Sans Bengali"
            )
    return _status([*left_out, *(labelled.left_out if labelled else ())])


def estimate(doc: str, argv: Sequence[str] | None = None) -> int:
    """Estimate the true hallucination rate of a user's own outputs.

    Returns:
        The exit status.

    Raises:
        UsageError: If the flags or files are wrong.
    """
    options = _estimate_options(doc, argv)
    shares, status = options.shares, 0
    if shares is None:
        assignments = options.assignments
        check_assigned(assignments, find_files([*options.outputs, *options.benchmark], []))
        outputs = load_readable(options.outputs, assignments, own_outputs=True)
        benchmark = load_readable(options.benchmark, replace(assignments, columns={}))
        status = _status([*outputs.left_out, *benchmark.left_out])
        shares = measure_shares(outputs.rows, benchmark.rows)
    for note in shares.notes:
        print(f"note: {note}", file=sys.stderr)
    found = estimate_rate(shares.raw, shares.detection, shares.false_alarms)
    print(found.as_json() if options.as_json else found.as_text())
    return status


def _score_options(doc: str, argv: Sequence[str] | None) -> ScoreOptions:
    parser = new_parser(doc)
    _add_labelled(parser)
    parser.add_argument("--output", type=Path, metavar="DIR", help="write the tables there too")
    parser.add_argument(
        "--format",
        default="markdown",
        metavar="FORMAT[,…]",
        help=f"{', '.join(tables.FORMATS)}; the first is printed, all are written (%(default)s)",
    )
    parser.add_argument(
        "--against", choices=["published"], help="place the judges among the published ones"
    )
    args = parser.parse_args(argv)
    return ScoreOptions(
        tuple(args.labelled),
        _assignments(args),
        args.output,
        _formats(args.format),
        against_published=args.against is not None,
    )


def _report_options(doc: str, argv: Sequence[str] | None) -> ReportOptions:
    parser = new_parser(doc)
    _add_labelled(parser)
    parser.add_argument(
        "--output", type=Path, default=Path("report.html"), help="the page (%(default)s)"
    )
    parser.add_argument("--title", default="BanglaHalluEval report", help="(%(default)s)")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="also write PNG and SVG plots")
    args = parser.parse_args(argv)
    return ReportOptions(
        tuple(args.labelled), _assignments(args), args.output, args.title, args.plots
    )


def _estimate_options(doc: str, argv: Sequence[str] | None) -> EstimateOptions:
    parser = new_parser(doc)
    given = parser.add_argument_group("from figures, as 0.8 or (for an interval) as 3186/4000")
    given.add_argument("--raw", metavar="SHARE", help="share of the outputs called hallucinated")
    given.add_argument("--detection", metavar="SHARE", help="share of hallucinated ones found")
    given.add_argument("--false-alarms", metavar="SHARE", help="share of right ones alarmed")
    files = parser.add_argument_group("from files")
    files.add_argument("--outputs", nargs="+", metavar="CSV", help="your outputs, labelled")
    files.add_argument(
        "--benchmark", nargs="+", metavar="CSV|DIR", help="the judge's labels of both tracks"
    )
    _add_names(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    figures_given = (args.raw, args.detection, args.false_alarms)
    shares = None
    if all(figures_given) and not (args.outputs or args.benchmark):
        raw, detection, false_alarms = map(Measured.parse, figures_given)
        shares = Shares(raw, detection, false_alarms)
    elif not (args.outputs and args.benchmark) or any(figures_given):
        raise UsageError("give --raw, --detection and --false-alarms, or --outputs and --benchmark")
    return EstimateOptions(
        shares,
        tuple(args.outputs or ()),
        tuple(args.benchmark or ()),
        _assignments(args),
        args.json,
    )


def _formats(text: str) -> tuple[tables.Format, ...]:
    names = text.split(",")
    formats = [name for name in tables.FORMATS if name in names]
    if len(formats) < len(names):
        raise UsageError(f"--format {text}: it takes {', '.join(tables.FORMATS)}")
    return tuple(sorted(formats, key=names.index))


def _add_labelled(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "labelled", nargs="+", metavar="CSV|DIR", help="labelled files, folders of them, or globs"
    )
    _add_names(parser)
    parser.add_argument("--track", choices=TRACKS, help="track of all the files given")


def _add_names(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--task", choices=list(TASKS), help="task of all the files given")
    parser.add_argument("--judge", metavar="NAME", help="judge of all the files given")
    parser.add_argument("--prompt", metavar="NAME", help="prompt of all the files given")
    parser.add_argument(
        "--columns",
        metavar="ROLE=NAME[,…]",
        help="columns of your own files, as in answer=my_answer,context=passage",
    )
    add_assignment_flags(parser)


def _assignments(args: argparse.Namespace) -> Assignments:
    track = getattr(args, "track", None)
    everywhere = Assignment(args.task, track, args.judge, args.prompt)
    return assignments_of(args, everywhere, read_columns(args.columns))


def _split_inputs(
    inputs: Sequence[str], finders: Sequence[SectionFinder]
) -> tuple[list[Section], list[str], list[str]]:
    """Find the sections that inputs hold.

    Returns:
        The sections, each once; the inputs that hold labelled files, or nothing known; and why
        inputs that should be a section are left out.
    """
    sections: dict[str, Section] = {}
    others, left_out = [], []
    for given in inputs:
        is_known = False
        for find in finders:
            try:
                found = {section.output: section for section in find(Path(given))}
            except UsageError as error:
                left_out.append(str(error))
                is_known = True
            else:
                sections |= found
                is_known |= bool(found)
        if not is_known or (Path(given).is_dir() and _has_labelled(given)):
            others.append(given)
    return list(sections.values()), others, left_out


def _has_labelled(folder: str) -> bool:
    try:
        find_files([folder], [])
    except UsageError:
        return False
    return True


def _status(left_out: Iterable[str]) -> int:
    """Print which files were left out and why, and return the exit status."""
    lines = list(left_out)
    for line in lines:
        print(f"left out: {line}", file=sys.stderr)
    return 1 if lines else 0
