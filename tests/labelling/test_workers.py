"""Labelling offline in several processes makes the very file that one process makes."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from banglahallueval.io.tables import Table, writing
from banglahallueval.runs import table_run
from tests.clock import GUARD
from tests.in_process import run_script
from tests.scripting import Finished, start_script
from tests.scripts.rows import column, write_qa

SCRIPT = "scripts/label.py"
ROWS = 300


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_qa(tmp_path_factory.mktemp("input") / "in.csv", ROWS)


@pytest.fixture(scope="module")
def whole(source: Path) -> bytes:
    output = source.with_name("whole.csv")
    assert label(source, output, "--workers", 1).code == 0
    return output.read_bytes()


@pytest.fixture
def _any_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes be used for however few rows."""
    monkeypatch.setattr(table_run, "LEAST_ROWS", 0)


def label(source: Path, output: Path, *more: object) -> Finished:
    words = ("--task", "qa", "--input", source, "--output", output, "--explain", "--quiet")
    return run_script(SCRIPT, *words, *more)


@pytest.mark.usefixtures("_any_rows")
def test_the_file_is_the_same_with_any_number(source: Path, whole: bytes, tmp_path: Path) -> None:
    for workers in (2, 3):
        output = tmp_path / f"{workers}.csv"
        assert label(source, output, "--workers", workers).code == 0
        assert output.read_bytes() == whole


@pytest.mark.usefixtures("_any_rows")
def test_slices_merge_with_kept_rows(source: Path, whole: bytes, tmp_path: Path) -> None:
    """Rows that are kept lie among those of the chunks that processes judge."""
    output = tmp_path / "out.csv"
    for start, end in ((100, 170), (20, 40), (0, ROWS)):
        words = ("--start", start, "--end", end, "--resume", "--workers", 2)
        assert label(source, output, *words).code == 0
    assert output.read_bytes() == whole


@pytest.mark.usefixtures("_any_rows")
def test_a_malformed_row_stops_the_run_before_any_process(source: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_bytes(source.read_bytes() + b"one,cell,too,few\n")
    done = label(bad, tmp_path / "out.csv", "--workers", 2)
    assert done.code == 2
    assert "bad.csv" in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.usefixtures("_any_rows")
def test_blank_rows_are_unknown_in_any_process(source: Path, tmp_path: Path) -> None:
    table = Table(source)
    with writing(tmp_path / "blank.csv", table.columns) as writer:
        for cells in table.rows():
            writer.writerow([*cells[:-1], "  "])
    output = tmp_path / "out.csv"
    assert label(tmp_path / "blank.csv", output, "--workers", 2).code == 0
    assert set(column(output, "is_hallucinated")) == {"unknown"}


def test_few_rows_start_no_process(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("banglahallueval.runs.processes.ProcessPoolExecutor", refuse)
    assert label(source, tmp_path / "out.csv", "--workers", 2).code == 0


def test_judges_that_ask_models_have_no_workers(source: Path, tmp_path: Path) -> None:
    words = ("--judge", "hybrid", "--model", "m", "--workers", 2)
    done = label(source, tmp_path / "out.csv", *words)
    assert done.code == 2
    assert "--judge hybrid makes no use of" in done.err
    assert "--workers" in done.err


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX signals")
@pytest.mark.parametrize("sign", ["SIGKILL", "SIGINT"])
def test_a_stopped_run_leaves_nothing_and_goes_on(sign: str, whole: bytes, tmp_path: Path) -> None:
    """No half file, no process; and the same command then makes the whole file."""
    source, output = write_qa(tmp_path / "in.csv", 2_100), tmp_path / "out.csv"
    words = ("--task", "qa", "--input", source, "--output", output, "--explain", "--resume")
    process = start_script(SCRIPT, *words, "--workers", 2)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stderr.read(1)  # the bar: rows are being judged
    process.send_signal(getattr(signal, sign))
    _, err = process.communicate(timeout=GUARD)  # ends when all that hold its output have ended
    assert process.returncode != 0
    assert "Traceback" not in err
    assert not output.exists()
    if sign == "SIGKILL":
        assert run_script(SCRIPT, *words, "--workers", 2, "--quiet").code == 0
        assert len(column(output, "is_hallucinated")) == 2_100
        assert output.read_bytes().startswith(whole)
