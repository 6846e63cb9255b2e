"""What a detection run is to do: its answers, detector and output."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import is_same_file, keep_apart
from banglahallueval.models.options import ClassifierOptions
from banglahallueval.runs.options import RowRange, RunOptions
from banglahallueval.spans.data import Data
from banglahallueval.spans.detectors.factory import DetectorSpec
from banglahallueval.spans.types import Sample


@dataclass(frozen=True, slots=True)
class DetectionPlan:
    """One detection run.

    Attributes:
        data: The answers.
        spec: The detector.
        output: The table of what it finds.
        rows: Which of the answers it examines.
        options: What to do with an output that exists, and what to show.
        store: Where replies, or what a model on this machine finds, are kept; None for beside the
            output.
    """

    data: Data
    spec: DetectorSpec
    output: Path
    rows: RowRange = field(default_factory=RowRange)
    options: RunOptions = field(default_factory=RunOptions)
    store: Path | None = None

    @property
    def label(self) -> str:
        """What tables call the detector: its kind, and its model's name where it has one."""
        model = PurePath(str(self.spec.identity()["name"])).name  # of a folder, or at the hub
        return " ".join(dict.fromkeys((self.spec.name, model)))

    @property
    def runs_model(self) -> bool:
        """Whether a model runs here without a client, which would keep its replies."""
        return self._classifier is not None or self.spec.name == "uncertainty"

    @property
    def _classifier(self) -> ClassifierOptions | None:
        return self.spec.judge.classifier if self.spec.judge else self.spec.classifier

    @property
    def template(self) -> str:
        """How a token classifier is to be given its texts; empty for as its config says."""
        return self._classifier.template if self._classifier else ""

    def described(self) -> dict[str, Any]:
        """Describe the detector: all that must be the same for detections to stand in one file."""
        described = {"label": self.label, **self.spec.identity()}
        # As it stands in a record that is read back: tuples are lists there.
        return dict(json.loads(json.dumps(described, ensure_ascii=False, default=str)))

    @property
    def inputs(self) -> list[Path]:
        """The file that the answers are from, if it is one."""
        return [self.data.path] if self.data.path and self.data.path.is_file() else []

    def samples(self) -> Iterator[Sample]:
        """Yield the answers, in order."""
        return iter(self.data.samples)

    def check(self) -> None:
        """Refuse an output that would take the place of the answers, or be taken for some.

        Raises:
            UsageError: Naming the file.
        """
        path = self.data.path
        if path is None or path.is_dir():
            keep_apart(Path(), output=self.output)
        else:
            keep_apart(path, output=self.output)
        folders = [path, path / "data"] if path and path.is_dir() else []
        if any(is_same_file(self.output.parent, folder) for folder in folders):
            raise UsageError(
                f"--output {self.output}: it would be read as data of {path}; name another folder"
            )
