"""Say in words, and by offsets, what speaks against an answer or a summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from banglahallueval.judges.evidence.answer_check import CheckedAnswer
from banglahallueval.judges.evidence.answer_kinds import are_alike, is_asked_for, named_answer
from banglahallueval.judges.evidence.answer_location import AnswerLocation
from banglahallueval.judges.evidence.claim_check import CheckedClaims
from banglahallueval.judges.evidence.evidence_index import EvidenceIndex
from banglahallueval.judges.evidence.token_types import Token, is_year
from banglahallueval.verdicts import Span

# Many findings may quote one place of the evidence: a longer quotation ends there.
_MAX_QUOTED = 200


def answer_findings(output: str, answer: CheckedAnswer, *, hallucinated: bool) -> tuple[Span, ...]:
    """Return what speaks against an answer, in the order of the raw text.

    Args:
        output: The raw answer.
        answer: The same, checked.
        hallucinated: Whether the judge calls it hallucinated: if so, and if nothing else speaks
            against it, the words that the context has are findings.
    """
    found = list(claim_findings(output, answer.claims, "context", answer.location))
    if answer.polarity is not None:
        start, end = answer.polarity.start, answer.polarity.end
        found.append(Span(start, end, f"{_quote(output[start:end])} is not what the context says"))
    if hallucinated and not found:
        found += _misplaced(output, answer)
    return tuple(sorted(found, key=lambda finding: (finding.start, finding.end)))


def claim_findings(
    output: str, claims: CheckedClaims, source: str, location: AnswerLocation | None = None
) -> tuple[Span, ...]:
    """Return what speaks against an output's claims, in the order of the raw text.

    Args:
        output: The raw output.
        claims: The same, checked.
        source: What to call the evidence: `context` or `document`.
        location: Where in it the answer to a question may stand; None where none is asked.
    """
    reasons: dict[tuple[int, int], str] = {}
    for start, end, reason in _reasons(output, claims, source, location):
        reasons.setdefault((start, end), reason)
    proven = {token.start for token in claims.proven}
    return tuple(
        Span(start, end, f"{_quote(output[start:end])} {reason}", start in proven)
        for (start, end), reason in sorted(reasons.items())
    )


def _reasons(
    output: str, claims: CheckedClaims, source: str, location: AnswerLocation | None
) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and reason; of several for one stretch the first says most."""
    evidence = claims.evidence
    missing = f"is not in the {source}"
    for token in claims.wrong_dates:
        yield token.start, token.end, f"is part of a date that the {source} gives otherwise"
    for token, other in claims.antonyms.items():
        yield (
            token.start,
            token.end,
            f"stands against {_quote(_raw(evidence, other))} in the {source}",
        )
    for token, follows in claims.absent_numbers.items():
        reason = missing
        if token in claims.proven:
            reason += f"; it says {_counted(evidence, claims.proven[token])}"
        elif follows:
            reason += ", but may follow from its numbers"
        yield token.start, token.end, reason
    note = " (which breaks off)" if evidence.is_truncated else ""
    for start, end, _ in _phrases(claims.absent, output):
        yield start, end, missing + note
    words = (token for token in claims.loose if token not in claims.absent_numbers)
    for start, end, _ in _phrases(words, output):
        yield start, end, f"goes with nothing in the {source}"
    for token in (*claims.negations["added"], *claims.negations["here"]):
        yield token.start, token.end, f"is denied here, and not in the {source}"
    for start, end, _ in _phrases(claims.negations["dropped"], output):
        yield start, end, f"is said without the {source}'s denial"
    for token, (at, rival) in claims.nearer.items():
        there = _raw(evidence, at)
        spelled = "" if there == output[token.start : token.end] else f" as {_quote(there)}"
        # A reader would not take a name for a thing, or taka for years.
        another = "another word" if token.value is None else "another number"
        is_asked = location is not None and is_asked_for(location, rival)
        is_named = is_asked or are_alike(evidence, at, rival)
        nearer = _quote(_raw(evidence, rival)) if is_named else another
        stands = f"{nearer} stands nearer to what it is said with"
        yield token.start, token.end, f"is in the {source}{spelled}, but {stands}"
    for token in claims.objects:
        yield token.start, token.end, f"has another part in it in the {source}"
    for start, end, _ in _phrases(claims.negations["there"], output):
        yield start, end, f"is said without a denial, where the {source} has one"


def _misplaced(output: str, answer: CheckedAnswer) -> Iterator[Span]:
    """Explain words that the context has, but not as an answer to this question."""
    named = named_answer(answer.location, {at for _, at in answer.supported})
    better = f"; there it says {_quote(_cut(named))}" if named else ""
    words = [token for token, _ in answer.supported] or [
        word.token for clause in answer.claims.clauses for word in clause.anchors
    ]
    for start, end, _ in _phrases(words, output):
        reason = f"{_quote(output[start:end])} is in the context, but not as what is asked for"
        yield Span(start, end, reason + better)


def _phrases(tokens: Iterable[Token], text: str) -> list[tuple[int, int, Token]]:
    """Join words that stand side by side; numbers stand alone.

    Returns:
        Start and end of each phrase, and its first token.
    """
    phrases: list[tuple[int, int, Token]] = []
    last: Token | None = None
    for token in tokens:
        is_next = (
            last is not None
            and last.value is None
            and token.value is None
            and text[last.end : token.start].strip(" -'’") == ""
        )
        if is_next:
            start, _, first = phrases.pop()
            phrases.append((start, token.end, first))
        else:
            phrases.append((token.start, token.end, token))
        last = token
    return phrases


def _counted(evidence: EvidenceIndex, at: int) -> str:
    """Quote a number, and the word after it, which it counts, unless it is a year's."""
    tokens = evidence.tokens
    number, after = tokens[at], tokens[at + 1 : at + 2]
    if is_year(number) or not after or after[0].sentence != number.sentence:
        return _raw(evidence, at)
    return f"{_raw(evidence, at)} {_raw(evidence, at + 1)}"


def _raw(evidence: EvidenceIndex, at: int) -> str:
    return _cut(evidence.raw(at))


def _cut(text: str) -> str:
    """Shorten a long quotation, between words where it has any."""
    if len(text) <= _MAX_QUOTED:
        return text
    whole_words = text.rfind(" ", 0, _MAX_QUOTED)
    return text[: whole_words if whole_words > 0 else _MAX_QUOTED] + "…"


def _quote(text: str) -> str:
    return f"'{text}'"
