"""Write the benchmark as tasks of a harness, or as a Hugging Face dataset."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from banglahallueval.errors import UsageError
from banglahallueval.harnesses.dataset_folder import write_dataset
from banglahallueval.harnesses.folder import (
    new_folder,
    render,
    replies_module,
    write_manifest,
    write_text,
)
from banglahallueval.harnesses.rows import TrackRows, read_rows, samples
from banglahallueval.io.flagged import describe_left_out
from banglahallueval.io.paths import short, slug
from banglahallueval.models.openai.parameters import STOP
from banglahallueval.prompts import Prompt, default_name, load, names, unseen_evidence
from banglahallueval.tasks import TASKS, TaskName, Track

Kind = Literal["lm-eval", "inspect", "hf"]
KINDS: tuple[Kind, ...] = get_args(Kind)

TASKS_FILE = "banglahallueval_tasks.py"
# Each metric of a task, and whether more of it is better.
METRICS = (("bhs", False), ("detection", True), ("false_alarms", False), ("unknown", False))
# The continuations whose log-likelihoods are compared: the spellings of yes, then those of no.
CHOICES = ("yes", "Yes", "no", "No")
_LICENCE = re.compile("[a-z0-9][a-z0-9.+-]*")  # how the Hub names them
_CHOOSING = "loglikelihood"
_GENERATING = "generate"


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """What is exported, and where to.

    Attributes:
        kind: The form.
        folder: The folder to write.
        sources: The file of each task and track.
        prompt: The prompt's name or path, or the ending of a fixed prompt's name that every task
            has; None for the standard ones.
        licence: The licence that the data carries; only for a dataset.
        keep_flagged: Whether candidates that fail a generation check are exported, too.
        overwrite: Whether an earlier export at the folder is replaced.
    """

    kind: Kind
    folder: Path
    sources: Mapping[tuple[TaskName, Track], Path]
    prompt: str | None = None
    licence: str | None = None
    keep_flagged: bool = False
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class ExportedTask:
    """A task with its prompt.

    Attributes:
        task: The task's name.
        prompt: The prompt that is filled.
        name: Both, as names of functions and files may be.
        tracks: The rows of each track.
    """

    task: TaskName
    prompt: Prompt
    name: str
    tracks: Sequence[TrackRows]

    @property
    def file(self) -> str:
        """The name of the file that holds its rows."""
        return f"{self.name}.jsonl"

    def record(self) -> dict[str, Any]:
        """List what the export's manifest says of it."""
        return {"prompt": self.prompt.identity(), "tracks": _record(self.tracks)}


def export(plan: ExportPlan) -> None:
    """Carry a plan out, and say what was written and what was left out.

    Raises:
        UsageError: If a file or prompt cannot be exported, or the folder is not free.
        RunError: If writing fails on the way.
    """
    if plan.kind == "hf":
        _export_dataset(plan)
        return
    tasks = [
        _task(name, _prompt(name, plan.prompt), plan)
        for name in dict.fromkeys(task for task, _ in plan.sources)
    ]
    with new_folder(plan.folder, overwrite=plan.overwrite) as folder:
        for task in tasks:
            _write_rows(folder / task.file, task, plan.kind)
        made = _write_lm_eval(folder, tasks) if plan.kind == "lm-eval" else _inspect(folder, tasks)
        manifest = {"kind": plan.kind, "tasks": {task.name: task.record() for task in tasks}}
        write_manifest(folder, manifest)
    for task in tasks:
        _announce(task.tracks)
        if unseen := unseen_evidence(task.prompt, task.task):
            print(f"Note: {unseen}")
    print(f"{short(plan.folder)}: {', '.join(made)}")


def _export_dataset(plan: ExportPlan) -> None:
    if plan.prompt:
        raise UsageError("--prompt: a dataset holds no prompts; leave it out")
    if not plan.licence or not _LICENCE.fullmatch(plan.licence):
        wrong = f"{plan.licence!r} is no name of a licence; " if plan.licence else ""
        raise UsageError(
            f"{wrong}a dataset needs the licence that its data carries, by the Hub's name: "
            "--licence cc-by-4.0, or what the rows' owners state; `fetch_datasets.py --list` names "
            "them, `other` and `unknown` are possible"
        )
    tracks = _read(plan, None)
    with new_folder(plan.folder, overwrite=plan.overwrite) as folder:
        write_dataset(folder, tracks, plan.licence)
        by_task = {
            name: {"tracks": _record([each for each in tracks if each.task.name == name])}
            for name in dict.fromkeys(each.task.name for each in tracks)
        }
        manifest = {"kind": plan.kind, "licence": plan.licence, "tasks": by_task}
        write_manifest(folder, manifest)
    _announce(tracks)
    if plan.licence in ("unknown", "other"):
        print(f"Note: the licence is {plan.licence}; whoever takes the data cannot tell what for")
    print(f"{short(plan.folder)}: {', '.join(by_task)}")


def _read(plan: ExportPlan, prompt: Prompt | None, only: TaskName | None = None) -> list[TrackRows]:
    return [
        read_rows(TASKS[task], track, path, prompt, keep_flagged=plan.keep_flagged)
        for (task, track), path in plan.sources.items()
        if only in (None, task)
    ]


def _task(name: TaskName, prompt: Prompt, plan: ExportPlan) -> ExportedTask:
    own = prompt.name not in names(name)
    ending = (
        (slug(Path(prompt.name).stem) or "own") if own else prompt.name.removeprefix(f"{name}.")
    )
    return ExportedTask(name, prompt, f"{name}_{ending}", _read(plan, prompt, name))


def _prompt(task: TaskName, given: str | None) -> Prompt:
    """Load the prompt of a task.

    Raises:
        UsageError: If it has none of that name, or one that only this toolkit can carry out.
    """
    fixed = f"{task}.{given}"
    prompt = load(fixed if fixed in names(task) else given or default_name(task), task)
    if prompt.style == "ecot":
        raise UsageError(
            f"{prompt.name} has its claims verified, which no harness does; use label.py"
        )
    if prompt.takes_examples:
        raise UsageError(f"{prompt.name} shows examples, which are drawn by label.py; use that")
    return prompt


def _write_rows(path: Path, task: ExportedTask, kind: Kind) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for sample in samples(task.tracks, task.prompt):
            whole = _inspect_sample(sample) if kind == "inspect" else sample
            file.write(json.dumps(whole, ensure_ascii=False) + "\n")


def _inspect_sample(sample: dict[str, Any]) -> dict[str, Any]:
    filled = sample.pop("prompt")
    target = sample.pop("expected")
    name = f"{sample['track']}-{sample['row']}"
    return {"id": name, "input": filled, "target": target, "metadata": sample}


def _write_lm_eval(folder: Path, tasks: Sequence[ExportedTask]) -> list[str]:
    """Write the task files of lm-evaluation-harness; gives the names of tasks and groups."""
    write_text(folder / "utils.py", render("utils.py.j2", replies=replies_module()))
    made = []
    for kind in (_GENERATING, _CHOOSING):
        # Only a prompt that asks for one word has its verdict where the reply begins.
        of_kind = [each for each in tasks if kind == _GENERATING or each.prompt.style == "standard"]
        members = [f"banglahallueval_{each.name}_{kind}" for each in of_kind]
        for each, name in zip(of_kind, members, strict=True):
            text = render(
                "task.yaml.j2",
                name=name,
                file=each.file,
                generates=kind == _GENERATING,
                prompt=each.prompt,
                stop=list(STOP),
                choices=list(CHOICES),
                metrics=METRICS,
            )
            write_text(folder / f"{name}.yaml", text)
        made += members
        if len(members) > 1:
            group = f"banglahallueval_{kind}"
            text = render("group.yaml.j2", name=group, tasks=members, metrics=METRICS)
            write_text(folder / f"{group}.yaml", text)
            made.append(group)
    return made


def _inspect(folder: Path, tasks: Sequence[ExportedTask]) -> list[str]:
    """Write the task file of inspect_ai; gives the names of the tasks in it."""
    text = render("tasks.py.j2", replies=replies_module(), tasks=tasks, file=TASKS_FILE)
    write_text(folder / TASKS_FILE, text)
    return [f"{TASKS_FILE}@{task.name}" for task in tasks]


def _record(tracks: Sequence[TrackRows]) -> dict[str, Any]:
    return {
        each.track: {
            "path": str(each.path),
            "sha256": each.sha256,
            "rows": len(each.rows),
            "flagged_left_out": each.flagged,
            "blank_left_out": each.blank,
        }
        for each in tracks
    }


def _announce(tracks: Sequence[TrackRows]) -> None:
    """Say which rows are exported, and which are not."""
    for each in tracks:
        print(f"{short(each.path)}: {each.task.name} {each.track}, {len(each.rows)} rows")
        if each.flagged:
            print(f"  {describe_left_out(each.flagged)}")
        if each.blank:
            print(f"  {each.blank} rows left out: blank where the prompt shows a text")
