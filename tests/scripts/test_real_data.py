"""The benchmark's own files go through unchanged: row count, order, every cell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.io.tables import Table
from tests.scripting import Finished
from tests.scripts.rows import column
from tests.servers.openai_server import OpenAIServer

FILES = {
    "qa_main.csv": "qa",
    "qa_candidates.csv": "qa",
    "summarization_main.csv": "summarization",
    "summarization_candidates.csv": "summarization",
    "reasoning_main.csv": "reasoning",
    "reasoning_candidates.csv": "reasoning",
    "codemix_main.csv": "codemix",
    "codemix_candidates.csv": "codemix",
}


def input_cells(path: Path, columns: tuple[str, ...]) -> list[list[str]]:
    table = Table(path)
    at = [table.columns.index(name) for name in columns]
    return [[cells[i] for i in at] for cells in table.rows()]


@pytest.mark.parametrize("name", FILES)
def test_the_offline_judge_keeps_every_cell(
    shared_data: Path, tmp_path: Path, run_script: Callable[..., Finished], name: str
) -> None:
    """BOM, duplicate ids, embedded line breaks: every row comes out once, in order, unchanged."""
    source, output = shared_data / name, tmp_path / "out.csv"
    done = run_script(
        "scripts/label.py", "--task", FILES[name], "--input", source, "--output", output, "--quiet"
    )
    assert done.code == 0, done.err
    table = Table(source)
    assert input_cells(output, table.columns) == list(table.rows())
    assert set(column(output, "is_hallucinated")) <= {"yes", "no", "unknown"}


@pytest.mark.parametrize("name", ["codemix_main.csv", "reasoning_main.csv"])
def test_a_model_keeps_every_cell_too(
    shared_data: Path,
    tmp_path: Path,
    openai_server: Callable[..., OpenAIServer],
    run_script: Callable[..., Finished],
    name: str,
) -> None:
    """The same through a loopback judge, in two slices that are resumed."""
    source, output = shared_data / name, tmp_path / "out.csv"
    server = openai_server(latency=0.005, jitter=0.02, keep=False)
    base = [
        "--task", FILES[name], "--judge", "openai", "--model", "m", "--base-url", server.url,
        "--input", source, "--output", output, "--concurrency", 64, "--quiet",
    ]  # fmt: skip
    assert run_script("scripts/label.py", *base, "--start", 100, "--end", 220).code == 0
    done = run_script("scripts/label.py", *base, "--resume")
    assert done.code == 0, done.err
    table = Table(source)
    assert input_cells(output, table.columns) == list(table.rows())
    assert set(column(output, "is_hallucinated")) == {"yes", "no"}
