"""What a run describes and judges, as settled once at the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from banglahallueval.io.paths import keep_apart
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.pictures import estimated_tokens
from banglahallueval.models.prices import Estimate
from banglahallueval.models.types import Workload
from banglahallueval.runs.asking import estimated, workload
from banglahallueval.runs.options import RowRange, RunOptions
from banglahallueval.vision.asking import Settings
from banglahallueval.vision.data import HalData
from banglahallueval.vision.generative.descriptions import Supplied
from banglahallueval.vision.generative.metrics import EDGES
from banglahallueval.vision.generative.prompts import (
    TYPES_PROMPT,
    TYPES_TOKENS,
    VERDICT_TOKENS,
    Describing,
    judge_template,
    judging_prompt,
    template_sha256s,
    types_prompt,
)
from banglahallueval.vision.generative.types import SUPPLIED, JudgeSees, Unit
from banglahallueval.vision.images import picture_size
from banglahallueval.vision.pictures import PictureFolder
from banglahallueval.vision.types import PictureItem


@dataclass(frozen=True, slots=True)
class Plan:
    """A run before it begins.

    Attributes:
        data: The pictures and captions.
        left_out: Indexes of items that are not described.
        describings: The describing prompts; empty where descriptions are supplied.
        supplied: The supplied descriptions; None where a model is asked.
        sees: What the judge sees beside a description.
        describer: The model under evaluation; None where descriptions are supplied.
        judge: The judge.
        settings: How descriptions are asked for.
        folder: Where pictures are; None where nobody is shown one.
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

    @property
    def inputs(self) -> list[Path]:
        """The files that are read."""
        return [self.data.path, *([self.supplied.path] if self.supplied else [])]

    @property
    def reports(self) -> list[Path]:
        """The files written beside the results."""
        return [self.output.with_suffix(".json"), self.output.with_suffix(".md")]

    @property
    def is_one_model(self) -> bool:
        """Whether the model judges its own descriptions."""
        return self.describer == self.judge

    def check(self) -> None:
        """Refuse an output that would take an input's place.

        Raises:
            UsageError: Naming the file.
        """
        self.rows.check()
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

    def prompts(self) -> dict[str, str]:
        """List the describing prompts with the SHA-256 of each."""
        return {describing.name: describing.wording.sha256 for describing in self.describings}


@dataclass(slots=True)
class Measure:
    """What the units to work on will need.

    Attributes:
        descriptions: How many to ask for.
        judged: How many the judge may be asked about.
        characters, judge_characters: Code points of the prompts for either.
        longest, longest_judging: Code points of the longest prompt for either.
        budget: The largest reply budget of a description, in tokens.
        tokens: The budgets of all descriptions.
        first, first_judging: The first prompt of either.
        picture_tokens, judge_picture_tokens: Of the pictures shown to either; measured for a dry
            run alone, as every file has to be opened.
        missing: Items whose picture is needed and not there.
        pictures: Items whose picture is needed, with the tokens that it takes.
    """

    descriptions: int = 0
    judged: int = 0
    characters: int = 0
    judge_characters: int = 0
    longest: int = 0
    longest_judging: int = 0
    budget: int = 0
    tokens: int = 0
    first: str = ""
    first_judging: str = ""
    picture_tokens: int = 0
    judge_picture_tokens: int = 0
    missing: set[int] = field(default_factory=set)
    pictures: dict[int, int] = field(default_factory=dict)

    def add(self, plan: Plan, unit: Unit) -> None:
        """Count one unit."""
        if plan.folder and not self._has_picture(plan, plan.folder, unit.item):
            return
        picture = self.pictures.get(unit.item.index, 0)
        text = unit.supplied
        if text is None:
            wording = next(each for each in plan.describings if each.name == unit.prompt).wording
            budget = plan.settings.max_tokens or wording.tokens
            self.descriptions += 1
            self.characters += len(wording.text)
            self.longest = max(self.longest, len(wording.text))
            self.budget = max(self.budget, budget)
            self.tokens += budget
            self.picture_tokens += picture
            self.first = self.first or wording.text
            text = "…" * 3 * budget  # a token is about three code points
        prompt = judging_prompt(plan.sees, text, unit.item.caption)
        self.judged += 1
        self.judge_characters += len(prompt)
        self.judge_picture_tokens += picture if plan.sees != "captions" else 0
        self.longest_judging = max(self.longest_judging, len(prompt) + len(types_prompt()))
        if not self.first_judging:
            shown = "…" if unit.supplied is None else unit.supplied
            self.first_judging = judging_prompt(plan.sees, shown, unit.item.caption)

    def _has_picture(self, plan: Plan, folder: PictureFolder, item: PictureItem) -> bool:
        if item.index not in self.pictures:
            path = folder.find(item)
            if path is None:
                self.missing.add(item.index)
            size = picture_size(path, plan.max_side) if path and plan.options.dry_run else None
            provider = (plan.describer or plan.judge).provider
            self.pictures[item.index] = estimated_tokens(provider, *size) if size else 0
        return item.index not in self.missing

    def estimate(self, plan: Plan) -> Estimate:
        """Estimate tokens and cost, as if every description were hallucinated."""
        count, pictures = self.judged, self.judge_picture_tokens
        longer = self.judge_characters + count * len(types_prompt())
        needed = estimated(plan.judge, count, self.judge_characters, VERDICT_TOKENS, pictures)
        needed += estimated(plan.judge, count, longer, TYPES_TOKENS, pictures)
        if plan.describer and self.descriptions:
            budget = round(self.tokens / self.descriptions)
            needed += estimated(
                plan.describer, self.descriptions, self.characters, budget, self.picture_tokens
            )
        return needed

    def workloads(self, plan: Plan) -> Mapping[str, Workload]:
        """Describe the run to its models: the judge's part, and the describing one's."""
        shown = int(plan.sees != "captions")
        judging = workload(2 * self.judged, self.longest_judging, TYPES_TOKENS, shown)
        describing = workload(self.descriptions, self.longest, self.budget, 1)
        if plan.is_one_model:
            longest = max(self.longest, self.longest_judging)
            budget = max(self.budget, TYPES_TOKENS)
            requests = judging.requests + describing.requests
            judging = describing = workload(requests, longest, budget, 1)
        return {"judge": judging, "model": describing}
