"""Ask a server for floods, many replies at a time; print what came and the peak memory.

python -m tests.models.asking_floods openai|ollama|gemini KIND=URL=REPLIES …
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from banglahallueval.models.client import Client
from banglahallueval.models.gemini.access import Access
from banglahallueval.models.ollama.model import OllamaModel
from banglahallueval.models.openai.chat import OpenAIModel
from banglahallueval.models.store import ReplyStore
from banglahallueval.models.types import ChatModel, Message, ModelError, Request


def peak_memory() -> float:
    """Most memory that this process has held so far, in MB."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024 / 1e6
    raise RuntimeError("no VmHWM")


def model_of(provider: str, url: str) -> ChatModel:
    """A model of any name behind the server."""
    if provider == "openai":
        return OpenAIModel("m", base_url=url)
    if provider == "ollama":
        return OllamaModel("m", url=url)
    from banglahallueval.models.gemini.model import GeminiModel  # an extra

    return GeminiModel("m", Access(url, "test"))


async def ask(provider: str, url: str, replies: int, store: Path) -> list[str]:
    """The causes of what failed, and the beginnings of the texts that came."""
    model = model_of(provider, url)
    client = Client(model, ReplyStore(store), max_retries=0)

    async def one(number: int) -> str:
        try:
            reply = await client.complete(Request((Message("user", str(number)),), max_tokens=16))
        except ModelError as error:
            return f"{error.cause}: {error.said}"
        return reply.text[:20]

    found = set(await asyncio.gather(*map(one, range(replies))))
    await model.close()
    client.store.close()
    return sorted(found)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for number, argument in enumerate(sys.argv[2:]):
            name, address, replies = argument.split("=")
            store = Path(folder, f"{number}.sqlite")
            came = asyncio.run(ask(sys.argv[1], address, int(replies), store))
            print(json.dumps([name, came, peak_memory()]), flush=True)
