"""The evidence judge for qa, codemix and summarization: no model, no key, no GPU."""

from banglahallueval.judges.evidence.judge import judge_item

__all__ = ["judge_item"]
