"""Exports of files, what label.py asks about the same files, and the labels it comes to."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

from banglahallueval.io.tables import Table
from tests.harnesses.tables import input_flags
from tests.in_process import run_script
from tests.servers.asked import Seen
from tests.servers.openai_server import OpenAIServer


def export(harness: str, files: dict[str, Path], folder: Path) -> None:
    """Export the files for a harness into `made`, and move that to `tasks` before it is used."""
    flags = ["--to", harness, folder / "made", "--task", "qa,reasoning", *input_flags(files)]
    done = run_script("scripts/export_tasks.py", *flags)
    assert done.code == 0, done
    (folder / "made").rename(folder / "tasks")


def label(server: OpenAIServer, files: dict[str, Path], folder: Path) -> dict[str, Path]:
    """Label each file with label.py; gives the labelled files by the same names."""
    outputs = {}
    for name, path in files.items():
        outputs[name] = folder / f"{name}.csv"
        done = run_script(
            "scripts/label.py",
            *("--task", name.partition(".")[0], "--judge", "openai", "--model", "small"),
            *("--base-url", server.url, "--input", path, "--output", outputs[name], "--quiet"),
        )
        assert done.code == 0, done
    return outputs


def messages(asked: list[Seen]) -> list[Any]:
    """The distinct chats of all chat requests, in an order of their own.

    label.py asks once for rows that are equal.
    """
    chats = [each.body["messages"] for each in asked if each.path.endswith("/chat/completions")]
    return [chat for chat, _ in groupby(sorted(chats, key=str))]


def cells(path: Path, *columns: str) -> list[tuple[str, ...]]:
    """The cells of these columns, or of all, row by row."""
    table = Table(path)
    names = columns or table.columns
    at = [table.columns.index(name) for name in names]
    return [tuple(row[i] for i in at) for row in table.rows()]
