"""What the tests of `gemhall` share: calling it, and reading what it wrote."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.scripting import Finished
from tests.servers.base import LoopbackServer
from tests.servers.gemini_server import GeminiServer

Run = Callable[..., Finished]
Servers = Callable[..., GeminiServer]

SCRIPT = "scripts/gemhall.py"
ANSWERS = "gemini-2.5-flash"
GRADES = "gemini-2.5-flash-lite"
THRESHOLDS = ("--thresholds", "0.5", "0.75", "0.9")


def gemhall(run_script: Run, server: GeminiServer, folder: Path, *flags: object) -> Finished:
    """Call it with the variables that lead to a Gemini server."""
    return run_script(SCRIPT, *flags, "--out", folder, env=server.variables())


def rows(folder: Path) -> list[dict[str, str]]:
    """The rows of its results."""
    with (folder / "results.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def metrics(folder: Path) -> dict[str, dict[str, Any]]:
    """Its metrics, which must be strict JSON."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    text = (folder / "metrics.json").read_text(encoding="utf-8")
    parsed: dict[str, dict[str, Any]] = json.loads(text, parse_constant=refuse)
    return parsed


def prompts(server: LoopbackServer) -> list[str]:
    """What a server was asked, in order."""
    return [seen.prompt for seen in server.requests if seen.body]
