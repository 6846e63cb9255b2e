"""The command behind `scripts/estimate_rate.py`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from banglahallueval.cli.assignments import check_assigned
from banglahallueval.cli.parser import new_parser
from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import Assignments
from banglahallueval.scoring.estimate import Measured, Shares, estimate_rate, measure_shares
from banglahallueval.scoring.flags import add_names, exit_status, read_flags
from banglahallueval.scoring.load import find_files, load_readable


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
        status = exit_status([*outputs.left_out, *benchmark.left_out])
        shares = measure_shares(outputs.rows, benchmark.rows)
    for note in shares.notes:
        print(f"note: {note}", file=sys.stderr)
    found = estimate_rate(shares.raw, shares.detection, shares.false_alarms)
    print(found.as_json() if options.as_json else found.as_text())
    return status


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
    add_names(parser)
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
        read_flags(args),
        args.json,
    )
