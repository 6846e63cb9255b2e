"""What speaks against an answer, given its question and context (qa, codemix)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from banglahallueval.judges.evidence.lexicon import STANCES
from banglahallueval.judges.evidence.locating import Located, is_number, is_year, locate
from banglahallueval.judges.evidence.tokens import Token, tokenise

PLACES = ("place_best", "place_rank", "place_odds", "pull", "wrong_relation")
ANSWER_FEATURES = (
    "absent", "absent_cut", "absent_uncovered", *PLACES, "scattered", "wrong_date",
    "other_count", "denies", *STANCES,
)  # fmt: skip
# Words of an answer that lie further apart than this in the context are from different places.
_TOGETHER = 3


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """An answer held against its context.

    Only what is neither in the question nor fixed phrasing counts, so that an answer as a short
    span and as a full sentence read the same.

    Attributes:
        located: The question looked up in the context.
        absent: What the context does not carry.
        found: What it carries, each with its best place there.
        denials: Negations that the question does not have.
        stances: Words of a stance (guessing, arguing, approximating) that neither the question
            nor the context takes anywhere.
        features: What the judge weighs, by the names in ANSWER_FEATURES.
    """

    located: Located
    absent: tuple[Token, ...]
    found: tuple[tuple[Token, int], ...]
    denials: tuple[Token, ...]
    stances: tuple[Token, ...]
    features: dict[str, float]


def read_answer(question: str, context: str, answer: str) -> Reading:
    """Hold an answer against its context."""
    located = locate(question, context)
    asked, scores = located.question, located.scores
    absent: list[Token] = []
    found: list[tuple[Token, int]] = []
    denials: list[Token] = []
    own = tokenise(answer)
    theirs = located.evidence.stances
    stances = tuple(
        token
        for token in own
        if token.word.stance and token.word.stance not in theirs and not asked.says(token)
    )
    told = [
        token
        for token in own
        if not (asked.says(token) or token.word.phrasing or token.word.article)
    ]
    for token in told:
        if token.word.denies:
            if not asked.denies:
                denials.append(token)
        elif places := _look_up(located, token):
            found.append((token, max(places, key=lambda place: scores.get(place, -9.0))))
        else:
            absent.append(token)
    features = {
        "absent": float(bool(absent)),
        "absent_cut": float(bool(absent) and located.evidence.broken_off),
        "absent_uncovered": (1 - located.covered) * bool(absent),
        **_place_features(located, [place for _, place in found]),
        "scattered": float(_scattered([place for _, place in found])),
        "wrong_date": float(_wrong_date(told, located.evidence.tokens)),
        "other_count": float(_other_count(located, told)),
        "denies": float(bool(denials)),
        **{name: float(any(t.word.stance == name for t in stances)) for name in STANCES},
    }
    return Reading(located, tuple(absent), tuple(found), tuple(denials), stances, features)


def _look_up(located: Located, token: Token) -> Sequence[int]:
    evidence = located.evidence
    if token.value is None:
        return evidence.places(token)[1]
    if token.value in evidence.values:
        return evidence.values[token.value]
    if token.word.digits:
        return ()
    likeness, places = evidence.places(token)
    return places if likeness >= 0.9 else ()


def _place_features(located: Located, found: list[int]) -> dict[str, float]:
    """How much better than the answer's own places the best ones of the context are."""
    rivals, scores = located.of_kind, located.scores
    own = [place for place in found if place in scores]
    of_kind = set(rivals).intersection(own)
    own = [place for place in own if place in of_kind] or own
    if not own or not rivals:
        return dict.fromkeys(PLACES, 0.0)
    best = max(scores[place] for place in own)
    pull = sum(located.pull[place] for place in own) / len(own)
    return {
        "place_best": max(scores[place] for place in rivals) - best,
        "place_rank": sum(scores[place] > best + 1e-9 for place in rivals) / len(rivals),
        "place_odds": math.log(located.mass / sum(math.exp(scores[place]) for place in set(own))),
        "pull": 1 - min(1.0, pull / max(located.pull[place] for place in rivals)),
        "wrong_relation": max(-located.relation[place] for place in own),
    }


def _scattered(places: Sequence[int]) -> bool:
    """Whether an answer's words, in the context's order, leave a gap between them."""
    ordered = sorted(set(places))
    return any(b - a > _TOGETHER for a, b in pairwise(ordered))


def _dates(tokens: Sequence[Token]) -> list[tuple[float, str, float]]:
    """The full dates of a text: day, month (its key), year."""
    found = []
    for at, month in enumerate(tokens):
        day = tokens[at - 1].value if at else None
        if day is None or not 1 <= day <= 31 or not month.word.month:
            continue
        around = (*tokens[at + 1 : at + 2], *tokens[max(0, at - 3) : at - 1][::-1])
        year = next((t.value for t in around if t.value is not None and is_year(t)), None)
        if year is not None:
            found.append((day, month.word.key, year))
    return found


def _wrong_date(told: Sequence[Token], context: Sequence[Token]) -> bool:
    """Whether an answer gives a day of the context another year, or a year another day."""
    own = _dates(told)
    theirs = _dates(context) if own else []
    return any(
        date not in theirs and any(date[:2] == d[:2] or date[2] == d[2] for d in theirs)
        for date in own
    )


def counted(located: Located) -> dict[float, int]:
    """The numbers that the context counts the asked-for unit with, and where."""
    unit = located.question.unit
    if unit is None:
        return {}
    tokens = located.evidence.tokens
    return {
        value: place - 1
        for place in located.evidence.places(unit)[1]
        if place and (value := tokens[place - 1].value) is not None
    }


def _other_count(located: Located, told: Sequence[Token]) -> bool:
    """Whether an answer's numbers are none of those that the context counts the unit with."""
    right = counted(located)
    values = [token.value for token in told if token.value is not None]
    return bool(right and values) and not any(value in right for value in values)


def contradicting(reading: Reading, token: Token) -> int | None:
    """The place of what the context says where a number of the answer stands.

    Only for a number that the context does not have at all, in answer to "when" or "how many",
    where the context is whole and has such a number: that needs no further opinion.
    """
    located = reading.located
    if located.evidence.broken_off or not is_number(token):
        return None
    tokens, kind = located.evidence.tokens, located.question.kind
    alike = list(counted(located).values())
    if kind == "when" and is_year(token):
        alike = [place for place in located.of_kind if is_year(tokens[place])]
    if kind not in ("when", "how_many") or not alike:
        return None
    return max(alike, key=lambda place: located.scores.get(place, -9.0))
