"""How unsure a language model is of an answer: its own probability of each token, read along.

Source: the MSP baseline of Rykov et al. 2025 (PsiloQA), which shows the model no evidence.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from typing import Any, Final, Literal

import numpy as np

from banglahallueval.errors import RunError, UsageError
from banglahallueval.judges.classifiers.characters import marked, spread
from banglahallueval.models.huggingface import open_model
from banglahallueval.models.huggingface.batches import Batcher
from banglahallueval.models.huggingface.forced import ForcedJob, TokenScore
from banglahallueval.models.huggingface.loaded import Loaded
from banglahallueval.models.huggingface.pairs import Encoding
from banglahallueval.models.huggingface.windows import UncoveredError, cover
from banglahallueval.models.options import ClientOptions
from banglahallueval.models.types import Message, ModelError, Workload
from banglahallueval.spans.detectors.failures import BLANK
from banglahallueval.spans.offsets import merge
from banglahallueval.spans.types import Detection, Sample
from banglahallueval.text.spans import Place

Measure = Literal["probability", "entropy"]

NOTHING_ASKED: Final = "neither question nor evidence"
TOO_LONG: Final = "the answer is longer than the model reads"
NOT_FINITE: Final = "the model's probabilities are not numbers"

# In nats: a token less likely than all others together, or as open as the toss of a coin.
THRESHOLD: Final = math.log(2)
_TOKENS_PER_ROW = 1024  # inputs beyond this length make a batch smaller
_NO_LIMIT = 1 << 30  # tokens


class UncertaintyDetector:
    """Scores an answer by a local causal language model; implements `spans.types.Detector`.

    A score is in nats: −log p of the token that stands there, or the entropy of what the model
    would have written there. Of several tokens of one code point the highest counts; a code point
    without a token has its neighbour's. Evidence that does not fit is read in windows, of which
    each token's lowest score counts; the answer is never cut.

    Attributes:
        name: `uncertainty`.
    """

    name = "uncertainty"

    def __init__(
        self,
        options: ClientOptions,
        *,
        measure: Measure = "probability",
        shows_evidence: bool = False,
    ) -> None:
        """Set up; nothing is loaded yet.

        Args:
            options: A Hugging Face model.
            measure: What the score is.
            shows_evidence: Whether the model reads the evidence before the question.
        """
        self._model = open_model(options)
        self._batch_size = options.providers.hf.batch_size
        self._measure = measure
        self._shows_evidence = shows_evidence
        self._pairs: _ChatPairs | None = None
        self._batcher: Batcher[ForcedJob, list[TokenScore]] | None = None

    async def prepare(self) -> None:
        """Load the model.

        Raises:
            UsageError: If it cannot be used here, or its tokenizer tells no places of tokens.
            RunError: If it cannot be loaded.
        """
        await self._model.prepare(Workload())
        # Behind that, which tells a user without torch to install it.
        from banglahallueval.models.huggingface.surprisal import score

        loaded = self._model.loaded
        if not loaded.tokenizer.is_fast:
            raise UsageError(
                f"--model {self._model.model}: its tokenizer tells no places of its tokens; take "
                "another model"
            )
        self._pairs = _ChatPairs(loaded)
        self._batcher = Batcher(
            lambda batch: score(loaded.model, batch),
            most_rows=self._batch_size,
            most_tokens=self._batch_size * _TOKENS_PER_ROW,
        )

    async def detect(self, sample: Sample, again: int = 0) -> Detection:
        """Score one answer; many at once are run in batches.

        Raises:
            RunError: If the model fails for every answer.
        """
        if not sample.answer.strip():
            return Detection(failure=BLANK)
        try:
            scores = await self._scores(sample)
        except UncoveredError as error:
            return Detection(failure=str(error))
        except ModelError as error:
            if error.fatal:
                raise RunError(str(error)) from None
            return Detection(failure=f"no reply: {error.cause}")
        return Detection(scores, merge(marked(sample.answer, scores, THRESHOLD)))

    async def _scores(self, sample: Sample) -> tuple[float, ...]:
        assert self._pairs is not None
        assert self._batcher is not None
        inputs = self._inputs(self._pairs, sample)
        jobs = [ForcedJob(each, given=_given(each)) for each in inputs]
        windows = await asyncio.gather(*map(self._batcher.reply, jobs))
        which = 0 if self._measure == "probability" else 1
        least = np.array(windows)[:, :, which].min(axis=0).round(6).tolist()
        places = inputs[0].places[_given(inputs[0]) :]
        if not np.isfinite(least).all():
            raise UncoveredError(NOT_FINITE)
        scored = [(place, value) for place, value in zip(places, least, strict=True) if place]
        scores = spread(sample.answer, scored)
        if not scores:
            raise UncoveredError("the model's tokenizer drops the whole answer")
        return scores

    def _inputs(self, pairs: _ChatPairs, sample: Sample) -> tuple[Encoding, ...]:
        """Encode the answer behind the question, and behind each window of the evidence.

        Raises:
            UncoveredError: If there is nothing to answer, or it does not fit.
        """
        question = sample.question.strip()
        evidence = sample.evidence if self._shows_evidence else ""
        if not question and not evidence.strip():
            raise UncoveredError(NOTHING_ASKED)
        parts = cover(
            pairs,
            lambda window: "\n\n".join(text for text in (window, question) if text.strip()),
            evidence,
            sample.answer,
        )
        if len(parts) > 1:
            raise UncoveredError(TOO_LONG)
        return parts[0].inputs

    async def close(self) -> None:
        """Stop, and give the memory back."""
        if self._batcher is not None:
            await self._batcher.close()
        self._batcher = self._pairs = None
        await self._model.close()

    def record(self) -> Mapping[str, Any]:
        """Record the model, what is measured, and the threshold in nats."""
        model = self._model
        return {
            "model": {"provider": model.provider, "name": model.model, **model.record()},
            "measure": self._measure,
            "shows_evidence": self._shows_evidence,
            "over_windows": "min",
            "threshold": THRESHOLD,
        }


class _ChatPairs:
    """Encodes what the model is asked and its answer; see `models.huggingface.windows.Pairs`.

    The types of an encoding are 0 for the chat and 1 for the answer.
    """

    def __init__(self, loaded: Loaded) -> None:
        self.limit = loaded.context or _NO_LIMIT
        self._tokenizer = loaded.tokenizer
        self._chat = loaded.chat
        # Where the template begins a thought, the answer follows an empty one.
        self._opening = "</think>\n\n" if loaded.chat.opens_thinking else ""

    def pair(self, first: str, second: str) -> Encoding:
        """Encode an answer to a message."""
        given = self._chat.tokens((Message("user", first),), self._opening)
        encoded = self._encoded(second)
        places = [place if place[1] > place[0] else None for place in encoded["offset_mapping"]]
        return Encoding(
            [*given, *encoded["input_ids"]],
            [0] * len(given) + [1] * len(places),
            [*[None] * len(given), *places],
        )

    def places(self, text: str) -> list[Place]:
        """List the places of a text's tokens, in order."""
        return [place for place in self._encoded(text)["offset_mapping"] if place[1] > place[0]]

    def _encoded(self, text: str) -> Any:
        """Encode a text as it is: what looks like a special token is text."""
        return self._tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, split_special_tokens=True
        )


def _given(encoding: Encoding) -> int:
    """Count the tokens before the answer."""
    return (encoding.types or ()).count(0)
