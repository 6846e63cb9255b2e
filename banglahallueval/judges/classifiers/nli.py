"""Sentences scored by a natural language inference model: what the evidence entails is supported.

Source: Tang et al. 2024 (arXiv:2404.10774, MiniCheck); Laban et al. 2022 (SummaC).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from banglahallueval.judges.classifiers.characters import spread
from banglahallueval.judges.classifiers.labels import is_minicheck, supported_label
from banglahallueval.models.huggingface.classifier import Classifier
from banglahallueval.models.huggingface.pairs import PairTokenizer
from banglahallueval.models.huggingface.windows import Part, UncoveredError, cover
from banglahallueval.models.options import ClassifierOptions
from banglahallueval.text.sentences import sentences
from banglahallueval.text.spans import Place


class NliScorer:
    """Scores the sentences of an answer: 1 − the highest P(entailment) over windows of evidence.

    The hypothesis is a sentence; that of an answer of one sentence has the question before it, for
    a bare `১৯৭১` claims nothing by itself.

    Attributes:
        name: `nli`.
    """

    name = "nli"

    def __init__(self, options: ClassifierOptions) -> None:
        """Set up; nothing is loaded yet."""
        self._options = options
        self._classifier = Classifier(options, "SequenceClassification")
        self._pairs: PairTokenizer | None = None
        self._names: dict[int, str] = {}
        self._supported = 0

    async def prepare(self) -> None:
        """Load the model, and read from its config what its labels mean.

        Raises:
            UsageError: If it cannot be used as an NLI model, or its labels are unknown.
            RunError: If it cannot be loaded.
        """
        await self._classifier.prepare()
        self._names = dict(self._classifier.loaded.config.id2label)
        self._supported = supported_label(self._names, self._options.model)
        self._pairs = PairTokenizer(
            self._classifier.tokenizer,
            self._classifier.limit,
            # MiniCheck joins evidence and sentence by a single end sign.
            one_separator=is_minicheck(self._names),
        )

    async def scores(self, evidence: str, question: str, answer: str) -> tuple[float, ...]:
        """Score each code point of an answer by its sentence: P(not supported), 0 to 1.

        Raises:
            UncoveredError: If the whole of it cannot be judged.
            ModelError: If the model fails.
        """
        assert self._pairs is not None
        if not evidence.strip():
            raise UncoveredError("no evidence")
        covering = list(self._covering(self._pairs, evidence, question, answer))
        if not covering:
            raise UncoveredError("blank answer")
        inputs = [encoding for _, part in covering for encoding in part.inputs]
        rows = iter(await asyncio.gather(*map(self._classifier.probabilities, inputs)))
        scored: list[tuple[Place, float]] = []
        for place, part in covering:
            supported = max(next(rows)[0][self._supported] for _ in part.inputs)
            scored.append((place, round(1 - supported, 6)))
        return spread(answer, scored)

    def _covering(
        self, pairs: PairTokenizer, evidence: str, question: str, answer: str
    ) -> Iterator[tuple[Place, Part]]:
        """Yield places in the answer with the inputs that judge them."""
        found = sentences(answer)
        before = f"{question.strip()} " if len(found) == 1 and question.strip() else ""
        for start, end in found:
            hypothesis = before + answer[start:end]
            for part in cover(pairs, lambda window: window, evidence, hypothesis):
                first, last = (start + edge - len(before) for edge in part.place)
                if last > start:
                    yield (max(first, start), last), part

    async def close(self) -> None:
        """Give the memory back."""
        await self._classifier.close()

    def record(self) -> dict[str, Any]:
        """Record the model, its labels, and how windows are combined."""
        record: dict[str, Any] = {"model": self._classifier.record()}
        if self._pairs is not None:
            record |= {
                "premise": "a window of the evidence",
                "hypothesis": "a sentence; the question before it where it is the only one",
                "labels": {str(label): name for label, name in self._names.items()},
                "supported_labels": [self._supported],
                "over_windows": "max",
            }
        return record
