"""A prompt with the text that follows it, to be scored token by token."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from banglahallueval.models.huggingface.pairs import PairJob


class TokenScore(NamedTuple):
    """What a model says of a token before it sees it, in nats.

    Attributes:
        surprisal: −log p of the token that comes.
        entropy: Of the distribution over all tokens.
    """

    surprisal: float
    entropy: float


@dataclass(slots=True, eq=False)
class ForcedJob(PairJob[list[TokenScore]]):
    """A prompt with the text that follows it, waiting for the scores of that text's tokens.

    Attributes:
        given: How many tokens the prompt has; the text's tokens come behind them.
    """

    given: int = field(kw_only=True)
