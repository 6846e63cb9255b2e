"""Running the script's steps inside the test's process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from banglahallueval.spans.building.commands import build_main
from banglahallueval.spans.building.commands.settings import PREFIXES
from tests.in_process import ended
from tests.scripting import Finished
from tests.servers.openai_server import OpenAIServer
from tests.spans.building import writers

Build = Callable[..., Finished]


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    """A server that writes well at each step; it is free in how it follows a schema."""
    with OpenAIServer(answer=writers.writer(), ignores=["json_schema"]) as running:
        yield running


@pytest.fixture
def build(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Build:
    """Runs a step in the folder `set`; `on` names the server that is asked."""
    for name in os.environ:
        if name.startswith(("OPENAI_", *PREFIXES.values())):
            monkeypatch.delenv(name)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.chdir(tmp_path)

    def run(step: str, *flags: object, on: OpenAIServer | None = None) -> Finished:
        argv = [step, "--folder", "set", *map(str, flags)]
        if on is not None:
            argv += ["--base-url", on.url]
        return ended(capsys, lambda: build_main("Build.", argv))

    return run


@pytest.fixture
def until(build: Build, tmp_path: Path) -> Callable[[str, OpenAIServer], None]:
    """Runs all steps before a given one."""

    def run(step: str, server: OpenAIServer) -> None:
        calls: dict[str, tuple[object, ...]] = {
            "contexts": ("--texts", writers.texts(tmp_path), "--min-len", 20),
            "questions": ("--model", "m-1"),
            "answers": ("--models", "openai:m-1"),
            "annotate": ("--model", "m-1"),
        }
        for name, flags in calls.items():
            if name == step:
                break
            done = build(name, *flags, on=server if name != "contexts" else None)
            assert done.code == 0, done.err

    return run
