"""The run record tells everything but secrets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.records import read_record, record_path, write_record
from banglahallueval.secrets import without_secrets


def test_a_record_comes_back(tmp_path: Path) -> None:
    """What is written is read, with the package's version."""
    write_record(tmp_path / "out.csv", {"task": "qa", "labels": {"yes": 3}})
    record = read_record(tmp_path / "out.csv")
    assert record is not None
    assert (record["task"], record["labels"]) == ("qa", {"yes": 3})
    assert record["package"].startswith("banglahallueval ")


def test_an_output_without_a_record_has_none(tmp_path: Path) -> None:
    """Outputs of the published scripts have no record."""
    assert read_record(tmp_path / "out.csv") is None


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 99}'])
def test_a_record_that_cannot_be_read_is_said(tmp_path: Path, text: str) -> None:
    """A broken record is an error that says what to do, not a traceback."""
    record_path(tmp_path / "out.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="delete it"):
        read_record(tmp_path / "out.csv")


def test_keys_never_reach_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key in the environment is taken out wherever it turns up."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-1")
    monkeypatch.setenv("OLLAMA_API_KEY", "pod-secret-2")
    write_record(tmp_path / "o.csv", {"command": ["x", "sk-very-secret-1"], "t": "pod-secret-2"})
    text = record_path(tmp_path / "o.csv").read_text(encoding="utf-8")
    assert "secret" not in text


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("https://user:pass@pod.example/v1", "https://pod.example/v1"),
        ("https://pod.example/v1?key=abc", "https://pod.example/v1"),
        ("http://localhost:11434", "http://localhost:11434"),
    ],
)
def test_urls_lose_what_may_be_secret(url: str, bare: str) -> None:
    """User, password and query go, wherever the URL stands."""
    value = {"a": url, "b": ["--ollama-url", url], "c": f"asked {url} twice", "d": 1}
    assert without_secrets(value) == {
        "a": bare,
        "b": ["--ollama-url", bare],
        "c": f"asked {bare} twice",
        "d": 1,
    }


def test_a_file_name_that_is_not_utf_8_can_be_recorded(tmp_path: Path) -> None:
    """Such a name once lost the record of a finished run."""
    name = os.fsdecode(b"\xff.csv")
    write_record(tmp_path / "o.csv", {"input": {"path": name}})
    assert (read_record(tmp_path / "o.csv") or {})["input"]["path"] == name
