"""Wrong calls, and outputs that another run has left: each one line, and no label lost or mixed."""

from __future__ import annotations

import codecs
import json
import os
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from banglahallueval.io.tables import Table
from banglahallueval.labelling.commands import Preset, label, label_main
from tests.in_process import ended
from tests.labelling.conftest import Call
from tests.scripting import ROOT, environment
from tests.scripts.rows import write_qa
from tests.servers.openai_server import OpenAIServer


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        (["--model", "gpt-4.1-mini"], "--model"),
        (["--force-binary"], "--force-binary"),
        (["--store", "s.sqlite"], "--store"),
        (["--base-url", "http://h/v1"], "--base-url"),
        (["--provider", "ollama"], "--provider"),
        (["--judge", "openai", "--model", "m", "--num-ctx", "9"], "--num-ctx"),
        (["--judge", "openai", "--model", "m", "--decode", "score"], "--decode"),
        (["--judge", "openai", "--model", "m", "--explain"], "--explain"),
        (["--judge", "hybrid", "--model", "m", "--ollama-url", "h"], "--ollama-url"),
    ],
)
def test_a_flag_that_would_change_nothing_is_refused(
    call: Call, flags: list[str], named: str
) -> None:
    """Who forgot --judge once got the offline judge's labels for those of the model named."""
    done = call(*flags)
    assert done.code == 2
    assert f"makes no use of {named};" in done.err


def test_labels_on_other_columns_are_not_mixed(call: Call) -> None:
    """A resumed run once judged another column for the rows that were left."""
    assert call("--end", 3).code == 0
    done = call("--resume", "--columns", "answer=right_answer")
    assert done.code == 2
    assert "was labelled with the columns" in done.err
    assert call("--resume").code == 0


def test_the_record_of_something_else_is_no_traceback(call: Call, tmp_path: Path) -> None:
    """Resuming onto the output of another kind of run once ended in a KeyError."""
    call("--end", 3)
    (tmp_path / "out.csv.run.json").write_text(json.dumps({"format": 1}), encoding="utf-8")
    done = call("--resume")
    assert done.code == 2
    assert "not the output of a labelling run" in done.err


def test_equal_rows_of_two_slices_both_come_out(call: Call, tmp_path: Path) -> None:
    """The later of two equal rows, labelled first, once vanished when its twin was asked for."""
    text = (tmp_path / "in.csv").read_text(encoding="utf-8")
    twin = text.split("id-0", 1)[1].split("\nid-0", 1)[0]
    (tmp_path / "in.csv").write_text(f"{text}id-0{twin}\n", encoding="utf-8")
    assert call("--start", 5).code == 0
    assert call("--resume", "--end", 5).code == 0
    assert list(Table(tmp_path / "in.csv").rows()) == [
        row[:7] for row in Table(tmp_path / "out.csv").rows()
    ]


def test_a_column_of_notes_is_not_dropped(call: Call, tmp_path: Path) -> None:
    """What a user had written beside the labels was once lost without a word."""
    call("--end", 3, "--explain")
    done = call("--resume")
    assert done.code == 2
    assert (
        "has the columns 'explanation', 'unsupported_spans', which this run would drop" in done.err
    )
    assert call("--resume", "--explain").code == 0


def test_an_output_that_lost_its_record_is_told(call: Call, tmp_path: Path) -> None:
    """A run killed between its output and its record once looked complete for ever."""
    with OpenAIServer() as server:
        model = ["--judge", "openai", "--model", "m", "--base-url", server.url]
        assert call(*model).code == 0
        (tmp_path / "out.csv.run.json").unlink()
        assert "--overwrite writes both anew and asks nothing" in call(*model, "--resume").out
        asked = len(server.requests)
        assert call(*model, "--overwrite").code == 0
        assert [r for r in server.requests[asked:] if r.method == "POST"] == []
    assert (tmp_path / "out.csv.run.json").exists()


def test_what_killed_runs_left_is_cleared_away(call: Call, tmp_path: Path) -> None:
    """Each kill once left a half-written file beside the output for good."""
    for name in ("out.csv.99.part", "out.csv.run.json.99.part", "other.csv.99.part"):
        (tmp_path / name).touch()
    assert call().code == 0
    assert [path.name for path in tmp_path.glob("*.part")] == ["other.csv.99.part"]


@pytest.mark.parametrize("columns", ["answer=right_answer,answer=context", "answer"])
def test_columns_that_say_nothing_clear(call: Call, columns: str) -> None:
    """The second of two columns named for one role once won in silence."""
    assert call("--columns", columns).code == 2


def test_models_that_name_none(capsys: pytest.CaptureFixture[str]) -> None:
    """A run of no model at all once ended well."""
    several = Preset("CoT.", judge="ollama", all_tasks=("qa",), models=("a", "b"))
    for flags in (["--models", ","], ["--model", "a", "--models", "b"]):
        assert ended(capsys, partial(label, several, flags)).code == 2


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_an_environment_file_that_is_not_utf_8(call: Call, tmp_path: Path, encoding: str) -> None:
    """What PowerShell writes with `>` was once a traceback before the first word."""
    (tmp_path / ".env").write_bytes("RUN_TEST_KEY=x\n".encode(encoding))
    done = call()
    assert done.code == 2
    assert ".env" in done.err
    assert "save it as UTF-8" in done.err


def test_a_byte_order_mark_is_no_part_of_a_key(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first key of a file saved by Notepad was once not found."""
    monkeypatch.setenv("RUN_TEST_KEY", "")
    del os.environ["RUN_TEST_KEY"]
    (tmp_path / ".env").write_bytes(codecs.BOM_UTF8 + b"RUN_TEST_KEY=x\n")
    assert call().code == 0
    assert os.environ["RUN_TEST_KEY"] == "x"


def test_a_closed_standard_output_is_no_traceback(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong call in a job without standard output once ended in an AttributeError."""
    monkeypatch.setattr("sys.stdout", None)
    with pytest.raises(SystemExit) as stopped:
        label_main(Preset("Label."), ["--task", "qa", "--input", "none.csv"])
    assert stopped.value.code == 2


def test_the_store_is_not_the_output(call: Call) -> None:
    """The output once took the place of all the replies it was made from."""
    done = call("--judge", "openai", "--model", "m", "--store", "out.csv")
    assert done.code == 2
    assert "is the output" in done.err


def test_a_file_name_that_is_too_long(call: Call) -> None:
    """What the system says of a name was once a traceback."""
    done = call("--output", "a" * 300 + ".csv")
    assert done.code == 2
    assert "name too long" in done.err


CLOSED = ["2>&-", ">&-", ">&- 2>&-", "<&- >&- 2>&-"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX shell")
@pytest.mark.parametrize("closed", CLOSED)
def test_closed_standard_streams_are_no_traceback(tmp_path: Path, closed: str) -> None:
    """A job without standard error once ended in an AttributeError of its progress bar."""
    write_qa(tmp_path / "in.csv", 3)
    words = [sys.executable, str(ROOT / "scripts/label.py"), "--task", "qa", "--input", "in.csv"]
    command = f"{shlex.join([*words, '--output', 'out.csv'])} {closed}"
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert len(list(Table(tmp_path / "out.csv").rows())) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX shell")
def test_a_wrong_call_without_standard_error_keeps_its_status(tmp_path: Path) -> None:
    command = shlex.join([sys.executable, str(ROOT / "scripts/label.py"), "--task", "qa"])
    command += " --input none.csv 2>&-"
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
