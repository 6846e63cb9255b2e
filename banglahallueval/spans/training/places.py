"""Where a training may write: over nothing that it reads, and over nothing but a training."""

from __future__ import annotations

from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import check_name, target_of
from banglahallueval.io.records import read_record, record_path
from banglahallueval.spans.training.plan import TrainingPlan

SETTINGS = "training.json"
_LONGEST_BESIDE = ".run.json.4194304.part"


def check_output(plan: TrainingPlan) -> None:
    """Refuse an output that holds, or is part of, what is read, or that no training made.

    Raises:
        UsageError: Naming the folder and the flag.
    """
    output = plan.output
    if output.name in ("", ".."):
        raise UsageError(f"--output {output}: name a new folder, for the model alone")
    check_name(output, _LONGEST_BESIDE, "--output")
    inputs = {"train": plan.train, "validation": plan.validation}
    base = Path(plan.base).expanduser()
    if base.exists():
        inputs = {"model": base, **inputs}
    # Its link too, where it is one: that is what would be removed.
    for place in (target_of(output), target_of(plan.work_folder), output.absolute()):
        for flag, path in inputs.items():
            read = target_of(path)
            if place.is_relative_to(read) or read.is_relative_to(place):
                raise UsageError(
                    f"--output {output}: {place.name} and --{flag} {path} lie in each other; name "
                    "another folder"
                )
    if plan.overwrite:
        _refuse_others(plan)


def _refuse_others(plan: TrainingPlan) -> None:
    """Refuse to remove what no training made; an empty folder may go."""
    output, work = plan.output, plan.work_folder
    if _holds_something(output) and "training" not in (read_record(output) or {}):
        raise UsageError(
            f"--overwrite: {output} is no trained model, for {record_path(output).name} beside it "
            "does not tell of a training; name another --output"
        )
    if _holds_something(work) and not (work / SETTINGS).is_file():
        raise UsageError(f"--overwrite: {work} is no unfinished training; name another --output")


def _holds_something(place: Path) -> bool:
    """Whether there is anything but an empty folder."""
    if place.is_symlink() or place.is_file():
        return True
    return place.is_dir() and any(place.iterdir())
