"""Each sentence of an answer judged by itself: what a judge calls hallucinated is marked.

Source: Min et al. 2023 (arXiv:2305.14251, FActScore), with sentences for atomic facts.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from banglahallueval.judges.classifiers.characters import spread
from banglahallueval.judges.types import Judge
from banglahallueval.spans.detectors.llm import NO_QUESTION, unfit
from banglahallueval.spans.detectors.marking import marked_words
from banglahallueval.spans.types import Detection, Sample
from banglahallueval.tasks import Item
from banglahallueval.text.sentences import sentences
from banglahallueval.verdicts import Verdict


class ClaimsDetector:
    """Lets a judge label each sentence; implements `spans.types.Detector`.

    A sentence scores p_hallucinated where the judge knows it, else 1 or 0 by its label; a sentence
    labelled `yes` is marked. An answer with a sentence that has no label has no result: what was
    not judged is not clean.

    Attributes:
        name: `claims`.
    """

    name = "claims"

    def __init__(self, judge: Judge) -> None:
        """Choose the judge, one of question answering."""
        self._judge = judge

    async def prepare(self) -> None:
        """Load the judge's model, where it brings its own.

        Raises:
            UsageError: If it cannot be used.
            RunError: If it cannot be loaded.
        """
        if prepare := getattr(self._judge, "prepare", None):
            await prepare()

    async def detect(self, sample: Sample, again: int = 0) -> Detection:
        """Judge all sentences of one answer at once.

        Raises:
            RunError: If no other request can succeed either.
        """
        if reason := unfit(sample):
            return Detection(failure=reason)
        places = sentences(sample.answer)
        asked = [self._judge.judge(item, again) for item in claims(sample)]
        verdicts = await asyncio.gather(*asked)
        if reason := _missing(verdicts):
            return Detection(failure=reason)
        judged = list(zip(places, verdicts, strict=True))
        scores = spread(sample.answer, [(place, _score(verdict)) for place, verdict in judged])
        labels = spread(sample.answer, [(place, float(v.label == "yes")) for place, v in judged])
        return Detection(scores, marked_words(sample.answer, np.asarray(labels) == 1))

    async def close(self) -> None:
        """Give the memory of the judge's model back."""
        if close := getattr(self._judge, "close", None):
            await close()

    def record(self) -> Mapping[str, Any]:
        """Record what the judge records, and what it is given."""
        return {"claims": "sentences", "judge": self._judge.record()}


def claims(sample: Sample) -> list[Item]:
    """Make an item for each sentence of an answer; none for an answer that cannot be judged."""
    if unfit(sample):
        return []
    question = sample.question.strip() or NO_QUESTION
    return [
        Item("qa", question, sample.evidence, sample.answer[start:end])
        for start, end in sentences(sample.answer)
    ]


def _missing(verdicts: Sequence[Verdict]) -> str:
    """Say why sentences have no label, the most frequent reason; empty where all have one."""
    reasons = Counter(verdict.reason for verdict in verdicts if verdict.label == "unknown")
    if not reasons:
        return ""
    return f"a sentence without a verdict: {reasons.most_common(1)[0][0]}"


def _score(verdict: Verdict) -> float:
    if verdict.p_hallucinated is not None:
        return verdict.p_hallucinated
    return float(verdict.label == "yes")
