"""Where in a context the answer to a question stands, judged by the question's words around it.

Each word of the context that could be (part of) an answer gets features that say how close the
question's words are and whether it is the kind of thing that is asked for; a linear model over
them, fitted on where gold answers stand, gives its score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import regex

from banglahallueval.judges.evidence.constants import PLACE_WEIGHTS
from banglahallueval.judges.evidence.lexicon import EXCLUSIVE
from banglahallueval.judges.evidence.questions import Question, read_question
from banglahallueval.judges.evidence.tokens import Evidence, Token, index

Floats = npt.NDArray[np.float64]

PLACE_FEATURES = (
    "near", "mid", "wide", "mid_rank", "wide_rank", "capital", "number", "year", "month",
    "time_asked", "count_asked", "person_asked", "relation", "before", "after",
    "after_name", "first_sentence",
)  # fmt: skip
# Per word of distance a question word's pull falls to this; and per word that lies between it and
# the asking word its weight does.
_DECAYS = (0.6, 0.75, 0.9)
_FADE = 0.75
_FAR = 25.0
_LABEL_REACH = 6
_LIFE = regex.compile(
    r"\([^()]*\p{Nd}{3,4}[^()\p{Nd}]{0,12}?(?P<dash>[-–—])[^()]*?\p{Nd}{3,4}[^()]*\)"
)


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A question looked up in a context.

    Attributes:
        evidence: The context.
        question: The question.
        rivals: Places (indices of the context's tokens) that could be part of an answer.
        features: Their features, a row each, in the order of PLACE_FEATURES.
        scores: Score of each rival; the higher, the likelier it is part of the answer.
        pull: How strongly the question's words pull at each rival.
        relation: 1 where the asked-for relation is named before it, -1 where one it excludes is.
        covered: Share of the question's words that the context has, weighted as above.
    """

    evidence: Evidence
    question: Question
    rivals: tuple[int, ...]
    features: Floats
    scores: dict[int, float]
    pull: dict[int, float]
    relation: dict[int, float]
    covered: float

    def of_kind(self) -> list[int]:
        """The rivals of the kind that is asked for: years, numbers, or all."""
        tokens = self.evidence.tokens
        if self.question.kind not in ("when", "how_many"):
            return list(self.rivals)
        numbers = [place for place in self.rivals if is_number(tokens[place])]
        years = [place for place in numbers if is_year(tokens[place])]
        return (years if self.question.kind == "when" else []) or numbers or list(self.rivals)


def is_number(token: Token) -> bool:
    """Whether it says a number (an article does not)."""
    return token.value is not None and not token.word.article


def is_year(token: Token) -> bool:
    """Whether it can be a year."""
    return token.value is not None and 1000 <= token.value < 2100


@lru_cache(maxsize=64)
def locate(question_text: str, context: str) -> Located:
    """Look a question up in a context."""
    evidence, question = index(context), read_question(question_text)
    at = _positions(evidence)
    known = [
        (distance, _FADE**distance, *found)
        for token, distance in question.content
        if (found := evidence.places(token))[1]
    ]
    closest = min((distance for distance, *_ in known), default=0) + 1
    beside = [place for distance, *_, places in known if distance <= closest for place in places]
    asked = {place for *_, places in known for place in places}
    whole = sum(_FADE**distance for _, distance in question.content)
    covered = sum(weight * likeness for _, weight, likeness, _ in known)
    pull = _pull(at, [(w * likeness, places) for _, w, likeness, places in known])
    rivals = tuple(
        place
        for place, token in enumerate(evidence.tokens)
        if place not in asked and not token.word.phrasing
    )
    features = _features(evidence, question, rivals, at, pull, beside)
    scores = features @ np.array([PLACE_WEIGHTS.get(name, 0.0) for name in PLACE_FEATURES])
    return Located(
        evidence,
        question,
        rivals,
        features,
        dict(zip(rivals, scores.tolist(), strict=True)),
        dict(zip(rivals, features[:, PLACE_FEATURES.index("wide")].tolist(), strict=True)),
        dict(zip(rivals, features[:, PLACE_FEATURES.index("relation")].tolist(), strict=True)),
        covered / whole if whole else 0.0,
    )


def _pull(at: Floats, known: Sequence[tuple[float, tuple[int, ...]]]) -> Floats:
    """How strongly known words pull at each position, a row for each decay.

    A word pulls from its nearest place, and the less the more places it has.
    """
    if not known:
        return np.zeros((len(_DECAYS), len(at)))
    places = [place for _, own in known for place in own]
    starts = np.cumsum([0, *(len(own) for _, own in known[:-1])])
    gaps = np.minimum.reduceat(np.abs(at[:, None] - at[places]), starts, axis=1)
    strength = np.array([weight / (1 + len(own)) ** 0.5 for weight, own in known])
    return np.stack([np.exp(gaps * math.log(decay)) @ strength for decay in _DECAYS])


def _positions(evidence: Evidence) -> Floats:
    """Each token's position: words count 1, phrasing 0.4, and boundaries keep things apart."""
    position, before, positions = 0.0, None, []
    for token in evidence.tokens:
        if before is not None:
            gap = evidence.text[before.end : token.start]
            position += 5.0 * (token.sentence != before.sentence)
            if gap != " ":
                position += 1.0 * ("," in gap or ";" in gap) + 0.7 * ("(" in gap or ")" in gap)
                position += 1.5 * (" - " in gap or "–" in gap)
        if token.word.phrasing:
            position += 1.1 if token.word.joining else 0.4
        else:
            position += 1.0
        positions.append(position)
        before = token
    return np.array(positions)


def _features(
    evidence: Evidence,
    question: Question,
    rivals: tuple[int, ...],
    at: Floats,
    pull: Floats,
    beside: list[int],
) -> Floats:
    if not rivals:
        return np.zeros((0, len(PLACE_FEATURES)))
    columns: dict[str, Floats] = {}
    chosen = list(rivals)
    tokens = [evidence.tokens[place] for place in chosen]
    own = at[chosen]
    for row, name in enumerate(("near", "mid", "wide")):
        strength = pull[row, chosen]
        columns[name] = (strength + 0.02) / (pull[row].max() + 0.02)
        columns[f"{name}_rank"] = (strength[None, :] > strength[:, None] + 1e-9).mean(axis=1)
    columns["capital"] = _flags([evidence.text[t.start].isupper() for t in tokens])
    columns["number"] = _flags([is_number(t) for t in tokens])
    columns["year"] = _flags([is_year(t) for t in tokens])
    columns["month"] = _flags([t.word.month for t in tokens])
    time = np.maximum(columns["year"], columns["month"])
    columns["time_asked"] = time * (question.kind == "when")
    columns["count_asked"] = columns["number"] * (question.kind == "how_many")
    columns["person_asked"] = columns["capital"] * (question.kind == "who" or question.name)
    columns["relation"] = _relation(evidence, question, chosen, at)
    steps = own[:, None] - at[beside] if beside else np.full((len(own), 1), np.nan)
    columns["before"] = _nearest(np.where(steps > 0, steps, _FAR))
    columns["after"] = _nearest(np.where(steps < 0, -steps, _FAR))
    columns["after_name"] = _flags([p > 0 and evidence.tokens[p - 1].word.name for p in chosen])
    columns["first_sentence"] = _flags([t.sentence == 0 for t in tokens])
    return np.array([columns[name] for name in PLACE_FEATURES]).T


def _relation(evidence: Evidence, question: Question, chosen: list[int], at: Floats) -> Floats:
    """Whether the relation named before each place is the one that is asked for.

    1 is the one, -1 one that it excludes, 0 neither. Of two dates in brackets the first is a birth
    and the second a death.
    """
    asked = question.tags
    others = frozenset(tag for group in EXCLUSIVE if asked & group for tag in group) - asked
    if not others:
        return np.zeros(len(chosen))
    signs = dict.fromkeys(asked, 1.0) | dict.fromkeys(others, -1.0)
    named = {place: sign for tag, sign in signs.items() for place in evidence.stems.get(tag, ())}
    lives = _lives(evidence)
    result = []
    for place in chosen:
        before = [other for other in range(max(0, place - _LABEL_REACH), place) if other in named]
        if before and at[place] - at[before[-1]] <= _LABEL_REACH:
            result.append(named[before[-1]])
        else:
            result.append(signs.get(lives.get(place, ""), 0.0))
    return np.array(result)


def _lives(evidence: Evidence) -> dict[int, str]:
    """The years of lives in brackets: place to the tag of birth or death."""
    found: dict[int, str] = {}
    for span in _LIFE.finditer(evidence.text):
        middle = span.start("dash")
        for place, token in enumerate(evidence.tokens):
            if span.start() <= token.start and token.end <= span.end():
                found[place] = "#birth" if token.end <= middle else "#death"
    return found


def _flags(values: list[bool]) -> Floats:
    return np.array(values, dtype=np.float64)


def _nearest(steps: Floats) -> Floats:
    closest: Floats = np.minimum(steps.min(axis=1), _FAR)
    return 1 - closest / _FAR
