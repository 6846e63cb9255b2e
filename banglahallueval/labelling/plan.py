"""What a run is to do, from its flags: input, output, prompt, columns and rows."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from banglahallueval.cli.flags import read_columns
from banglahallueval.errors import UsageError
from banglahallueval.io.layouts import find_layout, with_gold
from banglahallueval.io.paths import ROOT, short, slug
from banglahallueval.judges.ecot import options as ecot
from banglahallueval.judges.ecot.evidence import DEFAULT_EVIDENCE
from banglahallueval.judges.factory import concurrency, judge_columns, needs_model
from banglahallueval.labelling.rows import Job, open_input
from banglahallueval.prompts import Prompt, default_name, load
from banglahallueval.tasks import TASKS, TaskName, Track


@dataclass(frozen=True, slots=True)
class Plan:
    """What one run labels, and with whom.

    Attributes:
        task: The task.
        judge: One of `judges.build.JUDGES`.
        args: The flags.
        track: The track that a script stands for or `--track` names; None to go by the columns.
        prompt: Name of the prompt unless `--prompt` names one; empty for the task's standard one.
        default_track: Whose default file is the input, unless `--input` names one.
    """

    task: TaskName
    judge: str
    args: argparse.Namespace
    track: Track | None = None
    prompt: str = ""
    default_track: Track = "candidates"


@dataclass(slots=True)
class Settled:
    """A plan with its files, prompt and rows settled."""

    plan: Plan
    input: Path
    output: Path
    prompt: Prompt | None
    job: Job


def settle(plan: Plan) -> Settled:
    """Find the input, output, prompt and columns of a plan; nothing is read but the header.

    Raises:
        UsageError: If the flags or the header do not fit the plan.
    """
    args, task = plan.args, TASKS[plan.task]
    source = args.input or ROOT / task.files[plan.track or plan.default_track]
    if not args.input and not source.exists():
        sample = short(ROOT / task.samples[plan.track or plan.default_track])
        raise UsageError(
            f"no file {short(source)}; `python scripts/fetch_datasets.py {plan.task}` "
            f'obtains it, or try the committed sample: --input "{sample}"'
        )
    prompt = None
    if needs_model(plan.judge):
        if not args.model:
            raise UsageError(f"--judge {plan.judge} needs --model NAME")
        prompt = load(args.prompt or plan.prompt or default_name(plan.task, "standard"), plan.task)
    elif args.prompt:
        raise UsageError("--prompt: the offline judge has no prompt; leave it out")
    output = args.output or _default_output(plan, source, prompt)
    if output.suffix.lower() != ".csv":
        raise UsageError(f"--output {output}: name a .csv file")
    options = _ecot_options(prompt, args)
    added = judge_columns(plan.judge, prompt, args)
    table = open_input(source, output, added)
    layout = find_layout(
        table.columns, plan.task, plan.track, read_columns(args.columns), where=str(source)
    )
    if options and options.evidence == "gold":
        layout = with_gold(layout, table.columns, str(source))
    ends = [args.end, args.start + args.limit if args.limit else None]
    end = min((each for each in ends if each is not None), default=None)
    job = Job(
        table,
        layout,
        output,
        added,
        args.start,
        end,
        args.resume,
        args.overwrite,
        concurrency(plan.judge, args),
    )
    return Settled(plan, source, output, prompt, job)


def _ecot_options(prompt: Prompt | None, args: argparse.Namespace) -> ecot.Options | None:
    """The flags of evidence-augmented prompts; None, and none given, for all others."""
    if prompt is not None and prompt.style == "ecot":
        return ecot.options(prompt, args)
    ecot.refuse(args)
    return None


def _default_output(plan: Plan, source: Path, prompt: Prompt | None) -> Path:
    parts = [source.stem]
    for track, sample in TASKS[plan.task].samples.items():
        if source.resolve() == (ROOT / sample).resolve():  # one file name for both tracks
            parts = [f"{plan.task}_{track}_sample"]
    if prompt is not None:
        if prompt.style in ("cot", "ecot"):
            parts.append(prompt.style)
            if plan.args.evidence not in (None, DEFAULT_EVIDENCE):
                parts.append(plan.args.evidence)
        elif prompt.name != (plan.prompt or default_name(plan.task, "standard")):
            parts.append(slug(prompt.name))
    if plan.judge == "hybrid":
        parts.append("hybrid")
    parts.append(slug(plan.args.model) if needs_model(plan.judge) else "offline")
    return ROOT / TASKS[plan.task].folder / "Results" / ("_".join(parts) + ".csv")
