"""Calling label.py for QA in a folder of the test's own, with a server that answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.labelling.commands import Preset, label
from tests.in_process import ended
from tests.scripting import Finished
from tests.scripts.rows import write_qa

Call = Callable[..., Finished]


@pytest.fixture
def call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Call:
    """Calls label.py in the test's folder, its input `in.csv` of 8 rows, its output `out.csv`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    write_qa(tmp_path / "in.csv", 8)
    always = ["--task", "qa", "--input", "in.csv", "--output", "out.csv", "--quiet"]
    return lambda *argv: ended(capsys, lambda: label(Preset("Label."), [*always, *map(str, argv)]))


def by_model(name: str, server: str) -> list[str]:
    """The flags that ask a model of a loopback server."""
    return ["--judge", "openai", "--model", name, "--base-url", server]
