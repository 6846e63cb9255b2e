"""What an evaluation asks whom, as settled once at the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banglahallueval.abstention.asking import ANSWER_TOKENS, GRADE_TOKENS, Settings
from banglahallueval.abstention.prompts import grading_prompt
from banglahallueval.abstention.types import Question
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.prices import Estimate
from banglahallueval.models.types import Workload
from banglahallueval.runs.asking import estimated, workload
from banglahallueval.runs.options import RunOptions

Unit = tuple[Question, float]


@dataclass(frozen=True, slots=True)
class Plan:
    """An evaluation before it begins.

    Attributes:
        questions: What is asked, in the order of the results.
        source: What they are from, for messages: a file, or a dataset's name.
        draw: What decided which questions are asked; the same for all runs of one output.
        data: Where the questions are from, and how many there are, for the run record.
        inputs: The files that they are read from.
        thresholds: The confidences asked for, ascending.
        settings: How questions are put.
        client: The model under evaluation, and how it is asked.
        grader: The LLM judge; None where answers are compared exactly.
        folder: Where the results go.
        options: What to do with results that exist, and what to show.
        shows_progress: Whether a progress bar is shown.
    """

    questions: Sequence[Question]
    source: str
    draw: Mapping[str, Any]
    data: Mapping[str, Any]
    inputs: Sequence[Path]
    thresholds: tuple[float, ...]
    settings: Settings
    client: ClientOptions
    grader: ClientOptions | None
    folder: Path
    options: RunOptions
    shows_progress: bool = False

    @property
    def output(self) -> Path:
        """The file with one row per question and threshold."""
        return self.folder / "results.csv"

    def units(self) -> Iterator[Unit]:
        """Yield each question at each threshold, in the order of the results."""
        for question in self.questions:
            for t in self.thresholds:
                yield question, t

    def prompt(self, unit: Unit) -> str:
        """Fill the prompt of a question at a threshold."""
        return self.settings.prompt(*unit)

    @property
    def budget(self) -> int:
        """Reply budget of an answer in tokens, thinking not counted."""
        return self.settings.max_tokens or ANSWER_TOKENS


@dataclass(slots=True)
class Measure:
    """What the questions to ask will need.

    Attributes:
        requests: Answers to ask for.
        graded: Answers that the LLM judge may be asked about: those of answerable questions.
        characters, grading_characters: Code points of the prompts for either.
        longest, longest_grading: Code points of the longest prompt for either.
        first: The first prompt.
    """

    requests: int = 0
    graded: int = 0
    characters: int = 0
    grading_characters: int = 0
    longest: int = 0
    longest_grading: int = 0
    first: str = ""

    def add(self, plan: Plan, unit: Unit) -> None:
        """Count one question at one threshold."""
        prompt = plan.prompt(unit)
        self.first = self.first or prompt
        self.requests += 1
        self.characters += len(prompt)
        self.longest = max(self.longest, len(prompt))
        if plan.grader and not unit[0].unknown_ok:
            # An answer takes up about three code points a token.
            grading = len(grading_prompt(unit[0], "")) + 3 * plan.budget
            self.graded += 1
            self.grading_characters += grading
            self.longest_grading = max(self.longest_grading, grading)

    def estimate(self, plan: Plan) -> Estimate:
        """Estimate tokens and cost of answers and grades, as if none abstained."""
        needed = estimated(plan.client, self.requests, self.characters, plan.budget)
        if plan.grader:
            needed += estimated(plan.grader, self.graded, self.grading_characters, GRADE_TOKENS)
        return needed

    def answering(self, plan: Plan) -> Workload:
        """Describe the model's part of the run."""
        return workload(self.requests, self.longest, plan.budget)

    def grading(self) -> Workload:
        """Describe the LLM judge's part of the run."""
        return workload(self.graded, self.longest_grading, GRADE_TOKENS)
