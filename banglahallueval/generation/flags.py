"""The flags of the generation scripts."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from pathlib import Path

from banglahallueval.cli.flags import (
    ALL_PROVIDERS,
    add_asking_flags,
    add_provider_flags,
    add_run_flags,
    of_other_providers,
)
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.types import count, positive, ratio, temperature
from banglahallueval.errors import UsageError
from banglahallueval.generation.run import generate
from banglahallueval.tasks import TASKS


def add_model_flags(parser: argparse.ArgumentParser, *, one_model: bool = True) -> None:
    """Everything that asking models takes, whatever their provider."""
    add_asking_flags(parser, verdicts=False, one_model=one_model)
    add_provider_flags(parser, ALL_PROVIDERS)


def refuse_ignored(
    args: argparse.Namespace, providers: Collection[str], more: Sequence[str] = ()
) -> None:
    """Refuse flags that would change nothing of what these providers' models write.

    Args:
        args: The parsed flags.
        providers: The providers that are asked.
        more: Further flags that were given and change nothing.

    Raises:
        UsageError: If there are any.
    """
    ignored = [*of_other_providers(args, providers), *more]
    if "hf" in providers and args.decode == "score":
        ignored.append("--decode score")
    if ignored:
        named = " and ".join(providers)
        raise UsageError(f"--provider {named} makes no use of {', '.join(ignored)}; leave it out")


def generate_main(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """`scripts/generate_hallucinations.py`."""
    parser = new_parser(doc)
    what = parser.add_argument_group("what is generated, and by whom")
    what.add_argument("--task", choices=list(TASKS), required=True)
    what.add_argument("--provider", choices=ALL_PROVIDERS, default="openai")
    what.add_argument(
        "--patterns", metavar="A,B", help="these patterns only (default: the published ones)"
    )
    what.add_argument(
        "--all-types",
        action="store_true",
        help="reasoning: every type for every problem, not one in turn",
    )
    what.add_argument(
        "--pilot", type=positive, metavar="N", help="draw N source rows, decided by --seed"
    )
    what.add_argument(
        "--sentence-gold",
        action="store_true",
        help="qa, codemix: rewrite gold answers that are bare spans into full sentences first; "
        "OUTPUT_main.csv then holds the gold file that goes with the candidates",
    )
    what.add_argument("--frame", type=Path, metavar="FILE", help="your own prompt frame")
    what.add_argument("--seed", type=count, default=42, help="(default: 42)")
    what.add_argument("--temperature", type=temperature, default=0.7, help="(default: 0.7)")
    what.add_argument(
        "--tries",
        type=positive,
        default=3,
        help="ask for a candidate that fails a check at most so often (default: 3)",
    )
    what.add_argument(
        "--length-ratio",
        type=ratio,
        default=1.5,
        metavar="R",
        help="a candidate may be R times as long as gold, or gold as it (default: 1.5)",
    )
    add_run_flags(
        parser,
        reads="the gold file (default: the task's main file)",
        writes='the candidate file (default: under "Hallucination Generated Answers")',
        keeps="its candidates",
    )
    add_model_flags(parser)
    args = parser.parse_args(argv)
    refuse_ignored(args, [args.provider])
    return generate(args)
