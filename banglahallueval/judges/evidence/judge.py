"""Judge an answer or a summary by its evidence: weigh its features, and explain the findings."""

from __future__ import annotations

from collections.abc import Sequence

from banglahallueval.judges.abstained import ABSTAINED
from banglahallueval.judges.evidence.answer_check import check_answer
from banglahallueval.judges.evidence.claim_check import check_claims
from banglahallueval.judges.evidence.evidence_index import index_evidence
from banglahallueval.judges.evidence.findings import answer_findings, claim_findings
from banglahallueval.judges.evidence.weights import Weights, shipped_weights
from banglahallueval.tasks import Item
from banglahallueval.text.abstention import abstains
from banglahallueval.verdicts import Span, Verdict

_FINDINGS_EXPLAINED = 3
_PROVEN = 0.99  # the least probability of an output with a proven finding
_UNFOUNDED = 0.49  # the highest one of an output without any finding


def judge_item(item: Item, weights: Weights | None = None) -> Verdict:
    """Judge an answer or a summary by its evidence alone, without a model.

    Args:
        item: An item of qa, codemix or summarization.
        weights: Weights of the features; None for those that the package ships.

    Returns:
        The verdict; the same item always gets the same one. Its probability assumes as many right
        outputs as hallucinated ones, shifted so that the label changes at 0.5. Every `yes` has a
        finding. Blank outputs and items without evidence are `unknown`; an output that abstains
        is `no`.
    """
    if not item.output.strip() or not item.evidence.strip():
        return Verdict("unknown", reason="blank input")
    if abstains(item.output):
        return ABSTAINED
    weights = weights or shipped_weights()
    if item.task == "summarization":
        claims = check_claims(index_evidence(item.context), None, item.output)
        p = weights.probability(item.task, claims.features)
        findings = claim_findings(item.output, claims, "document")
    else:
        answer = check_answer(item.question, item.context, item.output, weights)
        claims = answer.claims
        p = weights.probability(item.task, answer.features)
        findings = answer_findings(item.output, answer, hallucinated=p >= 0.5)
    if any(finding.proven for finding in findings):
        p = max(p, _PROVEN)
    elif not findings:
        p = min(p, _UNFOUNDED)
    return Verdict(
        "yes" if p >= 0.5 else "no",
        p_hallucinated=p,
        raw=_explanation(findings, hallucinated=p >= 0.5, claims_something=any(claims.claimed)),
        findings=findings,
    )


def _explanation(findings: Sequence[Span], *, hallucinated: bool, claims_something: bool) -> str:
    """Sum the first findings up in one line."""
    if not findings:
        if not claims_something:
            return "The output has no words that need the evidence's support."
        return "The evidence carries all that the output says."
    proven_first = sorted(findings, key=lambda finding: not finding.proven)
    explained = "; ".join(finding.reason for finding in proven_first[:_FINDINGS_EXPLAINED])
    more = len(findings) - _FINDINGS_EXPLAINED
    explained += f"; and {more} more" if more > 0 else ""
    return explained if hallucinated else f"Too little to call it hallucinated: {explained}"
