"""How surprising a text is to a causal language model: teacher-forced scores of its tokens."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch

from banglahallueval.models.huggingface.forced import ForcedJob, TokenScore
from banglahallueval.models.huggingface.local import device_failure


def score(model: Any, batch: Sequence[ForcedJob]) -> list[list[TokenScore]]:
    """Score the texts of a batch.

    Raises:
        OutOfMemoryError: If the batch is too large.
        ModelError: If the device fails otherwise.
    """
    try:
        with torch.inference_mode():
            return _score(model, batch)
    except RuntimeError as error:
        failure = device_failure(error)
    # Out of the handler, whose traceback keeps the failed batch's tensors alive.
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    raise failure


def _score(model: Any, batch: Sequence[ForcedJob]) -> list[list[TokenScore]]:
    longest = max(job.tokens for job in batch)
    ids = torch.zeros((len(batch), longest), dtype=torch.long)
    is_token = torch.zeros_like(ids)
    # Padding is on the right, where no token of a causal model sees it, whatever its positions.
    for row, job in enumerate(batch):
        ids[row, : job.tokens] = torch.tensor(job.ids)
        is_token[row, : job.tokens] = 1
    # A token is predicted at the place before it; logits of prompts alone would fill the memory.
    first = min(job.given for job in batch) - 1
    places = torch.arange(first, longest - 1)
    ids, is_token, places = (each.to(model.device) for each in (ids, is_token, places))
    if "logits_to_keep" in inspect.signature(model.forward).parameters:
        logits = model(ids, attention_mask=is_token, use_cache=False, logits_to_keep=places).logits
    else:
        logits = model(ids, attention_mask=is_token, use_cache=False).logits[:, first:-1]
    return [
        _scores(logits[row, job.given - 1 - first : job.tokens - 1 - first], ids[row, job.given :])
        for row, job in enumerate(batch)
    ]


def _scores(logits: torch.Tensor, following: torch.Tensor) -> list[TokenScore]:
    logprobs = torch.log_softmax(logits.float(), dim=-1)
    tokens = following[: len(logprobs), None]
    surprisal = -logprobs.gather(-1, tokens).squeeze(-1)
    # A token of probability 0 adds nothing, where its logarithm is infinite, too.
    entropy = -(logprobs.exp() * logprobs.clamp_min(torch.finfo(logprobs.dtype).min)).sum(-1)
    return [TokenScore(*pair) for pair in zip(surprisal.tolist(), entropy.tolist(), strict=True)]
