"""What a run says when it ends or is stopped: effort, cost, and how to go on."""

from __future__ import annotations

import shlex
import sys
from typing import Any

from banglahallueval.io.paths import short
from banglahallueval.models.client import Client


def stopped(done: str, client: Client | None) -> None:
    """What a run that was broken off has done, and how to go on."""
    print(f"\nStopped after {done}; no output was written.")
    if client is None:
        return
    if client.usage.failures:
        print("  failed attempts: " + _counts(client.usage.failures))
    # The output that was to be replaced is still there, so that to resume would be to keep it.
    how = "--overwrite" if "--overwrite" in sys.argv else "--resume"
    print(f"  Every reply is kept in {short(client.store.path)}. To go on: {resume_command(how)}")


def resume_command(how: str = "--resume") -> str:
    """The command as it was given, so that it goes on where it stopped.

    Args:
        how: The flag that lets it: `--overwrite` where the output there is of an earlier run.
    """
    given = [word for word in sys.argv[1:] if word not in ("--fresh", "--overwrite", "--resume")]
    return "python " + shlex.join([sys.argv[0], *given, how])


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())


def effort(done: int, what: str, run: dict[str, Any]) -> str:
    """One line on rows, pace, requests, tokens and cost of a run."""
    seconds = run["seconds"]
    rate = f" ({done / seconds:,.1f} rows/s)" if seconds > 0 else ""
    parts = [f"{done} {what} in {seconds:,.1f} s{rate}"]
    if "asked" in run:
        parts.append(f"{run['asked']} asked, {run['from_store']} from the store")
        parts.append(f"{run['prompt_tokens']:,} + {run['completion_tokens']:,} tokens")
        if run["cost_usd"]:
            parts.append(f"${run['cost_usd']:.4f}")
        if run["failed_attempts"]:
            parts.append("failed attempts: " + _counts(run["failed_attempts"]))
    return "; ".join(parts)
