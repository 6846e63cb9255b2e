"""Why an answer has no result, whichever detector examines it."""

from __future__ import annotations

from typing import Final

from banglahallueval.spans.types import Sample

BLANK: Final = "blank answer"
NO_EVIDENCE: Final = "no evidence"


def unfit(sample: Sample) -> str:
    """Say why an answer cannot be held against its evidence; empty where it can."""
    if not sample.answer.strip():
        return BLANK
    return "" if sample.evidence.strip() else NO_EVIDENCE
