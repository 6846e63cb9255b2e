"""The evidence judge: features of an output weighed into a verdict, and its findings in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from banglahallueval.judges.evidence.answers import Reading, contradicting, counted, read_answer
from banglahallueval.judges.evidence.constants import INTERCEPTS, WEIGHTS
from banglahallueval.judges.evidence.locating import Located
from banglahallueval.judges.evidence.summaries import Retelling, read_summary
from banglahallueval.judges.evidence.tokens import Token
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Span, Verdict

_SHOWN = 3  # findings that the explanation's one line tells
_STANCE_SAYS = {
    "guesses": "makes it a guess, where the context makes none",
    "argues": "gives a reason, where the context gives none",
    "approximates": "makes it inexact, where the context is exact",
}
_PROVEN = 0.99  # least probability of what has a proven finding


def judge_item(item: Item) -> Verdict:
    """Judge an answer or a summary by its evidence alone, without a model.

    Args:
        item: An item of qa, codemix or summarization.

    Returns:
        The verdict, the same for the same item always. Its probability is that of an even mix of
        right and hallucinated outputs, moved so that 0.5 is where the label turns. Every `yes`
        has a finding. Blank outputs and items without evidence are `unknown`.
    """
    if not item.output.strip() or not item.evidence.strip():
        return Verdict("unknown", reason="blank input")
    findings: tuple[Span, ...]
    if item.task == "summarization":
        retelling = read_summary(item.context, item.output)
        p = _weigh("summarization", item.task, retelling.features)
        findings = tuple(_in_summary(item, retelling))
    else:
        reading = read_answer(item.question, item.context, item.output)
        p = _weigh("answers", item.task, reading.features)
        findings = (*_absent(item, reading), *_denying(reading), *_standing(reading))
        if p >= 0.5 and not reading.absent:
            findings = (*findings, *_misplaced(item, reading))
    if any(finding.proven for finding in findings):
        p = max(p, _PROVEN)
    hallucinated = p >= 0.5
    return Verdict(
        "yes" if hallucinated else "no",
        p_hallucinated=p,
        raw=_told(findings, hallucinated),
        findings=findings,
    )


def _weigh(kind: str, task: str, features: Mapping[str, float]) -> float:
    weights = WEIGHTS[kind]
    logit = INTERCEPTS[task] + sum(weights[name] * features[name] for name in weights)
    return 1 / (1 + math.exp(-logit))


def _told(findings: Sequence[Span], hallucinated: bool) -> str:
    if not findings:
        return "The evidence carries all that the output says."
    shown = "; ".join(finding.reason for finding in findings[:_SHOWN])
    more = len(findings) - _SHOWN
    shown += f"; and {more} more" if more > 0 else ""
    return shown if hallucinated else f"Too little to call it hallucinated: {shown}"


def _absent(item: Item, reading: Reading) -> Iterator[Span]:
    located = reading.located
    for tokens in _runs(reading.absent, item.output):
        start, end = tokens[0].start, tokens[-1].end
        other = contradicting(reading, tokens[0])
        reason = f"{_quote(item.output[start:end])} is not in the context"
        if other is not None:
            reason += f"; it says {_said(located, other)}"
        elif located.evidence.broken_off:
            reason += " (which breaks off)"
        yield Span(start, end, reason, proven=other is not None)


def _denying(reading: Reading) -> Iterator[Span]:
    for token in reading.denials:
        yield Span(token.start, token.end, f"{_quote(token.word.text)} denies what was asked")


def _standing(reading: Reading) -> Iterator[Span]:
    for token in reading.stances:
        reason = f"{_quote(token.word.text)} {_STANCE_SAYS[token.word.stance]}"
        yield Span(token.start, token.end, reason)


def _misplaced(item: Item, reading: Reading) -> Iterator[Span]:
    """What is in the context, but has no place in an answer to this question."""
    located = reading.located
    own = {place for _, place in reading.found}
    top = max(located.of_kind, key=lambda place: located.scores[place], default=None)
    for tokens in _runs([token for token, _ in reading.found], item.output):
        start, end = tokens[0].start, tokens[-1].end
        reason = f"{_quote(item.output[start:end])} is in the context, but not as what is asked for"
        if top is not None and top not in own:
            reason += f"; there it says {_quote(_phrase(located, top))}"
        yield Span(start, end, reason)


def _in_summary(item: Item, retelling: Retelling) -> Iterator[Span]:
    text, evidence = item.output, retelling.evidence
    found = []
    opposite = dict(retelling.opposites)
    for token in retelling.numbers:
        reason = "is not in the document"
        if token in retelling.contradicted:
            place = retelling.contradicted[token]
            reason += f"; it says {evidence.said(place)} {evidence.said(place + 1)}"
        found.append((token, token, reason))
    for token in retelling.other_unit:
        found.append((token, token, "is in the document, but of something else"))
    for token, place in opposite.items():
        found.append((token, token, f"is not in the document; it says {evidence.said(place)}"))
    for tokens in _runs([token for token in retelling.absent if token not in opposite], text):
        found.append((tokens[0], tokens[-1], "is not in the document"))
    for token in retelling.added:
        found.append((token, token, "denies what the document does not deny"))
    for token in retelling.dropped:
        found.append((token, token, "is said without the document's denial"))
    for first, last, reason in sorted(found, key=lambda f: f[0].start):
        start, end = first.start, last.end
        proven = first in retelling.contradicted
        yield Span(start, end, f"{_quote(text[start:end])} {reason}", proven)


def _said(located: Located, place: int) -> str:
    """A number of the context, and what it counts where that is asked for."""
    said = located.evidence.said(place)
    unit = located.question.unit
    return f"{said} for {unit.word.text}" if unit and place in counted(located).values() else said


def _phrase(located: Located, place: int) -> str:
    """The words around a place that could be one answer with it."""
    rivals, tokens = set(located.rivals), located.evidence.tokens
    first = last = place
    while first - 1 in rivals and tokens[first - 1].sentence == tokens[place].sentence:
        first -= 1
    while last + 1 in rivals and tokens[last + 1].sentence == tokens[place].sentence:
        last += 1
    first, last = max(first, place - 2), min(last, place + 2)
    return located.evidence.text[tokens[first].start : tokens[last].end]


def _runs(tokens: Iterable[Token], text: str) -> list[list[Token]]:
    """Join words that stand side by side; numbers stand alone."""
    runs: list[list[Token]] = []
    for token in tokens:
        last = runs[-1][-1] if runs else None
        if (
            last is not None
            and last.value is None
            and token.value is None
            and (text[last.end : token.start].strip(" -'’") == "")
        ):
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def _quote(text: str) -> str:
    return f"'{text}'"
