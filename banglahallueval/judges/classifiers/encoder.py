"""Characters scored by a token classifier, as LettuceDetect's and PsiloQA's are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from banglahallueval.judges.classifiers.characters import joined, spread
from banglahallueval.judges.classifiers.labels import supported_token_labels
from banglahallueval.judges.classifiers.templates import Template, template_of
from banglahallueval.models.huggingface.classifier import Classifier
from banglahallueval.models.huggingface.pairs import PairTokenizer
from banglahallueval.models.huggingface.windows import Pairs, Part, UncoveredError, cover
from banglahallueval.models.options import ClassifierOptions

Rows = Sequence[Sequence[float]]


class EncoderScorer:
    """Scores the characters of an answer by a token classifier.

    A character's score is the least over all windows of the evidence: what one window carries is
    supported, wherever else it is not mentioned. LettuceDetect takes the highest instead, by which
    long evidence makes every answer a hallucination.

    Attributes:
        name: `encoder`.
    """

    name = "encoder"

    def __init__(self, options: ClassifierOptions) -> None:
        """Set up; nothing is loaded yet."""
        self._options = options
        self._classifier = Classifier(options, "TokenClassification")
        self._pairs: PairTokenizer | None = None
        self._template: Template | None = None
        self._names: dict[int, str] = {}
        self._supported: frozenset[int] = frozenset()

    async def prepare(self) -> None:
        """Load the model, and read from its config what its labels mean.

        Raises:
            UsageError: If it cannot be used as a token classifier, or its labels are unknown.
            RunError: If it cannot be loaded.
        """
        await self._classifier.prepare()
        config = self._classifier.loaded.config
        self._names = dict(config.id2label)
        self._supported = supported_token_labels(self._names, self._options.model)
        self._template = template_of(config, self._options.template)
        self._pairs = PairTokenizer(self._classifier.tokenizer, self._classifier.limit)

    async def scores(self, evidence: str, question: str, answer: str) -> tuple[float, ...]:
        """Score each code point of an answer: P(hallucinated), 0 to 1.

        Raises:
            UncoveredError: If the whole of it cannot be judged.
            ModelError: If the model fails.
        """
        assert self._pairs is not None
        assert self._template is not None
        parts = covered(self._pairs, self._template, evidence, question, answer)
        inputs = [encoding for part in parts for encoding in part.inputs]
        rows = await asyncio.gather(*map(self._classifier.probabilities, inputs))
        return combined(answer, parts, rows, hallucinated(self._supported))

    async def close(self) -> None:
        """Give the memory back."""
        await self._classifier.close()

    def record(self) -> dict[str, Any]:
        """Record the model, its labels, its template, and how windows are combined."""
        record: dict[str, Any] = {"model": self._classifier.record()}
        if self._template is not None:
            record |= {
                "template": {"name": self._template.name, "text": self._template.asked},
                "labels": {str(label): name for label, name in self._names.items()},
                "supported_labels": sorted(self._supported),
                "over_windows": "min",
            }
        return record


def hallucinated(supported: frozenset[int]) -> Callable[[Sequence[float]], float]:
    """Make the function from the probabilities of a token's labels to P(hallucinated)."""
    return lambda row: sum(p for label, p in enumerate(row) if label not in supported)


def covered(
    pairs: Pairs, template: Template, evidence: str, question: str, answer: str
) -> list[Part]:
    """Cover an answer with inputs in a template.

    Raises:
        UncoveredError: If what the template shows is missing, or leaves no room.
    """
    if template.shows_evidence and not evidence.strip():
        raise UncoveredError("no evidence")
    if not question.strip() and not template.unasked:
        raise UncoveredError("no question")
    shown = evidence if template.shows_evidence else ""
    return cover(pairs, lambda window: template.fill(window, question), shown, answer)


def combined(
    answer: str,
    parts: Sequence[Part],
    rows: Sequence[Rows],
    score: Callable[[Sequence[float]], float],
) -> tuple[float, ...]:
    """Combine the probabilities of all inputs into scores of the answer's characters.

    Args:
        answer: The raw answer.
        parts: What covers it.
        rows: For each input of each part in turn, the probabilities of each token's labels.
        score: Computes a token's score from them.

    Raises:
        UncoveredError: If a piece of the answer has no token.
    """
    left = iter(rows)
    pieces = []
    for (start, end), inputs in parts:
        piece = answer[start:end]
        over_windows = []
        for encoding in inputs:
            tokens = zip(encoding.places, next(left), strict=True)
            scored = [(place, score(row)) for place, row in tokens if place is not None]
            over_windows.append(spread(piece, scored))
        if not all(over_windows):
            raise UncoveredError("the model's tokenizer drops the whole answer")
        least = [min(scores) for scores in zip(*over_windows, strict=True)]
        pieces.append(((start, end), least))
    return tuple(round(score, 6) for score in joined(len(answer), pieces))
