"""What a run says: what it is about to do, what came out, and how to go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from banglahallueval.io.flagged import describe_left_out
from banglahallueval.io.labelled import ORIGIN_COLUMN
from banglahallueval.io.layouts import Layout
from banglahallueval.io.paths import short
from banglahallueval.io.records import record_path
from banglahallueval.io.tables import Table
from banglahallueval.judges.ecot.evidence import GOLD_ON_MAIN, with_evidence
from banglahallueval.labelling.rows import LabelRun, Tally
from banglahallueval.models import server_line
from banglahallueval.models.client import Client
from banglahallueval.models.prices import Estimate
from banglahallueval.prompts import Prompt, unseen_evidence
from banglahallueval.runs.session import RunSession
from banglahallueval.runs.summary import (
    complete,
    effort,
    read_as,
    repeated,
    resume_command,
    to_ask_again,
)
from banglahallueval.verdicts import NOTHING_TO_CHECK

# Reasons for which asking again brings no label.
FINAL = frozenset({"blank input", NOTHING_TO_CHECK})


def announce(table: Table, layout: Layout, prompt: Prompt | None) -> None:
    """Say what will be judged, and what the prompt does not show."""
    columns = ", ".join(f"{role} in {name!r}" for role, name in layout.columns.items())
    track = f"{layout.track} track" if layout.track else "your own outputs (no track)"
    print(f"{short(table.path)}: {layout.task.name}, {track}; {columns}")
    read_as(table)
    unseen = unseen_evidence(prompt, layout.task) if prompt is not None else ""
    if unseen:
        print(f"Note: {unseen}. Scores of the two do not compare.")
    if "gold" in layout.columns and layout.track == "main":
        print(f"Note: {GOLD_ON_MAIN}.")


def left_out(rows: LabelRun) -> None:
    """Say how many rows are left out, with `--quiet`, too: the output lacks them."""
    if rows.flagged:
        print(f"{short(rows.table.path)}: {describe_left_out(rows.flagged)}")


def earlier(rows: LabelRun, session: RunSession) -> None:
    """Say what is kept of an existing output, and whether its record names who labelled it.

    Notes are printed with `--quiet`, too: labels and columns depend on them.
    """
    output, left = rows.plan.output, rows.rows.to_do
    if not left:
        complete(output)
    elif not rows.plan.options.quiet:
        kept = rows.rows.earlier.rows if rows.rows.earlier else 0
        print(f"{short(output)} holds {kept} rows; {left} to judge")
    repeated(output, rows.rows.repeated)
    if not session.record_holds:
        _unknown_origin(session, left)
    if rows.dropped and left:
        names = ", ".join(map(repr, rows.dropped))
        print(f"Note: columns of {short(output)} that the input lacks are left out: {names}")


def _unknown_origin(session: RunSession, left: int) -> None:
    record = record_path(session.output).name
    lacks = f"{record} does not hold for it" if session.earlier else f"it has no {record}"
    print(f"Note: {lacks}, so it is unknown who gave its labels")
    if left:
        print(
            f"  They are kept and marked in the column {ORIGIN_COLUMN}; scores do not credit this "
            "judge with them"
        )
    elif session.has_store:
        print("  Its replies are stored, so --overwrite writes both anew and asks nothing")


def dry_run(rows: LabelRun) -> None:
    """Print the first filled prompt, and what the run would cost."""
    judge = rows.plan.judge
    count = f"{rows.rows.to_do} of {rows.rows.units} rows to judge"
    if rows.settled:
        count += f", {rows.settled} of them settled by the offline judge"
    if judge.classifier:
        print(f"Running {judge.classifier.model} on this machine")
    prompt = first_prompt(rows)
    if not prompt:
        print(f"{count}; nothing was asked")
        return
    for client in judge.clients:
        print(server_line(client))
    print("---- first prompt ----")
    print(prompt)
    print("----------------------")
    total = Estimate()
    for client in judge.clients:
        needed = rows.estimate_of(client)
        total += needed
        if len(judge.clients) > 1:
            print(f"{client.provider}:{client.model}: {needed.requests} requests; {needed}")
    print(f"{count}, {total.requests} requests; {total}. Nothing was asked.")


def first_prompt(rows: LabelRun) -> str:
    """Fill the prompt of the first row to judge; empty where no model is asked of any."""
    judge = rows.plan.judge
    if judge.prompt is None or not judge.clients or rows.first is None:
        return ""
    first = rows.layout.item(rows.first)
    if judge.ecot and "evidence" in judge.prompt.slots:
        first = with_evidence(first, judge.ecot.evidence)
    return judge.prompt.fill(first)


def lacks_votes(votes: Mapping[str, int]) -> None:
    """Say whose votes are missing in a panel, and how to have them."""
    for member, count in votes.items():
        print(f"Note: {member} gave no reply for {count} rows; the other votes decided")
    print(f"  Stored replies are not asked for again: {resume_command('--overwrite')}")


def so_far(tally: Tally, clients: Sequence[Client]) -> str:
    """Say what a run has done until now; empty where it has done nothing."""
    if not tally.judged and not any(client.usage.asked for client in clients):
        return ""
    return f"{tally.judged} rows ({labels(tally)})"


def finished(output: Path, layout: Layout, tally: Tally, run: dict[str, Any]) -> None:
    """Print counts per label and reason, tokens, cost, time, and how to go on."""
    print(f"{short(output)}: {tally.labels.total()} rows, {labels(tally)}")
    if tally.kept:
        print(f"  of these kept, of unknown origin: {_counted(tally.kept)}")
    for reason, count in tally.reasons.most_common():
        print(f"  unknown: {count} {reason}")
    if layout.pattern and "Intrinsic" in layout.task.patterns:
        print("  The pattern Intrinsic is what the field calls extrinsic: added, not contradicted.")
    print("  " + effort(tally.judged, "judged", run))
    open_rows = tally.labels["unknown"] - sum(tally.reasons[reason] for reason in FINAL)
    if open_rows:
        to_ask_again(f"the {open_rows} unknown rows")


def labels(tally: Tally) -> str:
    """List how many rows have each label."""
    return _counted(tally.labels)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {counts[name]}" for name in ("yes", "no", "unknown"))
