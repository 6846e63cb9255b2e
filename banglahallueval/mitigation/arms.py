"""The arms of a study: a judge, a prompt, a task and a track, each one labelling run."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from banglahallueval import prompts
from banglahallueval.errors import RunError, UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.io.paths import slug
from banglahallueval.io.records import fits, read_record
from banglahallueval.io.sampling import Sample
from banglahallueval.judges.ecot.evidence import DEFAULT_EVIDENCE, Evidence
from banglahallueval.judges.ecot.options import EcotOptions
from banglahallueval.judges.factory import JudgeSpec
from banglahallueval.labelling.plan import Plan
from banglahallueval.labelling.run import dry_run, run
from banglahallueval.models import PROVIDERS
from banglahallueval.models.options import ClientOptions, ProviderName
from banglahallueval.models.prices import Estimate
from banglahallueval.runs.options import RunOptions
from banglahallueval.tasks import TaskName, Track

Style = Literal["standard", "cot", "ecot"]
STYLES: tuple[Style, ...] = ("standard", "cot", "ecot")


@dataclass(frozen=True, slots=True)
class StudyJudge:
    """A judge of a study.

    Attributes:
        provider: One of `models.PROVIDERS`.
        model: The model's name there.
    """

    provider: ProviderName
    model: str

    def __str__(self) -> str:
        """As `--judges` takes it."""
        return f"{self.provider}:{self.model}"


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


def read_judges(texts: Sequence[str]) -> list[StudyJudge]:
    """Read `PROVIDER:MODEL`, any number of them separated by commas.

    Raises:
        UsageError: If one has no known provider, or two would share their files.
    """
    judges: list[StudyJudge] = []
    for text in (part.strip() for each in texts for part in each.split(",")):
        if not text:
            continue
        provider, colon, model = text.partition(":")
        if provider not in PROVIDERS or not colon or not model:
            raise UsageError(
                f"--judges {text}: give PROVIDER:MODEL, PROVIDER being one of "
                f"{', '.join(PROVIDERS)}, as in openai:gpt-4.1-mini"
            )
        judges.append(StudyJudge(provider, model))
    slugs = [slug(judge.model) for judge in judges]
    for judge in judges:
        # Files, tables and the scores of single files name a judge by its model.
        if slugs.count(slug(judge.model)) > 1:
            raise UsageError(f"--judges: the model of {judge} is there twice, or all but its signs")
    if not judges:
        raise UsageError("--judges: name at least one judge, as in openai:gpt-4.1-mini")
    return judges


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


def label_arm(
    arm: Arm, sample: Sample, client: ClientOptions, ecot: EcotOptions, options: RunOptions
) -> tuple[str, Estimate]:
    """Label an arm's rows, going on where an earlier run stopped.

    A whole output is left as it is; its unknown rows are asked again only with `--resume`.

    Args:
        arm: The arm.
        sample: Its rows.
        client: How its model is asked; provider and model are taken from the arm.
        ecot: How evidence-augmented prompts judge.
        options: Whether to resume whole outputs, to label anew, or only to show the first prompt.

    Returns:
        Why the arm is not finished, empty where it is; and, of a dry run, what it would need.
    """
    try:
        plan = _plan(arm, sample, client, ecot, options)
        if options.dry_run:
            return "", dry_run(plan)
        if not (options.resume or options.fresh) and _is_whole(plan, sample):
            return "", Estimate()
        return "some rows got no reply" if run(plan) else "", Estimate()
    except (UsageError, RunError) as error:
        problem = str(error)
    except Exception as error:  # a fault in one arm must not cost a night's study
        traceback.print_exc()
        problem = f"{type(error).__name__}: {error}"
    print(f"error: {arm}: {problem}", file=sys.stderr, flush=True)
    return problem, Estimate()


def _plan(
    arm: Arm, sample: Sample, client: ClientOptions, ecot: EcotOptions, options: RunOptions
) -> Plan:
    if arm.task != "reasoning":  # other tasks are given nothing but their texts
        ecot = replace(ecot, evidence=DEFAULT_EVIDENCE)
    judge = JudgeSpec(
        arm.judge.provider,
        replace(client, provider=arm.judge.provider, model=arm.judge.model),
        prompts.load(arm.prompt, arm.task),
        ecot if arm.style == "ecot" else None,
    )
    options = replace(options, resume=not options.fresh, overwrite=options.fresh)
    return Plan(
        arm.task,
        judge,
        sample.path,
        arm.output,
        arm.track,
        options=options,
        own_labels_only=True,
    )


def _is_whole(plan: Plan, sample: Sample) -> bool:
    """Whether the output exists, of this very sample and judge, and unchanged."""
    record = read_record(plan.output) if plan.output.exists() else None
    if record is None or "kept" in record or not fits(plan.output, record):
        return False
    judge, source = record.get("judge", {}), record.get("input", {})
    return bool(
        all(judge.get(what) == value for what, value in plan.judge.identity().items())
        and source.get("sha256") == file_sha256(sample.path)
        and source.get("rows") == record["output"].get("rows")
    )


def described(samples: Sequence[Sample]) -> list[dict[str, object]]:
    """Describe the samples for the study's record."""
    return [{**asdict(sample), "sha256": file_sha256(sample.path)} for sample in samples]
