"""How E-CoT judges: what it gives as evidence, and whose verdict counts."""

from __future__ import annotations

from dataclasses import dataclass

from banglahallueval.judges.ecot.evidence import DEFAULT_EVIDENCE, Evidence
from banglahallueval.judges.ecot.policies import MISSING_SHARE, Policy


@dataclass(frozen=True, slots=True)
class EcotOptions:
    """What determines a verdict besides the prompt and the model.

    Attributes:
        evidence: What a reasoning judge is given.
        policy: Whose verdict counts.
        missing_share: Of the rule: largest share of missing claims, 0 to 1, that is no
            hallucination.
    """

    evidence: Evidence = DEFAULT_EVIDENCE
    policy: Policy = "published"
    missing_share: float = MISSING_SHARE
