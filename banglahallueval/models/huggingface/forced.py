"""A prompt with the text that follows it, to be scored token by token."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from banglahallueval.models.huggingface.pairs import Encoding


class TokenScore(NamedTuple):
    """What a model says of a token before it sees it, in nats.

    Attributes:
        surprisal: −log p of the token that comes.
        entropy: Of the distribution over all tokens.
    """

    surprisal: float
    entropy: float


@dataclass(slots=True, eq=False)
class ForcedJob:
    """A prompt with the text that follows it, waiting for the scores of that text.

    Attributes:
        encoding: Prompt and text; the text's tokens are the last ones.
        given: How many tokens the prompt has.
        reply: The scores of the text's tokens.
    """

    encoding: Encoding
    given: int
    reply: asyncio.Future[list[TokenScore]] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    @property
    def ids(self) -> Sequence[int]:
        """Tokens of prompt and text."""
        return self.encoding.ids

    @property
    def kind(self) -> object:
        """What the jobs of one batch have in common: all go together."""
        return None

    @property
    def tokens(self) -> int:
        """Tokens of prompt and text together."""
        return len(self.encoding.ids)
