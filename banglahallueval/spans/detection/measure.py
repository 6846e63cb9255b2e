"""What examining answers will cost."""

from __future__ import annotations

from collections.abc import Sequence

from banglahallueval.models.chat import is_expected_to_think
from banglahallueval.models.prices import Estimate, estimate
from banglahallueval.spans.detectors.factory import DetectorSpec
from banglahallueval.spans.types import Sample


def first_prompt(spec: DetectorSpec, samples: Sequence[Sample]) -> str:
    """Write the first prompt that a detector will send; empty where it sends none."""
    return next((ask.prompt for sample in samples for ask in spec.asks(sample)), "")


def estimated(spec: DetectorSpec, samples: Sequence[Sample]) -> Estimate:
    """Estimate what asking a chat model about answers will need."""
    client = spec.client
    if client is None:
        return Estimate()
    thinks = is_expected_to_think(client)
    asked = [ask for sample in samples for ask in spec.asks(sample)]
    return estimate(
        client.provider,
        client.model,
        requests=len(asked),
        characters=sum(len(ask.prompt) for ask in asked),
        reply_tokens=sum(ask.max_tokens_thinking if thinks else ask.max_tokens for ask in asked),
    )
