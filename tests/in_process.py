"""Running scripts and their bodies inside the test's process; starting Python each time is slow."""

from __future__ import annotations

import io
import os
import runpy
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import pytest

from banglahallueval.cli import script
from tests.scripting import ROOT, Finished, environment


def ended(capsys: pytest.CaptureFixture[str], body: Callable[[], int]) -> Finished:
    """Run a body as a script does: exit status, and one line for a user's mistake."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as stopped:
        script.run_script(body)
    out, err = capsys.readouterr()
    return Finished(int(stopped.value.code or 0), out, err)


def run_script(
    path: str, *args: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Finished:
    """Run a script's file to its end as `tests.scripting.run_script` does, but in this process.

    What a test proves about starting, signals or a process's own memory needs the other one.
    """
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)
    )
    on_terminate = signal.getsignal(signal.SIGTERM)
    try:
        with (
            mock.patch.dict(os.environ, environment(env), clear=True),
            mock.patch.object(sys, "argv", [str(ROOT / path), *map(str, args)]),
            chdir(cwd or ROOT),
            redirect_stdout(out),
            redirect_stderr(err),
            pytest.raises(SystemExit) as stopped,
        ):
            runpy.run_path(str(ROOT / path), run_name="__main__")
    finally:
        signal.signal(signal.SIGTERM, on_terminate)
    printed = (stream.detach().getvalue().decode() for stream in (out, err))
    return Finished(int(stopped.value.code or 0), *printed)
