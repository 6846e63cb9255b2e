"""The sub-command `correlate`: automatic scores against people's."""

from __future__ import annotations

import argparse
from pathlib import Path

from banglahallueval.cli.types import positive, seed
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import is_same_file, short
from banglahallueval.scoring.bootstrap import RESAMPLES, SEED
from banglahallueval.vision.correlation.study import Options, run_study
from banglahallueval.vision.correlation.tables import FORMS, in_words, write_study


def add_correlate_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `hal_eval.py correlate`."""
    parser.add_argument(
        "--scores", type=Path, required=True, metavar="FILE", help="CSV, JSON or JSONL"
    )
    parser.add_argument(
        "--automatic", nargs="+", required=True, metavar="COLUMN", help="of automatic scores"
    )
    parser.add_argument(
        "--human",
        nargs="+",
        required=True,
        metavar="COLUMN",
        help="of people's scores; of several the mean counts, and they are compared, too",
    )
    parser.add_argument(
        "--source",
        metavar="COLUMN",
        help="rows with equal cells here are drawn together for the intervals, as those of one "
        "picture should be (default: each row by itself)",
    )
    parser.add_argument(
        "--resamples", type=positive, default=RESAMPLES, help="(default: %(default)s)"
    )
    parser.add_argument("--seed", type=seed, default=SEED, help="of them (default: %(default)s)")
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="also write FILE.json, FILE.md or FILE.csv"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace a file that is there")
    parser.add_argument("--quiet", action="store_true", help="print nothing")


def run_correlate(args: argparse.Namespace) -> int:
    """Carry `hal_eval.py correlate` out and return its exit status.

    Raises:
        UsageError: If the flags or the file are wrong.
        RunError: If writing fails.
    """
    _check_output(args)
    study = run_study(
        Options(args.scores, args.automatic, args.human, args.source, args.resamples, args.seed)
    )
    if not args.quiet:
        print(in_words(study))
    if args.output:
        write_study(study, args.output)
        if not args.quiet:
            print(f"written: {short(args.output)}")
    return 0


def _check_output(args: argparse.Namespace) -> None:
    """Refuse an output that cannot be written, before anything is computed.

    Raises:
        UsageError: If it is of no known form, the input, or there already.
    """
    output = args.output
    if output is None:
        if args.quiet:
            raise UsageError("--quiet without --output shows nothing; name a file")
        return
    if output.suffix.lower() not in FORMS:
        raise UsageError(f"--output {output}: name a file that ends in {', '.join(FORMS)}")
    if is_same_file(output, args.scores):
        raise UsageError(f"--output {output} is the file of scores; name another")
    if output.exists() and not args.overwrite:
        raise UsageError(f"{output} is there already; --overwrite replaces it")
