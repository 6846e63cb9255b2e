"""Candidates that generation flagged are left out of labels and scores, and told."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.labelling.commands import Preset, label
from banglahallueval.scoring.commands import score
from tests.in_process import ended
from tests.scripting import Finished

Run = Callable[..., Finished]
HEADER = "id,source_id,pattern,context,question,right_answer,hallucinated_answer,generator,checks"
CHECKS = ["ok", "too long", "same as gold", "", "ok", "no reply: timeout"]


@pytest.fixture
def candidates(tmp_path: Path) -> Path:
    """Six candidates, three of which fail a check."""
    path = tmp_path / "made.csv"
    rows = [
        f"{n}::factualness,{n},factualness,নদীর নাম পদ্মা {n}।,নাম কী?,পদ্মা,যমুনা {n},m,{checks}"
        for n, checks in enumerate(CHECKS)
    ]
    path.write_text("\n".join([HEADER, *rows, ""]), encoding="utf-8")
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)

    def call(*flags: object) -> Finished:
        argv = ["--task", "qa", "--input", "made.csv", "--output", "out.csv", *map(str, flags)]
        return ended(capsys, lambda: label(Preset("Label."), argv))

    return call


def ids(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row["source_id"] for row in csv.DictReader(file)]


def test_flagged_rows_are_left_out_and_counted(run: Run, candidates: Path, tmp_path: Path) -> None:
    """`ok` and unchecked rows are labelled; the others are told on one line and in the record."""
    done = run()
    assert done.code == 0, done.err
    assert ids(tmp_path / "out.csv") == ["0", "3", "4"]
    assert "3 rows left out: they fail a generation check" in done.out
    record = json.loads((tmp_path / "out.csv.run.json").read_text(encoding="utf-8"))
    assert record["flagged_left_out"] == 3


def test_resuming_does_not_bring_them_back(run: Run, candidates: Path, tmp_path: Path) -> None:
    """Slices and resumed runs leave the same rows out; `--keep-flagged` adds them in place."""
    assert run("--end", 2).code == 0
    assert ids(tmp_path / "out.csv") == ["0"]
    assert run("--resume").code == 0
    assert ids(tmp_path / "out.csv") == ["0", "3", "4"]
    assert run("--resume").code == 0
    assert ids(tmp_path / "out.csv") == ["0", "3", "4"]
    assert run("--resume", "--keep-flagged").code == 0
    assert ids(tmp_path / "out.csv") == ["0", "1", "2", "3", "4", "5"]


def test_a_column_of_that_name_alone_flags_nothing(
    run: Run, candidates: Path, tmp_path: Path
) -> None:
    """A user's own column `checks` is no generation run's."""
    text = candidates.read_text(encoding="utf-8").replace("generator", "by")
    candidates.write_text(text, encoding="utf-8")
    assert run().code == 0
    assert len(ids(tmp_path / "out.csv")) == 6


def test_scores_leave_them_out_unless_told_not_to(
    run: Run, candidates: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that was labelled with them is scored without them, with a note."""
    assert run("--keep-flagged").code == 0
    flags = ["out.csv", "--track", "candidates"]
    done = ended(capsys, lambda: score("Score.", flags))
    assert done.code == 0, done.err
    assert "3 rows left out: they fail a generation check" in " ".join(done.out.split())
    assert "qa    offline  0 + 3 " in done.out
    done = ended(capsys, lambda: score("Score.", [*flags, "--keep-flagged"]))
    assert "left out" not in done.out
    assert "qa    offline  0 + 6 " in done.out
