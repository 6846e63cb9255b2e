"""A study: every arm is labelled, then all of them are compared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.examples import ExampleOptions
from banglahallueval.io.paths import short
from banglahallueval.io.records import command_line, utc_now
from banglahallueval.io.sampling import Sample, Size, draw
from banglahallueval.io.tables import replacing
from banglahallueval.judges.ecot.options import EcotOptions
from banglahallueval.mitigation.arms import Arm, Asking, Style, arms_of, described, label_arm
from banglahallueval.mitigation.estimates import dry_run
from banglahallueval.mitigation.judges import StudyJudge
from banglahallueval.mitigation.policies import choose
from banglahallueval.mitigation.results import Study, study
from banglahallueval.mitigation.sample_intervals import trust
from banglahallueval.mitigation.tables import failures_table, study_tables
from banglahallueval.models.huggingface.kept import one_model_kept
from banglahallueval.models.options import ClientOptions
from banglahallueval.runs.options import RunOptions
from banglahallueval.runs.session import locked
from banglahallueval.scoring import tables
from banglahallueval.scoring.load import find_files, load
from banglahallueval.scoring.options import FORMATS
from banglahallueval.scoring.results import results
from banglahallueval.secrets import without_secrets
from banglahallueval.tasks import TaskName, Track


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What a study compares, and how.

    Attributes:
        judges: The judges.
        styles: The kinds of prompts.
        tasks: The tasks.
        sources: The file of each task and track.
        size: How much of each file is judged.
        seed: Of the sample, and of the split that policies are chosen on.
        folder: Where samples, labelled files and tables go.
        client: How models are asked; provider and model are those of each judge in turn.
        ecot: How evidence-augmented prompts judge.
        examples: Which examples few-shot prompts show.
        options: `resume` asks again for unknown rows of finished arms; `fresh` labels all anew.
        whole_files: Whole files that the same judges labelled, to hold the samples against.
        report: Whether to write an HTML page, too.
    """

    judges: tuple[StudyJudge, ...]
    styles: tuple[Style, ...]
    tasks: tuple[TaskName, ...]
    sources: Mapping[tuple[TaskName, Track], Path]
    size: Size
    seed: int
    folder: Path
    client: ClientOptions
    ecot: EcotOptions
    examples: ExampleOptions
    options: RunOptions
    whole_files: tuple[str, ...] = ()
    report: bool = False


def run_study(plan: StudyPlan) -> int:
    """Carry a study out.

    Returns:
        The exit status: 1 if an arm did not finish.

    Raises:
        UsageError: If a file is wrong; nothing was asked.
        RunError: If no arm could be labelled.
    """
    if plan.whole_files:
        find_files(plan.whole_files)  # a wrong name is told before anything is asked
    if plan.options.dry_run:
        with TemporaryDirectory() as drawn:  # a dry run leaves nothing behind
            arms, asking = _arms(plan, Path(drawn))
            dry_run(arms, asking)
        return 0
    with locked(plan.folder / "study"), one_model_kept():
        arms, asking = _arms(plan, plan.folder / "samples")
        failed = _label(arms, asking)
        _report(plan, arms, asking.samples, failed)
    return 1 if failed else 0


def _arms(plan: StudyPlan, folder: Path) -> tuple[list[Arm], Asking]:
    """Draw the samples into a folder, and list the arms that judge them.

    Raises:
        UsageError: If there is no arm, or too few examples for few-shot prompts.
    """
    samples = [
        draw(path, task, track, plan.size, plan.seed, folder)
        for (task, track), path in plan.sources.items()
    ]
    for sample in samples:
        print(_described(sample))
    arms = list(arms_of(plan.judges, plan.styles, samples, plan.folder, plan.ecot.evidence))
    if not arms:
        raise UsageError(
            f"no arm: {', '.join(plan.tasks)} has no prompt of {', '.join(plan.styles)}"
        )
    asking = Asking(samples, plan.client, plan.ecot, plan.examples, plan.options)
    for arm in arms:
        if arm.style == "few_shot":
            asking.plan(arm)  # too few examples are told before anything is asked
    return arms, asking


def _label(arms: Sequence[Arm], asking: Asking) -> list[tuple[StudyJudge, str, str]]:
    failed = []
    absent: dict[StudyJudge, str] = {}
    for number, arm in enumerate(arms, 1):
        print(f"== {number} of {len(arms)}: {arm}", flush=True)
        outcome = label_arm(arm, asking, absent.get(arm.judge, ""))
        if outcome.problem:
            failed.append((arm.judge, f"{arm.prompt} {arm.track}", outcome.problem))
        if outcome.is_absent:
            absent[arm.judge] = outcome.problem
    return failed


def _report(
    plan: StudyPlan,
    arms: Sequence[Arm],
    samples: Sequence[Sample],
    failed: Sequence[tuple[StudyJudge, str, str]],
) -> None:
    if not any(arm.output.exists() for arm in arms):
        raise RunError(f"none of {len(arms)} arms could be labelled; the last: {failed[-1][2]}")
    found = study(arms)
    whole = load(plan.whole_files).rows if plan.whole_files else None
    drawn = any(sample.rows < sample.population for sample in samples)
    made = study_tables(
        found,
        [(style, task) for style in plan.styles for task in plan.tasks],
        choose(found, plan.seed),
        trust(found, samples, whole) if drawn else (),
    )
    if failed:
        made.append(failures_table(failed))
    print(tables.render(made, "markdown"), end="")
    written = tables.write(made, plan.folder, FORMATS)
    if plan.report:
        written.append(_write_page(plan.folder / "report.html", found, made))
    record = {
        "command": command_line(),
        "finished": utc_now(),
        "seed": plan.seed,
        "samples": described(samples),
        "arms": [
            {"arm": str(arm), "output": arm.output, "done": arm.output.exists()} for arm in arms
        ],
        "failed": [{"arm": f"{judge} {arm}", "why": why} for judge, arm, why in failed],
    }
    with replacing(plan.folder / "study.json") as file:
        masked = without_secrets(record)
        file.write(json.dumps(masked, ensure_ascii=False, indent=2, default=str) + "\n")
    print(f"written: {', '.join(short(path) for path in [*written, plan.folder / 'study.json'])}")


def _write_page(page: Path, found: Study, made: Sequence[tables.ReportTable]) -> Path:
    from banglahallueval.scoring.plots import figures  # takes a second to load
    from banglahallueval.scoring.report import write_report

    labelled = results(load([arm.output for arm in found.frames]))
    write_report(labelled, figures(labelled), page, "BanglaHalluEval: mitigation study", made)
    return page


def _described(sample: Sample) -> str:
    name = f"{sample.task} {sample.track}: {sample.rows} of {sample.population} rows"
    strata = ", ".join(f"{pattern} {drawn}" for pattern, (drawn, _) in sample.strata.items())
    return f"{name} ({strata})" if len(sample.strata) > 1 else name
