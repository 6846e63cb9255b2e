"""What must be the same for the trials of two runs to stand in one file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banglahallueval.abstention.plan import Plan
from banglahallueval.abstention.prompts import GRADING, answer_template, template_sha256
from banglahallueval.abstention.results import KIND
from banglahallueval.errors import UsageError
from banglahallueval.io.records import Shape
from banglahallueval.runs.identity import refuse_other as refuse_another
from banglahallueval.runs.session import RunSession

# What the record of an evaluation holds that a resumed one reads.
_RECORD: Shape = {"identity": dict, "thresholds": [(int, float)], "runs": [dict]}


def identity_of(plan: Plan) -> dict[str, Any]:
    """List what must be the same for two runs' trials to stand in one file."""
    settings = plan.settings
    prompts = [answer_template(settings.language, confidence=settings.asks_confidence)]
    if plan.grader:
        prompts.append(GRADING)
    return {
        "model": f"{plan.client.provider}:{plan.client.model}",
        "judge": f"{plan.grader.provider}:{plan.grader.model}" if plan.grader else "exact",
        "language": settings.language,
        "confidence": settings.asks_confidence,
        "temperature": settings.temperature,
        "seed": settings.seed,
        "max_tokens": settings.max_tokens,
        "thinking budget": plan.client.providers.gemini.thinking_budget,
        **plan.draw,
        "prompts": {name: template_sha256(name) for name in prompts},
    }


def refuse_other(plan: Plan, identity: Mapping[str, Any], session: RunSession) -> None:
    """Refuse to add to results of another model, judge, prompt or draw.

    Raises:
        UsageError: If the results that are there are such, or nobody knows what they are.
    """
    refuse_another(session, KIND, identity, flag="--out", shape=_RECORD)
    if session.earlier is None:
        return
    if left_out := sorted(set(session.earlier["thresholds"]) - set(plan.thresholds)):
        listed = ", ".join(f"{t:g}" for t in left_out)
        raise UsageError(
            f"{plan.output} also has t={listed}; name all its thresholds, or another --out"
        )
