"""The study scripts: flags become a plan, and the plan is carried out."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from banglahallueval.cli.few_shot import (
    add_example_flags,
    few_shot_options,
    refuse_example_flags,
)
from banglahallueval.cli.flags import add_asking_flags, client_options, run_options
from banglahallueval.cli.judging import add_ecot_flags, ecot_options, refuse_ecot_flags
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.providers import add_provider_flags, flags_of_other_providers
from banglahallueval.cli.types import positive, seed, share
from banglahallueval.errors import UsageError, suggestion
from banglahallueval.io.paths import repository_root, short
from banglahallueval.io.sampling import Size
from banglahallueval.mitigation.arms import PUBLISHED_STYLES, STYLES, Style
from banglahallueval.mitigation.judges import read_judges
from banglahallueval.mitigation.study import StudyPlan, run_study
from banglahallueval.tasks import TASKS, TRACKS, TaskName, Track


@dataclass(frozen=True, slots=True)
class Preset:
    """What a study script stands for.

    Attributes:
        doc: The script's docstring, shown by `--help`.
        styles: Kinds of prompts unless `--prompts` names them.
        judges: Judges unless `--judges` names them; without any they must be named.
        share: Share of each file to draw unless the call says otherwise; None for all of it.
    """

    doc: str
    styles: tuple[Style, ...] = PUBLISHED_STYLES
    judges: tuple[str, ...] = ()
    share: float | None = None


def study_main(preset: Preset, argv: Sequence[str] | None = None) -> int:
    """Run a study and return its exit status: 1 if an arm did not finish.

    Raises:
        UsageError: If the call or a file is wrong; nothing was asked.
        RunError: If no arm could be labelled.
    """
    return run_study(_plan(preset, _parser(preset).parse_args(argv)))


def _plan(preset: Preset, args: argparse.Namespace) -> StudyPlan:
    """Settle what the flags say.

    Raises:
        UsageError: If they do not make a study.
    """
    judges = read_judges(args.judges or preset.judges)
    styles = [style for style in STYLES if style in _names(args.prompts, STYLES, "--prompts")]
    if "ecot" not in styles:
        refuse_ecot_flags(args)
    tasks = [task for task in TASKS if task in _names(args.tasks, [*TASKS], "--tasks")]
    tracks = [track for track in TRACKS if track in _names(args.tracks, TRACKS, "--tracks")]
    size = Size(args.pilot, None if args.pilot else args.share)
    name = size.name if size.whole else f"{size.name}_seed_{args.seed}"
    sources = _sources(args, tasks, tracks)
    if args.evidence and "reasoning" not in tasks:
        raise UsageError("--evidence is for reasoning, which is not among --tasks")
    if "few_shot" not in styles:
        refuse_example_flags(args, seeded=True)
    models = [model for judge in judges for model in judge.models]
    if ignored := flags_of_other_providers(args, {model.provider for model in models}):
        raise UsageError(f"--judges makes no use of {', '.join(ignored)}; leave it out")
    args.overwrite = False  # arms go on where they stopped, or are made anew with --fresh
    return StudyPlan(
        judges=tuple(judges),
        styles=tuple(styles),
        tasks=tuple(tasks),
        sources=sources,
        size=size,
        seed=args.seed,
        folder=args.output or repository_root() / "Mitigation" / "Results" / name,
        client=client_options(args, models[0].provider, models[0].model),
        ecot=ecot_options(args),
        examples=few_shot_options(args),
        options=run_options(args),
        whole_files=tuple(args.full or ()),
        report=args.report,
    )


def _sources(
    args: argparse.Namespace, tasks: Sequence[TaskName], tracks: Sequence[Track]
) -> dict[tuple[TaskName, Track], Path]:
    """Find the file of each task and track: given, published, or (asked for) a sample."""
    given: dict[str, Path] = {}
    for text in args.input or ():
        where, equals, path = text.partition("=")
        if not equals or where not in {f"{task}.{track}" for task in TASKS for track in TRACKS}:
            raise UsageError(f"--input {text}: give TASK.TRACK=CSV, as in qa.main=answers.csv")
        given[where] = Path(path)
    found = {}
    for task in tasks:
        for track in tracks:
            default = TASKS[task].samples if args.samples else TASKS[task].files
            path = given.pop(f"{task}.{track}", None) or repository_root() / default[track]
            if not path.exists():
                raise UsageError(
                    f"no file {short(path)}; obtain the published one with `python "
                    f"scripts/fetch_datasets.py {task}`, name your own with --input "
                    f"{task}.{track}=CSV, leave it out with --tasks or --tracks, or try the "
                    "committed samples with --samples"
                )
            found[task, track] = path
    if given:
        raise UsageError(f"--input {next(iter(given))}: not among --tasks and --tracks")
    return found


def _names(text: str, known: Sequence[str], flag: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise UsageError(
                f"{flag}: invalid choice: {name!r}{suggestion(name, known)} (choose from "
                f"{', '.join(known)})"
            )
    return names


def _parser(preset: Preset) -> argparse.ArgumentParser:
    parser = new_parser(preset.doc)
    what = parser.add_argument_group("what is judged, and by whom")
    what.add_argument(
        "--judges",
        nargs="+",
        metavar="PROVIDER:MODEL",
        required=not preset.judges,
        help="judges, separated by commas or spaces; also hybrid:PROVIDER:MODEL, and panel:A+B "
        "of several PROVIDER:MODEL"
        + (f" (default: {','.join(preset.judges)})" if preset.judges else ""),
    )
    for flag, kind, default in (
        ("--prompts", get_args(Style), preset.styles),
        ("--tasks", tuple(TASKS), tuple(TASKS)),
        ("--tracks", TRACKS, TRACKS),
    ):
        what.add_argument(
            flag,
            default=",".join(default),
            metavar="A,B",
            help=f"of {', '.join(kind)} (default: {','.join(default)})",
        )
    _add_rows(parser, preset)
    add_asking_flags(parser, one_model=False)
    add_example_flags(parser, seeded=True)
    add_ecot_flags(parser)
    add_provider_flags(parser)
    return parser


def _add_rows(parser: argparse.ArgumentParser, preset: Preset) -> None:
    rows = parser.add_argument_group("files and rows")
    size = rows.add_mutually_exclusive_group()
    size.add_argument(
        "--pilot",
        type=positive,
        nargs="?",
        const=50,
        metavar="ROWS",
        help="so many rows of each task and track (50 if none is named), patterns in proportion",
    )
    size.add_argument(
        "--share",
        type=share,
        default=preset.share,
        metavar="SHARE",
        help="a share of the rows of each pattern"
        + (f" (default: {preset.share})" if preset.share else " (default: all rows)"),
    )
    rows.add_argument(
        "--seed",
        type=seed,
        default=42,
        help="of sample and examples (default: 42)",
    )
    rows.add_argument(
        "--input",
        action="append",
        metavar="TASK.TRACK=CSV",
        help="a file of your own in place of the published one; repeatable",
    )
    rows.add_argument(
        "--samples", action="store_true", help="the committed samples, not the published files"
    )
    rows.add_argument(
        "--output",
        type=Path,
        metavar="DIR",
        help="folder of samples, labelled files and tables (default: Mitigation/Results/SIZE)",
    )
    rows.add_argument(
        "--resume",
        action="store_true",
        help="ask again for unknown rows of finished arms too; unfinished arms always go on",
    )
    rows.add_argument(
        "--full",
        nargs="+",
        metavar="CSV|DIR",
        help="whole files that these judges labelled, to hold the samples against",
    )
    rows.add_argument(
        "--report", action="store_true", help="also write report.html: tables, figures, rows"
    )
