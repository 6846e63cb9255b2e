"""The command behind `scripts/detect_spans.py`: flags become a plan."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from banglahallueval.cli.flags import add_asking_flags, client_options, run_options
from banglahallueval.cli.judging import add_template_flag, classifier_options
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.providers import (
    add_provider_flags,
    flags_of_other_providers,
    given_flags,
)
from banglahallueval.cli.types import positive
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import repository_root, slug
from banglahallueval.judges.factory import JUDGES, JudgeName, JudgeSpec
from banglahallueval.models import PROVIDERS
from banglahallueval.prompts import load
from banglahallueval.runs.options import RowRange
from banglahallueval.spans.data import HUB, Data, read_data
from banglahallueval.spans.detection.plan import DetectionPlan
from banglahallueval.spans.detection.run import detect
from banglahallueval.spans.detectors.factory import DETECTORS, DetectorSpec
from banglahallueval.spans.formats import FORMATS, SPLITS

_RESULTS = "Spans/Results"
_CLAIMS_PROMPT = "qa.standard_context"

# The flags of each detector's own, and those that all models on this machine take.
_OWN = {
    "llm": {"--provider"},
    "claims": {"--judge"},
    "uncertainty": {"--measure", "--show-evidence", "--load-in-4bit"},
    "encoder": {"--template"},
}
_HERE = {"--model", "--batch-size", "--dtype", "--device", "--store", "--fresh"}
_ALWAYS = {"--dry-run", "--quiet"}
_CLASSIFIERS = ("encoder", "nli")


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
    name, model = args.detector, args.model
    if name == "claims":
        return DetectorSpec(name, judge=_judge(args))
    if model is None:
        return DetectorSpec(name)
    if name in _CLASSIFIERS:
        return DetectorSpec(name, classifier=classifier_options(args, model))
    if name == "uncertainty":
        return DetectorSpec(
            name,
            client_options(args, "hf", model),
            measure=args.measure,
            shows_evidence=args.show_evidence,
        )
    return DetectorSpec(name, client_options(args, args.provider or "openai", model))


def _judge(args: argparse.Namespace) -> JudgeSpec:
    """Settle who judges sentences.

    Raises:
        UsageError: If it lacks a model.
    """
    name: JudgeName = args.judge or "offline"
    if name == "offline":
        return JudgeSpec(name)
    if args.model is None:
        raise UsageError(f"--judge {name} needs --model NAME")
    if name in _CLASSIFIERS:
        return JudgeSpec(name, classifier=classifier_options(args, args.model))
    provider = next(provider for provider in PROVIDERS if provider == name)
    return JudgeSpec(name, client_options(args, provider, args.model), load(_CLAIMS_PROMPT, "qa"))


def _default_output(data: Data, spec: DetectorSpec) -> Path:
    """Name the output after its data and the detector."""
    stem = data.path.stem if data.path else "psiloqa"
    model = str(spec.identity()["name"])
    parts = dict.fromkeys((stem, str(data.record.get("split", "")), spec.name, slug(model)))
    return repository_root() / _RESULTS / ("_".join(filter(None, parts)) + ".csv")


def _refuse_ignored_flags(args: argparse.Namespace) -> None:
    """Refuse flags that would change nothing.

    Raises:
        UsageError: If there are any.
    """
    name, judge = args.detector, args.judge
    own = _ALWAYS | _OWN.get(name, set()) | (_OWN.get(judge, set()) if name == "claims" else set())
    ignored = [flag for flag in given_flags(args, _add_detector_flags) if flag not in own]
    provider = (args.provider or "openai") if name == "llm" else judge
    if name in ("llm", "claims") and provider in PROVIDERS:
        ignored += flags_of_other_providers(args, [provider])
        if name == "llm" and args.decode != "generate":
            ignored.append("--decode")
    else:
        here = name == "uncertainty" or name in _CLASSIFIERS or judge in _CLASSIFIERS
        kept = own | (_HERE if here else set())
        given = given_flags(args, add_asking_flags, add_provider_flags)
        ignored += [flag for flag in given if flag not in kept]
    if ignored:
        who = f"--detector {name}" + (f" --judge {judge}" if judge and name == "claims" else "")
        raise UsageError(f"{who} makes no use of {', '.join(ignored)}; leave it out")
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
    parser.add_argument(
        "--detector", choices=DETECTORS, default="offline", help="(default: offline)"
    )
    _add_detector_flags(parser)
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


def _add_detector_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that belong to single detectors."""
    own = parser.add_argument_group("flags of single detectors")
    own.add_argument("--provider", choices=PROVIDERS, help="llm: of its model (default: openai)")
    own.add_argument(
        "--judge",
        choices=[name for name in JUDGES if name not in ("hybrid", "panel")],
        help="claims: who judges each sentence (default: offline)",
    )
    own.add_argument(
        "--measure",
        choices=("probability", "entropy"),
        default="probability",
        help="uncertainty: of each token (default: %(default)s)",
    )
    own.add_argument(
        "--show-evidence", action="store_true", help="uncertainty: let the model read the evidence"
    )
    add_template_flag(parser)
