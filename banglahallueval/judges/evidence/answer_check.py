"""Check an answer against its context (qa and codemix)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from banglahallueval.judges.evidence.answer_location import AnswerLocation, locate_answer
from banglahallueval.judges.evidence.evidence_index import NO_OCCURRENCES, Occurrences
from banglahallueval.judges.evidence.lexicon import STANCES
from banglahallueval.judges.evidence.tokens import Token, is_year, tokenise
from banglahallueval.judges.evidence.weights import Weights

_LOCATION_FEATURES = (
    "score_gap", "share_scored_higher", "log_odds", "low_proximity", "wrong_relation",
)  # fmt: skip
ANSWER_FEATURES = (
    "unsupported", "unsupported_if_truncated", "unsupported_if_uncovered", *_LOCATION_FEATURES,
    "scattered", "wrong_date", "wrong_count", "added_negation", *STANCES,
)  # fmt: skip
# Words of an answer with more tokens than this between them in the context are scattered.
_MAX_GAP = 3


@dataclass(frozen=True, slots=True, eq=False)
class CheckedAnswer:
    """An answer checked against its context.

    Only content words that the question lacks count, so that an answer reads the same as a short
    span and as a full sentence.

    Attributes:
        location: Where in the context the answer may stand.
        unsupported: Words and numbers that the context lacks.
        supported: Those that it has, each with the occurrence that has the highest score.
        added_negations: Negations, if the question has none.
        stances: Words that express a stance (a guess, an argument, an approximation) that neither
            the question nor the context expresses.
        features: What the judge weighs, by the names in ANSWER_FEATURES.
    """

    location: AnswerLocation
    unsupported: tuple[Token, ...]
    supported: tuple[tuple[Token, int], ...]
    added_negations: tuple[Token, ...]
    stances: tuple[Token, ...]
    features: dict[str, float]


def check_answer(question: str, context: str, answer: str, weights: Weights) -> CheckedAnswer:
    """Check an answer against its context."""
    location = locate_answer(question, context, weights)
    evidence, parsed = location.evidence, location.question
    tokens = [token for token in tokenise(answer) if not parsed.contains(token)]
    content = [t for t in tokens if not (t.word.is_stopword or t.word.is_article)]
    unsupported: list[Token] = []
    supported: list[tuple[Token, int]] = []
    added_negations: list[Token] = []
    for token in content:
        if token.word.negates:
            if not parsed.negates:
                added_negations.append(token)
        elif (occurrences := _occurrences(location, token)).indices:
            supported.append((token, location.best_of(occurrences)))
        else:
            unsupported.append(token)
    stances = [t for t in tokens if t.word.stance and t.word.stance not in evidence.stances]
    found = [at for _, at in supported]
    features = {
        "unsupported": float(bool(unsupported)),
        "unsupported_if_truncated": float(bool(unsupported) and evidence.is_truncated),
        "unsupported_if_uncovered": (1 - location.coverage) * bool(unsupported),
        **_location_features(location, found),
        "scattered": float(_is_scattered(found)),
        "wrong_date": float(_has_wrong_date(content, evidence.tokens)),
        "wrong_count": float(_has_wrong_count(content, location)),
        "added_negation": float(bool(added_negations)),
        **{name: float(any(t.word.stance == name for t in stances)) for name in STANCES},
    }
    return CheckedAnswer(
        location,
        tuple(unsupported),
        tuple(supported),
        tuple(added_negations),
        tuple(stances),
        features,
    )


def _occurrences(location: AnswerLocation, token: Token) -> Occurrences:
    """Look a word or number of an answer up in the context."""
    evidence = location.evidence
    if token.value is None:
        return evidence.find(token.word).occurrences
    if token.value in evidence.values:
        return evidence.values[token.value]
    if token.word.is_digits:
        return NO_OCCURRENCES
    similarity, occurrences = evidence.find(token.word)
    return occurrences if similarity >= 0.9 else NO_OCCURRENCES


def _location_features(location: AnswerLocation, found: Sequence[int]) -> dict[str, float]:
    """Compare an answer's tokens in the context with the best candidates there."""
    candidates, scores = location.of_kind, location.scores
    own = [at for at in found if at in scores]
    of_kind = set(candidates).intersection(own)
    own = [at for at in own if at in of_kind] or own
    if not own or location.top_of_kind is None:
        return dict.fromkeys(_LOCATION_FEATURES, 0.0)
    best = max(scores[at] for at in own)
    proximity = sum(location.proximity[at] for at in own) / len(own)
    own_exp_sum = sum(math.exp(scores[at]) for at in set(own))
    return {
        "score_gap": scores[location.top_of_kind] - best,
        "share_scored_higher": sum(scores[at] > best + 1e-9 for at in candidates) / len(candidates),
        "log_odds": math.log(location.exp_sum / own_exp_sum),
        "low_proximity": 1 - min(1.0, proximity / location.max_proximity_of_kind),
        "wrong_relation": max(-location.relation[at] for at in own),
    }


def _is_scattered(found: Sequence[int]) -> bool:
    """Return whether an answer's tokens, in the context's order, are far apart."""
    ordered = sorted(set(found))
    return any(after - before > _MAX_GAP for before, after in pairwise(ordered))


def _dates(tokens: Sequence[Token]) -> list[tuple[tuple[float, str], float]]:
    """Return the full dates of a text: day and month (its key), year."""
    found = []
    for at, month in enumerate(tokens):
        day = tokens[at - 1].value if at else None
        if day is None or not 1 <= day <= 31 or not month.word.is_month:
            continue
        around = (*tokens[at + 1 : at + 2], *tokens[max(0, at - 3) : at - 1][::-1])
        year = next((t.value for t in around if t.value is not None and is_year(t)), None)
        if year is not None:
            found.append(((day, month.word.key), year))
    return found


def _has_wrong_date(content: Sequence[Token], context: Sequence[Token]) -> bool:
    """Return whether an answer gives a day of the context another year, or a year another day."""
    own = _dates(content)
    theirs = frozenset(_dates(context)) if own else frozenset()
    days, years = {day for day, _ in theirs}, {year for _, year in theirs}
    return any((day, year) not in theirs and (day in days or year in years) for day, year in own)


def _has_wrong_count(content: Sequence[Token], location: AnswerLocation) -> bool:
    """Return whether the context counts the unit, and with none of the answer's numbers."""
    counts = location.unit_counts
    values = [token.value for token in content if token.value is not None]
    return bool(counts and values) and not any(value in counts for value in values)
