"""Runs against an Ollama server, as on a rented pod."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.scripting import Finished
from tests.scripts.rows import column, record, write_qa
from tests.servers.answers import always
from tests.servers.ollama_models import Model
from tests.servers.ollama_server import OllamaServer

SCRIPT = "scripts/label_hallucinations_ollama.py"
Run = Callable[..., Finished]
Servers = Callable[..., OllamaServer]


def test_other_weights_under_the_same_name_are_refused(
    tmp_path: Path, ollama_server: Servers, run_script: Run
) -> None:
    """A model pulled anew between two runs may be another one: its labels stay apart."""
    source, output = write_qa(tmp_path / "in.csv", 6), tmp_path / "out.csv"
    flags = ["--input", source, "--output", output, "--model", "m:7b"]
    old = ollama_server(models=[Model("m:7b")], answer=always("not sure"))
    assert run_script(SCRIPT, *flags, "--ollama-url", old.url).code == 0
    digest = record(output)["judge"]["model"]["digest"]
    new = ollama_server(models=[Model("m:7b", context=8192)])
    assert Model("m:7b", context=8192).digest != digest
    refused = run_script(SCRIPT, *flags, "--ollama-url", new.url, "--resume")
    assert refused.code == 2
    assert digest[:12] in refused.err
    assert column(output, "is_hallucinated") == ["unknown"] * 6


def test_a_pod_that_moved_is_the_same_model(
    tmp_path: Path, ollama_server: Servers, run_script: Run
) -> None:
    """The address of a rented pod changes; its replies are still in the store."""
    source, output = write_qa(tmp_path / "in.csv", 6), tmp_path / "out.csv"
    flags = ["--input", source, "--output", output, "--model", "m:7b", "--quiet"]
    first, second = ollama_server(models=["m:7b"]), ollama_server(models=["m:7b"])
    assert run_script(SCRIPT, *flags, "--ollama-url", f"{first.url}/", "--end", 4).code == 0
    done = run_script(SCRIPT, *flags, "--ollama-url", f"{second.url}/v1", "--resume")
    assert done.code == 0, done.err
    assert [run["asked"] for run in record(output)["runs"]] == [4, 2]
