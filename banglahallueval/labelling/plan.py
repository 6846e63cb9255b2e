"""What a labelling run is to do: its judge, files, columns and rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.io.labelled import ORIGIN_COLUMN, OUTPUT_COLUMNS
from banglahallueval.io.layouts import Layout, find_layout, with_gold
from banglahallueval.io.paths import repository_root, slug
from banglahallueval.io.tables import Table
from banglahallueval.judges.ecot.evidence import DEFAULT_EVIDENCE
from banglahallueval.judges.factory import JudgeSpec
from banglahallueval.prompts import default_name
from banglahallueval.runs.options import RowRange, RunOptions
from banglahallueval.tasks import TASKS, TaskName, Track


@dataclass(frozen=True, slots=True)
class Plan:
    """One labelling run.

    Attributes:
        task: The task.
        judge: The judge.
        input: The file to label.
        output: The labelled file.
        track: The track that a script stands for or `--track` names; None to go by the columns.
        columns: Role to column name, where they are not the published ones.
        rows: The rows to label.
        options: What to do with files that exist, and what to show.
        own_labels_only: Whether an output is added to only if all its labels are this judge's.
        keep_flagged: Whether rows that fail a generation check are labelled, too.
        workers: Maximum number of processes in which the offline judge judges.
    """

    task: TaskName
    judge: JudgeSpec
    input: Path
    output: Path
    track: Track | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    rows: RowRange = field(default_factory=RowRange)
    options: RunOptions = field(default_factory=RunOptions)
    own_labels_only: bool = False
    keep_flagged: bool = False
    workers: int = 1

    @property
    def output_columns(self) -> tuple[str, ...]:
        """The columns that the run adds to those of its input."""
        return (*OUTPUT_COLUMNS, *self.judge.columns)


def default_input(task: TaskName, track: Track) -> Path:
    """Name the published file of a task and track.

    Raises:
        UsageError: If the package does not run from a clone of the repository.
    """
    return repository_root() / TASKS[task].files[track]


def default_output(task: TaskName, source: Path, judge: JudgeSpec, usual_prompt: str = "") -> Path:
    """Name the labelled file of an input after it, the prompt and the judge.

    Args:
        task: The task.
        source: The input.
        judge: The judge.
        usual_prompt: The prompt that goes without saying; empty for the task's standard one.
    """
    root = repository_root()
    parts = [source.stem]
    for track, sample in TASKS[task].samples.items():
        if source.resolve() == (root / sample).resolve():  # one file name for both tracks
            parts = [f"{task}_{track}_sample"]
    if prompt := judge.prompt:
        if prompt.style in ("cot", "ecot"):
            parts.append(prompt.style)
            if judge.ecot and judge.ecot.evidence != DEFAULT_EVIDENCE:
                parts.append(judge.ecot.evidence)
        elif prompt.name != (usual_prompt or default_name(task, "standard")):
            parts.append(slug(prompt.name))
    if judge.name in ("hybrid", "panel"):
        parts.append(judge.name)
    models = judge.clients or ((judge.classifier,) if judge.classifier else ())
    parts += [slug(model.model) for model in models] or ["offline"]
    if judge.samples:
        parts.append(slug(str(judge.samples)))
    return root / TASKS[task].folder / "Results" / ("_".join(parts) + ".csv")


def open_input(plan: Plan) -> tuple[Table, Layout]:
    """Open a plan's input and find its columns; nothing is read but the header.

    Labels that the input already holds are left out if it is the run's own output.

    Raises:
        UsageError: If it holds the labels of another run, a column is missing, or the output
            would take its place.
    """
    if plan.output.suffix.lower() != ".csv":
        raise UsageError(f"--output {plan.output}: name a .csv file")
    table = Table(plan.input)
    labels = (*plan.output_columns, ORIGIN_COLUMN)
    added = [name for name in table.columns if name in labels]
    is_own_output = plan.output.exists() and plan.output.samefile(plan.input)
    if added and not is_own_output:
        raise UsageError(
            f"{plan.input} already has the column {added[0]!r}, so it is a labelled file; give "
            "the file it was made from"
        )
    if is_own_output and not added:
        raise UsageError(f"--output {plan.output} is the input itself; name another file")
    if added:
        table = Table(plan.input, without=labels)
    where = str(plan.input)
    layout = find_layout(table.columns, plan.task, plan.track, plan.columns, where=where)
    if plan.judge.ecot and plan.judge.ecot.evidence == "gold":
        layout = with_gold(layout, table.columns, where)
    return table, layout
