"""The sub-command `baseline`: how much can be guessed without the pictures."""

from __future__ import annotations

import argparse

from banglahallueval.cli.flags import add_asking_flags, client_options
from banglahallueval.cli.providers import add_provider_flags, given_flags
from banglahallueval.errors import UsageError
from banglahallueval.models import PROVIDERS
from banglahallueval.models.options import ProviderName
from banglahallueval.vision.commands.captions import (
    COUNTING,
    add_caption_flags,
    add_plain_flags,
    add_wording_flags,
    asked_of,
    check_only_tables,
    options_of,
    scoring,
    settings,
)
from banglahallueval.vision.commands.discriminative import check_asking
from banglahallueval.vision.discriminative.plan import Plan
from banglahallueval.vision.discriminative.report import remake
from banglahallueval.vision.discriminative.run import evaluate
from banglahallueval.vision.guessing.run import guess_all


def add_baseline_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of `hal_eval.py baseline`."""
    add_caption_flags(parser)
    add_wording_flags(parser)
    parser.add_argument(
        "--provider",
        choices=PROVIDERS,
        help="ask a model the same questions without the pictures (default: no model; rules guess "
        "from the look of the captions)",
    )
    add_asking_flags(parser, verdicts=False)
    add_provider_flags(parser, scores=False)


def run_baseline(args: argparse.Namespace) -> int:
    """Carry `hal_eval.py baseline` out and return its exit status.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    options = options_of(args)
    if args.only_tables:
        check_only_tables(
            args, add_wording_flags, add_plain_flags, add_provider_flags, counting=COUNTING
        )
        return remake(args.output, args.data, scoring(args), quiet=args.quiet)
    if args.provider is None and args.model is None:
        _refuse_asking_flags(args)
        return guess_all(asked_of(args), args.output, options)
    provider: ProviderName = args.provider or "openai"
    check_asking(args, provider)
    return evaluate(
        Plan(
            asked_of(args),
            client_options(args, provider, args.model),
            settings(args),
            None,
            None,
            args.output,
            options,
        )
    )


def _refuse_asking_flags(args: argparse.Namespace) -> None:
    """Refuse flags that say how a model is asked, where rules guess.

    Raises:
        UsageError: If there are any.
    """
    ignored = [
        flag
        for flag in given_flags(args, add_wording_flags, add_plain_flags, add_provider_flags)
        if flag != "--quiet"
    ]
    ignored += ["--resume"] if args.resume else []
    if ignored:
        raise UsageError(
            f"without --model, rules guess and nobody is asked; leave out {', '.join(ignored)}"
        )
