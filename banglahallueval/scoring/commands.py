"""The command behind `scripts/score.py`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.sources import read_names
from banglahallueval.errors import UsageError
from banglahallueval.scoring.flags import add_labelled, read_flags
from banglahallueval.scoring.options import FORMATS, Format, ScoreOptions


def score(doc: str, argv: Sequence[str] | None = None) -> int:
    """Score labelled files: print the tables, and write them where `--output` says.

    Returns:
        The exit status.

    Raises:
        UsageError: If the flags or files are wrong.
    """
    options = _score_options(doc, argv)
    from banglahallueval.scoring.printing import print_scores  # what counts: a second

    return print_scores(options)


def _score_options(doc: str, argv: Sequence[str] | None) -> ScoreOptions:
    parser = new_parser(doc)
    add_labelled(parser)
    parser.add_argument(
        "--wide", action="store_true", help="print all columns and tables, as Markdown"
    )
    parser.add_argument("--output", type=Path, metavar="DIR", help="write the tables there too")
    parser.add_argument(
        "--format",
        default="markdown",
        metavar="FORMAT[,…]",
        help=f"{', '.join(FORMATS)}; all are written, and the first is printed, of markdown the "
        "headline figures without --wide (default: %(default)s)",
    )
    parser.add_argument(
        "--against",
        choices=["published"],
        help="place judges of the published rows among the published judges",
    )
    args = parser.parse_args(argv)
    return ScoreOptions(
        tuple(args.labelled),
        read_flags(args),
        args.output,
        _formats(args.format),
        wide=args.wide,
        against_published=args.against is not None,
        keep_flagged=args.keep_flagged,
    )


def _formats(text: str) -> tuple[Format, ...]:
    names = read_names(text, FORMATS, "--format")
    if not names:
        raise UsageError(f"--format names none of {', '.join(FORMATS)}")
    return tuple(sorted((name for name in FORMATS if name in names), key=names.index))
