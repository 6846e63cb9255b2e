"""Hugging Face models on this machine: from the hub, a folder, or a GGUF file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banglahallueval.environment import refuse_mixed_places
from banglahallueval.models.options import ClientOptions

if TYPE_CHECKING:
    from banglahallueval.models.huggingface.model import HuggingFaceModel


def open_model(options: ClientOptions) -> HuggingFaceModel:
    """Make the model that the options describe.

    Raises:
        UsageError: If the hub's token and address do not come from the same place.
    """
    from banglahallueval.models.huggingface.model import HuggingFaceModel

    refuse_mixed_places("HF_TOKEN", "HF_ENDPOINT")
    own = options.providers.hf
    return HuggingFaceModel(
        options.model,
        decode=own.decode,
        batch_size=own.batch_size,
        dtype=own.dtype,
        device=own.device,
        load_in_4bit=own.load_in_4bit,
    )
