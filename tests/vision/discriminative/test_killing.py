"""Runs that are killed go on, whoever serves the model."""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.in_process import run_script
from tests.scripting import start_script
from tests.servers.base import LoopbackServer
from tests.servers.gemini_server import GeminiServer
from tests.servers.ollama_models import Model
from tests.servers.ollama_server import OllamaServer
from tests.servers.openai_server import OpenAIServer
from tests.vision.calling import SCRIPT
from tests.vision.discriminative.calling import Workspace, answering

IN_FLIGHT = 4
LLAVA = Model("llava:7b", context=32768, vision=True)
SERVERS = [OpenAIServer, lambda **options: OllamaServer(models=[LLAVA], **options), GeminiServer]


def flags(server: LoopbackServer) -> tuple[list[object], dict[str, str]]:
    """The flags and variables that lead to a server."""
    match server:
        case OllamaServer():
            return ["--provider", "ollama", "--model", LLAVA.name, "--ollama-url", server.url], {}
        case GeminiServer():
            return ["--provider", "gemini", "--model", "gemini-2.5-flash"], server.variables()
    return ["--model", "gpt-test", "--base-url", server.url], {}


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(
    ("serving", "moments"),
    [*zip(SERVERS, [(3, 11), (3,), (11,)], strict=True)],
    ids=["openai", "ollama", "gemini"],
)
def test_kills_change_nothing(
    tmp_path: Path, serving: Callable[..., LoopbackServer], moments: Sequence[int]
) -> None:
    """SIGKILL, once or twice: the same bytes, and only what was held is asked again."""
    whole, killed = Workspace(tmp_path / "whole"), Workspace(tmp_path / "killed")
    with serving(answer=answering()) as server:
        more, variables = flags(server)
        done = run_script(SCRIPT, *whole.flags(*more), env=variables)
        assert done.code == 0, done.err
    with serving(answer=answering()) as server:
        more, variables = flags(server)
        call = killed.flags(*more, "--concurrency", IN_FLIGHT, "--quiet", "--resume")
        loads = isinstance(server, OllamaServer)  # a request without a picture loads the model
        replies = 0
        for moment in moments:
            server.hold(after=moment - replies + loads)
            process = start_script(SCRIPT, *call, env=variables)
            replies = moment
            server.until_held(IN_FLIGHT)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            server.until_held(0)
            assert not killed.output.exists()
        server.release()
        last = run_script(SCRIPT, *call, env=variables)
        assert last.code == 0, last.err
        asked = Counter(seen.prompt for seen in server.requests if seen.pictures)
    assert killed.output.read_bytes() == whole.output.read_bytes()
    assert len(asked) == 20
    assert asked.total() == 20 + len(moments) * IN_FLIGHT
    assert killed.json()["tables"] == whole.json()["tables"]
