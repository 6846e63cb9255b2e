"""How long an Ollama model's context must be, and whether a prompt was cut to fit it.

Nothing here counts tokens exactly: the tokenizer is on the server. A text is taken by its length,
a picture by what the greediest common model makes of one.
"""

from __future__ import annotations

import math

from banglahallueval.models import pictures
from banglahallueval.models.chat import reply_budget
from banglahallueval.models.types import Request, Workload

# Llama 3.1 needs 8 tokens for a Bangla word, 1.3 a code point; smaller vocabularies up to 1.9.
_TOKENS_PER_CODE_POINT = 1.5
_MOST_TOKENS_PER_CODE_POINT = 2.0
_TEMPLATE_TOKENS = 128  # what the chat template adds to a prompt
_STEP = 1024
_LEAST_BUDGET = 16  # tokens; with less a reply holds no verdict


def needed_context(workload: Workload, *, thinking: bool, most: int | None) -> int:
    """Compute the context that a run's longest prompt and reply need, at most what there is."""
    budget = workload.max_tokens_thinking if thinking else workload.max_tokens
    text = workload.longest_prompt * _TOKENS_PER_CODE_POINT
    seen = workload.pictures * pictures.MOST_TOKENS
    needed = max(2, math.ceil((text + seen + _TEMPLATE_TOKENS + budget) / _STEP)) * _STEP
    return needed if most is None else min(needed, most)


def fitting_budget(request: Request, num_ctx: int | None) -> int:
    """Fit the reply budget to the context: what the prompt may leave of it, if that is enough.

    Without it a small context cuts every prompt, for the budget alone fills it.
    """
    budget = reply_budget(request)
    if num_ctx is None:
        return budget
    left = num_ctx - round(_tokens(request, _TOKENS_PER_CODE_POINT))
    return min(budget, left) if left >= _LEAST_BUDGET else budget


def is_cut(request: Request, num_ctx: int | None, prompt_tokens: int, reply_tokens: int) -> bool:
    """Whether the server cut the prompt, or dropped its start while it generated.

    Older servers fill the context with what is left; newer ones keep half the context and two
    tokens (ollama issue 17427). A count in between is a whole prompt.
    """
    if num_ctx is None:
        return False
    if prompt_tokens >= num_ctx or prompt_tokens + reply_tokens > num_ctx:
        return True
    half = num_ctx // 2
    may_be_longer = _tokens(request, _MOST_TOKENS_PER_CODE_POINT) > num_ctx
    return may_be_longer and half <= prompt_tokens <= half + 4


def _tokens(request: Request, per_code_point: float) -> float:
    """Estimate the tokens of a prompt from above."""
    length = sum(len(message.words) for message in request.messages)
    seen = pictures.count(request.messages) * pictures.MOST_TOKENS
    return length * per_code_point + seen + _TEMPLATE_TOKENS
