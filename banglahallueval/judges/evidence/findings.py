"""Say in words, and by offsets, what speaks against an answer or a summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from banglahallueval.judges.evidence.answer_check import CheckedAnswer
from banglahallueval.judges.evidence.answer_location import AnswerLocation
from banglahallueval.judges.evidence.evidence_index import EvidenceIndex
from banglahallueval.judges.evidence.summary_check import CheckedSummary
from banglahallueval.judges.evidence.tokens import Token
from banglahallueval.verdicts import Span

_STANCE_REASONS = {
    "guesses": "makes it a guess, where the context makes none",
    "argues": "gives a reason, where the context gives none",
    "approximates": "makes it inexact, where the context is exact",
}
_WORDS_AROUND = 2  # a quotation's words before and after the one that it is about
# Many findings may quote one place of the evidence: a longer quotation is cut off there.
_MAX_QUOTED = 200


def answer_findings(output: str, answer: CheckedAnswer, *, hallucinated: bool) -> tuple[Span, ...]:
    """Return what speaks against an answer.

    Args:
        output: The raw answer.
        answer: The same, checked.
        hallucinated: Whether the judge calls it hallucinated: if so, and if the context has all
            its words, those words are findings.
    """
    findings = [*_unsupported(output, answer), *_added_negations(answer), *_stances(answer)]
    if hallucinated and not answer.unsupported:
        findings += _misplaced(output, answer)
    return tuple(findings)


def _unsupported(output: str, answer: CheckedAnswer) -> Iterator[Span]:
    location = answer.location
    for start, end, first in _phrases(answer.unsupported, output):
        contradicting = location.contradicting(first)
        reason = f"{_quote(output[start:end])} is not in the context"
        if contradicting is not None:
            reason += f"; it says {_quote_count(location, contradicting)}"
        elif location.evidence.is_truncated:
            reason += " (which breaks off)"
        yield Span(start, end, reason, proven=contradicting is not None)


def _added_negations(answer: CheckedAnswer) -> Iterator[Span]:
    for token in answer.added_negations:
        yield Span(token.start, token.end, f"{_quote(token.word.text)} denies what was asked")


def _stances(answer: CheckedAnswer) -> Iterator[Span]:
    for token in answer.stances:
        reason = f"{_quote(token.word.text)} {_STANCE_REASONS[token.word.stance]}"
        yield Span(token.start, token.end, reason)


def _misplaced(output: str, answer: CheckedAnswer) -> Iterator[Span]:
    """Explain words that the context has, but not as an answer to this question."""
    top = answer.location.top_of_kind
    better = ""
    if top is not None and top not in {at for _, at in answer.supported}:
        better = f"; there it says {_quote(_phrase_around(answer.location, top))}"
    for start, end, _ in _phrases((token for token, _ in answer.supported), output):
        reason = f"{_quote(output[start:end])} is in the context, but not as what is asked for"
        yield Span(start, end, reason + better)


def summary_findings(output: str, summary: CheckedSummary) -> tuple[Span, ...]:
    """Return what speaks against a summary, in the order of the raw text."""
    evidence = summary.evidence
    found: list[tuple[int, int, str]] = []
    for token in summary.unsupported_numbers:
        reason = "is not in the document"
        if token in summary.contradicted:
            count = summary.contradicted[token]
            reason += f"; it says {_raw(evidence, count)} {_raw(evidence, count + 1)}"
        found.append((token.start, token.end, reason))
    for token in summary.wrong_units:
        found.append((token.start, token.end, "is in the document, but of something else"))
    for token, antonym in summary.antonyms.items():
        reason = f"is not in the document; it says {_raw(evidence, antonym)}"
        found.append((token.start, token.end, reason))
    words = (token for token in summary.unsupported if token not in summary.antonyms)
    for start, end, _ in _phrases(words, output):
        found.append((start, end, "is not in the document"))
    for token in summary.added_negations:
        found.append((token.start, token.end, "denies what the document does not deny"))
    for token in summary.dropped_negations:
        found.append((token.start, token.end, "is said without the document's denial"))
    proven = {token.start for token in summary.contradicted}
    return tuple(
        Span(start, end, f"{_quote(output[start:end])} {reason}", start in proven)
        for start, end, reason in sorted(found, key=lambda finding: finding[0])
    )


def _quote_count(location: AnswerLocation, at: int) -> str:
    """Quote a number of the context, and the unit that it counts if that is asked for."""
    number, unit = _raw(location.evidence, at), location.question.unit
    return f"{number} for {_cut(unit.word.text)}" if unit else number


def _phrase_around(location: AnswerLocation, at: int) -> str:
    """Return the words around a token that could be one answer with it."""
    tokens, text = location.evidence.tokens, location.evidence.text
    first = last = at
    while first > at - _WORDS_AROUND and _continues(location, first - 1, at):
        first -= 1
    while last < at + _WORDS_AROUND and _continues(location, last + 1, at):
        last += 1
    return _cut(text[tokens[first].start : tokens[last].end])


def _continues(location: AnswerLocation, neighbour: int, at: int) -> bool:
    tokens = location.evidence.tokens
    return neighbour in location.scores and tokens[neighbour].sentence == tokens[at].sentence


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


def _raw(evidence: EvidenceIndex, at: int) -> str:
    return _cut(evidence.raw(at))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_QUOTED else text[:_MAX_QUOTED] + "…"


def _quote(text: str) -> str:
    return f"'{text}'"
