"""What speaks against a summary, given its document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from banglahallueval.judges.evidence.lexicon import OPPOSITES
from banglahallueval.judges.evidence.tokens import Evidence, Token, denials, index, tokenise

SUMMARY_FEATURES = (
    "absent_share", "absent_long", "absent_number", "contradicted",
    "absent_number_share", "other_unit", "opposite", "denial_added", "denial_added_share",
    "denial_dropped",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Retelling:
    """A summary held against its document.

    Attributes:
        evidence: The document.
        absent: Words that the document does not carry.
        numbers: Numbers that it does not have.
        contradicted: Those of them whose unit it counts with another number, and where that is.
        other_unit: Numbers that it has with another unit only.
        opposites: Words whose opposite it has, and where.
        added: Words that the summary denies and the document does not.
        dropped: Words that the document denies and the summary does not.
        features: What the judge weighs, by the names in SUMMARY_FEATURES.
    """

    evidence: Evidence
    absent: tuple[Token, ...]
    numbers: tuple[Token, ...]
    contradicted: dict[Token, int]
    other_unit: tuple[Token, ...]
    opposites: tuple[tuple[Token, int], ...]
    added: tuple[Token, ...]
    dropped: tuple[Token, ...]
    features: dict[str, float]


def read_summary(document: str, summary: str) -> Retelling:
    """Hold a summary against its document."""
    evidence = index(document)
    tokens = tokenise(summary)
    denied = denials(evidence)
    absent: list[Token] = []
    numbers: list[Token] = []
    contradicted: dict[Token, int] = {}
    other_unit: list[Token] = []
    opposites: list[tuple[Token, int]] = []
    added: list[Token] = []
    dropped: list[Token] = []
    words = figures = negations = 0
    for at, token in enumerate(tokens):
        if token.value is not None:
            if token.word.article:
                continue
            figures += 1
            if token.value not in evidence.values:
                numbers.append(token)
                if others := _counted_otherwise(evidence, token, tokens[at + 1 : at + 2]):
                    contradicted[token] = others[0]
            elif _other_unit(evidence, token, tokens[at + 1 : at + 2]):
                other_unit.append(token)
        elif token.word.denies:
            negations += 1
            if _denial_added(evidence, denied, tokens, at):
                added.append(token)
        elif not token.word.retelling:
            words += 1
            places = evidence.places(token)[1]
            if not places:
                absent.append(token)
                opposites += _opposite(evidence, token)
            elif _denial_dropped(denied, places, tokens, at):
                dropped.append(token)
    features = {
        "absent_share": (len(absent) + 0.5) / (words + 3),
        "absent_long": sum(len(t.word.skeleton) >= 4 for t in absent) / (words + 1),
        "absent_number": float(bool(numbers)),
        "contradicted": float(bool(contradicted)),
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
        contradicted,
        tuple(other_unit),
        tuple(opposites),
        tuple(added),
        tuple(dropped),
        features,
    )


def _counted_otherwise(evidence: Evidence, token: Token, after: Sequence[Token]) -> list[int]:
    """Places of the numbers that the document counts a number's unit with.

    Ordinals and fractions in words are left out: they say the same thing in other ways.
    """
    ordinal = token.end - token.start > len(token.word.text) > 0 and token.word.digits
    fraction = not token.word.digits and token.value is not None and token.value % 1 != 0
    if ordinal or fraction or not after or after[0].sentence != token.sentence:
        return []
    return [
        place - 1
        for place in evidence.places(after[0])[1]
        if place and evidence.tokens[place - 1].value is not None
    ]


def _other_unit(evidence: Evidence, token: Token, after: Sequence[Token]) -> bool:
    """Whether the document counts this number's unit with other numbers only."""
    if not after or token.value is None:
        return False
    unit = set(after[0].word.stems)
    own = evidence.values[token.value]
    following = [evidence.tokens[p + 1] for p in own if p + 1 < len(evidence.tokens)]
    if not following or any(not unit.isdisjoint(t.word.stems) for t in following):
        return False
    return any(
        place and evidence.tokens[place - 1].value is not None
        for place in evidence.places(after[0])[1]
    )


def _opposite(evidence: Evidence, token: Token) -> list[tuple[Token, int]]:
    for key in sorted(OPPOSITES.get(token.word.key, ())):
        if key in evidence.stems:
            return [(token, evidence.stems[key][0])]
    return []


def _denial_added(
    evidence: Evidence, denied: Sequence[bool], tokens: Sequence[Token], at: int
) -> bool:
    """Whether the document has no denial near the words that a negation denies."""
    token = tokens[at]
    before = [
        t for t in tokens[max(0, at - 2) : at] if t.sentence == token.sentence and not t.word.denies
    ]
    if not token.word.negation:
        before = [token, *before[-1:]]
    anchors = [t for t in before if not t.word.retelling] or before
    return not any(
        any(denied[place : place + 2]) for anchor in anchors for place in evidence.places(anchor)[1]
    )


def _denial_dropped(
    denied: Sequence[bool], places: Sequence[int], tokens: Sequence[Token], at: int
) -> bool:
    """Whether the document denies a word wherever it has it, and the summary does not."""
    sentence = tokens[at].sentence
    return all(denied[place] for place in places) and not any(
        t.word.denies and t.sentence == sentence for t in tokens[at : at + 4]
    )
