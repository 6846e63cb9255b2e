"""Results of a harness become a labelled file with its run record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Literal, get_args

from banglahallueval.errors import UsageError
from banglahallueval.harnesses import inspect_results, lm_eval_results
from banglahallueval.harnesses.matching import Matched, keys_of, match
from banglahallueval.harnesses.results import NO_REPLY, HarnessRun
from banglahallueval.harnesses.rows import open_unlabelled
from banglahallueval.hashing import file_sha256
from banglahallueval.io.labelled import OUTPUT_COLUMNS, output_cells
from banglahallueval.io.paths import keep_apart, short
from banglahallueval.io.tables import Table
from banglahallueval.runs.options import RunOptions
from banglahallueval.runs.session import RunSession
from banglahallueval.verdicts import Label

Harness = Literal["lm-eval", "inspect"]
HARNESSES: tuple[Harness, ...] = get_args(Harness)
_LABELS: tuple[Label, ...] = get_args(Label)


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """Which results become which labelled file.

    Attributes:
        harness: What wrote the results.
        results: A file of it, or a folder of such files.
        input: The benchmark's file that was exported.
        output: The labelled file.
        partial: Whether rows without a result are left out; else they are an error.
        overwrite: Whether an existing output is replaced.
    """

    harness: Harness
    results: Path
    input: Path
    output: Path
    partial: bool = False
    overwrite: bool = False


def import_results(plan: ImportPlan) -> int:
    """Carry a plan out.

    Returns:
        The exit status: 0, or 1 if rows got no reply.

    Raises:
        UsageError: If the results cannot be read, are not those of the input's rows or not of all
            of them, or the output may not be written.
    """
    keep_apart(plan.input, output=plan.output)
    if plan.output.exists() and not plan.overwrite:
        raise UsageError(f"{plan.output} is there already; name another, or --overwrite it")
    table = open_unlabelled(plan.input)
    run = _chosen(plan, table)
    matched = match(table, run)
    if matched.missing and not plan.partial:
        first = matched.missing[0]
        unfinished = "" if run.is_finished else "; the run did not come to its end"
        raise UsageError(
            f"{run.path} has no result for {len(matched.missing)} of {matched.total} rows of "
            f"{plan.input} (the first is row {first}, from 0){unfinished}; finish the run, or take "
            "what is there with --partial"
        )
    options = RunOptions(overwrite=plan.overwrite)
    with RunSession(plan.output, options, inputs=[plan.input, run.path]) as session:
        with session.writing((*table.columns, *OUTPUT_COLUMNS)) as writer:
            for cells, verdict in matched.rows:
                writer.writerow([*cells, *output_cells(verdict, ())])
        session.publish(_record(plan, run, matched), {})
    _announce(plan, run, matched)
    return 1 if any(reason.startswith(NO_REPLY) for reason in matched.reasons) else 0


def _chosen(plan: ImportPlan, table: Table) -> HarnessRun:
    """Find the one run among the results that holds rows of the input.

    Raises:
        UsageError: If there is none, or several.
    """
    reader = {"lm-eval": lm_eval_results, "inspect": inspect_results}[plan.harness]
    keys = keys_of(table)
    found: list[HarnessRun] = []
    problems: list[str] = []
    for path in reader.find_runs(plan.results):
        try:
            run = reader.read_run(path)
        except UsageError as error:
            problems.append(str(error))
            continue
        if any(each.row.key in keys for each in run.rows):
            found.append(run)
    if len(found) > 1:
        listed = ", ".join(short(run.path) for run in found)
        raise UsageError(
            f"{plan.results} holds {len(found)} runs of {plan.input}; name one: {listed}"
        )
    if not found:
        why = "; ".join(problems) or "give the very file that was exported"
        raise UsageError(f"{plan.results} holds no result for a row of {plan.input}: {why}")
    for problem in problems:
        print(f"Note: left out: {problem}")
    return found[0]


def _record(plan: ImportPlan, run: HarnessRun, matched: Matched) -> dict[str, Any]:
    layout, of = matched.layout, run.rows[0].row
    leftover = [v.leftover for _, v in matched.rows if v.leftover is not None]
    return {
        "task": layout.task.name,
        "track": layout.track,
        "columns": dict(layout.columns),
        "input": {
            "path": str(plan.input),
            "sha256": file_sha256(plan.input),
            "rows": matched.total,
        },
        "judge": {
            "kind": plan.harness,
            "name": run.judge,
            "prompt": {"name": of.prompt, "sha256": of.prompt_sha256},
            "harness": run.record,
            "mean_leftover_mass": fmean(leftover) if leftover else None,
        },
        "results": {"path": str(run.path), "sha256": file_sha256(run.path)},
        "labels": {label: matched.labels[label] for label in _LABELS},
        "unknown_reasons": dict(matched.reasons.most_common()),
        "altered_prompts": _altered(matched),
        "flagged_left_out": matched.flagged,
        "without_result": len(matched.missing),
    }


def _altered(matched: Matched) -> int:
    return sum(each.is_altered for each in matched.results)


def _announce(plan: ImportPlan, run: HarnessRun, matched: Matched) -> None:
    layout, labels = matched.layout, matched.labels
    print(f"{short(run.path)}: {run.judge}, {layout.task.name} {layout.track}")
    counts = ", ".join(f"{label} {labels[label]}" for label in _LABELS)
    print(f"{short(plan.output)}: {len(matched.rows)} rows, {counts}")
    for reason, count in matched.reasons.most_common():
        print(f"  unknown: {count} {reason}")
    for note in _notes(run, matched):
        print(f"  {note}")


def _notes(run: HarnessRun, matched: Matched) -> Sequence[str]:
    notes = []
    if matched.flagged:
        notes.append(
            f"{matched.flagged} rows left out: they fail a generation check, so they were not "
            "exported"
        )
    if matched.missing:
        notes.append(f"{len(matched.missing)} rows left out: the run has no result for them")
    if matched.others:
        notes.append(f"{matched.others} results are of another track or task, for their own file")
    if altered := _altered(matched):
        notes.append(
            f"{altered} rows were shown with something else than the prompt alone (a system text, "
            "examples, a chat form), so scores do not compare with label.py's"
        )
    read = [(each.harness_label, each.verdict.label) for each in matched.results]
    otherwise = sum(own not in ("", label) for own, label in read)
    if otherwise:
        notes.append(f"{otherwise} labels differ from the harness's own strict reading")
    if not run.is_finished:
        notes.append("the run did not come to its end, or what it says of itself is missing")
    return notes
