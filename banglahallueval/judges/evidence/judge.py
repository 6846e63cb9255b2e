"""The evidence judge: what in an output is not carried by its evidence."""

from __future__ import annotations

from banglahallueval.judges.evidence.lexicon import PHRASING, RETELLING
from banglahallueval.judges.evidence.tokens import Evidence, Token, index, negated, tokenise
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Finding, Verdict


def judge_item(item: Item) -> Verdict:
    """Judge an answer or a summary by its evidence alone.

    Args:
        item: An item of qa, codemix or summarization.

    Returns:
        The verdict; every `yes` names at least one place in the output.
    """
    if not item.output.strip() or not item.evidence.strip():
        return Verdict("unknown", reason="blank input")
    evidence = index(item.evidence)
    phrasing = RETELLING if item.task == "summarization" else PHRASING
    asked = {stem for token in tokenise(item.question) for stem in token.form.stems}
    rest = [
        token
        for token in tokenise(item.output)
        if token.word not in phrasing
        and not negated(token)
        and asked.isdisjoint(token.form.stems)
    ]
    missing = [token for token in rest if not _carried(token, evidence)]
    findings = tuple(
        Finding(t.start, t.end, f"'{item.output[t.start : t.end]}' is not in the {_NAME[item.task]}")
        for t in missing
    )
    share = len(missing) / max(1, len(rest))
    p = share if item.task == "summarization" else min(1.0, 0.1 + 0.5 * bool(missing) + share / 2)
    raw = "; ".join(finding.reason for finding in findings) or "everything is carried"
    return Verdict("yes" if p >= 0.3 else "no", p_hallucinated=p, raw=raw, findings=findings)


_NAME = {"summarization": "document", "qa": "context", "codemix": "context", "reasoning": "problem"}


def _carried(token: Token, evidence: Evidence) -> bool:
    if token.weak or (token.value is not None and token.value in evidence.values):
        return True
    return bool(evidence.places(token)[1])
