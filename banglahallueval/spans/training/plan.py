"""How an encoder is trained, and what a training leaves on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from banglahallueval.judges.classifiers.templates import TEMPLATES, TRAINING_TEMPLATE, Template
from banglahallueval.spans.metrics import iou
from banglahallueval.spans.results import MARK_ALL, MARK_NONE, mark_all, mark_none
from banglahallueval.spans.types import Sample

_WORK = ".training"


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """One training.

    Attributes:
        base: The encoder: name on the hub, or a folder.
        train: A file or folder of answers with spans.
        validation: The same, for the IoU of each epoch.
        output: The folder that the trained model is written to.
        epochs: How often the training answers are gone through.
        learning_rate: The first one; it falls to 0 by the end.
        batch_size: Inputs to a step.
        max_length: Maximum number of tokens of an input; None for what the model reads.
        seed: Settles the head's first weights and the order of the answers.
        device: As torch names it, or `auto`.
        resume: Whether to go on from the last finished epoch.
        overwrite: Whether to replace an output, and begin anew what was not finished.
        quiet: Whether to show no progress bar.
    """

    base: str
    train: Path
    validation: Path
    output: Path
    epochs: int = 6
    learning_rate: float = 1e-5
    batch_size: int = 4
    max_length: int | None = None
    seed: int = 0
    device: str = "auto"
    resume: bool = False
    overwrite: bool = False
    quiet: bool = False

    @property
    def template(self) -> Template:
        """How the model is given evidence and question."""
        return TEMPLATES[TRAINING_TEMPLATE]

    @property
    def work_folder(self) -> Path:
        """Where checkpoints are kept until the model is whole."""
        return self.output.with_name(self.output.name + _WORK)

    def identity(self) -> dict[str, Any]:
        """List what determines the trained model, but for the contents of files."""
        apart = ("train", "validation", "output", "device", "resume", "overwrite", "quiet")
        settings = {name: value for name, value in asdict(self).items() if name not in apart}
        return {**settings, "template": self.template.name}


@dataclass(frozen=True, slots=True)
class Baselines:
    """What a detector that looks at nothing reaches on the validation answers.

    Attributes:
        mark_all: Mean IoU of marking every character.
        mark_none: Mean IoU of marking none.
    """

    mark_all: float
    mark_none: float

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> Baselines:
        """Compute them of answers with spans."""
        found = (
            [iou(sample.spans or (), each.spans, len(sample.answer)) for sample, each in pairs]
            for pairs in (
                zip(samples, make(samples), strict=True) for make in (mark_all, mark_none)
            )
        )
        return cls(*(sum(values) / len(values) for values in found))

    def reach(self, validation_iou: float) -> str:
        """Name the one of the two that an IoU does not exceed; empty where it exceeds both."""
        best, name = max((self.mark_all, MARK_ALL), (self.mark_none, MARK_NONE))
        return name if validation_iou <= best else ""

    def __str__(self) -> str:
        """Say both behind a model's IoU."""
        return f"({MARK_ALL} {self.mark_all:.4f}, {MARK_NONE} {self.mark_none:.4f})"


@dataclass(frozen=True, slots=True)
class Epoch:
    """What an epoch came to.

    Attributes:
        number: From 1.
        loss: Mean loss over its steps; None where it is not known.
        validation_iou: Mean character IoU over the validation answers, 0 to 1.
    """

    number: int
    loss: float | None
    validation_iou: float
