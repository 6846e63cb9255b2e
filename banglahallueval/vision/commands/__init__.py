"""The commands behind `scripts/hal_eval.py`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from banglahallueval.cli.parser import new_parser
from banglahallueval.vision.commands.baseline import add_baseline_flags, run_baseline
from banglahallueval.vision.commands.correlate import add_correlate_flags, run_correlate
from banglahallueval.vision.commands.discriminative import (
    add_discriminative_flags,
    run_discriminative,
)
from banglahallueval.vision.commands.generative import add_generative_flags, run_generative


class _Command(NamedTuple):
    """A sub-command: what `--help` says of it, its flags, and what it does."""

    about: str
    add_flags: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


_COMMANDS: Mapping[str, _Command] = {
    "discriminative": _Command(
        "ask whether captions match their pictures, or what is wrong with them",
        add_discriminative_flags,
        run_discriminative,
    ),
    "generative": _Command(
        "have pictures described, and a judge look for hallucinations in the descriptions",
        add_generative_flags,
        run_generative,
    ),
    "correlate": _Command(
        "how far automatic scores agree with people's", add_correlate_flags, run_correlate
    ),
    "baseline": _Command(
        "how much can be guessed without the pictures, by rules or by a model",
        add_baseline_flags,
        run_baseline,
    ),
}


def hal_eval(doc: str | None, argv: Sequence[str] | None = None) -> int:
    """Run `scripts/hal_eval.py` and return its exit status.

    Raises:
        UsageError: If the call or its input is wrong; nothing was asked.
        RunError: If the run could not go on; every reply it got is in the store.
    """
    parser = new_parser(doc)
    commands = parser.add_subparsers(dest="command", required=True, metavar="|".join(_COMMANDS))
    for name, command in _COMMANDS.items():
        sub = commands.add_parser(name, help=command.about, description=command.about)
        command.add_flags(sub)
    args = parser.parse_args(argv)
    return _COMMANDS[args.command].run(args)
