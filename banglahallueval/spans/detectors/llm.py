"""A chat model that copies the answer and puts tags around what the evidence does not support."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from banglahallueval import prompts
from banglahallueval.judges.classifiers.characters import marked
from banglahallueval.judges.llm import THINKING_BUDGET
from banglahallueval.models.client import Client
from banglahallueval.models.types import Message, ModelError, Request
from banglahallueval.spans.alignment import UnalignedError
from banglahallueval.spans.detectors.failures import unfit
from banglahallueval.spans.detectors.replies import TAG, read_marks
from banglahallueval.spans.offsets import mask, merge
from banglahallueval.spans.types import Detection, Sample, Span
from banglahallueval.verdicts import UNFINISHED_THINKING

PROMPT: Final = "spans.tag"
OWN_TAGS: Final = "the answer holds tags of its own"
NO_QUESTION: Final = "(none)"

_DATA = (Path(prompts.__file__).parent / f"{PROMPT}.txt").read_bytes()
_TEMPLATE = _DATA.decode("utf-8").removesuffix("\n")
PROMPT_IDENTITY: Final = {"name": PROMPT, "sha256": hashlib.sha256(_DATA).hexdigest()}
_LEAST_BUDGET = 512  # tokens


class LLMDetector:
    """Asks a model to tag an answer; implements `spans.types.Detector`.

    Tagged characters score 1, all others 0. A reply that is no copy of the answer is a failure.

    Attributes:
        name: `llm`.
    """

    name = "llm"

    def __init__(self, client: Client, *, max_tokens: int | None = None) -> None:
        """Choose the model.

        Args:
            client: Asks the model.
            max_tokens: Reply budget in tokens; None for what a copy of the answer needs, and 4,096
                more for a model that thinks first.
        """
        self.client = client
        self._max_tokens = max_tokens

    async def detect(self, sample: Sample, again: int = 0) -> Detection:
        """Ask the model; a failure with its reason where it gives no tagged copy.

        Raises:
            RunError: If no other request can succeed either.
        """
        if reason := unfit(sample):
            return Detection(failure=reason)
        if TAG.search(sample.answer):
            return Detection(failure=OWN_TAGS)
        request = Request(
            (Message("user", prompt_for(sample)),), self._budget(sample), attempt=again
        )
        try:
            spans = await self._ask(request, sample)
        except ModelError as error:
            return Detection(failure=f"no reply: {error.cause}")
        except UnalignedError as error:
            return Detection(failure=str(error))
        scores = mask(spans, len(sample.answer)).astype(float).tolist()
        return Detection(tuple(scores), merge(marked(sample.answer, scores)))

    async def _ask(self, request: Request, sample: Sample) -> tuple[Span, ...]:
        try:
            return read_marks(await self.client.complete(request), sample.answer)
        except UnalignedError as error:
            if str(error) != UNFINISHED_THINKING or self._max_tokens is not None:
                raise
        # Its name did not tell that it thinks: from now on it has room for that.
        self.client.model.thinking = True
        request = replace(request, max_tokens=self._budget(sample))
        return read_marks(await self.client.complete(request), sample.answer)

    def _budget(self, sample: Sample) -> int:
        if self._max_tokens is not None:
            return self._max_tokens
        return budget(sample, thinking=self.client.model.thinking)

    def record(self) -> Mapping[str, Any]:
        """Record model, prompt and parameters."""
        model = self.client.model
        return {
            "model": {"provider": model.provider, "name": model.model, **model.record()},
            "prompt": PROMPT_IDENTITY,
            "parameters": {"max_tokens": self._max_tokens, "temperature": 0},
        }


def prompt_for(sample: Sample) -> str:
    """Write the prompt for an answer.

    Each text stands between tags that hold a hash of all of them, so that none can close its own.
    """
    texts = {
        "context": ("evidence", sample.evidence),
        "question": ("question", sample.question.strip() or NO_QUESTION),
        "answer": ("answer", sample.answer),
    }
    whole = "\0".join(text for _, text in texts.values())
    mark = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return prompts.fill(
        _TEMPLATE,
        {
            slot: f"<{name} {mark}>\n{text}\n</{name} {mark}>"
            for slot, (name, text) in texts.items()
        },
    )


def budget(sample: Sample, *, thinking: bool = False) -> int:
    """Compute the reply budget in tokens for a copy of an answer.

    It is a power of two, so that local models can put answers of like length into one batch.
    """
    # Two tokens a code point is what the least economical tokenizers need for Bangla, half a token
    # for Latin; the rest is for tags.
    ascii_length = sum(char.isascii() for char in sample.answer)
    needed = 256 + 2 * (len(sample.answer) - ascii_length) + ascii_length // 2
    whole = max(_LEAST_BUDGET, 1 << (needed - 1).bit_length())
    return whole + THINKING_BUDGET if thinking else whole
