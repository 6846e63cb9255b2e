"""The labelling scripts: a preset becomes flags, flags become plans and options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from banglahallueval.cli.few_shot import add_example_flags, example_options
from banglahallueval.cli.flags import (
    add_asking_flags,
    add_run_flags,
    read_columns,
    row_range,
    run_options,
)
from banglahallueval.cli.judging import (
    add_choice_flags,
    add_ecot_flags,
    add_sampling_flags,
    judge_spec,
    models_of,
    refuse_ignored_flags,
)
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.providers import add_provider_flags
from banglahallueval.cli.script import report_error, run_script
from banglahallueval.errors import RunError, UsageError
from banglahallueval.judges.factory import JUDGES, JudgeName
from banglahallueval.labelling.few_shot import with_drawn
from banglahallueval.labelling.plan import Plan, default_input, default_output
from banglahallueval.labelling.run import dry_run, run
from banglahallueval.models import PROVIDERS
from banglahallueval.models.prices import Estimate
from banglahallueval.prompts import default_name, load
from banglahallueval.runs.processes import available_cores
from banglahallueval.tasks import TASKS, TRACKS, TaskName, Track

# Code-mixed QA has no such prompt; the run that asks for it says so.
COT_PROMPTS: dict[TaskName, str] = {task: f"{task}.cot" for task in TASKS}


@dataclass(frozen=True, slots=True)
class Preset:
    """What a labelling script stands for.

    Attributes:
        doc: The script's docstring, shown by `--help`.
        judge: The judge; None lets `--judge` choose.
        model: The model unless `--model` names one.
        task: The one task; None lets `--task` choose.
        track: The one track; None goes by the input's columns.
        default_track: Whose default file is the input, where `track` is None.
        prompts: Prompt names per task, where they are not the standard ones.
        all_tasks: What `--task all` runs, with both tracks.
        models: What `--models` names unless it is given; not empty makes it a flag.
    """

    doc: str
    judge: JudgeName | None = None
    model: str | None = None
    task: TaskName | None = None
    track: Track | None = None
    default_track: Track = "candidates"
    prompts: dict[TaskName, str] = field(default_factory=dict)
    all_tasks: tuple[TaskName, ...] = ()
    models: tuple[str, ...] = ()


def label_main(preset: Preset, argv: Sequence[str] | None = None) -> NoReturn:
    """Run a labelling script and exit with its status."""
    run_script(lambda: label(preset, argv))


def label(preset: Preset, argv: Sequence[str] | None = None) -> int:
    """Run a labelling script and return its exit status; raises what `run` raises."""
    args = _parser(preset).parse_args(argv)
    judge: JudgeName = preset.judge or args.judge
    refuse_ignored_flags(judge, args)
    if preset.track and args.track and args.track != preset.track:
        raise UsageError(
            f"--track {args.track}: this script judges the {preset.track} track; "
            "take the script of the other one, or scripts/label.py"
        )
    if preset.all_tasks:
        return _label_several(preset, judge, args)
    return run(_plan(preset, judge, args, preset.task or args.task, args.track, args.model))


def _plan(
    preset: Preset,
    judge: JudgeName,
    args: argparse.Namespace,
    task: TaskName,
    track: Track | None,
    model: str | None,
) -> Plan:
    """Settle the plan of one run.

    Raises:
        UsageError: If the flags do not make one.
    """
    track = preset.track or track
    source = args.input or default_input(task, track or preset.default_track)
    usual = preset.prompts.get(task, "")
    prompt = None
    models = models_of(judge, args, model)
    if models:
        prompt = load(args.prompt or usual or default_name(task, "standard"), task)
    options = example_options(args, prompt)
    if prompt and options:
        prompt = with_drawn(prompt, task, options, [source], read_columns(args.columns))
    spec = judge_spec(judge, prompt, args, models, model)
    return Plan(
        task,
        spec,
        source,
        args.output or default_output(task, source, spec, usual),
        track,
        read_columns(args.columns),
        row_range(args),
        run_options(args),
        keep_flagged=args.keep_flagged,
        workers=getattr(args, "workers", None) or available_cores(),
    )


def _label_several(preset: Preset, judge: JudgeName, args: argparse.Namespace) -> int:
    """Label several tasks, tracks and models in turn; one that fails does not stop the others."""
    runs = _runs(preset, args)
    failed: dict[str, int] = {}
    total = Estimate()
    for model, task, track in runs:
        name = " ".join(part for part in (task, track, model) if part)
        print(f"== {name}", flush=True)
        try:
            plan = _plan(preset, judge, args, task, track, model)
            if args.dry_run:
                total += dry_run(plan)
            status = 0 if args.dry_run else run(plan)
        except (UsageError, RunError) as error:
            if len(runs) == 1:
                raise
            status = report_error(error, 2 if isinstance(error, UsageError) else 1)
        if status:
            failed[name] = status
    if args.dry_run and len(runs) > 1:
        print(f"== all {len(runs) - len(failed)} runs: {total.requests} rows to judge; {total}")
    if failed and len(runs) > 1:
        kind = UsageError if set(failed.values()) == {2} else RunError
        raise kind(f"{len(failed)} of {len(runs)} runs did not finish: {'; '.join(failed)}")
    return 1 if failed else 0


def _runs(
    preset: Preset, args: argparse.Namespace
) -> list[tuple[str | None, TaskName, Track | None]]:
    """List the model, task and track of each run.

    Raises:
        UsageError: If a flag names one file or model for several runs.
    """
    tasks = preset.all_tasks if args.task == "all" else (args.task,)
    tracks = [args.track] if args.track or args.input else list(TRACKS)
    runs = [
        (model, task, track)
        for model in _models(preset, args)
        for task in tasks
        for track in tracks
    ]
    if args.task == "all" and (args.input or args.output):
        raise UsageError("--input and --output name one file, --task all runs several; name a task")
    if args.output and len(runs) > 1:
        raise UsageError(
            f"--output names one file, this call makes {len(runs)}; name --track and a model"
        )
    return runs


def _models(preset: Preset, args: argparse.Namespace) -> list[str | None]:
    """List the models that a script for several models asks."""
    if not preset.models:
        return [args.model]
    if args.model:
        if args.models != ",".join(preset.models):
            raise UsageError("--model and --models: take one")
        return [args.model]
    models = [name.strip() for name in args.models.split(",") if name.strip()]
    if not models:
        raise UsageError(f"--models {args.models!r} names no model")
    return [*models]


def _parser(preset: Preset) -> argparse.ArgumentParser:
    parser = new_parser(preset.doc)
    what = parser.add_argument_group("what is judged, and by whom")
    if preset.all_tasks:
        what.add_argument(
            "--task",
            choices=["all", *TASKS],
            default="all",
            help=f"all is {', '.join(preset.all_tasks)} (default: all)",
        )
    elif preset.task is None:
        what.add_argument("--task", choices=list(TASKS), required=True)
    what.add_argument(
        "--track",
        choices=TRACKS,
        help="the track, where the columns do not tell it",
    )
    if not preset.judge:
        what.add_argument("--judge", choices=JUDGES, default="offline", help="(default: offline)")
        add_choice_flags(parser, what)
    if preset.models:
        what.add_argument(
            "--models",
            default=",".join(preset.models),
            metavar="A,B",
            help=f"several models (default: {','.join(preset.models)})",
        )
    what.add_argument(
        "--keep-flagged",
        action="store_true",
        help="label candidates that fail a check of generation, too",
    )
    tasks = preset.all_tasks or ((preset.task,) if preset.task else tuple(TASKS))
    prompts = {task: preset.prompts.get(task) or default_name(task) for task in tasks}
    add_run_flags(parser, tasks=tasks)
    add_asking_flags(parser, prompts=prompts)
    add_sampling_flags(parser)
    add_example_flags(parser)
    add_ecot_flags(parser)
    parser.set_defaults(model=preset.model)
    add_provider_flags(parser, [name for name in PROVIDERS if preset.judge in (None, name)])
    return parser
