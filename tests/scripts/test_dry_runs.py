"""A dry run refuses what the run would refuse, and says what the run would cost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.tasks import TASKS
from tests.scripting import Finished

Run = Callable[..., Finished]

GOLD = TASKS["qa"].samples["main"]
CALLS = {
    "label": ("scripts/label_hallucinations_gpt.py", "--input", TASKS["qa"].samples["candidates"]),
    "generate": (
        *("scripts/generate_hallucinations.py", "--task", "qa", "--model", "gpt-4.1-mini"),
        *("--pilot", "5", "--input", GOLD),
    ),
    "convert": ("scripts/convert_codemix.py", "--model", "gpt-4.1-mini", "--input", GOLD),
    "select": (
        *("scripts/select_qa_samples.py", "--models", "gpt-4.1-mini,gpt-4.1-nano"),
        *("--judge-model", "gpt-4.1", "--selected", "chosen.csv", "--input", GOLD),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_dry_run_says_server_and_cost_and_writes_nothing(
    name: str, tmp_path: Path, run_script: Run
) -> None:
    output = tmp_path / "out.csv"
    address = "http://127.0.0.1:9/v1"
    done = run_script(*CALLS[name], "--output", output, "--dry-run", "--base-url", address)
    assert done.code == 0, done.err
    assert f"at {address} (--base-url)" in done.out
    assert "prompt tokens and at most" in done.out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", CALLS)
def test_a_dry_run_refuses_the_address_that_the_run_would_refuse(
    name: str, tmp_path: Path, run_script: Run
) -> None:
    address = "http://me:pa55word@127.0.0.1:9/v1?api_key=k3y"
    output = tmp_path / "out.csv"
    done = run_script(*CALLS[name], "--output", output, "--dry-run", "--base-url", address)
    assert done.code == 2
    assert "--base-url" in done.err
    assert "pa55word" not in done.err
    assert "k3y" not in done.err


def test_a_dry_run_of_several_models_prints_one_total(run_script: Run) -> None:
    done = run_script(
        *("scripts/evaluate_cot_ollama.py", "--task", "qa", "--track", "candidates"),
        *("--models", "a,b", "--input", TASKS["qa"].samples["candidates"]),
        *("--ollama-url", "http://127.0.0.1:9", "--dry-run", "--quiet"),
    )
    assert done.code == 0, done.err
    assert "== all 2 runs:" in done.out


def test_a_dry_run_of_a_hybrid_counts_what_its_model_is_asked(
    tmp_path: Path, run_script: Run
) -> None:
    """Fault: it priced all rows. The sample's twelve arithmetic slips are proven offline."""
    done = run_script(
        *(
            "scripts/label.py",
            "--task",
            "reasoning",
            "--judge",
            "hybrid",
            "--model",
            "gpt-4.1-mini",
        ),
        *("--input", TASKS["reasoning"].samples["candidates"], "--output", tmp_path / "out.csv"),
        *("--base-url", "http://127.0.0.1:9/v1", "--dry-run"),
    )
    assert done.code == 0, done.err
    said = "60 of 60 rows to judge, 12 of them settled by the offline judge, 48 requests;"
    assert said in done.out
    shown = done.out.partition("---- first prompt ----")[2]
    assert "৬৫*৪=২৮০" not in shown  # the first row is settled
