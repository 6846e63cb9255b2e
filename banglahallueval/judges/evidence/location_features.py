"""Features of where an answer may stand: how near the question's words are, and what stands there.

Every feature is an array with one number per candidate token.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import regex

from banglahallueval.judges.evidence.evidence_index import EvidenceIndex, Occurrences
from banglahallueval.judges.evidence.lexicon import EXCLUSIVE_RELATIONS
from banglahallueval.judges.evidence.places import places_of
from banglahallueval.judges.evidence.questions import Question
from banglahallueval.judges.evidence.token_types import is_number, is_year

Floats = npt.NDArray[np.float64]

LOCATION_FEATURES = (
    "proximity_near", "proximity_mid", "proximity_wide", "rank_mid", "rank_wide", "capitalised",
    "number", "year", "month", "time_if_asked_when", "number_if_asked_how_many",
    "capitalised_if_asked_name", "relation", "question_word_before", "question_word_after",
    "after_name_word", "first_sentence", "before_unit",
)  # fmt: skip
# A question word's proximity falls to this share with every word of distance.
_DECAYS = (0.6, 0.75, 0.9)
_LOG_DECAYS = np.log(_DECAYS)[:, None]
_FAR = 25.0  # words; what is farther away is as far
_RELATION_REACH = 6  # words; how far the name of a relation reaches
# The years of a life: the brackets, and inside a year with a dash near and another year after it.
_BRACKETS = regex.compile(r"\(([^()]{0,900})\)")
_YEAR_AND_DASH = regex.compile(r"\p{Nd}{3}[^\p{Nd}]{0,12}?(?P<dash>[-–—])")
_LAST_YEAR = regex.compile(r"(?r)\p{Nd}{3}")


def location_features(
    evidence: EvidenceIndex,
    question: Question,
    candidates: Sequence[int],
    known_words: Sequence[tuple[float, Occurrences]],
    nearest_words: Sequence[Occurrences],
) -> Floats:
    """Compute the features of candidate tokens.

    Args:
        evidence: The context.
        question: The question.
        candidates: Indices of tokens.
        known_words: The question's words that the context has: weight and occurrences.
        nearest_words: Those of them that stand nearest to the question word.

    Returns:
        A row for each candidate, in the order of LOCATION_FEATURES.
    """
    if not candidates:
        return np.zeros((0, len(LOCATION_FEATURES)))
    chosen = np.array(candidates)
    at = places_of(evidence).positions
    proximity = _proximity(at, known_words)
    near, mid, wide = proximity[:, chosen]
    top = proximity.max(axis=1) + 0.02
    text, all_tokens = evidence.text, evidence.tokens
    tokens = [all_tokens[index] for index in candidates]
    capitalised = _floats([text[token.start].isupper() for token in tokens])
    number = _floats([is_number(token) for token in tokens])
    year = _floats([is_year(token) for token in tokens])
    month = _floats([token.word.month > 0 for token in tokens])
    first_sentence = _floats([token.sentence == 0 for token in tokens])
    stops = sorted(index for occurrences in nearest_words for index in occurrences.indices)
    before, after = _closeness(at[chosen], at[stops])
    unit = question.unit
    units = frozenset(evidence.find(unit.word).occurrences.indices if unit else ())
    after_name = [i > 0 and all_tokens[i - 1].word.is_name_word for i in candidates]
    return np.array(
        [
            (near + 0.02) / top[0],
            (mid + 0.02) / top[1],
            (wide + 0.02) / top[2],
            _share_above(mid),
            _share_above(wide),
            capitalised,
            number,
            year,
            month,
            np.maximum(year, month) * (question.kind == "when"),
            number * (question.kind == "how_many"),
            capitalised * (question.kind == "who" or question.asks_name),
            _relations(evidence, question, candidates, at),
            before,
            after,
            _floats(after_name),
            first_sentence,
            _floats([index + 1 in units for index in candidates]),
        ]
    ).T


def _floats(values: Sequence[bool]) -> Floats:
    return np.array(values, dtype=np.float64)


def _proximity(at: Floats, known_words: Sequence[tuple[float, Occurrences]]) -> Floats:
    """Return how near known words are to each position, a row for each decay.

    A word counts from its nearest occurrence, and counts less the more it has. Words are added
    one by one, so that memory does not grow with the product of both texts.
    """
    proximity = np.zeros((len(_DECAYS), len(at)))
    decayed: dict[Occurrences, Floats] = {}  # of the last few words: a question may repeat some
    for weight, occurrences in known_words:
        if occurrences not in decayed:
            if len(decayed) == 8:
                decayed.clear()
            stops = at[sorted(occurrences.indices)]
            nearest = stops[((stops[1:] + stops[:-1]) / 2).searchsorted(at)]
            decayed[occurrences] = np.exp(_LOG_DECAYS * np.abs(at - nearest))
        proximity += decayed[occurrences] * (weight / (1 + len(occurrences.indices)) ** 0.5)
    return proximity


def _share_above(values: Floats) -> Floats:
    """Return for each value the share of values above it."""
    above = len(values) - np.sort(values).searchsorted(values + 1e-9, side="right")
    share: Floats = above / len(values)
    return share


def _closeness(positions: Floats, stops: Floats) -> tuple[Floats, Floats]:
    """Return how close the last stop before and the first after are: 1 at it, 0 from _FAR on."""
    padded = np.concatenate(([-np.inf], stops, [np.inf]))
    behind = stops.searchsorted(positions)
    before = np.minimum(positions - padded[behind], _FAR)
    after = np.minimum(padded[behind + 1] - positions, _FAR)
    return 1 - before / _FAR, 1 - after / _FAR


def _relations(
    evidence: EvidenceIndex, question: Question, candidates: Sequence[int], at: Floats
) -> Floats:
    """Return whether the relation named before a candidate is the one the question names.

    1 means the same, -1 one that excludes it, 0 neither. Of two years in brackets the first is a
    birth and the second a death.
    """
    asked = question.relations
    others = frozenset(tag for group in EXCLUSIVE_RELATIONS if asked & group for tag in group)
    others -= asked
    if not others:
        return np.zeros(len(candidates))
    signs = dict.fromkeys(asked, 1.0) | dict.fromkeys(others, -1.0)
    named = {
        index: sign
        for tag, sign in signs.items()
        if tag in evidence.stems
        for index in evidence.stems[tag].indices
    }
    last_named: dict[int, int] = {}  # token -> the last name of a relation before it
    for name in sorted(named):
        last_named.update(dict.fromkeys(range(name + 1, name + 1 + _RELATION_REACH), name))
    life_years = _life_years(evidence)
    result = []
    for index in candidates:
        before = last_named.get(index)
        if before is not None and at[index] - at[before] <= _RELATION_REACH:
            result.append(named[before])
        else:
            result.append(signs.get(life_years.get(index, ""), 0.0))
    return np.array(result)


def _life_years(evidence: EvidenceIndex) -> dict[int, str]:
    """Return the tokens inside brackets with the years of a life: index -> #birth or #death."""
    found: dict[int, str] = {}
    tokens = evidence.tokens
    for brackets in _BRACKETS.finditer(evidence.text):
        last_year = _LAST_YEAR.search(brackets[1])
        if not last_year:
            continue
        start = brackets.start(1)
        until = start + last_year.start()
        years = _YEAR_AND_DASH.finditer(evidence.text, start, until)
        dash = max((year.start("dash") for year in years), default=None)
        if dash is None:
            continue
        at = bisect_left(tokens, brackets.start(), key=lambda token: token.start)
        while at < len(tokens) and tokens[at].end <= brackets.end():
            found[at] = "#birth" if tokens[at].end <= dash else "#death"
            at += 1
    return found
