"""What a user sees before the first row: what is checked, and no bar where a check fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.models import local_line
from tests.scripting import Finished
from tests.scripts.rows import write_qa
from tests.servers.ollama_server import OllamaServer
from tests.servers.openai_server import OpenAIServer

Run = Callable[..., Finished]
GPT = "scripts/label_hallucinations_gpt.py"
OLLAMA = "scripts/label_hallucinations_ollama.py"
NOWHERE = "http://127.0.0.1:9"


def only_error(done: Finished, code: int) -> str:
    """The one line of a run that could not begin; a bar would be another."""
    (line,) = done.err.splitlines()
    assert (done.code, line[:7]) == (code, "error: ")
    assert "\r" not in done.err
    return line


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    return ["--input", write_qa(tmp_path / "in.csv", 3), "--output", tmp_path / "out.csv"]


def test_a_refused_key_is_one_line_before_any_bar(
    files: list[object], openai_server: Callable[..., OpenAIServer], run_script: Run
) -> None:
    server = openai_server(api_key="sk-right")
    key = {"OPENAI_API_KEY": "sk-wrong"}
    done = run_script(GPT, *files, "--base-url", server.url, env=key)
    assert "401" in only_error(done, 1)


def test_no_key_is_one_line_before_any_bar(files: list[object], run_script: Run) -> None:
    done = run_script(GPT, *files, env={"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""})
    assert "no OpenAI key" in only_error(done, 2)


def test_a_server_that_is_away_is_one_line_before_any_bar(
    files: list[object], run_script: Run
) -> None:
    words = (*files, "--ollama-url", NOWHERE, "--max-retries", 0)
    done = run_script(OLLAMA, *words)
    assert NOWHERE in only_error(done, 1)


def test_a_model_that_is_absent_is_one_line_before_any_bar(
    files: list[object], ollama_server: Callable[..., OllamaServer], run_script: Run
) -> None:
    server = ollama_server(models=["other:7b"])
    words = (*files, "--ollama-url", server.url, "--model", "m:7b")
    done = run_script(OLLAMA, *words)
    assert "ollama pull m:7b" in only_error(done, 1)


def test_the_bar_appears_once_the_model_is_there(
    files: list[object], ollama_server: Callable[..., OllamaServer], run_script: Run
) -> None:
    server = ollama_server(models=["m:7b"])
    words = (*files, "--ollama-url", server.url, "--model", "m:7b")
    done = run_script(OLLAMA, *words)
    assert done.code == 0, done.err
    assert "3/3" in done.err


def test_a_model_of_the_hub_is_announced_as_a_download(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hub = pytest.importorskip("huggingface_hub")
    monkeypatch.setattr(hub, "try_to_load_from_cache", lambda model, name: None)
    assert local_line("nobody/nothing").endswith("; downloading it from the Hugging Face hub first")
    assert local_line(str(tmp_path)) == f"Asking {tmp_path} on this machine"
