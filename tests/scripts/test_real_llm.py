"""A real model behind a real server, and the same weights in this process: one judgement."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.scripting import ROOT, Finished
from tests.scripts.rows import column
from tests.servers.process import Child
from tests.servers.real_llm import MODEL, PATIENCE, weights

pytestmark = pytest.mark.timeout(2 * PATIENCE)

ROWS = 4  # a prompt of Bangla is some 500 tokens of this model, a second each on one core

Run = Callable[..., Finished]


def judge(run_script: Run, output: Path, *words: object) -> tuple[list[str], list[float]]:
    """Labels and p_hallucinated of a few sample rows."""
    source = ROOT / "Hallucination Generated Answers/codemix_sample.csv"
    done = run_script(
        "scripts/label.py", "--task", "codemix", "--input", source, "--output", output,
        "--limit", ROWS, "--quiet", "--timeout", PATIENCE, *words,
    )  # fmt: skip
    assert done.code == 0, done.err
    return column(output, "is_hallucinated"), [float(p) for p in column(output, "p_hallucinated")]


def through_server(run_script: Run, output: Path, server: Child) -> tuple[list[str], list[float]]:
    """Through llama.cpp's OpenAI-compatible server."""
    return judge(
        run_script, output, "--judge", "openai", "--model", MODEL, "--base-url", server.url,
        "--concurrency", 1,
    )  # fmt: skip


def test_a_real_model_judges_through_the_openai_interface(
    tmp_path: Path, real_llm: Child, run_script: Run
) -> None:
    """Its labels come from its words, its probabilities from its tokens."""
    labels, probabilities = through_server(run_script, tmp_path / "server.csv", real_llm)
    assert set(labels) <= {"yes", "no"}
    assert all(0 < p < 1 for p in probabilities)


@pytest.mark.parametrize("decode", ["generate", "score"])
def test_transformers_and_llama_cpp_agree(
    tmp_path: Path, real_llm: Child, run_script: Run, decode: str
) -> None:
    """The same weights give p_hallucinated within 0.03, generated or scored in one pass."""
    pytest.importorskip("torch", reason="needs the extra hf")
    pytest.importorskip("gguf", reason="needs the extra hf and gguf")
    _, served = through_server(run_script, tmp_path / "server.csv", real_llm)
    _, local = judge(
        run_script, tmp_path / "hf.csv", "--judge", "hf", "--model", weights(),
        "--dtype", "float32", "--device", "cpu", "--decode", decode,
    )  # fmt: skip
    assert local == pytest.approx(served, abs=0.03)
