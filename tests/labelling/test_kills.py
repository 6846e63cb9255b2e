"""However a run ends, an output never stands beside a record that claims it for another judge."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.io.records import fits, read_record
from banglahallueval.scoring.load import load
from tests.in_process import run_script
from tests.scripting import ROOT, Finished, environment
from tests.scripts.rows import column, record, write_qa
from tests.servers.answers import always
from tests.servers.openai_server import OpenAIServer

Server = Callable[..., OpenAIServer]
SCRIPT = "scripts/label.py"

# Runs a script and kills its process when it would rename a complete file to the name given.
KILLED = """
import os, runpy, sys
from pathlib import Path
name, sys.argv = sys.argv[1], sys.argv[2:]
place = Path.replace
def replace(self, target):
    if Path(target).name == name:
        os._exit(137)
    return place(self, target)
Path.replace = replace
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write_qa(tmp_path / "in.csv", 6)
    return tmp_path


def words(server: OpenAIServer, model: str, *more: str, output: str = "out.csv") -> list[str]:
    return [
        "--task", "qa", "--input", "in.csv", "--output", output, "--judge", "openai",
        "--model", model, "--base-url", server.url, "--quiet", *more,
    ]  # fmt: skip


def run(folder: Path, *argv: str) -> Finished:
    return run_script(SCRIPT, *argv, cwd=folder)


def killed_before(name: str, folder: Path, *argv: str) -> None:
    """Run label.py in a folder until it would put the file of this name in its place."""
    command = [sys.executable, "-c", KILLED, name, str(ROOT / SCRIPT), *argv]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, check=False)
    assert done.returncode == 137, done.stderr


def posts(server: OpenAIServer) -> int:
    return sum(seen.method == "POST" for seen in server.requests)


@pytest.fixture
def overwriting(files: Path, openai_server: Server) -> OpenAIServer:
    """Model a's labels are being replaced by model b's, and the run is killed before the rename."""
    server = openai_server(answer=always("no"))
    assert run(files, *words(server, "a")).code == 0
    server.answer = always("yes")
    killed_before("out.csv", files, *words(server, "b", "--overwrite"))
    assert column(files / "out.csv", "is_hallucinated") == ["no"] * 6
    return server


def test_scores_do_not_credit_the_judge_that_was_killed(
    files: Path, overwriting: OpenAIServer
) -> None:
    """The old record once stood beside the new labels, and score.py credited its judge."""
    (source,) = load([files / "out.csv"]).files
    assert source.judge == "out"
    assert any("does not hold" in note for note in source.notes)


def test_the_next_run_puts_the_complete_output_in_its_place(
    files: Path, overwriting: OpenAIServer
) -> None:
    before = posts(overwriting)
    done = run(files, *words(overwriting, "b", "--resume"))
    assert (done.code, done.err) == (0, "")
    assert "is complete" in done.out
    assert posts(overwriting) == before
    assert column(files / "out.csv", "is_hallucinated") == ["yes"] * 6
    found = read_record(files / "out.csv")
    assert found is not None
    assert fits(files / "out.csv", found)
    assert load([files / "out.csv"]).files[0].judge == "b"
    assert sorted(path.name for path in files.glob("*.part")) == []


def test_the_old_labels_are_not_the_new_judges_where_the_new_are_gone(
    files: Path, overwriting: OpenAIServer
) -> None:
    for part in files.glob("*.part"):
        part.unlink()
    done = run(files, *words(overwriting, "b", "--resume"))
    assert "out.csv is not the file that out.csv.run.json describes" in done.out
    assert load([files / "out.csv"]).files[0].judge == "out"


def test_a_first_run_killed_before_the_rename_asks_nothing_again(
    files: Path, openai_server: Server
) -> None:
    server = openai_server(answer=always("no"))
    killed_before("out.csv", files, *words(server, "a"))
    assert not (files / "out.csv").exists()
    before = posts(server)
    assert run(files, *words(server, "a", "--resume")).code == 0
    assert posts(server) == before
    assert column(files / "out.csv", "is_hallucinated") == ["no"] * 6
    assert [each["asked"] for each in record(files / "out.csv")["runs"]] == [6]


def test_a_run_killed_before_its_record_leaves_the_old_output_whole(
    files: Path, openai_server: Server
) -> None:
    server = openai_server(answer=always("no"))
    assert run(files, *words(server, "a")).code == 0
    server.answer = always("yes")
    killed_before("out.csv.run.json", files, *words(server, "b", "--overwrite"))
    assert load([files / "out.csv"]).files[0].judge == "a"
    done = run(files, *words(server, "b", "--overwrite"))
    assert done.code == 0, done.err
    assert sorted(path.name for path in files.glob("*.part")) == []
    assert load([files / "out.csv"]).files[0].judge == "b"


def test_a_stopped_fresh_run_is_fresh_for_its_own_output_alone(
    files: Path, openai_server: Server
) -> None:
    """One output's --fresh once made every other on the same store ask all its replies again."""
    server = openai_server(answer=always("no"))
    store = ("--store", "shared.sqlite")
    assert run(files, *words(server, "a", *store)).code == 0
    killed_before("two.csv", files, *words(server, "a", *store, "--fresh", output="two.csv"))
    (files / "two.csv.run.json").unlink()
    for part in files.glob("*.part"):
        part.unlink()
    before = posts(server)
    assert run(files, *words(server, "a", *store, "--overwrite")).code == 0
    assert posts(server) == before
    # The fresh run itself goes on fresh: what it had asked anew is not asked a third time.
    assert run(files, *words(server, "a", *store, "--resume", output="two.csv")).code == 0
    assert posts(server) == before


def test_a_stopped_fresh_run_goes_on_fresh_where_its_folder_is_moved(
    files: Path, openai_server: Server
) -> None:
    """What it had not asked anew is asked, although the store holds an older reply."""
    server = openai_server(answer=always("no"), api_key="sk-test")
    (files / "old").mkdir()
    write_qa(files / "old" / "in.csv", 6)
    old, new = files / "old", files / "new"
    assert run(old, *words(server, "a")).code == 0
    wrong_key = {"OPENAI_API_KEY": "sk-wrong"}
    stopped = run_script(
        SCRIPT, *words(server, "a", "--overwrite", "--fresh"), cwd=old, env=wrong_key
    )
    assert stopped.code == 1
    old.rename(new)
    before = posts(server)
    assert run(new, *words(server, "a", "--overwrite")).code == 0
    assert posts(server) - before == 6
    before = posts(server)
    assert run(new, *words(server, "a", "--overwrite")).code == 0
    assert posts(server) == before
