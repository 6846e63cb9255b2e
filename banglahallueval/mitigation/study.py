"""The study runner: every arm is labelled, then all of them are compared."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from banglahallueval.cli.flags import (
    ALL_PROVIDERS,
    add_asking_flags,
    add_provider_flags,
    of_other_providers,
)
from banglahallueval.cli.parser import new_parser
from banglahallueval.cli.types import positive, share
from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.paths import ROOT, short
from banglahallueval.io.records import command_line, utc_now, without_secrets
from banglahallueval.io.sampling import Sample, Size, draw
from banglahallueval.io.tables import replacing
from banglahallueval.judges.ecot import options as ecot
from banglahallueval.mitigation.arms import (
    STYLES,
    Arm,
    JudgeName,
    Style,
    arms_of,
    described,
    label_arm,
    read_judges,
)
from banglahallueval.mitigation.policies import choose
from banglahallueval.mitigation.results import Study, study
from banglahallueval.mitigation.sample_intervals import trust
from banglahallueval.mitigation.tables import failures_table, study_tables
from banglahallueval.runs.workers import locked
from banglahallueval.scoring import tables
from banglahallueval.scoring.load import find_files, load
from banglahallueval.scoring.results import results
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
    styles: tuple[Style, ...] = STYLES
    judges: tuple[str, ...] = ()
    share: float | None = None


def study_main(preset: Preset, argv: Sequence[str] | None = None) -> int:
    """Run a study and return its exit status: 1 if an arm did not finish.

    Raises:
        UsageError: If the call or a file is wrong; nothing was asked.
        RunError: If no arm could be labelled.
    """
    args = _parser(preset).parse_args(argv)
    judges = read_judges(args.judges or preset.judges)
    styles = [style for style in STYLES if style in _names(args.prompts, STYLES, "--prompts")]
    if "ecot" not in styles:
        ecot.refuse(args)
    tasks = [task for task in TASKS if task in _names(args.tasks, [*TASKS], "--tasks")]
    tracks = [track for track in TRACKS if track in _names(args.tracks, TRACKS, "--tracks")]
    size = Size(args.pilot, None if args.pilot else args.share)
    name = size.name if size.whole else f"{size.name}_seed_{args.seed}"
    folder = args.output or ROOT / "Mitigation" / "Results" / name
    sources = _sources(args, tasks, tracks)
    if args.evidence and "reasoning" not in tasks:
        raise UsageError("--evidence is for reasoning, which is not among --tasks")
    if ignored := of_other_providers(args, {judge.provider for judge in judges}):
        raise UsageError(f"--judges makes no use of {', '.join(ignored)}; leave it out")
    if args.full:
        find_files(args.full)  # a wrong name is told before anything is asked
    with locked(folder / "study"):
        samples = [
            draw(path, task, track, size, args.seed, folder / "samples")
            for (task, track), path in sources.items()
        ]
        for sample in samples:
            print(_described(sample))
        arms = list(arms_of(judges, styles, samples, folder, args.evidence))
        if not arms:
            raise UsageError(f"no arm: {', '.join(tasks)} has no prompt of {', '.join(styles)}")
        failed = _label(arms, samples, args)
        if args.dry_run:
            return 1 if failed else 0
        asked = [(style, task) for style in styles for task in tasks]
        _report(folder, arms, samples, asked, failed, args)
    return 1 if failed else 0


def _label(
    arms: Sequence[Arm], samples: Sequence[Sample], args: argparse.Namespace
) -> list[tuple[JudgeName, str, str]]:
    by_rows = {(sample.task, sample.track): sample for sample in samples}
    failed = []
    for number, arm in enumerate(arms, 1):
        print(f"== {number} of {len(arms)}: {arm}", flush=True)
        why = label_arm(arm, by_rows[arm.task, arm.track], args)
        if why:
            failed.append((arm.judge, f"{arm.prompt} {arm.track}", why))
    return failed


def _report(
    folder: Path,
    arms: Sequence[Arm],
    samples: Sequence[Sample],
    asked: Sequence[tuple[Style, str]],
    failed: Sequence[tuple[JudgeName, str, str]],
    args: argparse.Namespace,
) -> None:
    if not any(arm.output.exists() for arm in arms):
        raise RunError(f"none of {len(arms)} arms could be labelled; the last: {failed[-1][2]}")
    found = study(arms)
    whole = load(args.full).rows if args.full else None
    drawn = any(sample.rows < sample.population for sample in samples)
    made = study_tables(
        found,
        asked,
        choose(found, args.seed),
        trust(found, samples, whole) if drawn else (),
    )
    if failed:
        made.append(failures_table(failed))
    print(tables.render(made, "markdown"), end="")
    written = tables.write(made, folder, tables.FORMATS)
    if args.report:
        written.append(_write_page(folder / "report.html", found, made))
    record = {
        "command": command_line(),
        "finished": utc_now(),
        "seed": args.seed,
        "samples": described(samples),
        "arms": [
            {"arm": str(arm), "output": arm.output, "done": arm.output.exists()} for arm in arms
        ],
        "failed": [{"arm": f"{judge} {arm}", "why": why} for judge, arm, why in failed],
    }
    with replacing(folder / "study.json") as file:
        text = json.dumps(record, ensure_ascii=False, indent=2, default=str)
        file.write(without_secrets(text) + "\n")
    print(f"written: {', '.join(short(path) for path in [*written, folder / 'study.json'])}")


def _write_page(page: Path, found: Study, made: Sequence[tables.ReportTable]) -> Path:
    from banglahallueval.scoring.plots import figures  # takes a second to load
    from banglahallueval.scoring.report import write_report

    labelled = results(load([arm.output for arm in found.frames]))
    write_report(labelled, figures(labelled), page, "BanglaHalluEval: mitigation study", made)
    return page


def _sources(
    args: argparse.Namespace, tasks: Sequence[TaskName], tracks: Sequence[Track]
) -> dict[tuple[TaskName, Track], Path]:
    """The file of each task and track: given, else the published one, else (asked for) a sample."""
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
            path = given.pop(f"{task}.{track}", ROOT / default[track])
            if not path.exists():
                raise UsageError(
                    f"no file {short(path)}; put the published file there, name your own with "
                    f"--input {task}.{track}=CSV, leave it out with --tasks or --tracks, or try "
                    "the committed samples with --samples"
                )
            found[task, track] = path
    if given:
        raise UsageError(f"--input {next(iter(given))}: not among --tasks and --tracks")
    return found


def _described(sample: Sample) -> str:
    name = f"{sample.task} {sample.track}: {sample.rows} of {sample.population} rows"
    strata = ", ".join(f"{pattern} {drawn}" for pattern, (drawn, _) in sample.strata.items())
    return f"{name} ({strata})" if len(sample.strata) > 1 else name


def _names(text: str, known: Sequence[str], flag: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise UsageError(f"{flag} {name}: it takes {', '.join(known)}")
    return names


def _parser(preset: Preset) -> argparse.ArgumentParser:
    parser = new_parser(preset.doc)
    what = parser.add_argument_group("what is judged, and by whom")
    what.add_argument(
        "--judges",
        nargs="+",
        metavar="PROVIDER:MODEL",
        required=not preset.judges,
        help="judges, separated by commas or spaces"
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
    rows.add_argument("--seed", type=positive, default=42, help="of the sample (default: 42)")
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
    add_asking_flags(parser, one_model=False)
    ecot.add_flags(parser)
    add_provider_flags(parser, ALL_PROVIDERS)
    return parser
