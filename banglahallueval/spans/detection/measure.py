"""What the answers to examine will need of a model."""

from __future__ import annotations

from dataclasses import dataclass

from banglahallueval.judges.llm import THINKING_BUDGET
from banglahallueval.models.chat import is_expected_to_think
from banglahallueval.models.prices import Estimate, estimate
from banglahallueval.models.types import Workload
from banglahallueval.spans.detectors.factory import DetectorSpec
from banglahallueval.spans.types import Sample


@dataclass(slots=True)
class Measure:
    """Adds up the requests of the answers to examine.

    Attributes:
        spec: The detector.
        first: The first prompt.
        requests: Number of requests.
        characters: Code points of all prompts.
        longest: Code points of the longest prompt.
        reply_tokens: Reply budgets added up.
        most_tokens: The largest reply budget.
    """

    spec: DetectorSpec
    first: str = ""
    requests: int = 0
    characters: int = 0
    longest: int = 0
    reply_tokens: int = 0
    most_tokens: int = 0

    def add(self, sample: Sample) -> None:
        """Count one answer."""
        for prompt, tokens in self.spec.asks(sample):
            self.first = self.first or prompt
            self.requests += 1
            self.characters += len(prompt)
            self.longest = max(self.longest, len(prompt))
            self.reply_tokens += tokens
            self.most_tokens = max(self.most_tokens, tokens)

    def estimate(self) -> Estimate:
        """Estimate tokens and cost."""
        client = self.spec.client
        if client is None:
            return Estimate()
        thinking = 0
        if client.max_tokens is None and is_expected_to_think(client):
            thinking = THINKING_BUDGET * self.requests
        return estimate(
            client.provider,
            client.model,
            requests=self.requests,
            characters=self.characters,
            reply_tokens=self.reply_tokens + thinking,
        )

    def workload(self) -> Workload:
        """Describe the run to the model's provider."""
        client = self.spec.client
        room = 0 if client and client.max_tokens else THINKING_BUDGET
        return Workload(self.requests, self.longest, self.most_tokens, self.most_tokens + room)
