"""The arms of a study: a judge, a prompt, a task and a track, each one labelling run."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from banglahallueval import prompts
from banglahallueval.errors import MissingKeyError, RunError, UnusableModelError, UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.examples import ExampleOptions
from banglahallueval.io.paths import slug
from banglahallueval.io.records import fits, read_record
from banglahallueval.io.sampling import Sample
from banglahallueval.judges.ecot.evidence import DEFAULT_EVIDENCE, Evidence
from banglahallueval.judges.ecot.options import EcotOptions
from banglahallueval.judges.panel import missing_votes
from banglahallueval.labelling.few_shot import with_drawn
from banglahallueval.labelling.plan import Plan
from banglahallueval.labelling.run import run
from banglahallueval.mitigation.judges import StudyJudge
from banglahallueval.models.options import ClientOptions
from banglahallueval.runs.options import RunOptions
from banglahallueval.tasks import TaskName, Track

Style = Literal["standard", "standard_context", "standard_bn", "few_shot", "cot", "ecot"]
STYLES: tuple[Style, ...] = get_args(Style)
PUBLISHED_STYLES: tuple[Style, ...] = ("standard", "cot", "ecot")


@dataclass(frozen=True, slots=True)
class Arm:
    """One labelling run of a study.

    Attributes:
        judge: Who judges.
        style: With which kind of prompt.
        task, track: Which rows.
        output: The labelled file.
    """

    judge: StudyJudge
    style: Style
    task: TaskName
    track: Track
    output: Path

    @property
    def prompt(self) -> str:
        """The prompt's name."""
        return f"{self.task}.{self.style}"

    def __str__(self) -> str:
        """For messages."""
        return f"{self.judge} {self.prompt} {self.track}"


def arms_of(
    judges: Sequence[StudyJudge],
    styles: Sequence[Style],
    samples: Sequence[Sample],
    folder: Path,
    evidence: Evidence,
) -> Iterator[Arm]:
    """Yield the arms, judge by judge; a task without a prompt of a style has no arm."""
    for judge in judges:
        for style in styles:
            for sample in samples:
                if f"{sample.task}.{style}" not in prompts.names(sample.task):
                    continue
                name = f"{sample.task}_{sample.track}_{style}"
                is_reasoning = (sample.task, style) == ("reasoning", "ecot")
                if is_reasoning and evidence != DEFAULT_EVIDENCE:
                    name += f"_{evidence}"
                output = folder / slug(str(judge)) / f"{name}.csv"
                yield Arm(judge, style, sample.task, sample.track, output)


@dataclass(frozen=True, slots=True)
class Asking:
    """What all arms of a study are asked with.

    Attributes:
        samples: The rows of each task and track.
        client: How models are asked; provider and model are those of each judge.
        ecot: How evidence-augmented prompts judge.
        examples: Which examples few-shot prompts show.
        options: Whether to resume whole outputs, or to label anew.
    """

    samples: Sequence[Sample]
    client: ClientOptions
    ecot: EcotOptions
    examples: ExampleOptions
    options: RunOptions

    def plan(self, arm: Arm) -> Plan:
        """Plan an arm's labelling run.

        Raises:
            UsageError: If its prompt cannot be filled or used.
        """
        ecot = self.ecot
        if arm.task != "reasoning":  # other tasks are given nothing but their texts
            ecot = replace(ecot, evidence=DEFAULT_EVIDENCE)
        prompt = prompts.load(arm.prompt, arm.task)
        if prompt.takes_examples:
            # Both tracks count, so that both are judged with the same examples.
            judged = [sample.path for sample in self.samples if sample.task == arm.task]
            prompt = with_drawn(prompt, arm.task, self.examples, judged)
        fresh = self.options.fresh
        plan = Plan(
            arm.task,
            arm.judge.spec(self.client, prompt, ecot if arm.style == "ecot" else None),
            self.sample_of(arm).path,
            arm.output,
            arm.track,
            options=replace(self.options, resume=not fresh, overwrite=fresh),
            own_labels_only=True,
        )
        record = _whole_record(plan, self.sample_of(arm))
        if record and missing_votes(record["judge"]):
            # Written anew: of what is stored nothing is asked again, and the votes come in.
            plan = replace(plan, options=replace(plan.options, resume=False, overwrite=True))
        return plan

    def sample_of(self, arm: Arm) -> Sample:
        """Find the rows that an arm judges."""
        wanted = (arm.task, arm.track)
        return next(each for each in self.samples if (each.task, each.track) == wanted)

    def is_done(self, arm: Arm, plan: Plan) -> bool:
        """Whether an arm's output is whole and stays as it is."""
        redone = self.options.resume or self.options.fresh
        record = None if redone else _whole_record(plan, self.sample_of(arm))
        return record is not None and not missing_votes(record["judge"])


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an arm ended.

    Attributes:
        problem: Why it is not finished; empty where it is.
        is_absent: Whether its model cannot be asked at all, so that its other arms need not try.
    """

    problem: str = ""
    is_absent: bool = False


def label_arm(arm: Arm, asking: Asking, absent: str = "") -> Outcome:
    """Label an arm's rows, going on where an earlier run stopped.

    A whole output is left as it is; its unknown rows are asked again only with `--resume`.

    Args:
        arm: The arm.
        asking: What it is asked with.
        absent: Why its model is known to be absent, so that it is not asked; empty otherwise.
    """
    outcome = Outcome()
    try:
        plan = asking.plan(arm)
        if asking.is_done(arm, plan):
            return outcome
        if absent:
            return Outcome(absent, is_absent=True)
        return Outcome("some rows got no reply" if run(plan) else "")
    except (UsageError, RunError) as error:
        is_absent = isinstance(error, (UnusableModelError, MissingKeyError))
        outcome = Outcome(str(error), is_absent)
    except Exception as error:  # a fault in one arm must not cost a night's study
        traceback.print_exc()
        outcome = Outcome(f"{type(error).__name__}: {error}")
    print(f"error: {arm}: {outcome.problem}", file=sys.stderr, flush=True)
    return outcome


def _whole_record(plan: Plan, sample: Sample) -> dict[str, Any] | None:
    """Read an output's record; None if it is not there whole, of this sample and judge."""
    record = read_record(plan.output) if plan.output.exists() else None
    if record is None or "kept" in record or not fits(plan.output, record):
        return None
    judge, source = record.get("judge", {}), record.get("input", {})
    is_whole = (
        all(judge.get(what) == value for what, value in plan.judge.identity().items())
        and source.get("sha256") == file_sha256(sample.path)
        and source.get("rows") == record["output"].get("rows")
    )
    return record if is_whole else None


def described(samples: Sequence[Sample]) -> list[dict[str, object]]:
    """Describe the samples for the study's record."""
    return [{**asdict(sample), "sha256": file_sha256(sample.path)} for sample in samples]
