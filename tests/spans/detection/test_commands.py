"""detect_spans.py: flags, outputs and slices."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from banglahallueval.io.tables import Table, writing
from banglahallueval.spans.detection.commands import detect_main
from banglahallueval.spans.detection.run import OUTPUT_COLUMNS
from tests.in_process import ended
from tests.models.classifiers import random_classifier
from tests.scripting import ROOT, Finished
from tests.scripts.rows import column, record
from tests.spans.making import sample, write_gold

GOLD = ROOT / "Spans" / "samples" / "bangla_gold.csv"

Call = Callable[..., Finished]


@pytest.fixture
def call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Call:
    """Calls detect_spans.py in the test's folder, on the gold samples, its output `out.csv`."""
    monkeypatch.chdir(tmp_path)
    always = ["--data", str(GOLD), "--output", "out.csv"]
    return lambda *argv: ended(capsys, lambda: detect_main("Detect.", [*always, *map(str, argv)]))


def test_slices_make_the_whole(call: Call, tmp_path: Path) -> None:
    """A pilot is added to: the same bytes as in one go, and nothing is examined twice."""
    assert call("--limit", 5).code == 0
    assert len(column(tmp_path / "out.csv", "id")) == 5
    assert call("--resume").code == 0
    assert [run["answers"] for run in record(tmp_path / "out.csv")["runs"]] == [5, 75]
    assert call("--output", "whole.csv").code == 0
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_finished_output_is_left_alone(call: Call, tmp_path: Path) -> None:
    assert call("--limit", 5).code == 0
    before = (tmp_path / "out.csv").read_bytes()
    refused = call()
    assert refused.code == 2
    assert "is there already; --resume adds to it, --overwrite replaces it" in refused.err
    done = call("--limit", 5, "--resume")
    assert (done.code, "nothing left to ask" in done.out) == (0, True)
    assert (tmp_path / "out.csv").read_bytes() == before
    assert call("--limit", 3, "--overwrite").code == 0
    assert len(column(tmp_path / "out.csv", "id")) == 3


def test_answers_without_a_result_are_counted(call: Call, tmp_path: Path) -> None:
    done = call("--detector", "arithmetic")
    assert done.code == 0
    counts = record(tmp_path / "out.csv")["detections"]
    reason = "no calculation that can be checked"
    assert counts["failures"][reason] > 60
    assert counts["answers"] == 80
    assert f"without a result: {counts['failures'][reason]} {reason}" in done.out


def test_what_was_changed_since_is_not_added_to(call: Call, tmp_path: Path) -> None:
    assert call("--limit", 5).code == 0
    path = tmp_path / "out.csv"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    done = call("--resume")
    assert done.code == 2
    assert "was changed since out.csv.run.json was written" in done.err
    Path("out.csv.run.json").unlink()
    assert "has no record of a detection run beside it" in call("--resume").err


def test_a_table_of_other_columns_is_not_added_to(call: Call, tmp_path: Path) -> None:
    write_gold(tmp_path / "out.csv", [sample("a")])
    (tmp_path / "out.csv.run.json").write_text(
        json.dumps({"format": 1, "kind": "labels"}), encoding="utf-8"
    )
    done = call("--resume")
    assert done.code == 2
    assert "has no record of a detection run" in done.err


def test_the_answers_of_another_file_are_not_added_to(call: Call, tmp_path: Path) -> None:
    assert call("--limit", 5).code == 0
    other = write_gold(tmp_path / "other.csv", [sample("a")])
    done = call("--data", other, "--resume")
    assert done.code == 2
    assert "5 rows of out.csv are not in other.csv" in done.err


def test_an_output_among_its_data_is_refused(call: Call, tmp_path: Path) -> None:
    """It would be read as data of the next run."""
    (tmp_path / "data").mkdir()
    write_gold(tmp_path / "data" / "in.csv", [sample("a")])
    assert "would be read as data of" in call("--data", tmp_path, "--output", "data/o.csv").err
    inside = call("--data", "data/in.csv", "--output", "data/in.csv", "--overwrite")
    assert "is the input itself" in inside.err
    assert "name a .csv file" in call("--output", "out.txt").err
    assert call("--data", tmp_path, "--output", "other/o.csv").code == 0


def test_two_equal_answers_are_two_rows(call: Call, tmp_path: Path) -> None:
    twice = write_gold(tmp_path / "twice.csv", [sample("a"), sample("a")])
    assert call("--data", twice, "--output", "t.csv", "--limit", 1).code == 0
    assert call("--data", twice, "--output", "t.csv", "--resume").code == 0
    assert column(tmp_path / "t.csv", "id") == ["a", "a"]


def test_what_is_noticed_in_the_data_is_said(call: Call, tmp_path: Path) -> None:
    with writing(tmp_path / "p.csv", ["id", "llm_answer", "annotated_span", "labels"]) as rows:
        rows.writerow(["a", "ঢাকা", "[HAL]ঢাকা[/HAL]", "[[0, 2]]"])
    done = call("--data", "p.csv", "--output", "t.csv")
    assert done.code == 0
    assert "Note: annotated_span marks other characters than labels: 1 rows" in done.out
    assert Table(tmp_path / "t.csv").columns == OUTPUT_COLUMNS


@pytest.mark.parametrize(
    "flags", [["--detector", "encoder"], ["--detector", "claims", "--judge", "encoder"]]
)
def test_spans_of_another_template_are_not_mixed(
    call: Call, tmp_path: Path, flags: list[str]
) -> None:
    """Fault: --resume examined the rest with texts given in another way."""
    pytest.importorskip("torch")
    flags = [*flags, "--model", random_classifier(tmp_path / "model"), "--device", "cpu"]
    assert call(*flags, "--limit", 2, "--template", "question").code == 0
    before = (tmp_path / "out.csv").read_bytes()
    for template in ([], ["--template", "request"]):
        done = call(*flags, *template, "--resume")
        assert done.code == 2
        assert "was made with the template question, this run has" in done.err
    assert (tmp_path / "out.csv").read_bytes() == before
    assert call(*flags, "--template", "question", "--limit", 3, "--resume").code == 0


def test_a_folder_without_a_model_is_told(call: Call, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    done = call("--detector", "encoder", "--model", tmp_path, "--device", "cpu")
    assert done.code == 2
    assert "there is no model in this folder" in done.err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--model", "m"], "--detector offline makes no use of --model"),
        (["--detector", "evidence", "--store", "x"], "makes no use of --store"),
        (["--detector", "llm", "--model", "m", "--num-ctx", "9"], "makes no use of --num-ctx"),
        (["--detector", "llm", "--judge", "openai"], "makes no use of --judge"),
        (["--detector", "llm"], "--detector llm needs --model NAME"),
        (["--detector", "nli", "--model", "m", "--template", "question"], "no use of --template"),
        (["--detector", "nli", "--model", "m", "--rpm-limit", "9"], "no use of --rpm-limit"),
        (["--detector", "encoder"], "--detector encoder needs --model NAME"),
        (["--detector", "claims", "--judge", "nli"], "--judge nli needs --model NAME"),
        (["--detector", "claims", "--model", "m"], "makes no use of --model"),
        (["--detector", "uncertainty", "--timeout", "9"], "makes no use of --timeout"),
        (["--split", "test"], "has no column 'split'"),
        (["--format", "psiloqa"], "which the format psiloqa needs"),
        (["--limit", "0"], "is not a whole number from 1"),
    ],
)
def test_flags_that_do_not_fit_are_refused(
    call: Call, tmp_path: Path, words: list[str], problem: str
) -> None:
    done = call(*words)
    assert done.code == 2
    assert problem in done.err
    assert not (tmp_path / "out.csv").exists()
