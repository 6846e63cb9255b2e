"""What a run says: what it is about to do, what came out, and how to go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banglahallueval.io.layouts import Layout
from banglahallueval.io.paths import short
from banglahallueval.io.records import record_path
from banglahallueval.judges.ecot.evidence import GOLD_ON_MAIN, with_evidence
from banglahallueval.labelling.rows import LabelRun, Tally
from banglahallueval.models import server_line
from banglahallueval.models.client import Client
from banglahallueval.models.prices import cost, estimate
from banglahallueval.prompts import Prompt, unseen_evidence
from banglahallueval.runs.summary import effort, to_ask_again


def announce(source: Path, layout: Layout, prompt: Prompt | None) -> None:
    """Say what will be judged, and what the prompt does not show."""
    columns = ", ".join(f"{role} in {name!r}" for role, name in layout.columns.items())
    track = f"{layout.track} track" if layout.track else "your own outputs (no track)"
    print(f"{short(source)}: {layout.task.name}, {track}; {columns}")
    unseen = unseen_evidence(prompt, layout.task) if prompt is not None else ""
    if unseen:
        print(f"Note: {unseen}. Scores of the two do not compare.")
    if "gold" in layout.columns and layout.track == "main":
        print(f"Note: {GOLD_ON_MAIN}.")


def going_on(output: Path, rows: LabelRun) -> None:
    """Say how much of an earlier output is kept."""
    kept = rows.rows.earlier.rows if rows.rows.earlier else 0
    print(f"{short(output)} holds {kept} rows; {rows.rows.to_do} to judge")


def without_record(output: Path) -> None:
    """Say what to do where a run was killed between writing its output and its record."""
    print(
        f"Note: it has no {record_path(output).name}. Its replies are stored, so --overwrite "
        "writes both anew and asks nothing."
    )


def dry_run(rows: LabelRun) -> None:
    """Print the first filled prompt, and what the run would cost."""
    judge = rows.plan.judge
    count = f"{rows.rows.to_do} of {rows.rows.units} rows to judge"
    if judge.prompt is None or judge.client is None or rows.first is None:
        print(f"{count}; nothing was asked")
        return
    print(server_line(judge.client))
    print("---- first prompt ----")
    first = rows.layout.item(rows.first)
    if judge.ecot and "evidence" in judge.prompt.slots:
        first = with_evidence(first, judge.ecot.evidence)
    print(judge.prompt.fill(first))
    print("----------------------")
    characters = rows.characters + rows.rows.to_do * len(judge.prompt.text)
    budget = judge.client.max_tokens or judge.prompt.max_tokens
    asked, answered = estimate(characters, rows.rows.to_do, budget)
    dollars = cost(judge.client.provider, judge.client.model, asked, answered)
    price = "price not known" if dollars is None else f"about ${dollars:.2f}"
    print(
        f"{count}; about {asked:,} prompt tokens and at most {answered:,} reply tokens: {price}. "
        "Nothing was asked."
    )


def so_far(tally: Tally, client: Client | None) -> str:
    """Say what a run has done until now; empty where it has done nothing."""
    if not tally.judged and not (client and client.usage.asked):
        return ""
    return f"{tally.judged} rows ({labels(tally)})"


def finished(output: Path, layout: Layout, tally: Tally, run: dict[str, Any]) -> None:
    """Print counts per label and reason, tokens, cost, time, and how to go on."""
    print(f"{short(output)}: {tally.labels.total()} rows, {labels(tally)}")
    for reason, count in tally.reasons.most_common():
        print(f"  unknown: {count} {reason}")
    if layout.pattern and "Intrinsic" in layout.task.patterns:
        print("  The pattern Intrinsic is what the field calls extrinsic: added, not contradicted.")
    print("  " + effort(tally.judged, "judged", run))
    open_rows = tally.labels["unknown"] - tally.reasons["blank input"]
    if open_rows:
        to_ask_again(f"the {open_rows} unknown rows")


def labels(tally: Tally) -> str:
    """List how many rows have each label."""
    return ", ".join(f"{name} {tally.labels[name]}" for name in ("yes", "no", "unknown"))
