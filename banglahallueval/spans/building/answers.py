"""Answers of models that see the question alone, so that some of what they say is made up."""

from __future__ import annotations

from banglahallueval.errors import UsageError
from banglahallueval.models import PROVIDERS
from banglahallueval.models.options import ProviderName
from banglahallueval.spans.building.step import Asking, Fields, Made, Step, UnusableError
from banglahallueval.spans.tags import CLOSE, OPEN
from banglahallueval.text.bangla import answer_text

_REPLY_TOKENS = 512


class Answers(Step):
    """The step that asks the questions; see `step.Step`."""

    name = "answers"
    needs = ("language", "evidence", "question", "gold_answer")
    author = "model"
    adds = ("answer",)

    def prompt(self, row: Fields) -> str:
        """Ask the question as it is, without the passage."""
        return row["question"]

    def budget(self, row: Fields) -> int:
        """Compute how many tokens a reply needs."""
        return _REPLY_TOKENS

    async def make(self, asking: Asking, row: Fields) -> Made:
        """Ask the question of a row."""
        answer = await asking.ask(self.prompt(row), _read, needed=self.budget(row))
        return Made({"answer": answer})


def _read(reply: str) -> str:
    answer = answer_text(reply)
    if not answer:
        raise UnusableError("empty")
    if OPEN in answer or CLOSE in answer:
        raise UnusableError("tags of its own")
    return answer


def read_models(texts: list[str]) -> tuple[tuple[ProviderName, str], ...]:
    """Read `PROVIDER:MODEL`, any number of them separated by commas.

    Raises:
        UsageError: If one is none, or stands there twice.
    """
    models: list[tuple[ProviderName, str]] = []
    for text in (part.strip() for each in texts for part in each.split(",")):
        if not text:
            continue
        name, _, model = text.partition(":")
        provider = next((known for known in PROVIDERS if known == name), None)
        if provider is None or not model:
            raise UsageError(
                f"--models {text}: give PROVIDER:MODEL, as in openai:gpt-4.1-mini; providers are "
                f"{', '.join(PROVIDERS)}"
            )
        if (provider, model) in models:
            raise UsageError(f"--models names {text} twice")
        models.append((provider, model))
    if not models:
        raise UsageError("--models names the models that answer, as in openai:gpt-4.1-mini")
    return tuple(models)
