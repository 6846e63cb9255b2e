"""The evidence judge: features of an output weighed into a verdict, and its findings in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from banglahallueval.judges.evidence.answers import Reading, contradicting, counted, read_answer
from banglahallueval.judges.evidence.constants import INTERCEPTS, WEIGHTS
from banglahallueval.judges.evidence.locating import Located
from banglahallueval.judges.evidence.summaries import Retelling, read_summary
from banglahallueval.judges.evidence.tokens import Evidence, Token
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Finding, Verdict

_SHOWN = 3  # findings that the explanation's one line tells


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
    if item.task == "summarization":
        retelling = read_summary(item.context, item.output)
        features, findings = retelling.features, tuple(_in_summary(item, retelling))
    else:
        reading = read_answer(item.question, item.context, item.output)
        features, findings = reading.features, tuple(_in_answer(item, reading))
    weights = WEIGHTS["summarization" if item.task == "summarization" else "answers"]
    logit = INTERCEPTS[item.task] + sum(weights[name] * features[name] for name in weights)
    p = 1 / (1 + math.exp(-logit))
    proven = any(finding.proven for finding in findings)
    if proven:
        p = max(p, 0.99)
    if not findings:
        p = min(p, 0.49)
    return Verdict(
        "yes" if p >= 0.5 else "no",
        p_hallucinated=p,
        raw=_told(findings),
        findings=findings,
    )


def _told(findings: tuple[Finding, ...]) -> str:
    if not findings:
        return "The evidence carries all that the output says."
    shown = "; ".join(finding.reason for finding in findings[:_SHOWN])
    more = len(findings) - _SHOWN
    return shown + (f"; and {more} more" if more > 0 else "")


def _in_answer(item: Item, reading: Reading) -> Iterator[Finding]:
    located = reading.located
    text = item.output
    for tokens in _runs(reading.absent, text):
        start, end = tokens[0].start, tokens[-1].end
        other = contradicting(reading, tokens[0])
        reason = f"{_quote(text[start:end])} is not in the context"
        if other is not None:
            reason += f"; it says {_said(located, other)}"
        elif located.evidence.broken_off:
            reason += " (which breaks off)"
        yield Finding(start, end, reason, proven=other is not None)
    for token in reading.denials:
        yield Finding(token.start, token.end, "denies what was asked about")
    if reading.absent or not reading.found:
        return
    own = {place for _, place in reading.found}
    top = max(located.of_kind(), key=lambda place: located.scores[place], default=None)
    if top is None or (top in own and reading.features["scattered"] == 0):
        return
    for tokens in _runs([token for token, _ in reading.found], text):
        start, end = tokens[0].start, tokens[-1].end
        reason = f"{_quote(text[start:end])} is in the context, but not as what is asked for"
        if top not in own:
            reason += f"; there it says {_quote(_phrase(located, top))}"
        yield Finding(start, end, reason)


def _in_summary(item: Item, retelling: Retelling) -> Iterator[Finding]:
    text, evidence = item.output, retelling.evidence
    found = []
    opposite = {token: place for token, place in retelling.opposites}
    for token in retelling.numbers:
        found.append((token, token, "is not in the document" + _same_unit(text, token, evidence)))
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
        yield Finding(start, end, f"{_quote(text[start:end])} {reason}")


def _same_unit(text: str, token: Token, evidence: Evidence) -> str:
    """What the document counts the word after a number with."""
    after = text[token.end :].split()
    for place, other in enumerate(evidence.tokens[1:], 1):
        before = evidence.tokens[place - 1]
        if after and other.word == after[0].strip("।,.?!") and before.value is not None:
            return f"; it says {evidence.said(place - 1)} {evidence.said(place)}"
    return ""


def _said(located: Located, place: int) -> str:
    """A number of the context, and what it counts where that is asked for."""
    said = located.evidence.said(place)
    unit = located.question.unit
    return f"{said} for {unit.word}" if unit and place in counted(located).values() else said


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
        if last is not None and last.value is None and token.value is None and (
            text[last.end : token.start].strip(" -'’") == ""
        ):
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def _quote(text: str) -> str:
    return f"'{text}'"
