"""Check an answer against its question and context (qa and codemix)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from banglahallueval.judges.evidence.answer_location import AnswerLocation, locate_answer
from banglahallueval.judges.evidence.claim_check import CLAIM_FEATURES, CheckedClaims, check_claims
from banglahallueval.judges.evidence.claims import Clause
from banglahallueval.judges.evidence.derived_numbers import may_follow, unit_of
from banglahallueval.judges.evidence.negation import negated_words
from banglahallueval.judges.evidence.places import places_of
from banglahallueval.judges.evidence.token_types import Token
from banglahallueval.judges.evidence.weights import Weights
from banglahallueval.text.yes_no import (
    NO,
    ROMANISED_NO,
    ROMANISED_YES,
    SPOKEN_NO,
    SPOKEN_YES,
    YES,
    fold,
)

ANSWER_FEATURES = (
    *CLAIM_FEATURES, "not_located", "low_proximity", "score_gap", "wrong_relation",
    "wrong_polarity",
)  # fmt: skip
# ki is "whether" in a question that asks for nothing else, and "what" in others.
_WHETHER = regex.compile(r"(?<![\p{L}\p{M}])(?:কি|ki|কিনা|kina)(?![\p{L}\p{M}])")
_YES = frozenset((*YES, *SPOKEN_YES, *ROMANISED_YES, "জি", "ji"))
_NO = frozenset((*NO, *SPOKEN_NO, *ROMANISED_NO))
_OPENING = 3  # words among which an answer says yes or no


@dataclass(frozen=True, slots=True, eq=False)
class CheckedAnswer:
    """An answer checked against its context.

    Attributes:
        claims: What it claims, checked.
        location: Where in the context the answer may stand.
        supported: Claimed words that the context has, each with the occurrence of the highest
            score.
        polarity: The answer's yes or no, if the context says otherwise.
        features: What the judge weighs, by the names in ANSWER_FEATURES.
    """

    claims: CheckedClaims
    location: AnswerLocation
    supported: tuple[tuple[Token, int], ...]
    polarity: Token | None
    features: dict[str, float]


def check_answer(question: str, context: str, answer: str, weights: Weights) -> CheckedAnswer:
    """Check an answer against its context."""
    location = locate_answer(question, context, weights)
    claims = check_claims(location.evidence, location.question, answer)
    supported = tuple(
        (word.token, location.best_of(word.occurrences))
        for word in claims.claimed
        if word.occurrences.indices
    )
    index_of = {token.start: at for at, token in enumerate(claims.tokens)}
    for token in claims.absent_numbers:
        count = location.contradicting(token)
        unit = unit_of(claims.tokens, index_of[token.start])
        if count is not None and not may_follow(location.evidence, token, unit):
            claims.proven[token] = count
    polarity = _wrong_polarity(location, question, claims.tokens)
    features = {
        **claims.features,
        **_location_features(location, [at for _, at in supported]),
        "wrong_polarity": float(polarity is not None),
    }
    return CheckedAnswer(claims, location, supported, polarity, features)


def _location_features(location: AnswerLocation, found: Sequence[int]) -> dict[str, float]:
    """Compare an answer's words in the context with the best candidates there."""
    scores = location.scores
    own = [at for at in found if at in scores]
    of_kind = set(location.of_kind).intersection(own)
    own = [at for at in own if at in of_kind] or own
    if not own or location.top_of_kind is None:
        return {"not_located": 1.0, "low_proximity": 0.0, "score_gap": 0.0, "wrong_relation": 0.0}
    proximity = max(location.proximity[at] for at in own)
    return {
        "not_located": 0.0,
        "low_proximity": 1 - min(1.0, proximity / location.max_proximity_of_kind),
        "score_gap": scores[location.top_of_kind] - max(scores[at] for at in own),
        "wrong_relation": max(0.0, *(-location.relation[at] for at in own)),
    }


def _wrong_polarity(
    location: AnswerLocation, question: str, tokens: Sequence[Token]
) -> Token | None:
    """Return the yes or no of an answer where the context says the opposite."""
    if location.question.kind != "what" or not _WHETHER.search(question):
        return None
    said = next((t for t in tokens[:_OPENING] if fold(t.word.text) in _YES | _NO), None)
    denied = _is_denied(location)
    if said is None or denied is None:
        return None
    holds = denied == location.question.negates
    return said if holds != (fold(said.word.text) in _YES) else None


def _is_denied(location: AnswerLocation) -> bool | None:
    """Return whether the context denies what is asked; None if it does not speak of it."""
    evidence = location.evidence
    known = [evidence.find(token.word).occurrences for token, _ in location.question.content]
    known = [occurrences for occurrences in known if occurrences.indices]
    place = places_of(evidence).locate(Clause((), is_loose=False), known)
    return place and negated_words(evidence).has_negation(place.around)
