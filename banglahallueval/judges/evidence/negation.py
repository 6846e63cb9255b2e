"""Which words of a text are negated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from banglahallueval.judges.evidence.evidence_index import EvidenceIndex, Occurrences
from banglahallueval.judges.evidence.token_types import Token

_SCOPE = 2  # words before a negation, or before the verb that it negates


def negations_of(tokens: Sequence[Token]) -> frozenset[int]:
    """Return the starts of the negations of a text, and of the words right before them."""
    found: set[int] = set()
    for at, token in enumerate(tokens):
        if token.word.negates:
            # পান নি denies what পাননি does: the verb does not count.
            apart = token.word.is_negation and at > 0 and tokens[at - 1].word.is_stopword
            before = tokens[max(0, at - _SCOPE - apart) : at]
            found.add(token.start)
            found.update(each.start for each in before if each.sentence == token.sentence)
    return frozenset(found)


class NegatedWords:
    """Which words an evidence text negates; kept, since a long output asks for the same often."""

    def __init__(self, evidence: EvidenceIndex) -> None:
        """Read a text."""
        tokens = evidence.tokens
        self._negations = frozenset(at for at, token in enumerate(tokens) if token.word.negates)
        negated = negations_of(tokens) if self._negations else frozenset()
        self._negated = [token.start in negated for token in tokens]
        self._some: dict[Occurrences, bool] = {}
        self._all: dict[Occurrences, bool] = {}

    def has_negation(self, indices: Iterable[int]) -> bool:
        """Return whether a negation is among the tokens with these indices."""
        return not self._negations.isdisjoint(indices)

    def some(self, occurrences: Occurrences) -> bool:
        """Return whether one of the occurrences is negated."""
        if occurrences not in self._some:
            self._some[occurrences] = any(self._negated[at] for at in occurrences.indices)
        return self._some[occurrences]

    def all(self, occurrences: Occurrences) -> bool:
        """Return whether all of the occurrences are negated."""
        if occurrences not in self._all:
            self._all[occurrences] = all(self._negated[at] for at in occurrences.indices)
        return self._all[occurrences]


@lru_cache(maxsize=8)
def negated_words(evidence: EvidenceIndex) -> NegatedWords:
    """Read an evidence text; the last few are kept."""
    return NegatedWords(evidence)
