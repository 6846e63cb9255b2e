"""The sub-command `discriminative`: flags become a plan of questions about captions."""

from __future__ import annotations

import argparse
from pathlib import Path

from banglahallueval.cli.flags import add_asking_flags, client_options
from banglahallueval.cli.providers import (
    add_provider_flags,
    flags_of_other_providers,
    given_flags,
)
from banglahallueval.cli.types import positive
from banglahallueval.errors import UsageError
from banglahallueval.models import PROVIDERS
from banglahallueval.models.options import ProviderName
from banglahallueval.vision.commands.captions import (
    COUNTING,
    add_caption_flags,
    add_plain_flags,
    add_sampling_flags,
    add_wording_flags,
    asked_of,
    check_only_tables,
    options_of,
    scoring,
    settings,
)
from banglahallueval.vision.discriminative.plan import Plan
from banglahallueval.vision.discriminative.predictions import read_predictions
from banglahallueval.vision.discriminative.report import remake
from banglahallueval.vision.discriminative.run import evaluate
from banglahallueval.vision.discriminative.supplied_run import score_predictions
from banglahallueval.vision.pictures import PictureFolder


def add_discriminative_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `hal_eval.py discriminative`."""
    add_caption_flags(parser)
    _add_picture_flags(parser)
    add_wording_flags(parser)
    parser.add_argument(
        "--predictions",
        type=Path,
        metavar="FILE",
        help="score these replies instead of asking: CSV, JSON or JSONL with index (or image), "
        "kind and reply (or answer), or what Hal-Eval's script writes",
    )
    parser.add_argument("--provider", choices=PROVIDERS, help="of the model (default: openai)")
    add_asking_flags(parser, verdicts=False)
    add_provider_flags(parser, scores=False)


def _add_picture_flags(parser: argparse.ArgumentParser) -> None:
    pictures = parser.add_argument_group("pictures")
    pictures.add_argument(
        "--image-root", type=Path, metavar="DIR", help="folder of the pictures that the data names"
    )
    pictures.add_argument(
        "--max-side", type=positive, metavar="PIXELS", help="scale longer pictures down to this"
    )


def run_discriminative(args: argparse.Namespace) -> int:
    """Carry `hal_eval.py discriminative` out and return its exit status.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    options = options_of(args)
    if args.only_tables:
        check_only_tables(
            args,
            _add_picture_flags,
            add_wording_flags,
            add_plain_flags,
            add_provider_flags,
            counting=COUNTING,
        )
        return remake(args.output, args.data, scoring(args), quiet=args.quiet)
    if args.predictions:
        _refuse_asking_flags(args)
        asked = asked_of(args)
        predictions = read_predictions(args.predictions, asked.data.items, asked.ask)
        for note in predictions.notes:
            print(f"Note: {note}")
        folder = PictureFolder(args.image_root) if args.image_root else None
        return score_predictions(asked, predictions, args.output, options, folder)
    provider: ProviderName = args.provider or "openai"
    check_asking(args, provider)
    if args.image_root is None:
        raise UsageError(
            "--image-root names the folder of the pictures; without pictures, --predictions scores "
            "replies that you have, and `baseline` asks without them"
        )
    return evaluate(
        Plan(
            asked_of(args),
            client_options(args, provider, args.model),
            settings(args),
            PictureFolder(args.image_root),
            args.max_side,
            args.output,
            options,
        )
    )


def check_asking(args: argparse.Namespace, provider: str) -> None:
    """Refuse a call that names no model, and flags that would change nothing.

    Raises:
        UsageError: If there are any.
    """
    if args.model is None:
        raise UsageError(f"--provider {provider} needs --model NAME")
    if ignored := flags_of_other_providers(args, {provider}):
        raise UsageError(
            f"--provider {provider} makes no use of {', '.join(ignored)}; leave it out"
        )


def _refuse_asking_flags(args: argparse.Namespace) -> None:
    """Refuse flags that say how a model is asked, where none is.

    Raises:
        UsageError: If there are any.
    """
    ignored = [
        flag
        for flag in given_flags(
            args, _add_picture_flags, add_sampling_flags, add_plain_flags, add_provider_flags
        )
        if flag not in ("--quiet", "--image-root")
    ]
    ignored += ["--provider"] if args.provider else []
    ignored += ["--resume"] if args.resume else []
    if ignored:
        raise UsageError(f"--predictions asks no model; leave out {', '.join(ignored)}")
