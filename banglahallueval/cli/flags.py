"""The flags that scripts share, and the options they become."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
from pathlib import Path

import regex

from banglahallueval.cli.providers import provider_options
from banglahallueval.cli.types import count, positive, positive_number
from banglahallueval.errors import UsageError
from banglahallueval.models.options import CONCURRENCY, ClientOptions, ProviderName
from banglahallueval.prompts import default_name, names
from banglahallueval.runs.options import RowRange, RunOptions
from banglahallueval.tasks import TASKS, TaskName

# One ROLE=NAME of `--columns`, up to the comma behind it or the end.
_COLUMN = regex.compile(
    r"""\s*(?P<role>[^\s=,"]+)\s*=
    \s*(?:"(?P<quoted>(?:[^"]|"")*)"|(?P<plain>[^\s",][^,]*?))\s*(?=,|\Z)""",
    regex.VERBOSE,
)


def add_run_flags(
    parser: argparse.ArgumentParser,
    *,
    reads: str = "the file to label",
    writes: str = "the labelled file (default: TASK FOLDER/Results/INPUT_MODEL.csv)",
    keeps: str = "its yes and no labels",
    tasks: Collection[TaskName] = tuple(TASKS),
) -> None:
    """Add the flags that say which rows go from where to where, and what a run keeps.

    Args:
        parser: The parser to add them to.
        reads: What the input is.
        writes: What the output is, and where it is by default.
        keeps: What a resumed run keeps of an output that is there.
        tasks: Whose input may be a file of the user's own, with other column names.
    """
    files = parser.add_argument_group("files and rows")
    files.add_argument("--input", type=Path, metavar="CSV", help=reads)
    files.add_argument("--output", type=Path, metavar="CSV", help=writes)
    files.add_argument("--start", type=count, default=0, help="first row, from 0 (default: 0)")
    files.add_argument("--end", type=count, help="row after the last (default: all rows)")
    files.add_argument("--limit", type=positive, help="at most this many rows of the slice")
    if tasks:
        add_columns_flag(files, tasks)
    files.add_argument(
        "--resume",
        action="store_true",
        help=f"add to an output that is there: keep {keeps}, ask for the rest",
    )
    files.add_argument("--overwrite", action="store_true", help="replace an output that is there")


def add_columns_flag(
    group: argparse._ActionsContainer, tasks: Collection[TaskName] = tuple(TASKS)
) -> None:
    """Add `--columns`, with the roles that the files of these tasks have."""
    roles: dict[str, list[str]] = {}
    for task in tasks:
        roles.setdefault(", ".join(TASKS[task].column_roles), []).append(task)
    listed = "; ".join(f"{', '.join(which)}: {names}" for names, which in roles.items())
    group.add_argument(
        "--columns",
        metavar="ROLE=NAME,…",
        help="columns of your own file, as in answer=my_answer,context=passage; quote a name "
        f"""as in CSV if it holds a comma: 'answer="right, or nearly"'. Roles of {listed}""",
    )


def add_asking_flags(
    parser: argparse.ArgumentParser,
    *,
    verdicts: bool = True,
    one_model: bool = True,
    prompts: Mapping[TaskName, str] | None = None,
) -> None:
    """Add the flags that say how a model is asked, whatever its provider.

    Args:
        parser: The parser to add them to.
        verdicts: Whether the model is asked for verdicts.
        one_model: Whether one model writes one output with one prompt; else the flags that name
            its model, prompt and store are left out.
        prompts: The tasks whose verdicts are asked for, each with its default prompt; None for all
            with their standard prompts.
    """
    asking = parser.add_argument_group("asking the model")
    if one_model:
        asking.add_argument("--model", help="the model's name at its provider")
    if verdicts and one_model:
        prompts = prompts or {task: default_name(task) for task in TASKS}
        named = [name for task in prompts for name in names(task)]
        asking.add_argument(
            "--prompt",
            metavar="NAME|FILE",
            help=f"your own template, or one of {', '.join(named)} (default: "
            f"{', '.join(prompts.values())})",
        )
        asking.add_argument(
            "--force-binary",
            action="store_true",
            help="ask again, constrained, where a reply holds no verdict; never makes a label up",
        )
    asking.add_argument("--max-tokens", type=positive, help="reply budget (default: the prompt's)")
    usual = ", ".join(f"{number} for {name}" for name, number in CONCURRENCY.items())
    asking.add_argument(
        "--concurrency", type=positive, help=f"most requests in flight (default: {usual})"
    )
    asking.add_argument(
        "--rpm-limit", type=positive_number, help="most requests a minute (default: no limit)"
    )
    asking.add_argument(
        "--max-retries", type=count, default=6, help="retries of a failed request (default: 6)"
    )
    asking.add_argument(
        "--timeout", type=positive_number, default=120.0, help="seconds for a reply (default: 120)"
    )
    if one_model:
        asking.add_argument(
            "--store",
            type=Path,
            metavar="FILE",
            help="reply store (default: OUTPUT.replies.sqlite)",
        )
    asking.add_argument("--fresh", action="store_true", help="ask again what the store holds")
    asking.add_argument(
        "--dry-run",
        action="store_true",
        help="print the first filled prompt and what the run would cost; ask nothing",
    )
    asking.add_argument("--quiet", action="store_true", help="no progress bar, no summary")


def row_range(args: argparse.Namespace) -> RowRange:
    """Read `--start`, `--end` and `--limit`."""
    return RowRange(args.start, args.end, args.limit)


def run_options(args: argparse.Namespace) -> RunOptions:
    """Read `--resume`, `--overwrite`, `--fresh`, `--dry-run` and `--quiet`."""
    return RunOptions(args.resume, args.overwrite, args.fresh, args.dry_run, args.quiet)


def client_options(args: argparse.Namespace, provider: ProviderName, model: str) -> ClientOptions:
    """Read how a model is asked."""
    return ClientOptions(
        provider,
        model,
        provider_options(args),
        max_tokens=args.max_tokens,
        max_in_flight=args.concurrency,
        rpm_limit=args.rpm_limit,
        max_retries=args.max_retries,
        timeout=args.timeout,
        store=getattr(args, "store", None),
    )


def read_columns(text: str | None) -> Mapping[str, str]:
    """Read `--columns`: role to column name.

    A name stands as it is, without spaces around it, or in double quotes as a CSV field does: then
    it may hold commas, quotes (each doubled), and spaces at its ends.

    Raises:
        UsageError: If a part is not ROLE=NAME.
    """
    columns: dict[str, str] = {}
    at = 0
    while text and at <= len(text):
        found = _COLUMN.match(text, at)
        if not found:
            part = text[at:].partition(",")[0]
            raise UsageError(
                f"--columns {text!r}: {part!r} is not ROLE=NAME; quote a name that holds a comma, "
                """as in 'answer="right, or nearly",context=passage'"""
            )
        role, quoted, plain = found.group("role", "quoted", "plain")
        if role in columns:
            raise UsageError(f"--columns {text!r} names {role} twice")
        columns[role] = plain if quoted is None else quoted.replace('""', '"')
        at = found.end() + 1
    return columns
