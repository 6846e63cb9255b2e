"""What speaks against a summary, given its document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from banglahallueval.judges.evidence.lexicon import NEGATION, OPPOSITES, RETELLING
from banglahallueval.judges.evidence.tokens import Evidence, Token, denied, index, negated, tokenise

SUMMARY_FEATURES = (
    "absent_share", "absent_long", "absent_number", "absent_number_share", "other_unit",
    "opposite", "denial_added", "denial_added_share", "denial_dropped",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Retelling:
    """A summary held against its document.

    Attributes:
        evidence: The document.
        absent: Words that the document does not carry.
        numbers: Numbers that it does not have.
        other_unit: Numbers that it has with another unit only.
        opposites: Words whose opposite it has, and where.
        added: Words that the summary denies and the document does not.
        dropped: Words that the document denies and the summary does not.
        features: What the judge weighs, by the names in SUMMARY_FEATURES.
    """

    evidence: Evidence
    absent: tuple[Token, ...]
    numbers: tuple[Token, ...]
    other_unit: tuple[Token, ...]
    opposites: tuple[tuple[Token, int], ...]
    added: tuple[Token, ...]
    dropped: tuple[Token, ...]
    features: dict[str, float]


def read_summary(document: str, summary: str) -> Retelling:
    """Hold a summary against its document."""
    evidence = index(document)
    tokens = tokenise(summary)
    denials = [denied(evidence.tokens, place) for place in range(len(evidence.tokens))]
    absent: list[Token] = []
    numbers: list[Token] = []
    other_unit: list[Token] = []
    opposites: list[tuple[Token, int]] = []
    added: list[Token] = []
    dropped: list[Token] = []
    words = figures = negations = 0
    for at, token in enumerate(tokens):
        if token.value is not None:
            if token.weak:
                continue
            figures += 1
            if token.value not in evidence.values:
                numbers.append(token)
            elif _other_unit(evidence, token, tokens[at + 1 : at + 2]):
                other_unit.append(token)
        elif negated(token):
            negations += 1
            if _denial_added(evidence, denials, tokens, at):
                added.append(token)
        elif token.word not in RETELLING:
            words += 1
            places = evidence.places(token)[1]
            if not places:
                absent.append(token)
                opposites += _opposite(evidence, token)
            elif _denial_dropped(denials, places, tokens, at):
                dropped.append(token)
    features = {
        "absent_share": (len(absent) + 0.5) / (words + 3),
        "absent_long": sum(len(t.form.skeleton) >= 4 for t in absent) / (words + 1),
        "absent_number": float(bool(numbers)),
        "absent_number_share": len(numbers) / (figures + 1),
        "other_unit": float(bool(other_unit)),
        "opposite": float(bool(opposites)),
        "denial_added": float(bool(added)),
        "denial_added_share": len(added) / (negations + 1),
        "denial_dropped": float(bool(dropped)),
    }
    return Retelling(
        evidence,
        tuple(absent),
        tuple(numbers),
        tuple(other_unit),
        tuple(opposites),
        tuple(added),
        tuple(dropped),
        features,
    )


def _other_unit(evidence: Evidence, token: Token, after: Sequence[Token]) -> bool:
    """Whether the document counts this number's unit with other numbers only."""
    if not after or token.value is None:
        return False
    unit = set(after[0].form.stems)
    own = evidence.values[token.value]
    following = [evidence.tokens[p + 1] for p in own if p + 1 < len(evidence.tokens)]
    if not following or any(not unit.isdisjoint(t.form.stems) for t in following):
        return False
    return any(
        place and evidence.tokens[place - 1].value is not None
        for place in evidence.places(after[0])[1]
    )


def _opposite(evidence: Evidence, token: Token) -> list[tuple[Token, int]]:
    for key in sorted(OPPOSITES.get(token.form.key, ())):
        if key in evidence.stems:
            return [(token, evidence.stems[key][0])]
    return []


def _denial_added(
    evidence: Evidence, denials: Sequence[bool], tokens: Sequence[Token], at: int
) -> bool:
    """Whether the document has no denial near the words that a negation denies."""
    token = tokens[at]
    before = [
        t for t in tokens[max(0, at - 2) : at] if t.sentence == token.sentence and not negated(t)
    ]
    if token.word not in NEGATION:
        before = [token, *before[-1:]]
    anchors = [t for t in before if t.word not in RETELLING] or before
    return not any(
        any(denials[max(0, place - 2) : place + 3])
        for anchor in anchors
        for place in evidence.places(anchor)[1]
    )


def _denial_dropped(
    denials: Sequence[bool], places: Sequence[int], tokens: Sequence[Token], at: int
) -> bool:
    """Whether the document denies a word wherever it has it, and the summary does not."""
    sentence = tokens[at].sentence
    return all(denials[place] for place in places) and not any(
        negated(t) and t.sentence == sentence for t in tokens[at : at + 4]
    )
