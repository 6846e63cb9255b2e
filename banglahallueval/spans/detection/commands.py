"""The command behind `scripts/detect_spans.py`: flags become a plan."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.flags import add_asking_flags, client_options, run_options
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.providers import (
    add_provider_flags,
    flags_of_other_providers,
    given_flags,
)
from banglahallueval.cli.types import positive
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import repository_root, slug
from banglahallueval.models import PROVIDERS
from banglahallueval.runs.options import RowRange
from banglahallueval.spans.data import HUB, Data, read_data
from banglahallueval.spans.detection.plan import DetectionPlan
from banglahallueval.spans.detection.run import detect
from banglahallueval.spans.detectors.factory import DETECTORS, DetectorSpec
from banglahallueval.spans.formats import FORMATS, SPLITS

_RESULTS = "Spans/Results"
_ASKING = ("llm", "claims")  # detectors that ask a chat model


def detect_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/detect_spans.py` and return its exit status.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    args = _parser(doc).parse_args(argv)
    _refuse_ignored_flags(args)
    spec = _spec(args)
    data = read_data(args.data, format_name=args.format, split=args.split)
    if not args.quiet:
        print(f"{data.source}: {len(data.samples):,} answers")
    for note in data.notes:
        print(f"Note: {note}")
    plan = DetectionPlan(
        data,
        spec,
        args.output or _default_output(data, spec),
        RowRange(limit=args.limit),
        run_options(args),
        args.store,
    )
    return detect(plan)


def _spec(args: argparse.Namespace) -> DetectorSpec:
    """Settle the detector.

    Raises:
        UsageError: If it lacks a model.
    """
    if args.detector not in _ASKING:
        return DetectorSpec(args.detector)
    if args.model is None:
        raise UsageError(f"--detector {args.detector} needs --model NAME")
    return DetectorSpec(args.detector, client_options(args, args.provider or "openai", args.model))


def _default_output(data: Data, spec: DetectorSpec) -> Path:
    """Name the output after its data and the detector."""
    stem = data.path.stem if data.path else "psiloqa"
    parts = [stem, str(data.record.get("split", "")), slug(spec.name), slug(spec.model)]
    return repository_root() / _RESULTS / ("_".join(filter(None, parts)) + ".csv")


def _refuse_ignored_flags(args: argparse.Namespace) -> None:
    """Refuse flags that would change nothing.

    Raises:
        UsageError: If there are any.
    """
    asks = args.detector in _ASKING
    providers = [args.provider or "openai"] if asks else []
    ignored = flags_of_other_providers(args, providers)
    if not asks:
        asking = given_flags(args, add_asking_flags)
        ignored += [flag for flag in asking if flag not in ("--dry-run", "--quiet")]
        ignored += ["--provider"] if args.provider else []
    if ignored:
        raise UsageError(
            f"--detector {args.detector} makes no use of {', '.join(ignored)}; leave it out"
        )
    if args.data == HUB and args.format:
        raise UsageError(f"--format is that of files; --data {HUB} has but one")


def _parser(doc: str | None) -> argparse.ArgumentParser:
    parser = new_parser(doc)
    data = parser.add_argument_group("answers")
    data.add_argument(
        "--data",
        required=True,
        metavar=f"PATH|{HUB}",
        help="a file or folder of answers, or PsiloQA from the Hugging Face hub",
    )
    data.add_argument(
        "--format", choices=list(FORMATS), default="", help="of files (default: by their columns)"
    )
    data.add_argument("--split", choices=SPLITS, default="", help="of the data")
    data.add_argument("--limit", type=positive, help="only the first so many answers")
    who = parser.add_argument_group("who examines them")
    who.add_argument("--detector", choices=DETECTORS, default="offline", help="(default: offline)")
    who.add_argument("--provider", choices=PROVIDERS, help="of a chat model (default: openai)")
    files = parser.add_argument_group("output")
    files.add_argument(
        "--output",
        type=Path,
        metavar="CSV",
        help=f"(default: {_RESULTS}/DATA_DETECTOR_MODEL.csv)",
    )
    files.add_argument(
        "--resume",
        action="store_true",
        help="add to an output that is there: keep its results, examine the rest",
    )
    files.add_argument("--overwrite", action="store_true", help="replace an output that is there")
    add_asking_flags(parser, verdicts=False)
    add_provider_flags(parser)
    return parser
