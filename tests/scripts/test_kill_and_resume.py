"""A run that is killed goes on where it stopped, and asks for nothing twice."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.clock import GUARD
from tests.in_process import run_script
from tests.scripting import Finished, start_script
from tests.scripts.rows import column, record, write_qa
from tests.servers.process import Child, child

SCRIPT = "scripts/label_hallucinations_gpt.py"
IN_FLIGHT = 16


def flags(source: Path, output: Path, server: Child) -> list[object]:
    return [
        "--input", source, "--output", output, "--base-url", server.url,
        "--concurrency", IN_FLIGHT, "--quiet",
    ]  # fmt: skip


def asked(server: Child) -> Counter[str]:
    """How often each prompt was asked."""
    return Counter(seen.prompt for seen in server.requests if "chat" in seen.path)


def ended(process: subprocess.Popen[str]) -> Finished:
    out, err = process.communicate(timeout=GUARD)
    return Finished(process.returncode, out, err)


def test_kills_change_nothing(tmp_path: Path) -> None:
    """SIGKILL after random replies: the same bytes, and only what was held is asked again."""
    rows, kills, seed = 200, 3, 7
    source = write_qa(tmp_path / "in.csv", rows)
    with child("openai_server") as server:
        whole = run_script(SCRIPT, *flags(source, tmp_path / "whole.csv", server))
    assert whole.code == 0, whole.err

    output, journal = tmp_path / "killed.csv", tmp_path / "journal.jsonl"
    # With all workers held, no reply is on its way to the store: what is lost is known exactly.
    moments = sorted(random.Random(seed).sample(range(1, rows - IN_FLIGHT + 1), kills))
    replies = 0
    with child("openai_server", journal=journal) as server:
        for moment in moments:
            server.hold(after=moment - replies)
            process = start_script(SCRIPT, *flags(source, output, server), "--resume")
            replies = moment
            server.until_held(IN_FLIGHT)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            server.until_held(0)
            assert not output.exists()
        server.release()
        last = run_script(SCRIPT, *flags(source, output, server), "--resume")
        assert last.code == 0, last.err
        times = asked(server)
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert len(times) == rows
    assert times.total() == rows + kills * IN_FLIGHT


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_says_how_to_go_on(tmp_path: Path, sign: signal.Signals) -> None:
    """Ctrl-C and a plain kill end cleanly: no traceback, what was kept, the command to go on."""
    source, output = write_qa(tmp_path / "in.csv", 200), tmp_path / "out.csv"
    with child("openai_server", journal=tmp_path / "journal.jsonl") as server:
        server.hold(after=30)
        process = start_script(SCRIPT, *flags(source, output, server))
        server.until_held(IN_FLIGHT)
        process.send_signal(sign)
        stopped = ended(process)
        assert stopped.code == 1
        assert "Traceback" not in stopped.err
        assert "To go on: python" in stopped.out
        assert stopped.out.rstrip().endswith("--resume")
        assert not output.exists()
        assert sorted(path.name for path in tmp_path.glob("*.part")) == []
        server.until_held(0)
        server.release()
        went_on = run_script(SCRIPT, *flags(source, output, server), "--resume")
        assert went_on.code == 0
        assert asked(server).total() == 200 + IN_FLIGHT
    assert len(column(output, "is_hallucinated")) == 200


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_stopped_overwrite_goes_on_overwriting(tmp_path: Path) -> None:
    """Fault: the command to go on resumed the output that was to be replaced: nothing to do."""
    source, output = write_qa(tmp_path / "in.csv", 200), tmp_path / "out.csv"
    with child("openai_server", "--answer", "no") as server:
        assert run_script(SCRIPT, *flags(source, output, server)).code == 0
    with child("openai_server", "--answer", "yes") as server:
        server.hold(after=30)
        process = start_script(SCRIPT, *flags(source, output, server), "--overwrite")
        server.until_held(IN_FLIGHT)
        process.send_signal(signal.SIGINT)
        assert ended(process).out.rstrip().endswith("--overwrite")
        server.release()
        assert run_script(SCRIPT, *flags(source, output, server), "--overwrite").code == 0
    assert set(column(output, "is_hallucinated")) == {"yes"}


def test_a_finished_run_asks_nothing_more(tmp_path: Path) -> None:
    """Resuming a finished output asks nothing, not even whether the server is up."""
    source, output = write_qa(tmp_path / "in.csv", 20), tmp_path / "out.csv"
    with child("openai_server") as server:
        assert run_script(SCRIPT, *flags(source, output, server)).code == 0
    before = output.read_bytes()
    again = run_script(SCRIPT, *flags(source, output, server), "--resume")
    assert (again.code, output.read_bytes()) == (0, before)
    assert "nothing left to ask" in again.out


def test_unknown_rows_are_asked_again_each_time(tmp_path: Path) -> None:
    """Replies without a verdict are asked anew by each resume, all other rows never."""
    source, output = write_qa(tmp_path / "in.csv", 20), tmp_path / "out.csv"
    with child("openai_server", "--answer", "not sure") as vague:
        assert run_script(SCRIPT, *flags(source, output, vague)).code == 0
    assert set(column(output, "unknown_reason")) == {"unparsed"}
    with child("openai_server") as server:
        settled = run_script(SCRIPT, *flags(source, output, server), "--resume")
        assert settled.code == 0, settled.err
    assert set(column(output, "is_hallucinated")) <= {"yes", "no"}
    assert [run["asked"] for run in record(output)["runs"]] == [20, 20]


def test_two_runs_on_one_output_are_refused(tmp_path: Path) -> None:
    """The second run stops at once and says why; the first is not disturbed."""
    source, output = write_qa(tmp_path / "in.csv", 60), tmp_path / "out.csv"
    with child("openai_server") as server:
        server.hold()
        first = start_script(SCRIPT, *flags(source, output, server))
        server.until_held(IN_FLIGHT)
        second = run_script(SCRIPT, *flags(source, output, server))
        assert second.code == 2
        assert "another run is writing" in second.err
        server.release()
        assert ended(first).code == 0
    assert len(column(output, "is_hallucinated")) == 60


def test_fresh_asks_again_and_keeps_no_old_reply(tmp_path: Path) -> None:
    """--fresh --overwrite pays for every row anew; without --fresh the store answers."""
    source, output = write_qa(tmp_path / "in.csv", 12), tmp_path / "out.csv"
    with child("openai_server", "--answer", "yes") as server:
        run_script(SCRIPT, *flags(source, output, server))
    journal = tmp_path / "journal.jsonl"
    with child("openai_server", "--answer", "no", journal=journal) as server:
        run_script(SCRIPT, *flags(source, output, server), "--overwrite", "--fresh")
        assert set(column(output, "is_hallucinated")) == {"no"}
        run_script(SCRIPT, *flags(source, output, server), "--overwrite")
        assert set(column(output, "is_hallucinated")) == {"no"}
        assert asked(server).total() == 12
