"""What a run describes and judges, as settled once at the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from banglahallueval.io.paths import keep_apart
from banglahallueval.models.options import ClientOptions
from banglahallueval.runs.options import RowRange, RunOptions
from banglahallueval.vision.asking import Settings
from banglahallueval.vision.data import HalData
from banglahallueval.vision.generative.descriptions import Supplied
from banglahallueval.vision.generative.metrics import EDGES
from banglahallueval.vision.generative.prompts import (
    TYPES_PROMPT,
    Describing,
    judge_template,
    template_sha256s,
)
from banglahallueval.vision.generative.types import SUPPLIED, JudgeSees, Unit
from banglahallueval.vision.pictures import PictureFolder, scaled
from banglahallueval.vision.prompts import Lang

SEES_IN_WORDS: Final[Mapping[JudgeSees, str]] = {
    "image": "the picture",
    "captions": "the picture's true caption alone",
    "both": "the picture and its true caption",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """A run before it begins.

    Attributes:
        data: The pictures and captions.
        left_out: Indexes of items that are not described.
        defective: How many items repeat a picture or have a defective true caption.
        describings: The describing prompts; empty where descriptions are supplied.
        lang: Their language, unless they are the user's own.
        supplied: The supplied descriptions; None where a model is asked.
        sees: What the judge sees beside a description.
        describer: The model under evaluation; None where descriptions are supplied.
        judge: The judge.
        settings: How descriptions are asked for.
        folder: Where pictures are; None where nobody is shown one.
        root: Where the report finds the pictures; None if that is not known.
        max_side: Pixels that the longer side of a picture may have; None for any.
        output: The results.
        rows: Which items this run takes, by their places in the data.
        options: What to do with results that exist, and what to show.
        edges: Where bins of lengths end, in words; it changes tables alone.
        store: The reply store; None for one beside the output.
    """

    data: HalData
    left_out: frozenset[int]
    describings: Sequence[Describing]
    lang: Lang
    supplied: Supplied | None
    sees: JudgeSees
    describer: ClientOptions | None
    judge: ClientOptions
    settings: Settings
    folder: PictureFolder | None
    max_side: int | None
    output: Path
    rows: RowRange = field(default_factory=RowRange)
    options: RunOptions = field(default_factory=RunOptions)
    edges: tuple[int, ...] = EDGES
    store: Path | None = None
    root: Path | None = None
    defective: int = 0

    @property
    def inputs(self) -> list[Path]:
        """The files that are read."""
        prompts = [describing.wording.path for describing in self.describings]
        supplied = self.supplied.path if self.supplied else None
        return [path for path in (self.data.path, supplied, *prompts) if path]

    @property
    def is_one_model(self) -> bool:
        """Whether the model judges its own descriptions."""
        return self.describer == self.judge

    def check(self) -> None:
        """Refuse a slice without items, and an output that would take an input's place.

        Raises:
            UsageError: Naming the flag.
        """
        self.rows.check()
        self.rows.end_in(len(self.data.items), self.data.path)
        for source in self.inputs:
            keep_apart(source, output=self.output)

    def units(self) -> Iterator[Unit]:
        """Yield what there is to describe and to judge: item by item, prompt by prompt."""
        for item in self.data.items:
            if item.index in self.left_out:
                continue
            if self.supplied is None:
                yield from (Unit(item, describing.name) for describing in self.describings)
            elif item.index in self.supplied.texts:
                yield Unit(item, SUPPLIED, self.supplied.texts[item.index])

    def identity(self) -> dict[str, Any]:
        """List what must be the same for two runs' rows to stand in one file.

        The prompts are not part of it: a run that is resumed may add some.
        """
        described: dict[str, Any] = {"descriptions": "asked for"}
        if self.supplied:
            described = {"descriptions": self.supplied.sha256}
        if self.describer:
            described |= {
                "model": f"{self.describer.provider}:{self.describer.model}",
                "language": self.lang,
                "temperature": self.settings.temperature,
                "seed": self.settings.seed,
                "max_tokens": self.settings.max_tokens,
            }
        return {
            **described,
            "judge": f"{self.judge.provider}:{self.judge.model}",
            "judge sees": self.sees,
            "thinking budget": self.judge.providers.gemini.thinking_budget,
            "max_side": self.max_side,
            "left out": len(self.left_out),
            "judge prompts": template_sha256s([judge_template(self.sees), TYPES_PROMPT]),
        }

    def about(self) -> dict[str, str]:
        """Say whose descriptions of what these are, and who judges them, by name."""
        settings, describer = self.settings, self.describer
        items = f"{self.data.path}, {len(self.data.items):,} items"
        if self.defective:
            what = "left out (--clean)" if self.left_out else "not left out"
            items += f", {self.defective:,} of them defective and {what}"
        about = {"model": f"descriptions of {self.supplied.path}" if self.supplied else ""}
        if describer:
            sampled = f"temperature {settings.temperature:g}"
            about["model"] = f"{describer.model} ({describer.provider}, {sampled})"
        about["data"] = items
        if self.max_side:
            about["pictures"] = scaled(self.max_side)
        judge = f"{self.judge.model} ({self.judge.provider})"
        if self.is_one_model:
            judge += ", the model itself"
        about["judge"] = f"{judge}, who sees {SEES_IN_WORDS[self.sees]}"
        if describer:
            names = ", ".join(describing.name for describing in self.describings)
            about["prompts"] = f"{names} ({self.lang})"
        return about

    def prompts(self) -> dict[str, str]:
        """List the describing prompts with the SHA-256 of each."""
        return {describing.name: describing.wording.sha256 for describing in self.describings}
