"""Where in the evidence the words of a clause stand together, and what stands nearer to them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from banglahallueval.judges.evidence.claims import ClaimWord, Clause, split_clauses
from banglahallueval.judges.evidence.evidence_index import EvidenceIndex, Occurrences
from banglahallueval.judges.evidence.token_types import Token, is_number, is_year
from banglahallueval.judges.evidence.word_analysis import CASES

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

# Closeness falls to 1/e over so many words; stop words are short, and marks are long.
_REACH = 5.0
_BESIDE = 4.0  # words around the middle of a place that belong to it whatever the marks
# Comparing costs time for each pair of a clause's word and a word of the evidence.
_MOST_WORDS = 12  # of a clause
_MOST_KEPT = 4_000_000  # numbers of closeness kept for one evidence text


class Placed(NamedTuple):
    """A word of a clause at the place where it stands nearest to the clause's other words.

    Attributes:
        word: The word.
        at: Index of the evidence's token.
        closeness: Its mean closeness to the other words there, 0 to 1.
        rival: Index of the token of its kind that is closest to the other words; None for none.
        rival_closeness: How close that one is.
    """

    word: ClaimWord
    at: int
    closeness: float
    rival: int | None
    rival_closeness: float

    @property
    def lead(self) -> float:
        """How much closer the rival is, -1 to 1."""
        return self.rival_closeness - self.closeness


class Place(NamedTuple):
    """A clause in the evidence.

    Attributes:
        placed: Its claimed words that the evidence has.
        around: Indices of the tokens where most of its words stand together.
    """

    placed: tuple[Placed, ...]
    around: range


class Places:
    """An evidence text with the distances between its words.

    Attributes:
        positions: Where each token stands, in words; stop words are short, boundaries are long.
    """

    def __init__(self, evidence: EvidenceIndex) -> None:
        """Measure a text."""
        self._evidence = evidence
        self._positions = _positions(evidence)
        self.positions = np.array(self._positions)
        self._closeness: dict[Occurrences, Floats] = {}

    def locate(self, clause: Clause, question: Sequence[Occurrences]) -> Place | None:
        """Find where the words of a clause stand together.

        Args:
            clause: The clause.
            question: Occurrences of the question's words, which complete a clause that has none.

        Returns:
            The place; None if the evidence has fewer than two of the words.
        """
        anchors = clause.anchors[:_MOST_WORDS]
        others = () if any(w.role == "given" for w in anchors) else question[:_MOST_WORDS]
        occurrences = [*(word.occurrences for word in anchors), *others]
        if len(occurrences) < 2:
            return None
        near = np.array([self._close_to(each) for each in occurrences])
        total = near.sum(axis=0)
        claimed = [at for at, word in enumerate(anchors) if word.role == "claim"]
        closeness = (total - near[claimed]) / (len(occurrences) - 1)
        mates = [index for each in occurrences for index in each.indices]
        placed = self._place([anchors[at] for at in claimed], closeness, mates)
        return Place(placed, self._around(int(total.argmax())))

    def _place(
        self, words: Sequence[ClaimWord], closeness: Floats, mates: Sequence[int]
    ) -> tuple[Placed, ...]:
        """Place words, given a row each of how close the evidence's tokens are to its mates."""
        if not words:
            return ()
        bests = []
        for word, row in zip(words, closeness, strict=True):
            indices = list(word.occurrences.indices)
            bests.append(indices[0] if len(indices) == 1 else indices[int(row[indices].argmax())])
        kinds = [self._rivals(word, best) for word, best in zip(words, bests, strict=True)]
        of_rivals = closeness * np.array(kinds)
        of_rivals[:, mates] = 0.0
        rivals = of_rivals.argmax(axis=1).tolist()
        leads = of_rivals.max(axis=1).tolist()
        return tuple(
            Placed(word, best, float(row[best]), rival if lead else None, lead)
            for word, best, row, rival, lead in zip(
                words, bests, closeness, rivals, leads, strict=True
            )
        )

    def _rivals(self, word: ClaimWord, at: int) -> Mask:
        """Return which tokens could stand in a word's stead: numbers, or words of its case."""
        if word.is_number:
            return self._years if is_year(word.token) else self._counts
        return self._by_case[self._evidence.tokens[at].word.case]

    def _around(self, middle: int) -> range:
        """Return the tokens of the middle's clause, and of its sentence those beside it."""
        positions, tokens = self._positions, self._evidence.tokens
        first, last = self._clauses[self._clause[middle]]
        at, sentence = positions[middle], tokens[middle].sentence
        start = middle
        while (
            start and at - positions[start - 1] < _BESIDE and tokens[start - 1].sentence == sentence
        ):
            start -= 1
        end = middle + 1
        while (
            end < len(tokens) and positions[end] - at < _BESIDE and tokens[end].sentence == sentence
        ):
            end += 1
        return range(min(first, start), max(last, end))

    def _close_to(self, occurrences: Occurrences) -> Floats:
        """Return how close each token is to the nearest occurrence: 1 at it."""
        known = self._closeness.get(occurrences)
        if known is None:
            if len(self._closeness) * len(self.positions) >= _MOST_KEPT:
                self._closeness.clear()
            stops = self.positions[sorted(occurrences.indices)]
            nearest = stops[((stops[1:] + stops[:-1]) / 2).searchsorted(self.positions)]
            known = self._closeness[occurrences] = np.exp(
                -np.abs(self.positions - nearest) / _REACH
            )
        return known

    @cached_property
    def _clauses(self) -> list[tuple[int, int]]:
        """The clauses: first token, and token after the last."""
        clauses = split_clauses(self._evidence.text, self._evidence.tokens)
        ends = [*accumulate(map(len, clauses))]
        return [*pairwise([0, *ends])]

    @cached_property
    def _clause(self) -> list[int]:
        """The number of each token's clause."""
        return [n for n, (first, last) in enumerate(self._clauses) for _ in range(first, last)]

    @cached_property
    def _years(self) -> Mask:
        return np.array([is_year(token) for token in self._evidence.tokens], dtype=np.bool_)

    @cached_property
    def _counts(self) -> Mask:
        numbers = [is_number(token) for token in self._evidence.tokens]
        return np.array(numbers, dtype=np.bool_) & ~self._years

    @cached_property
    def _by_case(self) -> dict[str, Mask]:
        """Content words by their case: what may stand in each other's stead."""
        cases = [token.word.case if _is_content(token) else "" for token in self._evidence.tokens]
        of_tokens = np.array(cases)
        return {case: of_tokens == case for case in CASES}


@lru_cache(maxsize=8)
def places_of(evidence: EvidenceIndex) -> Places:
    """Measure an evidence text; the last few are kept."""
    return Places(evidence)


def _positions(evidence: EvidenceIndex) -> list[float]:
    text = evidence.text
    found: list[float] = []
    position, last_end, last_sentence = 0.0, 0, 0
    for start, end, word, _, sentence in evidence.tokens:
        if found:
            gap = text[last_end:start]
            position += 5.0 * (sentence != last_sentence)
            if gap != " ":
                position += 1.0 * ("," in gap or ";" in gap or ":" in gap)
                position += 0.7 * ("(" in gap or ")" in gap)
                position += 1.5 * (" - " in gap or "–" in gap)
        if word.is_stopword:
            position += 1.1 if word.is_conjunction else 0.4
        else:
            position += 1.0
        found.append(position)
        last_end, last_sentence = end, sentence
    return found


def is_object(token: Token) -> bool:
    """Return whether a word is marked as the one to whom something is done (-কে, -ke)."""
    return token.word.case == "object"


def _is_content(token: Token) -> bool:
    word = token.word
    says_nothing = word.is_stopword or word.is_suffix or word.is_unit or word.is_frame
    return not (says_nothing or word.negates) and token.value is None
