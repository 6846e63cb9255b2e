"""All steps in turn, each on the output of the one before."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from banglahallueval.io.tables import writing
from banglahallueval.runs.options import RunOptions
from banglahallueval.spans.building.contexts import COLUMNS, ContextPlan, collect, from_texts
from banglahallueval.spans.building.dataset import check_places, write_dataset
from banglahallueval.spans.building.rows import StepRows
from banglahallueval.spans.building.run import run_step
from banglahallueval.spans.building.step import OK, Step, StepPlan

# What stands for a text that is not written yet, in the prompts and costs of a dry run.
_PLACEHOLDERS = {
    "question": "(question)" + 50 * "·",
    "gold_answer": "(right answer)" + 10 * "·",
    "answer": "(answer)" + 100 * "·",
    "tagged": "(answer)" + 100 * "·",
    "spans": "[]",
    "status": OK,
}


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What a whole run does.

    Attributes:
        contexts: Where the passages come from.
        steps: The steps that ask models, in order, with their plans.
        dataset: The span CSV at the end.
        published: The same in PsiloQA's schema, as JSON lines; None for none.
        options: What to do with files that exist, and what to show.
    """

    contexts: ContextPlan
    steps: tuple[tuple[StepPlan, Step], ...]
    dataset: Path
    published: Path | None
    options: RunOptions


def run_pipeline(pipeline: Pipeline) -> int:
    """Carry out all steps; rows that one cannot finish go no further, and the others do.

    Returns:
        The exit status: 0, or 1 if rows of any step got no reply.

    Raises:
        UsageError: If the call or a file is wrong.
        RunError: If a step could not go on; every reply it got is in its store.
    """
    options = pipeline.options
    for path in (pipeline.contexts.output, *(plan.output for plan, _ in pipeline.steps)):
        options.adds_to(path)
    files = [pipeline.dataset, *filter(None, (pipeline.published,))]
    filtered = pipeline.steps[-1][0].output
    check_places(filtered, files, options)
    if options.dry_run:
        _dry_run(pipeline)
        return 0
    status = collect(pipeline.contexts)
    for plan, step in pipeline.steps:
        status = max(status, run_step(plan, step))
    write_dataset(filtered, pipeline.dataset, pipeline.published, quiet=options.quiet)
    return status


def _dry_run(pipeline: Pipeline) -> None:
    """Show each step's first prompt and cost; what is not there yet is stood in for."""
    plan = pipeline.contexts
    known = plan.options.resume and plan.output.exists()
    if not known:
        collect(plan)
    if not (known or plan.texts):
        print(
            "how long the pages are is not known before they are there: run the step contexts, "
            "then pipeline --resume --dry-run"
        )
        return
    with tempfile.TemporaryDirectory() as folder:
        made = plan.output
        if not known:
            made = Path(folder, plan.output.name)
            _write_contexts(plan, made)
        for step_plan, step in pipeline.steps:
            is_real = step_plan.input == made
            there = is_real and step_plan.output.exists() and plan.options.resume
            stand_in = Path(folder, step_plan.output.name)
            output = step_plan.output if there else stand_in
            run_step(replace(step_plan, input=made, output=output), step)
            made = output if there else _stand_in(replace(step_plan, input=made), step, stand_in)


def _write_contexts(plan: ContextPlan, path: Path) -> None:
    with writing(path, COLUMNS) as writer:
        for one in from_texts(plan):
            writer.writerow([one.id, one.language, one.title, one.url, one.text])


def _stand_in(plan: StepPlan, step: Step, path: Path) -> Path:
    """Write what a step would, with placeholders for what models would write."""
    rows = StepRows(replace(plan, output=path), step)
    with writing(path, rows.columns) as writer:
        for unit in rows.units():
            if unit.row in plan.rows:
                row: Sequence[str] = [
                    unit.fields.get(name) or _PLACEHOLDERS.get(name, "") for name in rows.columns
                ]
                writer.writerow(row)
    return path
