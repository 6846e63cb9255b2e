"""What a run says when it ends or is stopped: effort, cost, and how to go on."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from banglahallueval.io.paths import short
from banglahallueval.io.records import record_path
from banglahallueval.io.tables import Table
from banglahallueval.models.types import Cause
from banglahallueval.models.usage import Failed
from banglahallueval.secrets import mask_secrets


def stopped(done: str, store: Path | None, failures: Iterable[Mapping[Cause, Failed]]) -> None:
    """Say what a stopped run has done, and how to go on.

    Args:
        done: What it has done.
        store: Where its replies are kept; None where no model was asked.
        failures: Failed attempts of each model, by cause.
    """
    print(f"\nStopped after {done}; no output was written.")
    if store is None:
        return
    for of_model in filter(None, failures):
        print(f"  {_described(of_model)}")
    # The output that was to be replaced is still there, so that to resume would be to keep it.
    how = "--overwrite" if "--overwrite" in sys.argv else "--resume"
    print(f"  Every reply is kept in {short(store)}. To go on: {resume_command(how)}")


def complete(output: Path) -> None:
    """Say that nothing is left to do."""
    print(f"{short(output)} is complete; nothing left to ask")


def read_as(table: Table) -> None:
    """Say how a file is read, where it is not an ordinary CSV."""
    for note in table.notes:
        print(f"Note: {short(table.path)}: {note}")


def changed_since(output: Path) -> None:
    """Say that an output is not the one its record describes, whoever changed it."""
    print(
        f"Note: {short(output)} is not the file that {record_path(output).name} describes (its "
        "checksum is another); it was changed since"
    )


def repeated(output: Path, rows: int) -> None:
    """Say that an output holds rows more often than its input, as if appended twice."""
    if rows:
        print(
            f"Note: {rows} rows of {short(output)} repeat others; of equal rows, the first "
            "finished ones count"
        )


def to_ask_again(what: str) -> None:
    """Print the command that asks again for what got no reply or no verdict."""
    print(f"To ask again for {what}: {resume_command()}")


def resume_command(how: str = "--resume") -> str:
    """Build the command that goes on where this one stopped, without passwords in addresses.

    Args:
        how: The flag that lets it: `--overwrite` where the output there is of an earlier run.
    """
    given = [word for word in sys.argv[1:] if word not in ("--fresh", "--overwrite", "--resume")]
    return mask_secrets("python " + shlex.join([sys.argv[0], *given, how]))


def _described(failures: Mapping[Cause, Failed]) -> str:
    """Describe failed attempts: how many of each cause, an example, and what to do."""
    counts = ", ".join(f"{cause} {failed.count}" for cause, failed in failures.items())
    lines = [f"{cause}: {each.example}; {each.advice}" for cause, each in failures.items()]
    return "\n    ".join([f"failed attempts: {counts}", *lines])


def effort(done: int, what: str, run: Mapping[str, Any]) -> str:
    """Sum a run up: rows, pace, requests, tokens and cost in one line, then what failed."""
    seconds = run["seconds"]
    rate = f" ({done / seconds:,.1f} rows/s)" if seconds > 0 else ""
    parts = [f"{done} {what} in {seconds:,.1f} s{rate}"]
    if "asked" in run:
        parts.append(f"{run['asked']} asked, {run['from_store']} from the store")
        parts.append(f"{run['prompt_tokens']:,} + {run['completion_tokens']:,} tokens")
        if run["cost_usd"]:
            parts.append(f"${run['cost_usd']:.4f}")
        if run["failed_attempts"]:
            examples = run["failure_examples"]
            counts = run["failed_attempts"].items()
            failures = {cause: Failed(count, **examples[cause]) for cause, count in counts}
            parts.append(_described(failures))
    return "; ".join(parts)
