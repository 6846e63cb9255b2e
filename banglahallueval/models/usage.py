"""What a run asked for and got, and what to do about what it did not get."""

from __future__ import annotations

from dataclasses import dataclass, field

from banglahallueval.models.types import Cause, ModelError, Reply


@dataclass(slots=True)
class Failed:
    """Failed attempts of one cause.

    Attributes:
        count: How many there were, those that a retry mended among them.
        example: What the first of them said, without secrets.
        advice: What to do about it.
    """

    count: int
    example: str
    advice: str


@dataclass(slots=True)
class Usage:
    """What a run asked for and got.

    Attributes:
        asked: Requests that brought a reply from the server.
        stored: Replies taken from the store, or shared with an equal request in flight.
        stored_prompt_tokens, stored_completion_tokens: Of those from the store.
        failures: Failed attempts by cause.
        prompt_tokens, completion_tokens: As the server counts them, of `asked` only.
    """

    asked: int = 0
    stored: int = 0
    failures: dict[Cause, Failed] = field(default_factory=dict)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    stored_prompt_tokens: int = 0
    stored_completion_tokens: int = 0

    def add_stored(self, reply: Reply) -> None:
        """Count a reply from the store."""
        self.stored += 1
        self.stored_prompt_tokens += reply.prompt_tokens
        self.stored_completion_tokens += reply.completion_tokens

    def add_reply(self, reply: Reply) -> None:
        """Count a reply from the server."""
        self.asked += 1
        self.prompt_tokens += reply.prompt_tokens
        self.completion_tokens += reply.completion_tokens

    def add_failure(self, problem: ModelError) -> None:
        """Count a failed attempt; the first of each cause is its example."""
        failed = self.failures.get(problem.cause)
        if failed is None:
            failed = self.failures[problem.cause] = Failed(0, problem.said, problem.advice)
        failed.count += 1
