"""The command, for the tests of its sub-commands."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from banglahallueval.vision.commands import hal_eval as command
from tests.in_process import ended
from tests.scripting import Finished
from tests.vision.calling import SCRIPT, Call


@pytest.fixture
def hal_eval(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls `hal_eval.py` in this process."""

    def run(*arguments: object, env: Mapping[str, str] | None = None) -> Finished:
        given = [str(each) for each in arguments]
        for name, value in {"OPENAI_API_KEY": "sk-test", **(env or {})}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr("sys.argv", [SCRIPT, *given])
        return ended(capsys, lambda: command("Test.", given))

    return run
