"""The flags of few-shot prompts."""

from __future__ import annotations

import argparse
from pathlib import Path

from banglahallueval.cli.types import positive, seed
from banglahallueval.errors import UsageError
from banglahallueval.io.examples import ExampleOptions
from banglahallueval.prompts import Prompt


def add_example_flags(parser: argparse.ArgumentParser, *, seeded: bool = False) -> None:
    """Add the flags of few-shot prompts; None stands for the default of each.

    Args:
        parser: The parser to add them to.
        seeded: Whether the script has a `--seed` already.
    """
    group = parser.add_argument_group("few-shot prompts (TASK.few_shot)")
    default = ExampleOptions()
    group.add_argument(
        "--shots", type=positive, metavar="K", help=f"examples (default: {default.shots})"
    )
    group.add_argument(
        "--examples",
        nargs="+",
        type=Path,
        metavar="CSV",
        help="where they are drawn from: files of both tracks, or a contrast set (default: the "
        "task's contrast set); no source of the rows to judge is used",
    )
    if not seeded:
        group.add_argument("--seed", type=seed, help=f"of the draw (default: {default.seed})")


def example_options(args: argparse.Namespace, prompt: Prompt | None) -> ExampleOptions | None:
    """Read the options of a few-shot prompt; None for a prompt without a slot for examples.

    Raises:
        UsageError: If they are given for such a prompt.
    """
    if prompt and prompt.takes_examples:
        return few_shot_options(args)
    refuse_example_flags(args)
    return None


def refuse_example_flags(args: argparse.Namespace, *, seeded: bool = False) -> None:
    """Refuse the flags of few-shot prompts where no such prompt is used.

    Args:
        args: The flags.
        seeded: Whether `--seed` has another use.

    Raises:
        UsageError: If one of them was given.
    """
    names = ("shots", "examples") if seeded else ("shots", "examples", "seed")
    given = [f"--{name}" for name in names if getattr(args, name) is not None]
    if given:
        few_shot = "few_shot to --prompts" if seeded else "--prompt TASK.few_shot"
        raise UsageError(f"{', '.join(given)}: for few-shot prompts only; add {few_shot}")


def few_shot_options(args: argparse.Namespace) -> ExampleOptions:
    """Read `--shots`, `--examples` and `--seed`."""
    default = ExampleOptions()
    return ExampleOptions(
        args.shots or default.shots,
        default.seed if args.seed is None else args.seed,
        tuple(args.examples or ()),
    )
