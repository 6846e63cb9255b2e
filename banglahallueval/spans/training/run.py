"""One training from its plan to a folder that detection loads, resumable by epochs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.hashing import digest
from banglahallueval.io.paths import is_same_file, short
from banglahallueval.io.records import command_line, record_path, utc_now, write_record
from banglahallueval.models.huggingface.local import refuse_missing, revision
from banglahallueval.runs.session import locked
from banglahallueval.runs.summary import resume_command
from banglahallueval.spans.results import MARK_ALL, MARK_NONE
from banglahallueval.spans.training.examples import Intake, Rows, make_examples, training_inputs
from banglahallueval.spans.training.places import SETTINGS, check_output
from banglahallueval.spans.training.plan import Baselines, Epoch, TrainingPlan
from banglahallueval.spans.types import Sample

_PACKAGES = ("torch", "transformers", "accelerate")
_CHECKPOINT = "checkpoint-"
_STATE = "trainer_state.json"  # a checkpoint's last file


def train(
    plan: TrainingPlan, samples: Sequence[Sample], validation: Sequence[Sample]
) -> list[Epoch]:
    """Train a token classifier, and write it with a record beside it.

    The model of the epoch with the highest validation IoU is kept. A training that is killed, or
    fails, goes on from its last finished epoch with `resume`, and ends with the same model.

    Args:
        plan: How.
        samples: What it is trained on; answers that nobody marked are left out.
        validation: What each epoch is measured on.

    Raises:
        UsageError: If something is missing, both files are one, the output exists or would take
            the place of something else, or what is to be resumed is another training.
        RunError: If the encoder cannot be loaded.
    """
    if not plan.train.is_dir() and is_same_file(plan.train, plan.validation):
        raise UsageError(
            f"--train and --validation are one file, {short(plan.train)}; a model is not measured "
            "on what it was trained on: name another --validation"
        )
    check_output(plan)
    refuse_missing(plan.base, _PACKAGES, plan.device)
    with locked(plan.output):
        return _train(plan, samples, validation)


def _train(
    plan: TrainingPlan, samples: Sequence[Sample], validation: Sequence[Sample]
) -> list[Epoch]:
    started = utc_now()
    _refuse_existing(plan)
    from banglahallueval.spans.training import fine_tuning

    base = fine_tuning.load_base(plan)
    settings = {
        **plan.identity(),
        "base_revision": revision(base.model, plan.base),
        "max_length": base.pairs.limit,
        "samples": {"train": _digest(samples), "validation": _digest(validation)},
    }
    intakes = {"train": Intake(), "validation": Intake()}
    made = make_examples(base.pairs, plan.template, samples, intakes["train"])
    rows = Rows(pair for example in made for pair in training_inputs(example))
    held_out = [*make_examples(base.pairs, plan.template, validation, intakes["validation"])]
    for name, intake in intakes.items():
        _tell(name, intake, base.pairs.limit)
    _tell_shared(samples, validation)
    baselines = Baselines.of([example.sample for example in held_out])
    checkpoint = _resumed(plan, settings)
    epochs = fine_tuning.fine_tune(plan, base, rows, held_out, baselines, checkpoint)
    whole = plan.work_folder / "model"
    base.model.save_pretrained(whole)
    base.tokenizer.save_pretrained(whole)
    write_record(whole, _record(plan, settings, intakes, epochs, baselines, started))
    _put_in_place(whole, plan)
    best = max(epochs, key=lambda epoch: epoch.validation_iou)
    print(
        f"{short(plan.output)}: epoch {best.number}, validation IoU {best.validation_iou:.4f} "
        f"{baselines}"
    )
    if worse_than := baselines.reach(best.validation_iou):
        print(
            f"Note: it is no better than {worse_than} on the validation answers, so it has learned "
            "nothing of use; give it more answers or --epochs, or another --lr"
        )
    return epochs


def _put_in_place(whole: Path, plan: TrainingPlan) -> None:
    """Move a whole model and its record to the output.

    Both are complete before either is moved, and the checkpoints go last: whatever fails, a resumed
    training ends with the same model.
    """
    record_path(whole).replace(record_path(plan.output))
    if plan.output.exists():
        shutil.rmtree(plan.output)
    whole.replace(plan.output)
    shutil.rmtree(plan.work_folder)


def _refuse_existing(plan: TrainingPlan) -> None:
    """Refuse to write over a model, or over an unfinished training, that the user did not mean.

    Raises:
        UsageError: Naming the flag that is needed.
    """
    if plan.output.exists() and not plan.overwrite:
        raise UsageError(f"{plan.output} is there already; name another, or --overwrite it")
    if plan.work_folder.exists() and not (plan.resume or plan.overwrite):
        raise UsageError(
            f"{plan.work_folder} holds an unfinished training; go on with it: "
            f"{resume_command()}, or begin anew with --overwrite"
        )


def _resumed(plan: TrainingPlan, settings: Mapping[str, Any]) -> Path | None:
    """Find the last finished epoch to go on from; without `resume`, clear the way.

    Raises:
        UsageError: If it is of a training with other settings or answers.
    """
    folder = plan.work_folder
    if not plan.resume and folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / SETTINGS
    now = json.loads(json.dumps(settings))
    if file.exists():
        try:
            before = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            before = {}
        other = [name for name in now if before.get(name) != now[name]]
        if other:
            raise UsageError(
                f"{folder} holds a training with another {other[0].replace('_', ' ')}; name "
                "another --output, or begin anew with --overwrite"
            )
    file.write_text(json.dumps(now, indent=2), encoding="utf-8")
    shutil.rmtree(folder / "model", ignore_errors=True)
    finished = []
    for each in folder.glob(f"{_CHECKPOINT}*"):
        if _is_whole(each):
            finished.append((int(each.name.removeprefix(_CHECKPOINT)), each))
        else:  # it was being written when the run was killed
            shutil.rmtree(each)
    return max(finished)[1] if finished else None


def _is_whole(checkpoint: Path) -> bool:
    try:
        json.loads((checkpoint / _STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return True


def _digest(samples: Sequence[Sample]) -> str:
    """Hash all that training reads of samples."""
    rows = (
        digest((each.evidence, each.question, each.answer, json.dumps(each.spans)))
        for each in samples
    )
    return digest([row.hex() for row in rows]).hex()


def _tell_shared(samples: Sequence[Sample], validation: Sequence[Sample]) -> None:
    """Say how many validation answers are trained on, too: they are no measure."""
    known = {(each.evidence, each.question, each.answer) for each in samples}
    shared = sum((each.evidence, each.question, each.answer) in known for each in validation)
    if shared:
        print(
            f"Note: {shared:,} of {len(validation):,} validation answers are in --train, too; "
            "their IoU flatters the model"
        )


def _tell(name: str, intake: Intake, limit: int) -> None:
    """Say what is trained on, or measured on, and what is left out.

    Raises:
        UsageError: If nothing is left.
    """
    for reason, count in intake.left_out.items():
        print(f"Note: {count:,} {name} answers are left out: {reason}")
    if not intake.used:
        raise UsageError(f"--{name}: no answer with marked spans is left")
    print(
        f"{name}: {intake.used:,} answers, {intake.with_spans:,} with spans; {intake.windowed:,} "
        f"do not fit into {limit:,} tokens with their evidence and are read in windows"
    )


def _record(
    plan: TrainingPlan,
    settings: Mapping[str, Any],
    intakes: Mapping[str, Intake],
    epochs: Sequence[Epoch],
    baselines: Baselines,
    started: str,
) -> dict[str, Any]:
    best = max(epochs, key=lambda epoch: epoch.validation_iou)
    return {
        "command": command_line(),
        "started": started,
        "finished": utc_now(),
        "training": {
            **settings,
            "template": {"name": plan.template.name, "text": plan.template.asked},
            "train": str(plan.train),
            "validation": str(plan.validation),
        },
        "answers": {name: intake.record() for name, intake in intakes.items()},
        "epochs": [asdict(epoch) for epoch in epochs],
        "best_epoch": best.number,
        "validation_iou_of": {MARK_ALL: baselines.mark_all, MARK_NONE: baselines.mark_none},
    }
