"""What a run asked of its models and what that cost, as its record keeps it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from banglahallueval.models.client import Client
from banglahallueval.models.prices import cost

_COUNTS = ("asked", "from_store", "prompt_tokens", "completion_tokens")


def usage_record(client: Client | None) -> dict[str, Any]:
    """Describe what a run asked for and got, for its record; empty where no model was asked.

    `replies` is what the run's rows rest on, replies from the store among it: what they would cost
    if all were asked for now.
    """
    if client is None:
        return {}
    model, usage = client.model, client.usage
    failures = sorted(usage.failures.items(), key=lambda each: -each[1].count)
    prompt = usage.prompt_tokens + usage.stored_prompt_tokens
    completion = usage.completion_tokens + usage.stored_completion_tokens
    return {
        "asked": usage.asked,
        "from_store": usage.stored,
        "failed_attempts": {cause: failed.count for cause, failed in failures},
        "failure_examples": {
            cause: {"example": failed.example, "advice": failed.advice}
            for cause, failed in failures
        },
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost_usd": cost(model.provider, model.model, usage.prompt_tokens, usage.completion_tokens),
        "replies": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "cost_usd": cost(model.provider, model.model, prompt, completion),
        },
    }


def total_usage(usages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Add up what several models were asked for; empty without any."""
    if not usages:
        return {}
    failed: Counter[str] = Counter()
    examples: dict[str, Any] = {}
    for usage in usages:
        failed.update(usage["failed_attempts"])
        examples |= usage["failure_examples"]
    replies = [usage["replies"] for usage in usages]
    return {
        **{name: sum(usage[name] for usage in usages) for name in _COUNTS},
        "cost_usd": _sum([usage["cost_usd"] for usage in usages]),
        "failed_attempts": dict(failed.most_common()),
        "failure_examples": examples,
        "replies": {
            "prompt_tokens": sum(each["prompt_tokens"] for each in replies),
            "completion_tokens": sum(each["completion_tokens"] for each in replies),
            "cost_usd": _sum([each["cost_usd"] for each in replies]),
        },
    }


def _sum(costs: Sequence[float | None]) -> float | None:
    known = [each for each in costs if each is not None]
    return sum(known) if len(known) == len(costs) else None
