"""A real model behind a real server, and the same weights in this process: one judgement."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.in_process import run_script
from tests.scripting import ROOT
from tests.scripts.rows import column
from tests.servers.process import Child
from tests.servers.real_llm import MODEL, PATIENCE

pytestmark = pytest.mark.timeout(2 * PATIENCE)

ROWS = 2  # a prompt of Bangla is some 500 tokens of this model, a second each on one core


def judge(output: Path, *words: object) -> tuple[list[str], list[float]]:
    """Labels and p_hallucinated of a few sample rows."""
    source = ROOT / "Hallucination Generated Answers/codemix_sample.csv"
    done = run_script(
        "scripts/label.py", "--task", "codemix", "--input", source, "--output", output,
        "--limit", ROWS, "--quiet", "--timeout", PATIENCE, *words,
    )  # fmt: skip
    assert done.code == 0, done.err
    return column(output, "is_hallucinated"), [float(p) for p in column(output, "p_hallucinated")]


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory, real_llm: Child
) -> tuple[list[str], list[float]]:
    """What it says through llama.cpp's OpenAI-compatible server."""
    return judge(
        tmp_path_factory.mktemp("served") / "server.csv",
        *("--judge", "openai", "--model", MODEL, "--base-url", real_llm.url, "--concurrency", 1),
    )


def test_a_real_model_judges_through_the_openai_interface(
    served: tuple[list[str], list[float]],
) -> None:
    """Its labels come from its words, its probabilities from its tokens."""
    labels, probabilities = served
    assert set(labels) <= {"yes", "no"}
    assert all(0 < p < 1 for p in probabilities)


@pytest.mark.parametrize("decode", ["generate", "score"])
def test_transformers_and_llama_cpp_agree(
    tmp_path: Path, served: tuple[list[str], list[float]], smollm2: str, decode: str
) -> None:
    """The same weights give p_hallucinated within 0.03, generated or scored in one pass."""
    _, local = judge(
        tmp_path / "hf.csv", "--judge", "hf", "--model", smollm2,
        "--dtype", "float32", "--device", "cpu", "--decode", decode,
    )  # fmt: skip
    assert local == pytest.approx(served[1], abs=0.03)
