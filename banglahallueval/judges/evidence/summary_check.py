"""Check a summary against its document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from banglahallueval.judges.evidence.evidence_index import (
    EvidenceIndex,
    Occurrences,
    index_evidence,
)
from banglahallueval.judges.evidence.lexicon import ANTONYMS
from banglahallueval.judges.evidence.tokens import Token, tokenise

SUMMARY_FEATURES = (
    "unsupported_share", "unsupported_long", "unsupported_number", "contradicted_number",
    "unsupported_number_share", "wrong_unit", "antonym", "added_negation", "added_negation_share",
    "dropped_negation",
)  # fmt: skip


@dataclass(slots=True, eq=False)
class CheckedSummary:
    """A summary checked against its document.

    Attributes:
        evidence: The document.
        words, numbers, negations: How many content words, numbers and negations were checked.
        unsupported: Content words that the document lacks.
        unsupported_numbers: Numbers that it lacks.
        contradicted: Those of them whose unit it counts with another number -> that number's token.
        wrong_units: Numbers that it has with other units only.
        antonyms: Words of which it has the antonym -> the antonym's token.
        added_negations: Words that the summary negates and the document does not.
        dropped_negations: Words that the document negates and the summary does not.
    """

    evidence: EvidenceIndex
    words: int = 0
    numbers: int = 0
    negations: int = 0
    unsupported: list[Token] = field(default_factory=list)
    unsupported_numbers: list[Token] = field(default_factory=list)
    contradicted: dict[Token, int] = field(default_factory=dict)
    wrong_units: list[Token] = field(default_factory=list)
    antonyms: dict[Token, int] = field(default_factory=dict)
    added_negations: list[Token] = field(default_factory=list)
    dropped_negations: list[Token] = field(default_factory=list)

    @property
    def features(self) -> dict[str, float]:
        """What the judge weighs, by the names in SUMMARY_FEATURES."""
        long = sum(len(token.word.skeleton) >= 4 for token in self.unsupported)
        return {
            "unsupported_share": (len(self.unsupported) + 0.5) / (self.words + 3),
            "unsupported_long": long / (self.words + 1),
            "unsupported_number": float(bool(self.unsupported_numbers)),
            "contradicted_number": float(bool(self.contradicted)),
            "unsupported_number_share": len(self.unsupported_numbers) / (self.numbers + 1),
            "wrong_unit": float(bool(self.wrong_units)),
            "antonym": float(bool(self.antonyms)),
            "added_negation": float(bool(self.added_negations)),
            "added_negation_share": len(self.added_negations) / (self.negations + 1),
            "dropped_negation": float(bool(self.dropped_negations)),
        }


def check_summary(document: str, summary: str) -> CheckedSummary:
    """Check a summary against its document."""
    evidence = index_evidence(document)
    facts = _facts_of(evidence)
    tokens = tokenise(summary)
    checked = CheckedSummary(evidence)
    for at, token in enumerate(tokens):
        if token.value is not None:
            if not token.word.is_article:
                _check_number(checked, facts, token, tokens[at + 1 : at + 2])
        elif token.word.negates:
            checked.negations += 1
            negated = [evidence.find(t.word).occurrences for t in _negated_words(tokens, at)]
            if not any(facts.some_negated(occurrences) for occurrences in negated):
                checked.added_negations.append(token)
        elif not token.word.is_summary_stopword:
            _check_word(checked, facts, tokens, at)
    return checked


def _check_number(
    checked: CheckedSummary, facts: _DocumentFacts, token: Token, after: Sequence[Token]
) -> None:
    checked.numbers += 1
    if token.value not in checked.evidence.values:
        checked.unsupported_numbers.append(token)
        count = facts.count_contradicting(token, after)
        if count is not None:
            checked.contradicted[token] = count
    elif facts.counts_only_other_units(token, after):
        checked.wrong_units.append(token)


def _check_word(
    checked: CheckedSummary, facts: _DocumentFacts, tokens: Sequence[Token], at: int
) -> None:
    token, evidence = tokens[at], checked.evidence
    checked.words += 1
    similarity, occurrences = evidence.find(token.word)
    if not similarity:
        checked.unsupported.append(token)
        antonyms = [
            key for key in sorted(ANTONYMS.get(token.word.key, ())) if key in evidence.stems
        ]
        if antonyms:
            checked.antonyms[token] = evidence.stems[antonyms[0]].indices[0]
    elif facts.all_negated(occurrences) and not any(
        t.word.negates and t.sentence == token.sentence for t in tokens[at : at + 4]
    ):
        checked.dropped_negations.append(token)


def _negated_words(tokens: Sequence[Token], at: int) -> list[Token]:
    """Return the words that a negation negates, content words if there are any."""
    token = tokens[at]
    before = [
        t
        for t in tokens[max(0, at - 2) : at]
        if t.sentence == token.sentence and not t.word.negates
    ]
    if not token.word.is_negation:
        before = [token, *before[-1:]]
    return [t for t in before if not t.word.is_summary_stopword] or before


class _DocumentFacts:
    """What a document negates and counts; kept, since a long summary asks for the same often."""

    def __init__(self, evidence: EvidenceIndex) -> None:
        self._evidence = evidence
        self._negated = negated_tokens(evidence.tokens)
        self._some_negated: dict[Occurrences, bool] = {}
        self._all_negated: dict[Occurrences, bool] = {}
        self._counts: dict[Occurrences, int | None] = {}
        self._units: dict[float, frozenset[str] | None] = {}

    def some_negated(self, occurrences: Occurrences) -> bool:
        """Return whether the document negates one of the occurrences, or the token after it."""
        if occurrences not in self._some_negated:
            self._some_negated[occurrences] = any(
                any(self._negated[at : at + 2]) for at in occurrences.indices
            )
        return self._some_negated[occurrences]

    def all_negated(self, occurrences: Occurrences) -> bool:
        """Return whether the document negates all of the occurrences."""
        if occurrences not in self._all_negated:
            self._all_negated[occurrences] = all(self._negated[at] for at in occurrences.indices)
        return self._all_negated[occurrences]

    def count_contradicting(self, token: Token, after: Sequence[Token]) -> int | None:
        """Return the first number with which the document counts a number's unit.

        Not for ordinals and fractions in words: they say the same thing in other ways.
        """
        is_ordinal = token.end - token.start > len(token.word.text) > 0 and token.word.is_digits
        is_fraction = not token.word.is_digits and token.value is not None and token.value % 1 != 0
        if is_ordinal or is_fraction or not after or after[0].sentence != token.sentence:
            return None
        return self._first_count(after[0])

    def counts_only_other_units(self, token: Token, after: Sequence[Token]) -> bool:
        """Return whether the document has a number with other units, and its unit with others."""
        if not after or token.value is None:
            return False
        units = self._units_of(token.value)
        return (
            units is not None
            and units.isdisjoint(after[0].word.stems)
            and self._first_count(after[0]) is not None
        )

    def _first_count(self, unit: Token) -> int | None:
        """Return the first number that the document has right before a unit."""
        occurrences = self._evidence.find(unit.word).occurrences
        if occurrences not in self._counts:
            tokens = self._evidence.tokens
            counts = (at - 1 for at in occurrences.indices if at)
            self._counts[occurrences] = next(
                (at for at in counts if tokens[at].value is not None), None
            )
        return self._counts[occurrences]

    def _units_of(self, value: float) -> frozenset[str] | None:
        """Return the stems that the document has right after a number; None if it ends there."""
        if value not in self._units:
            tokens, indices = self._evidence.tokens, self._evidence.values[value].indices
            units = [token.word.stems for at in indices for token in tokens[at + 1 : at + 2]]
            self._units[value] = frozenset(chain.from_iterable(units)) if units else None
        return self._units[value]


@lru_cache(maxsize=8)
def _facts_of(evidence: EvidenceIndex) -> _DocumentFacts:
    return _DocumentFacts(evidence)


def negated_tokens(tokens: Sequence[Token]) -> list[bool]:
    """Return for each token whether it is negated: by itself or within the two words after it."""
    negated = [token.word.negates for token in tokens]
    for at, token in enumerate(tokens):
        if token.word.is_negation:
            for before in range(max(0, at - 2), at):
                negated[before] |= tokens[before].sentence == token.sentence
    return negated
