from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from banglahallueval.models.huggingface.model import HuggingFaceModel
from banglahallueval.models.types import Workload
from tests.servers.real_llm import missing, weights


@pytest.fixture(scope="session")
def smollm2(request: pytest.FixtureRequest) -> str:
    """The real model as a Hugging Face folder, converted once by loading its GGUF file."""
    if missing():
        pytest.skip(missing())
    pytest.importorskip("transformers")
    folder = Path(request.config.cache.mkdir("smollm2-135m-bfloat16"))
    if not (folder / "tokenizer_config.json").exists():
        asyncio.run(_convert(folder))
    return str(folder)


async def _convert(folder: Path) -> None:
    model = HuggingFaceModel(str(weights()), dtype="bfloat16", device="cpu")
    await model.prepare(Workload())
    loaded = model.loaded.model
    loaded.hf_quantizer = None  # transformers writes no folder of what it calls quantised
    del loaded.config.quantization_config
    loaded.save_pretrained(folder)
    model.loaded.tokenizer.save_pretrained(folder)
    await model.close()
