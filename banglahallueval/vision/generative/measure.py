"""What describing and judging will need, known before anything is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from banglahallueval.models.pictures import estimated_tokens
from banglahallueval.models.prices import Estimate
from banglahallueval.models.types import Workload
from banglahallueval.runs.asking import estimated, workload
from banglahallueval.vision.generative.plan import Plan
from banglahallueval.vision.generative.prompts import (
    TYPES_TOKENS,
    VERDICT_TOKENS,
    judging_prompt,
    types_prompt,
)
from banglahallueval.vision.generative.reading import supplied_description
from banglahallueval.vision.generative.types import Unit
from banglahallueval.vision.images import PictureError
from banglahallueval.vision.pictures import PictureFolder
from banglahallueval.vision.types import PictureItem


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
        picture_tokens, judge_picture_tokens: Of the pictures shown to either.
        pictures: Tokens of the picture of each item that needs one; None where it cannot be shown.
        unreadable: The items among these whose picture is there, in order.
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
    pictures: dict[int, int | None] = field(default_factory=dict)
    unreadable: dict[int, None] = field(default_factory=dict)

    @property
    def missing(self) -> int:
        """How many pictures cannot be shown."""
        return sum(tokens is None for tokens in self.pictures.values())

    def add(self, plan: Plan, unit: Unit) -> None:
        """Count one unit."""
        text = unit.supplied
        if text is not None and not supplied_description(text).text:
            return
        index = unit.item.index
        if plan.folder and index not in self.pictures:
            self.pictures[index] = self._tokens(plan, plan.folder, unit.item)
        picture = self.pictures.get(index, 0)
        if picture is None:
            return
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

    def _tokens(self, plan: Plan, folder: PictureFolder, item: PictureItem) -> int | None:
        try:
            size = folder.size(item, plan.max_side)
        except PictureError:
            self.unreadable[item.index] = None
            return None
        return estimated_tokens((plan.describer or plan.judge).provider, *size) if size else None

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
