"""The harnesses themselves, each in an environment of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.clock import GUARD
from tests.scripting import ROOT, Finished, environment


def command(harness: str, name: str) -> Path:
    """Find a command of a harness; skips where `make test EXTRAS=all` has not installed it."""
    folder = Path(os.environ.get("BANGLAHALLUEVAL_HARNESSES", ROOT / ".venv" / "harnesses"))
    path = folder / harness / ("Scripts" if os.name == "nt" else "bin") / name
    if not path.exists():
        pytest.skip(f"needs {harness} in an environment of its own: make test EXTRAS=all")
    return path


def run(command: Path, *args: object, cwd: Path, env: Mapping[str, str]) -> Finished:
    """Run a harness offline, without this project in its reach."""
    variables = environment({"HF_DATASETS_OFFLINE": "1", "HF_HOME": str(cwd / "hf"), **env})
    variables.pop("PYTHONPATH", None)
    done = subprocess.run(
        [command, *map(str, args)],
        cwd=cwd,
        env=variables,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=GUARD,
    )
    return Finished(done.returncode, done.stdout, done.stderr)
