"""A trained classifier on this machine, run in batches formed from what waits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from banglahallueval.environment import refuse_mixed_places
from banglahallueval.models.huggingface.batches import Batcher
from banglahallueval.models.huggingface.local import refuse_missing, revision
from banglahallueval.models.huggingface.pairs import Encoding
from banglahallueval.models.options import ClassifierOptions

_TOKENS_PER_ROW = 1024  # inputs beyond this length make a batch smaller
_PACKAGES = ("torch", "transformers")


@dataclass(slots=True, eq=False)
class PairJob:
    """An encoded pair that waits for its probabilities.

    Attributes:
        encoding: The pair.
        reply: The probabilities of each label, for each token or for the pair.
    """

    encoding: Encoding
    reply: asyncio.Future[list[list[float]]] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    @property
    def ids(self) -> Sequence[int]:
        """The pair's tokens."""
        return self.encoding.ids

    @property
    def kind(self) -> object:
        """What the jobs of one batch have in common: all go together."""
        return None

    @property
    def tokens(self) -> int:
        """Tokens of the pair."""
        return len(self.encoding.ids)


def refuse_unusable(options: ClassifierOptions) -> None:
    """Refuse a classifier that cannot be loaded here, before seconds of loading.

    Raises:
        UsageError: If a package, the device or the folder is missing, or the hub's token and
            address do not come from the same place.
    """
    refuse_missing(options.model, _PACKAGES, options.device)
    refuse_mixed_places("HF_TOKEN", "HF_ENDPOINT")


class Classifier:
    """A token or sequence classifier of transformers.

    Batched pairs get the probabilities that they get alone, up to rounding.

    Attributes:
        loaded: The model, once it is loaded.
        tokenizer: Its tokenizer, once it is loaded.
        limit: Maximum number of tokens that it reads.
    """

    def __init__(
        self,
        options: ClassifierOptions,
        head: Literal["TokenClassification", "SequenceClassification"],
    ) -> None:
        """Set up; nothing is loaded yet.

        Args:
            options: Which model, and where it runs.
            head: What it classifies: tokens, or pairs of texts.
        """
        self.loaded: Any = None
        self.tokenizer: Any = None
        self.limit = 0
        self._options = options
        self._head = head
        self._found: dict[str, Any] = {}
        self._batcher: Batcher[PairJob, list[list[float]]] | None = None

    async def prepare(self) -> None:
        """Load the model.

        Raises:
            UsageError: If it cannot be used here, is of another kind, or its head was never
                trained.
            RunError: If it cannot be loaded.
        """
        refuse_unusable(self._options)
        await asyncio.to_thread(self._load)
        self._batcher = Batcher(
            self._run,
            most_rows=self._options.batch_size,
            most_tokens=self._options.batch_size * _TOKENS_PER_ROW,
        )

    async def probabilities(self, encoding: Encoding) -> list[list[float]]:
        """Compute the probabilities of each label: a row per token, or one for the pair.

        Raises:
            ModelError: If it does not fit in memory, or the device fails.
        """
        assert self._batcher is not None
        return await self._batcher.reply(PairJob(encoding))

    async def close(self) -> None:
        """Stop, and give the memory back."""
        if self._batcher is not None:
            await self._batcher.close()
        self._batcher = self.loaded = None

    def record(self) -> dict[str, Any]:
        """Record which model was loaded, how and where."""
        options = self._options
        return {
            "provider": "hf",
            "name": options.model,
            "batch_size": options.batch_size,
            **self._found,
        }

    def _load(self) -> None:
        from banglahallueval.models.huggingface import classification

        options = self._options
        self.tokenizer = classification.load_tokenizer(options.model)
        self.loaded = classification.load_trained(
            options.model, self._head, options.dtype, options.device
        )
        self.limit = classification.limit_of(self.loaded, self.tokenizer)
        self._found = {
            "revision": revision(self.loaded, options.model),
            "architecture": type(self.loaded).__name__,
            "dtype": str(self.loaded.dtype),
            "device": str(self.loaded.device),
            "max_tokens": self.limit,
        }

    def _run(self, batch: Sequence[PairJob]) -> list[list[list[float]]]:
        from banglahallueval.models.huggingface.classification import classify

        return classify(self.loaded, self.tokenizer, [job.encoding for job in batch])
