"""Loading classifiers and running them: probabilities per token, or per pair of texts."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, Literal

import torch

from banglahallueval.errors import RunError, UsageError
from banglahallueval.models.http import one_line
from banglahallueval.models.huggingface.local import device_failure, source_of
from banglahallueval.models.huggingface.pairs import Encoding, features

transformers: Any = importlib.import_module("transformers")  # much of it has no types

# What is classified: each token of the second text, or the pair of texts.
Head = Literal["TokenClassification", "SequenceClassification"]
# A row of probabilities, one per label, for each token; or one row for the pair.
Rows = list[list[float]]

# A tokenizer that knows no limit says a number of this size or larger.
_NO_LIMIT = 1_000_000
_USUAL_LIMIT = 512


def load_tokenizer(model: str) -> Any:
    """Load a tokenizer that tells where in a text its tokens are.

    Raises:
        UsageError: If it cannot tell.
        RunError: If it cannot be loaded.
    """
    _quiet()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(source_of(model))
    except Exception as error:  # as many ways to fail as there are broken folders
        raise RunError(f"cannot load {model}: {one_line(str(error))}") from None
    if not tokenizer.is_fast or tokenizer.pad_token is None:
        lacks = "tells no places of its tokens" if not tokenizer.is_fast else "has no padding token"
        raise UsageError(f"--model {model}: its tokenizer {lacks}; take another model")
    tokenizer.padding_side = "right"
    return tokenizer


def load_trained(model: str, head: Head, dtype: str, device: str) -> Any:
    """Load a classifier whose head was trained.

    Args:
        model: Name on the hub, or a folder.
        head: What it must classify.
        dtype: One of `models.options.DTYPES`; `auto` takes what it was saved in, but float32 on a
            processor, where less is slower and less exact.
        device: `auto` takes what there is; else as torch names it.

    Raises:
        UsageError: If it is another kind of model, or its head was never trained.
        RunError: If it cannot be loaded.
    """
    _quiet()
    where = torch.device(
        ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    )
    kept = "float32" if dtype == "auto" and where.type == "cpu" else dtype
    try:
        config = transformers.AutoConfig.from_pretrained(source_of(model))
        made_for = (config.architectures or [""])[0]
        if made_for.endswith("Classification") and not made_for.endswith(head):
            raise UsageError(f"--model {model} is a {made_for}; this needs one for {_SAID[head]}")
        loaded, found = getattr(transformers, f"AutoModelFor{head}").from_pretrained(
            source_of(model),
            dtype="auto" if kept == "auto" else getattr(torch, kept),
            output_loading_info=True,
        )
        loaded.to(where).eval()
    except UsageError:
        raise
    except Exception as error:  # as many ways to fail as there are broken folders
        raise RunError(f"cannot load {model}: {one_line(str(error))}") from None
    untrained = sorted(map(str, (*found["missing_keys"], *found["mismatched_keys"])))
    if untrained:
        raise UsageError(
            f"--model {model} was not trained for {_SAID[head]}: its file lacks {untrained[0]}; "
            f"{_HELP[head]}"
        )
    return loaded


_SAID: dict[Head, str] = {
    "TokenClassification": "token classification",
    "SequenceClassification": "sequence classification",
}
_HELP: dict[Head, str] = {
    "TokenClassification": "train it with scripts/train_span_encoder.py",
    "SequenceClassification": "take an NLI model",
}


def limit_of(loaded: Any, tokenizer: Any) -> int:
    """Find how many tokens a model reads: the least that its config and tokenizer say.

    Position embeddings that begin behind the padding token's, as RoBERTa's, leave room for fewer.
    """
    limits = [tokenizer.model_max_length] if tokenizer.model_max_length < _NO_LIMIT else []
    positions = getattr(loaded.config, "max_position_embeddings", None)
    if positions and positions > 0:
        embeddings = getattr(loaded.base_model, "embeddings", None)
        table = getattr(embeddings, "position_embeddings", None)
        padding = getattr(table, "padding_idx", None)
        limits.append(positions if padding is None else positions - padding - 1)
    return int(min(limits, default=_USUAL_LIMIT))


def classify(loaded: Any, tokenizer: Any, batch: Sequence[Encoding]) -> list[Rows]:
    """Compute the probabilities of each label, for each input of a batch.

    Raises:
        OutOfMemoryError: If the batch is too large.
        ModelError: If the device fails otherwise.
    """
    try:
        with torch.inference_mode():
            return _classify(loaded, tokenizer, batch)
    except RuntimeError as error:
        failure = device_failure(error)
    # Out of the handler, whose traceback keeps the failed batch's tensors alive.
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    raise failure


def _classify(loaded: Any, tokenizer: Any, batch: Sequence[Encoding]) -> list[Rows]:
    inputs = tokenizer.pad([features(each) for each in batch], return_tensors="pt")
    logits = loaded(**inputs.to(loaded.device)).logits
    probabilities = torch.softmax(logits.float(), dim=-1).cpu()
    if probabilities.dim() == 2:
        return [[row] for row in probabilities.tolist()]
    return [rows[: len(each.ids)].tolist() for rows, each in zip(probabilities, batch, strict=True)]


def _quiet() -> None:
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
