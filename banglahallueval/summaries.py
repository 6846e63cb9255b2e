"""What a run says: what it is about to do, what came out, and how to go on."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any

from banglahallueval.costs import cost, estimate
from banglahallueval.judges.ecot.evidence import DEFAULT_EVIDENCE, GOLD_ON_MAIN, with_evidence
from banglahallueval.labelling import Job, Survey, Tally
from banglahallueval.layouts import Layout
from banglahallueval.models.client import Client
from banglahallueval.paths import short
from banglahallueval.prompts import Prompt, unseen_evidence
from banglahallueval.records import record_path


def announce(source: Path, layout: Layout, prompt: Prompt | None) -> None:
    """What will be judged, and what the prompt does not show."""
    columns = ", ".join(f"{role} in {name!r}" for role, name in layout.columns.items())
    track = f"{layout.track} track" if layout.track else "your own outputs (no track)"
    print(f"{short(source)}: {layout.task.name}, {track}; {columns}")
    unseen = unseen_evidence(prompt, layout.task) if prompt is not None else ""
    if unseen:
        print(f"Note: {unseen}. Scores of the two do not compare.")
    if "gold" in layout.columns and layout.track == "main":
        print(f"Note: {GOLD_ON_MAIN}.")


def going_on(output: Path, found: Survey, *, quiet: bool) -> None:
    """How much of an earlier output is kept."""
    if found.earlier and not quiet:
        kept = sum(map(len, found.earlier.labels.values()))
        print(f"{short(output)} holds {kept} rows; {found.to_judge} to judge")


def complete(output: Path) -> None:
    """Nothing is left to do."""
    print(f"{short(output)} is complete; nothing left to ask")


def without_record(output: Path) -> None:
    """A run was killed after it had written its output and before it had written its record."""
    print(
        f"Note: it has no {record_path(output).name}. Its replies are stored, so --overwrite "
        "writes both anew and asks nothing."
    )


def dry_run(
    prompt: Prompt | None, job: Job, found: Survey, provider: str, args: argparse.Namespace
) -> None:
    """The first filled prompt, and what the run would cost."""
    rows = f"{found.to_judge} of {found.rows} rows to judge"
    if prompt is None or found.first is None:
        print(f"{rows}; nothing was asked")
        return
    print("---- first prompt ----")
    first = job.layout.item(found.first)
    if "evidence" in prompt.slots:
        first = with_evidence(first, args.evidence or DEFAULT_EVIDENCE)
    print(prompt.fill(first))
    print("----------------------")
    characters = found.characters + found.to_judge * len(prompt.text)
    budget = args.max_tokens or prompt.max_tokens
    asked, answered = estimate(characters, found.to_judge, budget)
    dollars = cost(provider, args.model or "", asked, answered)
    price = "price not known" if dollars is None else f"about ${dollars:.2f}"
    print(
        f"{rows}; about {asked:,} prompt tokens and at most {answered:,} reply tokens: {price}. "
        "Nothing was asked."
    )


def finished(output: Path, layout: Layout, tally: Tally, run: dict[str, Any]) -> None:
    """Counts per label and reason, tokens, cost, time, and how to go on."""
    print(f"{short(output)}: {tally.labels.total()} rows, {labels(tally)}")
    for reason, count in tally.reasons.most_common():
        print(f"  unknown: {count} {reason}")
    if layout.pattern and "Intrinsic" in layout.task.patterns:
        print("  The pattern Intrinsic is what the field calls extrinsic: added, not contradicted.")
    print("  " + effort(tally.judged, "judged", run))
    open_rows = tally.labels["unknown"] - tally.reasons["blank input"]
    if open_rows:
        print(f"To ask again for the {open_rows} unknown rows: {resume_command()}")


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


def labels(tally: Tally) -> str:
    """How many rows have each label."""
    return ", ".join(f"{name} {tally.labels[name]}" for name in ("yes", "no", "unknown"))


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
