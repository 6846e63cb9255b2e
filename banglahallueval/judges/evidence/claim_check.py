"""Check what an output claims against its evidence: the part that answers and summaries share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from banglahallueval.judges.evidence.claims import ClaimWord, Clause, read_clauses
from banglahallueval.judges.evidence.dates import KnownDates, dates
from banglahallueval.judges.evidence.derived_numbers import follows, may_follow, unit_of
from banglahallueval.judges.evidence.evidence_index import EvidenceIndex, Occurrences
from banglahallueval.judges.evidence.negation import negated_words, negations_of
from banglahallueval.judges.evidence.places import Place, is_object, places_of
from banglahallueval.judges.evidence.questions import Question
from banglahallueval.judges.evidence.thesaurus import excluded_by
from banglahallueval.judges.evidence.token_types import Token
from banglahallueval.judges.evidence.tokens import tokenise

CLAIM_FEATURES = (
    "absent_word", "absent_words", "absent_share", "absent_long_share", "absent_number",
    "wrong_date", "loose_clause", "added_negation", "dropped_negation", "negated_only_here",
    "negated_only_there", "antonym", "nearer_number", "number_lead", "nearer_word",
    "mean_word_lead", "other_object",
)  # fmt: skip
_LONG = 4  # consonants of a word that is rarely a frame's or a verb's
_FOLLOWS = 0.3  # how much an absent number counts that follows from others
_CLEAR_LEAD = 0.1  # from which on a word that stands nearer is worth saying
# Finding places costs time in proportion to the evidence: later clauses are only looked up.
_MOST_PLACED = 64


@dataclass(slots=True, eq=False)
class CheckedClaims:
    """What an output claims, checked.

    Attributes:
        evidence: The evidence.
        tokens: The output's words and numbers.
        clauses: Its clauses.
        absent: Claimed words that the evidence lacks.
        absent_numbers: Numbers that it lacks -> whether they may follow from others.
        proven: Those that follow in no way, whose unit it counts -> the number it has.
        wrong_dates: Months of dates that it gives another day or year.
        loose: Claimed words of clauses that nothing links to the evidence.
        negations: Negations that the evidence lacks at the place, and words that it negates there.
        antonyms: Words of which the place has the opposite -> its token.
        nearer: Numbers and words -> the token where they stand, and the one that stands nearer to
            the rest of their clause.
        objects: Words to whom something is done, which are not so marked there.
        features: What the judge weighs, by the names in CLAIM_FEATURES.
    """

    evidence: EvidenceIndex
    tokens: Sequence[Token]
    clauses: Sequence[Clause]
    absent: list[Token] = field(default_factory=list)
    absent_numbers: dict[Token, bool] = field(default_factory=dict)
    proven: dict[Token, int] = field(default_factory=dict)
    wrong_dates: list[Token] = field(default_factory=list)
    loose: list[Token] = field(default_factory=list)
    negations: dict[str, list[Token]] = field(default_factory=dict)
    antonyms: dict[Token, int] = field(default_factory=dict)
    nearer: dict[Token, tuple[int, int]] = field(default_factory=dict)
    objects: list[Token] = field(default_factory=list)
    features: dict[str, float] = field(default_factory=lambda: dict.fromkeys(CLAIM_FEATURES, 0.0))

    @property
    def claimed(self) -> Iterator[ClaimWord]:
        """The words that the evidence must carry."""
        return (word for clause in self.clauses for word in clause.claimed)


def check_claims(evidence: EvidenceIndex, question: Question | None, output: str) -> CheckedClaims:
    """Check an output's claims against an evidence text.

    Args:
        evidence: The evidence.
        question: What the output answers; None for a summary.
        output: The raw output.
    """
    tokens = tokenise(output)
    checked = CheckedClaims(evidence, tokens, read_clauses(output, tokens, evidence, question))
    _check_words(checked)
    _check_numbers(checked, may_prove=question is None)
    _check_dates(checked)
    _check_negations(checked)
    known = _occurrences(question, evidence) if question else ()
    leads: list[float] = []
    for clause in checked.clauses[:_MOST_PLACED]:
        place = places_of(evidence).locate(clause, known) if clause.anchors else None
        if place:
            leads += [p.lead for p in place.placed if not p.word.is_number]
            _check_rivals(checked, place)
            if len(clause.anchors) > 1 or clause.negates:
                _check_around(checked, clause, place.around)
    if leads:
        checked.features["mean_word_lead"] = sum(leads) / len(leads)
    return checked


def _occurrences(question: Question, evidence: EvidenceIndex) -> list[Occurrences]:
    found = (evidence.find(token.word).occurrences for token, _ in question.content)
    return [occurrences for occurrences in found if occurrences.indices]


def _check_words(checked: CheckedClaims) -> None:
    """Find the words that the evidence lacks."""
    features = checked.features
    linked = [w for clause in checked.clauses if not clause.is_loose for w in clause.claimed]
    words = [word for word in linked if not word.is_number]
    absent = [word.token for word in words if word.is_absent]
    checked.absent = absent
    checked.loose = [w.token for c in checked.clauses if c.is_loose for w in c.claimed]
    long = sum(len(token.word.skeleton) >= _LONG for token in absent)
    features["absent_word"] = float(bool(absent))
    features["absent_words"] = float(len(absent) > 1)
    features["absent_long_share"] = long / (len(words) + 1)
    if linked:
        features["absent_share"] = sum(1 - word.similarity for word in linked) / len(linked)
    features["loose_clause"] = float(bool(checked.loose))


def _check_numbers(checked: CheckedClaims, *, may_prove: bool) -> None:
    """Find the numbers that the evidence lacks."""
    evidence, tokens = checked.evidence, checked.tokens
    index_of = {token.start: at for at, token in enumerate(tokens)}
    for word in checked.claimed:
        if not (word.is_number and word.is_absent):
            continue
        at = index_of[word.token.start]
        checked.absent_numbers[word.token] = follows(evidence, tokens, at)
        unit = unit_of(tokens, at)
        count = _count_of(unit, evidence) if may_prove else None
        if count is not None and not may_follow(evidence, word.token, unit):
            checked.proven[word.token] = count
    weights = (_FOLLOWS if follows_ else 1.0 for follows_ in checked.absent_numbers.values())
    checked.features["absent_number"] = max(weights, default=0.0)


def _count_of(unit: str, evidence: EvidenceIndex) -> int | None:
    """Return the first number with which a whole evidence text counts a unit."""
    if not unit or evidence.is_truncated:
        return None
    found = evidence.concepts.get(unit) or evidence.stems.get(unit)
    before = (at - 1 for at in found.indices if at) if found else ()
    return next((at for at in before if evidence.tokens[at].value is not None), None)


def _check_dates(checked: CheckedClaims) -> None:
    own = dates(checked.tokens)
    if own:
        known = KnownDates(dates(checked.evidence.tokens))
        checked.wrong_dates = [checked.tokens[date.at] for date in own if known.contradict(date)]
    checked.features["wrong_date"] = float(bool(checked.wrong_dates))


def _check_negations(checked: CheckedClaims) -> None:
    """Compare which words are negated, here and everywhere in the evidence."""
    negated_there = negated_words(checked.evidence)
    added, dropped = [], []
    for clause in checked.clauses:
        negated_here = negations_of([word.token for word in clause.words]) if clause.negates else ()
        for word in clause.anchors:
            if word.is_number:
                continue
            if word.token.start in negated_here:
                if not negated_there.some(word.occurrences):
                    added.append(word.token)
            elif negated_there.all(word.occurrences):
                dropped.append(word.token)
    checked.negations = {"added": added, "dropped": dropped, "here": [], "there": []}
    checked.features["added_negation"] = float(bool(added))
    checked.features["dropped_negation"] = float(bool(dropped))


def _check_around(checked: CheckedClaims, clause: Clause, around: Sequence[int]) -> None:
    """Check a clause's negation and its words against what stands where its words do."""
    evidence, features = checked.evidence, checked.features
    negated_there = negated_words(evidence).has_negation(around)
    if clause.negates and not negated_there:
        checked.negations["here"] += [w.token for w in clause.words if w.role == "negation"]
        features["negated_only_here"] = 1.0
    elif negated_there and not clause.negates:
        checked.negations["there"] += [w.token for w in clause.anchors]
        features["negated_only_there"] = 1.0
    named = [w.token for w in clause.words if w.role != "function" and w.token.word.concepts]
    if not named:
        return
    concepts = {
        concept: at
        for at in around
        if not evidence.tokens[at].word.is_stopword
        for concept in evidence.tokens[at].word.concepts
    }
    for token in named:
        own = token.word.concepts
        if not concepts.keys().isdisjoint(own):
            continue
        opposite = next((o for c in own for o in sorted(excluded_by(c)) if o in concepts), None)
        if opposite:
            checked.antonyms[token] = concepts[opposite]
            features["antonym"] = 1.0


def _check_rivals(checked: CheckedClaims, place: Place) -> None:
    features, evidence = checked.features, checked.evidence
    for placed in place.placed:
        lead = placed.lead
        if placed.rival is not None and lead > _CLEAR_LEAD:
            checked.nearer[placed.word.token] = (placed.at, placed.rival)
        if placed.word.is_number:
            features["nearer_number"] = max(features["nearer_number"], float(lead > 0))
            features["number_lead"] = max(features["number_lead"], lead)
        else:
            features["nearer_word"] = max(features["nearer_word"], lead)
            if is_object(placed.word.token) and not is_object(evidence.tokens[placed.at]):
                checked.objects.append(placed.word.token)
                features["other_object"] = 1.0
