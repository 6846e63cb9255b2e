"""The flags that say which captions are asked about, how, and what is counted."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from banglahallueval.cli.flags import add_asking_flags, run_options
from banglahallueval.cli.providers import given_flags
from banglahallueval.cli.types import count, positive, seed, temperature
from banglahallueval.errors import UsageError
from banglahallueval.runs.options import RowRange, RunOptions
from banglahallueval.vision.asking import Settings
from banglahallueval.vision.data import read_items
from banglahallueval.vision.discriminative.metrics import POSITIVES, UNPARSED_POLICIES, Scoring
from banglahallueval.vision.discriminative.plan import Asked
from banglahallueval.vision.prompts import ASKS, LANGUAGES, WORDINGS, caption_wording
from banglahallueval.vision.types import HALLUCINATIONS

COUNTING: Final = ("--positive", "--unparsed")  # with --clean, what tables alone depend on


def add_caption_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say which captions there are, and where the rows go."""
    data = parser.add_argument_group("captions and files")
    data.add_argument(
        "--data", type=Path, required=True, metavar="JSON", help="Hal-Eval's file, in either form"
    )
    data.add_argument("--output", type=Path, required=True, metavar="CSV", help="the rows")
    _add_selecting_flags(data)
    data.add_argument(
        "--clean",
        action="store_true",
        help="leave out defective captions: refusals, copies of the true one, texts under two "
        "types, repeated pictures; empty ones are never asked about",
    )
    data.add_argument(
        "--resume", action="store_true", help="keep the answers that are there, ask for the rest"
    )
    data.add_argument("--overwrite", action="store_true", help="replace an output that is there")


def _add_selecting_flags(parser: argparse._ActionsContainer) -> None:
    """Add the flags that say which captions are asked about."""
    add_slice_flags(parser)
    parser.add_argument(
        "--kinds",
        nargs="+",
        choices=HALLUCINATIONS,
        default=list(HALLUCINATIONS),
        metavar="TYPE",
        help=f"types of wrong captions, beside the true ones: {', '.join(HALLUCINATIONS)} "
        "(default: all)",
    )


def add_wording_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say how captions are asked about."""
    how = parser.add_argument_group("how captions are asked about")
    how.add_argument(
        "--ask",
        choices=ASKS,
        default="match",
        help="whether the caption matches, or which type of hallucination it holds (default: "
        "match)",
    )
    how.add_argument(
        "--prompt",
        metavar="NAME|FILE",
        help=f"{', '.join(WORDINGS['match'])} of --ask match, {', '.join(WORDINGS['type'])} of "
        "--ask type, or your template, with {caption} (default: the first of these)",
    )
    how.add_argument(
        "--lang", choices=LANGUAGES, default="en", help="of the prompt (default: %(default)s)"
    )
    add_sampling_flags(how)
    counts = parser.add_argument_group("what the tables count")
    counts.add_argument(
        "--unparsed",
        choices=UNPARSED_POLICIES,
        default="drop",
        help="what becomes of replies that hold no answer (default: drop)",
    )
    counts.add_argument(
        "--positive",
        choices=POSITIVES,
        help="the class of precision, recall and F1: that the caption matches, as published, or "
        "that it is hallucinated (default: matches)",
    )
    counts.add_argument(
        "--only-tables",
        action="store_true",
        help="make the tables of an output that is there anew, and ask nothing",
    )


def add_slice_flags(parser: argparse._ActionsContainer) -> None:
    """Add the flags that say which items of the data are taken."""
    parser.add_argument("--start", type=count, default=0, help="first item, from 0 (default: 0)")
    parser.add_argument("--end", type=count, help="item after the last (default: all items)")
    parser.add_argument("--limit", type=positive, help="at most this many items of the slice")


def add_sampling_flags(parser: argparse._ActionsContainer) -> None:
    """Add the flags that say how replies are sampled."""
    parser.add_argument(
        "--temperature",
        type=temperature,
        default=0.0,
        help="(default: 0; Hal-Eval's script samples at 0.2)",
    )
    parser.add_argument("--seed", type=seed, help="sent with every request")


def settings(args: argparse.Namespace) -> Settings:
    """Read how every question is put."""
    return Settings(args.temperature, args.seed, args.max_tokens)


def scoring(args: argparse.Namespace) -> Scoring:
    """Read what the tables count."""
    return Scoring(args.positive or "matches", args.unparsed, args.clean)


def check_only_tables(
    args: argparse.Namespace,
    *adding: Callable[[argparse.ArgumentParser], None],
    counting: Collection[str],
) -> None:
    """Refuse flags that change nothing where tables alone are made.

    Args:
        args: The flags given.
        adding: Add the flags to look at, beside those that every command of captions has.
        counting: The flags among them that say what is counted.

    Raises:
        UsageError: If there are any.
    """
    given = given_flags(args, _add_selecting_flags, *adding)
    ignored = [flag for flag in given if flag not in (*counting, "--only-tables", "--quiet")]
    ignored += [
        f"--{name}"
        for name in ("resume", "overwrite", "provider", "predictions", "descriptions")
        if getattr(args, name, None)
    ]
    if ignored:
        raise UsageError(
            "--only-tables counts anew what the output holds, and asks and selects nothing; leave "
            f"out {', '.join(dict.fromkeys(ignored))}"
        )


def add_plain_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of asking that any model has."""
    add_asking_flags(parser, verdicts=False)


def options_of(args: argparse.Namespace) -> RunOptions:
    """Read what to do with an output that exists.

    Raises:
        UsageError: If it is both kept and replaced.
    """
    if args.resume and args.overwrite:
        raise UsageError("--resume keeps answers and --overwrite replaces them; take one")
    return run_options(args)


def asked_of(args: argparse.Namespace) -> Asked:
    """Read the data, say what is wrong with it, and settle what is asked.

    Raises:
        UsageError: If the data or the prompt cannot be used.
    """
    if args.ask == "type" and args.positive:
        raise UsageError("--positive is for --ask match; --ask type scores each type")
    wording = caption_wording(args.ask, args.prompt, args.lang)
    asked = Asked(
        read_items(args.data),
        args.ask,
        wording,
        args.lang,
        ("true", *args.kinds),
        RowRange(args.start, args.end, args.limit),
        scoring(args),
    )
    if not args.quiet:
        tell(asked)
    return asked


def tell(asked: Asked) -> None:
    """Say what was read, and what in it is defective."""
    data = asked.data
    print(f"{data.path}: {len(data.items):,} items, {len(data.questions()):,} captions")
    for note in data.notes:
        print(f"Note: {note}")
    for said in asked.defects.sentences():
        is_left_out = asked.scoring.clean or said.endswith(": empty")
        print(f"Note: {said}; {'left out' if is_left_out else '--clean leaves them out'}")
