"""One trial: a model answers a question at a threshold, and the answer is graded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from banglahallueval.abstention.answers import Answer, read_answer
from banglahallueval.abstention.exact import is_match
from banglahallueval.abstention.grading import read_grade
from banglahallueval.abstention.prompts import Lang, answer_prompt, grading_prompt
from banglahallueval.abstention.types import Question, Trial
from banglahallueval.models.client import Client
from banglahallueval.models.types import Message, ModelError, Reply, Request
from banglahallueval.runs.asking import complete

JudgeName = Literal["exact", "llm"]
ANSWER_TOKENS = 128
GRADE_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Settings:
    """How questions are put.

    Attributes:
        language: The language of the confidence-target prompt.
        asks_confidence: Whether the model also says how sure it is.
        temperature: Sampling temperature; 0 is greedy.
        seed: Sampling seed, where the provider takes one.
        max_tokens: Reply budget in tokens; None for 128, and room to think where a model does.
    """

    language: Lang = "en"
    asks_confidence: bool = False
    temperature: float = 0.0
    seed: int | None = None
    max_tokens: int | None = None

    def prompt(self, question: Question, t: float) -> str:
        """Fill the prompt of a question at a threshold."""
        return answer_prompt(question, t, self.language, confidence=self.asks_confidence)


class Examiner:
    """Puts questions to a model and grades what it answers.

    Attributes:
        client: Asks the model.
        grader: Asks the LLM judge; None where answers are compared exactly.
    """

    def __init__(self, client: Client, grader: Client | None, settings: Settings) -> None:
        """Put a model, a judge and the settings together."""
        self.client = client
        self.grader = grader
        self._settings = settings

    async def examine(
        self, question: Question, t: float, *, again: int = 0, before: Trial | None = None
    ) -> Trial:
        """Ask a question at a threshold and grade the answer.

        Args:
            question: The question.
            t: The threshold.
            again: How often the question was asked in earlier runs.
            before: What an earlier run came to; of an answer that it could not grade only the
                grade is asked again.
        """
        if before is not None and before.outcome == "ungraded":
            return await self._grade(before, again)
        answer = await self._answer(question, t, again)
        trial = Trial(
            question,
            t,
            answer.pred,
            answer.outcome or "ungraded",
            answer.reason,
            answer.confidence,
        )
        return trial if answer.outcome else await self._grade(trial, again)

    async def _answer(self, question: Question, t: float, again: int) -> Answer:
        settings = self._settings
        request = Request(
            (Message("user", settings.prompt(question, t)),),
            max_tokens=settings.max_tokens or ANSWER_TOKENS,
            temperature=settings.temperature,
            seed=settings.seed,
            attempt=again,
        )

        # A gold answer "Unknown" is an answer.
        named = [text for text in (question.gold, *question.options) if text]

        def read(reply: Reply) -> Answer:
            return read_answer(reply, confidence=settings.asks_confidence, named=named)

        has_room = settings.max_tokens is None
        try:
            return read(await complete(self.client, request, has_room=has_room))
        except ModelError as error:
            return Answer("", "no reply", f"no reply: {error.cause}", None)

    async def _grade(self, trial: Trial, again: int) -> Trial:
        """Grade an answer; none is right where nothing can be known."""
        if trial.question.unknown_ok:
            return replace(trial, outcome="wrong", reason="")
        if self.grader is None:
            is_right = is_match(trial.pred, trial.question)
            return replace(trial, outcome="correct" if is_right else "wrong", reason="")
        request = Request(
            (Message("user", grading_prompt(trial.question, trial.pred)),),
            max_tokens=GRADE_TOKENS,
            attempt=again,
        )
        try:
            reply = await complete(self.grader, request)
        except ModelError as error:
            return replace(trial, outcome="ungraded", reason=f"no grade: {error.cause}")
        grade, reason = read_grade(reply)
        if grade is None:
            return replace(trial, outcome="ungraded", reason=reason, grader=reply.text)
        outcome: Literal["correct", "wrong"] = "correct" if grade else "wrong"
        return replace(trial, outcome=outcome, reason="", grader=reply.text)
