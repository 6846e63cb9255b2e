"""Where in a context the answer to a question stands, judged by the question's words around it.

Each word of the context that could be (part of) an answer gets features that say how close the
question's words are and whether it is the kind of thing that is asked for; a linear model over
them, fitted on where gold answers stand, gives its score.
"""

from __future__ import annotations

from bisect import bisect_left
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
_LOG_DECAYS = np.log(_DECAYS)[:, None]
_FADE = 0.75
_FAR = 25.0
_LABEL_REACH = 6
_LIFE = regex.compile(
    r"\([^()]{0,300}\p{Nd}{3,4}[^()\p{Nd}]{0,12}?(?P<dash>[-–—])[^()]{0,300}?\p{Nd}{3,4}[^()]{0,300}\)"
)


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A question looked up in a context.

    Attributes:
        evidence: The context.
        question: The question.
        rivals: Places (indices of the context's tokens) that could be part of an answer.
        features: Their features, a row each, in the order of PLACE_FEATURES.
        of_kind: Those of the kind that is asked for: years, numbers, or all.
        scores: Score of each rival; the higher, the likelier it is part of the answer.
        mass: The sum of the scores' exponentials.
        pull: How strongly the question's words pull at each rival.
        relation: 1 where the asked-for relation is named before it, -1 where one it excludes is.
        covered: Share of the question's words that the context has, weighted as above.
    """

    evidence: Evidence
    question: Question
    rivals: tuple[int, ...]
    features: Floats
    of_kind: tuple[int, ...]
    scores: dict[int, float]
    mass: float
    pull: dict[int, float]
    relation: dict[int, float]
    covered: float


def is_number(token: Token) -> bool:
    """Whether it says a number (an article does not)."""
    return token.value is not None and not token.word.article


def is_year(token: Token) -> bool:
    """Whether it can be a year."""
    return token.value is not None and 1000 <= token.value < 2100


@lru_cache(maxsize=8)
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
        _of_kind(evidence, question, rivals),
        dict(zip(rivals, scores.tolist(), strict=True)),
        float(np.exp(scores).sum()),
        dict(zip(rivals, features[:, PLACE_FEATURES.index("wide")].tolist(), strict=True)),
        dict(zip(rivals, features[:, PLACE_FEATURES.index("relation")].tolist(), strict=True)),
        covered / whole if whole else 0.0,
    )


def _of_kind(evidence: Evidence, question: Question, rivals: tuple[int, ...]) -> tuple[int, ...]:
    if question.kind not in ("when", "how_many"):
        return rivals
    numbers = tuple(place for place in rivals if is_number(evidence.tokens[place]))
    years = tuple(place for place in numbers if is_year(evidence.tokens[place]))
    return (years if question.kind == "when" else ()) or numbers or rivals


def _pull(at: Floats, known: Sequence[tuple[float, Sequence[int]]]) -> Floats:
    """How strongly known words pull at each position, a row for each decay.

    A word pulls from its nearest place, and the less the more places it has. Words are taken one
    by one, so that memory grows with the context and not with its square.
    """
    pull = np.zeros((len(_DECAYS), len(at)))
    for weight, places in known:
        stops = at[sorted(places)]
        nearest = stops[((stops[1:] + stops[:-1]) / 2).searchsorted(at)]
        pull += np.exp(_LOG_DECAYS * np.abs(at - nearest)) * (weight / (1 + len(places)) ** 0.5)
    return pull


def _positions(evidence: Evidence) -> Floats:
    """Each token's position: words count 1, phrasing 0.4, and boundaries keep things apart."""
    text = evidence.text
    positions: list[float] = []
    position, last_end, last_sentence = 0.0, 0, 0
    for start, end, word, _, sentence in evidence.tokens:
        if positions:
            gap = text[last_end:start]
            position += 5.0 * (sentence != last_sentence)
            if gap != " ":
                position += 1.0 * ("," in gap or ";" in gap) + 0.7 * ("(" in gap or ")" in gap)
                position += 1.5 * (" - " in gap or "–" in gap)
        if word.phrasing:
            position += 1.1 if word.joining else 0.4
        else:
            position += 1.0
        positions.append(position)
        last_end, last_sentence = end, sentence
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
    text, all_tokens = evidence.text, evidence.tokens
    chosen = np.array(rivals)
    tokens = [all_tokens[place] for place in rivals]
    near, mid, wide = pull[:, chosen]
    top = pull.max(axis=1) + 0.02
    marks = [
        (text[t.start].isupper(), is_number(t), is_year(t), t.word.month, t.sentence == 0)
        for t in tokens
    ]
    capital, number, year, month, first_sentence = np.array(marks, dtype=np.float64).T
    before, after = _nearest(at[chosen], at[sorted(beside)])
    return np.array(
        [
            (near + 0.02) / top[0],
            (mid + 0.02) / top[1],
            (wide + 0.02) / top[2],
            _rank(mid),
            _rank(wide),
            capital,
            number,
            year,
            month,
            np.maximum(year, month) * (question.kind == "when"),
            number * (question.kind == "how_many"),
            capital * (question.kind == "who" or question.name),
            _relation(evidence, question, rivals, at),
            before,
            after,
            np.array([p > 0 and all_tokens[p - 1].word.name for p in rivals], dtype=np.float64),
            first_sentence,
        ]
    ).T


def _rank(strength: Floats) -> Floats:
    """Of each value the share of values above it."""
    above = len(strength) - np.sort(strength).searchsorted(strength + 1e-9, side="right")
    share: Floats = above / len(strength)
    return share


def _nearest(own: Floats, stops: Floats) -> tuple[Floats, Floats]:
    """How near each position's closest stops before and after it are: from 1 down to 0 at _FAR."""
    padded = np.concatenate(([-np.inf], stops, [np.inf]))
    behind = stops.searchsorted(own)
    before = np.minimum(own - padded[behind], _FAR)
    after = np.minimum(padded[behind + 1] - own, _FAR)
    return 1 - before / _FAR, 1 - after / _FAR


def _relation(
    evidence: Evidence, question: Question, rivals: tuple[int, ...], at: Floats
) -> Floats:
    """Whether the relation named before each place is the one that is asked for.

    1 is the one, -1 one that it excludes, 0 neither. Of two dates in brackets the first is a birth
    and the second a death.
    """
    asked = question.tags
    others = frozenset(tag for group in EXCLUSIVE if asked & group for tag in group) - asked
    if not others:
        return np.zeros(len(rivals))
    signs = dict.fromkeys(asked, 1.0) | dict.fromkeys(others, -1.0)
    named = {place: sign for tag, sign in signs.items() for place in evidence.stems.get(tag, ())}
    label = {}  # place to the closest name of a relation before it
    for name in sorted(named):
        label.update(dict.fromkeys(range(name + 1, name + 1 + _LABEL_REACH), name))
    lives = _lives(evidence)
    result = []
    for place in rivals:
        before = label.get(place)
        if before is not None and at[place] - at[before] <= _LABEL_REACH:
            result.append(named[before])
        else:
            result.append(signs.get(lives.get(place, ""), 0.0))
    return np.array(result)


def _lives(evidence: Evidence) -> dict[int, str]:
    """The years of lives in brackets: place to the tag of birth or death."""
    found: dict[int, str] = {}
    tokens = evidence.tokens
    for span in _LIFE.finditer(evidence.text):
        middle = span.start("dash")
        place = bisect_left(tokens, span.start(), key=lambda token: token.start)
        while place < len(tokens) and tokens[place].end <= span.end():
            found[place] = "#birth" if tokens[place].end <= middle else "#death"
            place += 1
    return found
