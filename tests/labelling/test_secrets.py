"""No key reaches another server, the screen or a file, whatever lies around and whoever answers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.labelling.commands import Preset, label
from tests.in_process import ended
from tests.scripting import Finished
from tests.scripts.rows import column, record, write_qa
from tests.servers.answers import Answer, Failure, always
from tests.servers.openai_server import OpenAIServer

KEY = "sk-of-the-shell-1"
Call = Callable[..., Finished]


@pytest.fixture
def call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Call:
    """Calls a script for QA in a folder within the test's folder; only the key is set."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    os.environ.pop("OPENAI_BASE_URL")
    write_qa(tmp_path / "work" / "in.csv", 4)

    def run(*flags: object) -> Finished:
        argv = ["--model", "m", "--input", "in.csv", "--output", "out.csv", *map(str, flags)]
        monkeypatch.setattr(sys, "argv", ["scripts/label_hallucinations_gpt.py", *argv])
        return ended(capsys, lambda: label(Preset("Label.", judge="openai", task="qa"), argv))

    return run


def files(folder: Path) -> str:
    """Everything in a folder, as text."""
    return "".join(path.read_bytes().decode("utf-8", "replace") for path in folder.iterdir())


@pytest.mark.parametrize("flags", [[], ["--dry-run"], ["--quiet"]])
def test_a_parent_folders_file_does_not_learn_the_key(
    call: Call, tmp_path: Path, flags: list[str]
) -> None:
    """A .env above the current folder once had the shell's key sent to an address of its own."""
    with OpenAIServer() as evil:
        (tmp_path / ".env").write_text(f"OPENAI_BASE_URL={evil.url}\n", encoding="utf-8")
        done = call(*flags)
        assert evil.requests == []
    assert done.code == 2
    assert str(tmp_path / ".env") in done.err
    assert "--base-url" in done.err
    assert not (tmp_path / "work" / "out.csv").exists()


@pytest.mark.parametrize("flags", [[], ["--dry-run"]])
def test_a_run_says_which_server_it_asks(call: Call, flags: list[str]) -> None:
    """The address and where it and the key are set are said before anything is asked."""
    with OpenAIServer() as server:
        done = call("--base-url", server.url, *flags)
    assert done.code == 0
    expected = f"Asking m at {server.url} (--base-url), key from OPENAI_API_KEY in the environment"
    assert expected in done.out.splitlines()


def test_a_key_that_a_server_repeats_is_in_no_file(call: Call, tmp_path: Path) -> None:
    """A proxy that echoes what it was sent once put the key into output and store."""
    echo = Answer(f"no. {KEY}")
    with OpenAIServer(answer=always(echo)) as server:
        done = call("--base-url", server.url)
    assert done.code == 0
    assert column(tmp_path / "work" / "out.csv", "is_hallucinated") == ["no"] * 4
    assert KEY not in files(tmp_path / "work")
    assert "no. ***" in files(tmp_path / "work")


def test_a_servers_words_reach_the_user_without_the_key(call: Call, tmp_path: Path) -> None:
    """Summary and record say why rows got no reply, and what to do, from the first one on."""
    words = f'{{"error": {{"message": "out of memory on GPU 3 for {KEY}"}}}}'
    with OpenAIServer(answer=always(Failure(500, words))) as server:
        done = call("--base-url", server.url, "--max-retries", 0)
        said = f"{server.url} answered 500: out of memory on GPU 3 for ***"
    assert done.code == 1
    told = [line.strip() for line in done.err.splitlines() if "no reply" in line]
    assert told == [
        f"no reply (server error): {said}; see what the server logged; --resume asks again"
    ]
    assert f"server error: {said}; see what the server logged" in done.out
    run = record(tmp_path / "work" / "out.csv")["runs"][-1]
    assert run["failed_attempts"] == {"server error": 4}
    assert run["failure_examples"]["server error"] == {
        "example": said,
        "advice": "see what the server logged; --resume asks again",
    }
    assert KEY not in done.out + done.err + files(tmp_path / "work")


def test_a_password_in_an_address_is_in_no_message_hint_or_record(
    call: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command to go on once repeated the password of --ollama-url."""
    monkeypatch.delenv("OPENAI_API_KEY")
    argv = ["--model", "m", "--input", "in.csv", "--output", "out.csv", "--ollama-url"]
    argv.append("http://me:pa55word@127.0.0.1:9")
    monkeypatch.setattr(sys, "argv", ["label.py", *argv])
    preset = Preset("Label.", judge="ollama", task="qa")
    done = ended(capsys, lambda: label(preset, argv))
    assert done.code == 1
    assert "http://127.0.0.1:9" in done.out
    assert "http://127.0.0.1:9" in done.err
    assert "pa55word" not in done.out + done.err + files(tmp_path / "work")
