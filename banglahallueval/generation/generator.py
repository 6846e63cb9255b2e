"""One candidate: asked for, checked, asked for again with what was wrong, the best one kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from banglahallueval.generation.checks import Candidate, Failure, Limits, check, worth
from banglahallueval.generation.patterns import Frame
from banglahallueval.generation.sources import Source
from banglahallueval.models.client import Client
from banglahallueval.models.types import Message, ModelError, Reply, Request
from banglahallueval.prompts import fill, template
from banglahallueval.tasks import TASKS
from banglahallueval.text.bangla import answer_text, closing_mark, digits_like, spaced_like
from banglahallueval.text.json_reply import read_object, text_of
from banglahallueval.text.normalise import for_matching

THINKING_BUDGET = 4096  # tokens: a thinking model needs room before it can answer


@dataclass(frozen=True, slots=True)
class Settings:
    """How candidates are asked for.

    Attributes:
        limits: How long they may be.
        tries: How often one is asked for at most, until it passes every check.
        temperature: Sampling temperature.
        seed: Sampling seed, for providers that take one.
        max_tokens: Reply budget in tokens; None to reckon it from the longest that may be written.
    """

    limits: Limits = field(default_factory=Limits)
    tries: int = 3
    temperature: float = 0.7
    seed: int = 42
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """What became of one candidate.

    Attributes:
        kept: The best candidate, by `checks.worth`; the earliest such.
        failed: The checks that it fails.
        is_lost: Whether it may not be written: it may be right, or could not be read.
        first: The first candidate, as it was before any check sent it back.
        first_failed: The checks that that one fails.
        unanswered: Why no reply came; empty where one did.
    """

    kept: Candidate
    failed: tuple[str, ...]
    first: Candidate
    first_failed: tuple[str, ...]
    is_lost: bool
    unanswered: str = ""


def reply_budget(settings: Settings, longest: int, *, thinking: bool = False) -> int:
    """Compute the reply budget in tokens for an output of up to `longest` code points."""
    if settings.max_tokens is not None:
        return settings.max_tokens
    # One token a code point is what the least economical tokenizers need for Bangla; the rest is
    # for the JSON around a chain and its escapes.
    needed = 100 + round(longest * 1.2)
    return max(needed, THINKING_BUDGET) if thinking else needed


class Generator:
    """Makes candidates with one model and one frame."""

    def __init__(self, client: Client, frame: Frame, settings: Settings) -> None:
        """Put model, frame and settings together."""
        self.client = client
        self.frame = frame
        self.settings = settings

    def budget(self, longest: int) -> int:
        """Compute the reply budget in tokens for an output of up to `longest` code points."""
        thinking = self.client.model.thinking
        return reply_budget(self.settings, longest, thinking=thinking)

    async def make(
        self, source: Source, pattern: str, siblings: Callable[[], Awaitable[Sequence[str]]]
    ) -> Made:
        """Ask for a candidate until it passes, or the tries are used up.

        Args:
            source: What it is made from.
            pattern: How it must be wrong.
            siblings: Waits for the source's other candidates and lists what they say.

        Raises:
            RunError: If no other request can succeed either.
        """
        messages: tuple[Message, ...] = (
            Message("user", fill_prompt(self.frame, self.settings, source, pattern)),
        )
        _, longest = self.settings.limits.bounds(source.item.output)
        made: list[tuple[Candidate, list[Failure]]] = []
        unanswered = ""
        for _ in range(self.settings.tries):
            try:
                reply = await self._complete(messages, source, self.budget(longest))
            except ModelError as error:
                unanswered = f"no reply: {error.cause}"
                break
            candidate = read_candidate(source, reply)
            limits = self.settings.limits
            failures = check(source, pattern, candidate, limits, await siblings())
            made.append((candidate, failures))
            if not failures:
                break
            messages = (*messages, *ask_again(reply.text, failures))
        if not made:
            nothing = Candidate("")
            return Made(nothing, (), nothing, (), is_lost=True, unanswered=unanswered)
        kept, failed = min(made, key=lambda each: worth(*each))
        first, first_failed = made[0]
        is_lost, _, _ = worth(kept, failed)
        return Made(kept, _names(failed), first, _names(first_failed), is_lost)

    async def sentence(self, source: Source) -> str | None:
        """Write the gold answer as a full sentence, where it is a bare span.

        Returns:
            The sentence; None where the model wrote none that holds the answer, and no more.
        """
        gold = source.item.output
        if closing_mark(gold):
            return gold
        values = {"question": source.item.question, "gold": gold}
        messages: tuple[Message, ...] = (
            Message("user", fill(template("generate.sentence"), values)),
        )
        longest = len(gold) + 2 * len(source.item.question) + 20
        for _ in range(self.settings.tries):
            reply = await self._complete(messages, source, self.budget(longest))
            text = answer_text(reply.text)
            whole = f" {for_matching(text)} "
            if for_matching(gold) not in whole:
                wrong = "it does not hold the answer word for word"
            elif closing_mark(text) != "." or "\n" in text or len(text) > longest:
                wrong = "it is not one full sentence and nothing else"
            elif reply.finish != "stop":
                wrong = "it breaks off"
            else:
                return spaced_like(text, gold)
            messages = (*messages, *ask_again(reply.text, [Failure("sentence", wrong)]))
        return None

    async def _complete(
        self, messages: tuple[Message, ...], source: Source, max_tokens: int
    ) -> Reply:
        settings = self.settings
        # A source that stands in the file twice gets a candidate of its own each time.
        again = source.repetition
        return await self.client.complete(
            Request(
                messages,
                max_tokens=max_tokens,
                temperature=settings.temperature,
                seed=settings.seed + again,
                attempt=again,
            )
        )


def fill_prompt(frame: Frame, settings: Settings, source: Source, pattern: str) -> str:
    """Fill the prompt for one candidate."""
    return frame.fill(pattern, _slots(source, settings.limits))


def read_candidate(source: Source, reply: Reply) -> Candidate:
    """Read the candidate that a reply offers."""
    if not TASKS[source.item.task].is_chain:
        text = answer_text(reply.text)
        return Candidate(spaced_like(text, source.item.output) if text else "", reply.finish)
    read = read_object(reply.text)
    if read is None or "hallucinated_chain" not in read:
        return Candidate("", reply.finish, readable=False)
    chain = text_of(read["hallucinated_chain"]).strip()
    return Candidate(
        chain,
        reply.finish,
        final=digits_like(text_of(read.get("hallucinated_answer")).strip(), source.gold_cell),
        error_step=text_of(read.get("error_step")),
        error_type=text_of(read.get("error_type")),
    )


def ask_again(said: str, failures: list[Failure]) -> tuple[Message, ...]:
    """Build the turns that follow a failed candidate."""
    reasons = "; ".join(failure.reason for failure in failures)
    return (
        Message("assistant", said if said.strip() else "…"),
        Message(
            "user",
            f"That cannot be used: {reasons}. Write it again, by the same rules, and reply with "
            "nothing else.",
        ),
    )


def _names(failures: list[Failure]) -> tuple[str, ...]:
    return tuple(failure.name for failure in failures)


def _slots(source: Source, limits: Limits) -> dict[str, str]:
    item = source.item
    shortest, longest = limits.bounds(item.output)
    return {
        "context": item.context,
        "question": item.question,
        "gold": item.output,
        "final": item.final_answer,
        "shortest": str(shortest),
        "longest": str(longest),
    }
