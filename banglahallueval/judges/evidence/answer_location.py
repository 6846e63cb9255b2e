"""Locate the answer to a question in a context, by the question's words around it.

Each token of the context that could be part of an answer gets features: how near the question's
words are, and whether it is the kind of thing that is asked for. A linear model over them, fitted
on where gold answers stand, gives its score.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from banglahallueval.judges.evidence.evidence_index import (
    EvidenceIndex,
    Occurrences,
    index_evidence,
)
from banglahallueval.judges.evidence.location_features import (
    LOCATION_FEATURES,
    Floats,
    location_features,
)
from banglahallueval.judges.evidence.questions import Question, parse_question
from banglahallueval.judges.evidence.token_types import Token, is_number, is_year
from banglahallueval.judges.evidence.weights import Weights

# A word's weight falls to this share with every content word between it and the question word.
_FADE = 0.75
# Every word of a question costs time in proportion to the context. Words farther than this from the
# question word are left out of the proximity: with weights below 1e-18 they could not change it.
_REACH = 150
_UNSCORED = -9.0  # of tokens that cannot be part of an answer: far below usual scores


@dataclass(frozen=True, eq=False)
class AnswerLocation:
    """Where in a context the answer to a question may stand.

    Attributes:
        evidence: The context.
        question: The question.
        candidates: Indices of the tokens that could be part of an answer.
        features: Their features, a row each, in the order of LOCATION_FEATURES.
        scores: Candidate -> score; the higher, the likelier it is part of the answer.
        exp_sum: The sum of the scores' exponentials.
        coverage: Share of the question's words that the context has, weighted by their distance
            from the question word.
    """

    evidence: EvidenceIndex
    question: Question
    candidates: tuple[int, ...]
    features: Floats
    scores: dict[int, float]
    exp_sum: float
    coverage: float
    _best: dict[Occurrences, int] = field(default_factory=dict, init=False)

    @cached_property
    def proximity(self) -> dict[int, float]:
        """Candidate -> how near the question's words are."""
        return self._feature("proximity_wide")

    @cached_property
    def relation(self) -> dict[int, float]:
        """Candidate -> 1 if the relation asked for is named before it, -1 if one it excludes is."""
        return self._feature("relation")

    @cached_property
    def of_kind(self) -> tuple[int, ...]:
        """Candidates of the kind that is asked for: years, numbers, or all."""
        kind, tokens = self.question.kind, self.evidence.tokens
        if kind not in ("when", "how_many"):
            return self.candidates
        numbers = tuple(at for at in self.candidates if is_number(tokens[at]))
        years = tuple(at for at in numbers if is_year(tokens[at]))
        return (years if kind == "when" else ()) or numbers or self.candidates

    @cached_property
    def top_of_kind(self) -> int | None:
        """The first of the candidates of the kind asked for that have the highest score."""
        return max(self.of_kind, key=self.scores.__getitem__, default=None)

    @cached_property
    def max_proximity_of_kind(self) -> float:
        """The highest proximity of the candidates of the kind asked for."""
        return max(self.proximity[at] for at in self.of_kind)

    @cached_property
    def unit_counts(self) -> dict[float, int]:
        """The numbers with which the context counts the unit that is asked for -> token."""
        unit, tokens = self.question.unit, self.evidence.tokens
        if unit is None:
            return {}
        return {
            value: at - 1
            for at in self.evidence.find(unit.word).occurrences.indices
            if at and (value := tokens[at - 1].value) is not None
        }

    def best_of(self, occurrences: Occurrences) -> int:
        """Return the occurrence with the highest score."""
        best = self._best.get(occurrences)
        if best is None:
            best = max(occurrences.indices, key=lambda at: self.scores.get(at, _UNSCORED))
            self._best[occurrences] = best
        return best

    def contradicting(self, token: Token) -> int | None:
        """Return the token of the context that contradicts a number of the answer.

        Only for a number that the context lacks, in answer to "when" or "how many", and only if
        the context is whole and has such a number: no further opinion is needed then.
        """
        if self.evidence.is_truncated or not is_number(token):
            return None
        if self.question.kind == "when":
            return self._top_year if is_year(token) else None
        return self._top_unit_count

    @cached_property
    def _top_year(self) -> int | None:
        years = [at for at in self.of_kind if is_year(self.evidence.tokens[at])]
        return max(years, key=self.scores.__getitem__, default=None)

    @cached_property
    def _top_unit_count(self) -> int | None:
        counts = self.unit_counts.values()
        return max(counts, key=lambda at: self.scores.get(at, _UNSCORED), default=None)

    def _feature(self, name: str) -> dict[int, float]:
        column = self.features[:, LOCATION_FEATURES.index(name)]
        return dict(zip(self.candidates, column.tolist(), strict=True))


@lru_cache(maxsize=8)
def locate_answer(question_text: str, context: str, weights: Weights) -> AnswerLocation:
    """Score the tokens of a context as parts of the answer to a question."""
    evidence, question = index_evidence(context), parse_question(question_text)
    known = [
        (distance, *match)
        for token, distance in question.content
        if (match := evidence.find(token.word)).similarity
    ]
    in_question = {
        at
        for occurrences in dict.fromkeys(occurrences for *_, occurrences in known)
        for at in occurrences.indices
    }
    candidates = tuple(
        at
        for at, token in enumerate(evidence.tokens)
        if at not in in_question and not token.word.is_stopword
    )
    nearest = min((distance for distance, *_ in known), default=0) + 1
    features = location_features(
        evidence,
        question,
        candidates,
        [
            (_FADE**distance * similarity, occurrences)
            for distance, similarity, occurrences in known
            if distance <= _REACH
        ],
        [occurrences for distance, _, occurrences in known if distance <= nearest],
    )
    scores = features @ np.array([weights.location[name] for name in LOCATION_FEATURES])
    whole = sum(_FADE**distance for _, distance in question.content)
    covered = sum(_FADE**distance * similarity for distance, similarity, _ in known)
    return AnswerLocation(
        evidence,
        question,
        candidates,
        features,
        dict(zip(candidates, scores.tolist(), strict=True)),
        float(np.exp(scores).sum()),
        covered / whole if whole else 0.0,
    )
