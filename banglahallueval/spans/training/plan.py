"""How an encoder is trained, and what a training leaves on the way."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from banglahallueval.judges.classifiers.templates import TEMPLATES, TRAINING_TEMPLATE, Template

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
        device: `auto`, `cpu` or `cuda`.
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
