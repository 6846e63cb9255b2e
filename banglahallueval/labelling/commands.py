"""What every script under `scripts/` calls: a preset becomes flags, flags become runs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from banglahallueval.cli.flags import (
    ALL_PROVIDERS,
    add_asking_flags,
    add_provider_flags,
    add_run_flags,
)
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.script import report_error, run_script
from banglahallueval.errors import RunError, UsageError
from banglahallueval.judges.ecot import options as ecot
from banglahallueval.judges.factory import JUDGES, refuse_ignored
from banglahallueval.labelling.plan import Plan
from banglahallueval.labelling.run import run
from banglahallueval.tasks import TASKS, TRACKS, TaskName, Track

# Code-mixed QA has no such prompt, which is said where it is asked for.
COT_PROMPTS: dict[TaskName, str] = {task: f"{task}.cot" for task in TASKS}


@dataclass(frozen=True, slots=True)
class Preset:
    """What a labelling script stands for.

    Attributes:
        doc: The script's docstring, shown by `--help`.
        judge: The judge; empty lets `--judge` choose.
        model: The model unless `--model` names one.
        task: The one task; None lets `--task` choose.
        track: The one track; None goes by the input's columns.
        default_track: Whose default file is the input, where `track` is None.
        prompts: Prompt names per task, where they are not the standard ones.
        all_tasks: What `--task all` runs, with both tracks.
        models: What `--models` names unless it is given; not empty makes it a flag.
    """

    doc: str
    judge: str = ""
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
    judge = preset.judge or args.judge
    args.explain = getattr(args, "explain", False)
    refuse_ignored(judge, args)
    args.provider = getattr(args, "provider", None) or "openai"
    if preset.track and args.track and args.track != preset.track:
        raise UsageError(
            f"--track {args.track}: this script judges the {preset.track} track; "
            "take the script of the other one, or scripts/label.py"
        )
    if preset.all_tasks:
        return _label_several(preset, judge, args)
    task: TaskName = preset.task or args.task
    return run(
        Plan(
            task,
            judge,
            args,
            preset.track or args.track,
            preset.prompts.get(task, ""),
            preset.default_track,
        )
    )


def _label_several(preset: Preset, judge: str, args: argparse.Namespace) -> int:
    """Several tasks, tracks and models, one after the other; one that fails stops no other."""
    tasks = preset.all_tasks if args.task == "all" else (args.task,)
    models = [args.model]
    if args.model and preset.models and args.models != ",".join(preset.models):
        raise UsageError("--model and --models: take one")
    if preset.models and not args.model:
        models = [name.strip() for name in args.models.split(",") if name.strip()]
        if not models:
            raise UsageError(f"--models {args.models!r} names no model")
    tracks = [args.track] if args.track else list(TRACKS)
    if args.input:
        tracks = [args.track]
    runs = len(tasks) * len(tracks) * len(models)
    if args.task == "all" and (args.input or args.output):
        raise UsageError("--input and --output name one file, --task all runs several; name a task")
    if args.output and runs > 1:
        raise UsageError(
            f"--output names one file, this call makes {runs}; name --track and a model"
        )
    failed: dict[str, int] = {}
    for model in models:
        for task in tasks:
            for track in tracks:
                args.model = model
                name = " ".join(part for part in (task, track, model) if part)
                print(f"== {name}", flush=True)
                plan = Plan(
                    task,
                    judge,
                    args,
                    track,
                    preset.prompts.get(task, ""),
                    preset.default_track,
                )
                try:
                    status = run(plan)
                except (UsageError, RunError) as error:
                    if runs == 1:
                        raise
                    status = report_error(error, 2 if isinstance(error, UsageError) else 1)
                if status:
                    failed[name] = status
    if failed and runs > 1:
        kind = UsageError if set(failed.values()) == {2} else RunError
        raise kind(f"{len(failed)} of {runs} runs did not finish: {'; '.join(failed)}")
    return 1 if failed else 0


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
        what.add_argument(
            "--provider", choices=ALL_PROVIDERS, help="of a hybrid's model (default: openai)"
        )
        what.add_argument(
            "--explain",
            action="store_true",
            help="offline: add columns with the explanation and the spans that gave it away",
        )
    if preset.models:
        what.add_argument(
            "--models",
            default=",".join(preset.models),
            metavar="A,B",
            help=f"several models (default: {','.join(preset.models)})",
        )
    add_run_flags(parser)
    add_asking_flags(parser)
    ecot.add_flags(parser)
    parser.set_defaults(model=preset.model)
    add_provider_flags(parser, [preset.judge] if preset.judge in ALL_PROVIDERS else ALL_PROVIDERS)
    return parser
