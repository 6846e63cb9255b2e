"""Running the project's scripts as a user does: by path, in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.clock import GUARD

ROOT = Path(__file__).resolve().parents[1]

# Nothing listens there: whatever forgets to name a loopback server fails at once.
_NOWHERE = "http://127.0.0.1:9"
_PRIVATE = (
    *("OPENAI_", "OLLAMA_", "GEMINI_", "GOOGLE_", "HF_", "HUGGING", "BANGLAHALLUEVAL_"),
    *("QA_GENERATOR_", "ANNOTATOR_", "FILTER_"),
)


class Finished(NamedTuple):
    """How a script ended, and what it printed."""

    code: int
    out: str
    err: str


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The caller's environment without its keys, with a dummy key, and no way to the network.

    Args:
        extra: Variables to set besides; they win.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_PRIVATE)}
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), _NOWHERE)
    return {
        **kept,
        **proxies,
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
        "OPENAI_API_KEY": "sk-test",
        "OPENAI_BASE_URL": f"{_NOWHERE}/v1",
        "OLLAMA_BASE_URL": _NOWHERE,
        "HF_HUB_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "PYTHONUTF8": "1",
        **(extra or {}),
    }


def start_script(
    path: str, *args: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start a script and leave it running, for tests that kill or interrupt it.

    Args:
        path: From the repository root, such as `scripts/label.py`.
        args: Its arguments, as text.
        cwd: Folder to run it in; the repository root unless given.
        env: Variables to set besides those of `environment`.
    """
    return subprocess.Popen(
        [sys.executable, str(ROOT / path), *map(str, args)],
        cwd=cwd or ROOT,
        env=environment(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def run_script(
    path: str,
    *args: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = GUARD,
) -> Finished:
    """Run a script to its end; the arguments are those of `start_script`.

    Raises:
        subprocess.TimeoutExpired: After so many seconds; the script has been killed.
    """
    with start_script(path, *args, cwd=cwd, env=env) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return Finished(process.returncode, out, err)
