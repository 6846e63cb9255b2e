"""What an evaluation asks whom, as settled once at the command line."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from banglahallueval.io.paths import keep_apart
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.pictures import estimated_tokens
from banglahallueval.models.prices import Estimate
from banglahallueval.models.types import Reply, Workload
from banglahallueval.runs.asking import estimated, workload
from banglahallueval.runs.options import RowRange, RunOptions
from banglahallueval.vision.asking import Settings
from banglahallueval.vision.data import HalData
from banglahallueval.vision.defects import Defects, find_defects
from banglahallueval.vision.discriminative.metrics import Scoring
from banglahallueval.vision.discriminative.naming import read_type
from banglahallueval.vision.discriminative.reading import Answer, read_answer
from banglahallueval.vision.discriminative.results import BASELINE_KIND, KIND, Result
from banglahallueval.vision.images import PictureError
from banglahallueval.vision.pictures import PictureFolder, scaled
from banglahallueval.vision.prompts import Ask, Lang, Wording
from banglahallueval.vision.types import KINDS, Kind, PictureItem, Question


@dataclass(frozen=True)
class Asked:
    """The questions of an evaluation, and how they are put.

    Attributes:
        data: The pictures and captions.
        ask: What is asked about each caption.
        wording: The prompt.
        lang: Its language.
        kinds: The kinds of captions asked about.
        rows: The items asked about, by their places in the data.
        scoring: What is counted how; with `clean`, defective captions are not asked about.
    """

    data: HalData
    ask: Ask
    wording: Wording
    lang: Lang = "en"
    kinds: Collection[Kind] = KINDS
    rows: RowRange = field(default_factory=RowRange)
    scoring: Scoring = field(default_factory=Scoring)

    @property
    def inputs(self) -> list[Path]:
        """The files that are read."""
        return [self.data.path, *([self.wording.path] if self.wording.path else [])]

    def check(self, output: Path) -> None:
        """Refuse a slice without items, and an output that would take an input's place.

        Raises:
            UsageError: Naming the flag.
        """
        self.rows.check()
        self.rows.end_in(len(self.data.items), self.data.path)
        for source in self.inputs:
            keep_apart(source, output=output)

    @cached_property
    def defects(self) -> Defects:
        """The defective captions."""
        return find_defects(self.data.items)

    def about(self) -> dict[str, str]:
        """Say of what data the questions are, and what is wrong with it, by name, for tables."""
        kept = "left out" if self.scoring.clean else "asked about, but for empty ones"
        defective = "; ".join(self.defects.sentences())
        return {
            "data": f"{self.data.path}, {len(self.data.items):,} items",
            "defective": f"{defective}; {kept}" if defective else "no captions",
        }

    def questions(self) -> Iterator[Question]:
        """Yield every question of the data, whether this run asks it or not; no empty ones."""
        return self.defects.asked(self.data.items)

    def selects(self, question: Question) -> bool:
        """Whether this run asks a question."""
        if question.kind not in self.kinds or question.item.index not in self.rows:
            return False
        if not self.scoring.clean:
            return True
        true = Question(question.item, "true")
        return self.defects.of(question) is None and self.defects.of(true) is None

    def prompt(self, question: Question) -> str:
        """Fill the prompt of a question."""
        return self.wording.fill(caption=question.caption)

    def read(self, result: Result, reply: Reply) -> Result:
        """Read the reply to a question into its result."""
        if self.ask == "type":
            named = read_type(reply, is_cot=self.wording.is_cot)
            answer = Answer(named.label, named.reason)
        else:
            answer = read_answer(reply, is_cot=self.wording.is_cot, is_bangla=self.lang == "bn")
        return replace(
            result,
            answer=answer.label,
            reason=answer.reason,
            conflicts=answer.conflicts,
            reply=reply.text,
        )

    def in_words(self, *, with_picture: bool) -> str:
        """Say how it is asked, for tables."""
        shown = "with the picture" if with_picture else "without the picture"
        return f"{self.ask}, prompt {self.wording.name} ({self.lang}), {shown}"


@dataclass(frozen=True)
class Plan:
    """An evaluation before it begins.

    Attributes:
        asked: The questions.
        client: The model under evaluation, and how it is asked.
        settings: How every question is put.
        folder: Where the pictures are; None for the baseline that asks without them.
        max_side: Pixels that the longer side of a picture may have; None for any.
        output: The rows.
        options: What to do with an output that exists, and what to show.
    """

    asked: Asked
    client: ClientOptions
    settings: Settings
    folder: PictureFolder | None
    max_side: int | None
    output: Path
    options: RunOptions = field(default_factory=RunOptions)

    @property
    def kind(self) -> str:
        """What the run record calls such a run."""
        return KIND if self.folder else BASELINE_KIND

    @property
    def budget(self) -> int:
        """Reply budget in tokens, thinking not counted."""
        return self.settings.max_tokens or self.asked.wording.tokens

    @property
    def wording(self) -> str:
        """How it is asked, in words, for tables."""
        return self.asked.in_words(with_picture=self.folder is not None)

    def identity(self) -> dict[str, Any]:
        """List what must be the same for two runs' answers to stand in one file."""
        asked, settings = self.asked, self.settings
        return {
            "model": f"{self.client.provider}:{self.client.model}",
            "ask": asked.ask,
            "prompt": asked.wording.name,
            "text of the prompt": asked.wording.sha256,
            "language": asked.lang,
            "temperature": settings.temperature,
            "seed": settings.seed,
            "max_tokens": settings.max_tokens,
            "max_side": self.max_side,
            "thinking budget": self.client.providers.gemini.thinking_budget,
        }

    def about(self) -> dict[str, str]:
        """Say whose answers to what these are, by name."""
        asked, settings = self.asked, self.settings
        sampled = f"temperature {settings.temperature:g}"
        return {
            "model": f"{self.client.model} ({self.client.provider}, {sampled})",
            **asked.about(),
            "asked": self.wording,
            **({"pictures": scaled(self.max_side)} if self.max_side else {}),
        }


@dataclass
class Measure:
    """What the questions to ask will need.

    Attributes:
        requests: How many.
        characters: Code points of their prompts.
        longest: Those of the longest.
        first: The first prompt.
        picture_tokens: Of their pictures.
        pictures: Tokens of the picture of each item; None where it cannot be shown.
        unreadable: The items among these whose picture is there, in order.
        to_do: How many questions there are, those without a picture among them.
    """

    requests: int = 0
    characters: int = 0
    longest: int = 0
    first: str = ""
    picture_tokens: int = 0
    pictures: dict[int, int | None] = field(default_factory=dict)
    unreadable: dict[int, None] = field(default_factory=dict)
    to_do: int = 0

    @property
    def missing(self) -> int:
        """How many pictures cannot be shown."""
        return sum(tokens is None for tokens in self.pictures.values())

    def add(self, plan: Plan, question: Question) -> None:
        """Count one question."""
        self.to_do += 1
        if plan.folder and question.item.index not in self.pictures:
            self.pictures[question.item.index] = self._tokens(plan, plan.folder, question.item)
        tokens = self.pictures.get(question.item.index, 0)
        if tokens is None:
            return
        prompt = plan.asked.prompt(question)
        self.first = self.first or prompt
        self.requests += 1
        self.characters += len(prompt)
        self.longest = max(self.longest, len(prompt))
        self.picture_tokens += tokens

    def _tokens(self, plan: Plan, folder: PictureFolder, item: PictureItem) -> int | None:
        try:
            size = folder.size(item, plan.max_side)
        except PictureError:
            self.unreadable[item.index] = None
            return None
        return estimated_tokens(plan.client.provider, *size) if size else None

    def estimate(self, plan: Plan) -> Estimate:
        """Estimate tokens and cost."""
        return estimated(
            plan.client, self.requests, self.characters, plan.budget, self.picture_tokens
        )

    def workload(self, plan: Plan) -> Workload:
        """Describe the run to its model."""
        return workload(self.requests, self.longest, plan.budget, int(plan.folder is not None))
