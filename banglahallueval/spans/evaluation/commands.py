"""The command behind `scripts/evaluate_spans.py`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.types import seed
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import short
from banglahallueval.scoring.bootstrap import SEED
from banglahallueval.spans.data import HUB
from banglahallueval.spans.evaluation.annotators import AGAINST
from banglahallueval.spans.evaluation.detections import named_file
from banglahallueval.spans.evaluation.files import check_output, check_places, write_evaluation
from banglahallueval.spans.evaluation.run import EvaluationOptions, run_evaluation
from banglahallueval.spans.evaluation.summary import in_words
from banglahallueval.spans.formats import FORMATS, SPLITS


def evaluate_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Score detectors, print the results, and write them where `--output` says.

    Returns:
        The exit status.

    Raises:
        UsageError: If the flags or files are wrong.
        RunError: If the hub cannot be reached, or writing fails.
    """
    args = _parser(doc).parse_args(argv)
    _check(args)
    if args.output:
        check_output(args.output)
        check_places(args.output, _inputs(args))
    options = EvaluationOptions(
        gold=args.gold or "",
        detections=tuple(args.detections),
        format_name=args.format,
        split=args.split,
        validation=args.validation or "",
        validation_detections=tuple(args.validation_detections),
        own_spans=args.own_spans,
        annotators=tuple(args.annotators),
        against=args.against or AGAINST[0],
        seed=args.seed,
    )
    made = run_evaluation(options)
    print(in_words(made))
    if args.output:
        written = write_evaluation(made, args.output)
        print(f"written: {', '.join(map(short, written))}")
    return 0


def _inputs(args: argparse.Namespace) -> list[Path]:
    """List the files and folders that an evaluation reads."""
    data = [Path(given) for given in (args.gold, args.validation) if given and given != HUB]
    found = [named_file(given)[1] for given in (*args.detections, *args.validation_detections)]
    return [*data, *found, *args.annotators]


def _check(args: argparse.Namespace) -> None:
    """Refuse flags that do not go together, or would change nothing.

    Raises:
        UsageError: Naming them.
    """
    if not (args.gold or args.annotators):
        raise UsageError("nothing to score against; name gold spans with --gold, or --annotators")
    if not (args.detections or args.annotators):
        raise UsageError("nothing to score; name the files of detectors")
    if args.against and (args.gold or not args.annotators):
        raise UsageError(
            "--against says which of the annotators' marks are gold: give --annotators, no --gold"
        )
    if args.split and not args.gold:
        raise UsageError("--split is that of --gold; annotators' files are read as they are")
    if args.own_spans and args.validation:
        raise UsageError("--own-spans needs no thresholds, so no --validation; leave one out")
    if bool(args.validation) != bool(args.validation_detections):
        raise UsageError(
            "--validation names answers, --validation-detections what detectors found in them; "
            "give both"
        )
    if args.own_spans and not args.detections:
        raise UsageError("--own-spans is about detectors; name their files")
    if args.validation and not args.detections:
        raise UsageError("--validation is for thresholds of detectors; name their files")


def _parser(doc: str | None) -> argparse.ArgumentParser:
    parser = new_parser(doc)
    add = parser.add_argument
    add(
        "detections",
        nargs="*",
        metavar="[NAME=]FILE",
        help="what detectors found; named by the run record, else by the file",
    )
    data = parser.add_argument_group("gold spans")
    data.add_argument(
        "--gold",
        metavar=f"PATH|{HUB}",
        help="a file or folder of answers with spans, or PsiloQA from the Hugging Face hub",
    )
    data.add_argument("--split", choices=SPLITS, default="", help="of the gold data")
    data.add_argument(
        "--format", choices=list(FORMATS), default="", help="of gold files (default: by columns)"
    )
    data.add_argument(
        "--annotators",
        nargs="+",
        type=Path,
        default=[],
        metavar="FILE",
        help="marks of several people: how far they agree, and gold where --gold names none",
    )
    data.add_argument(
        "--against",
        choices=AGAINST,
        help="gold is what any, or what every annotator marked (default: union)",
    )
    spans = parser.add_argument_group("which characters count as marked")
    spans.add_argument(
        "--validation",
        metavar=f"PATH|{HUB}",
        help="answers to fit thresholds to, per language (default: half of the gold answers)",
    )
    spans.add_argument(
        "--validation-detections",
        nargs="+",
        default=[],
        metavar="[NAME=]FILE",
        help="what the same detectors found in them",
    )
    spans.add_argument(
        "--own-spans", action="store_true", help="those that the detectors mark, no threshold"
    )
    add("--seed", type=seed, default=SEED, help="of halves and intervals (default: %(default)s)")
    add(
        "--output",
        type=Path,
        metavar="DIR|FILE",
        help="folder for all tables and answers, or FILE.csv, FILE.md or FILE.json",
    )
    return parser
