"""What a run says: what it is about to do, what came out, and how to go on."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from banglahallueval.io.layouts import Layout
from banglahallueval.io.paths import short
from banglahallueval.io.records import record_path
from banglahallueval.judges.ecot.evidence import DEFAULT_EVIDENCE, GOLD_ON_MAIN, with_evidence
from banglahallueval.labelling.rows import Job, Survey, Tally
from banglahallueval.models.prices import cost, estimate
from banglahallueval.prompts import Prompt, unseen_evidence
from banglahallueval.runs.summary import effort, resume_command


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


def labels(tally: Tally) -> str:
    """How many rows have each label."""
    return ", ".join(f"{name} {tally.labels[name]}" for name in ("yes", "no", "unknown"))
