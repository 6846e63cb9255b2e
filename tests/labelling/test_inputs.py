"""Files as people have them: of any spreadsheet, with any column names, or not fetched yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from banglahallueval.io.paths import short
from banglahallueval.io.tables import Table, writing
from banglahallueval.labelling.commands import Preset, label
from banglahallueval.tasks import TASKS, TRACKS, TaskName, Track
from tests.in_process import ended, run_script
from tests.labelling.conftest import Call
from tests.scripting import ROOT
from tests.scripts.rows import column, record

CONTEXT, ASKED = "তিনি ১৮৬১ সালে জন্মগ্রহণ করেন।", "তিনি কবে জন্মগ্রহণ করেন?"


@pytest.mark.parametrize(
    "lines",
    [
        ["context;question;hallucinated_answer", f"{CONTEXT};{ASKED};১৮৬২, বা পরে"],
        ["sep=;", "context;question;hallucinated_answer", f"{CONTEXT};{ASKED};১৮৬২, বা পরে"],
        ["context\tquestion\thallucinated_answer\t\t", f"{CONTEXT}\t{ASKED}\t১৮৬২, বা পরে\t\t"],
    ],
)
def test_files_of_other_spreadsheets_are_labelled(tmp_path: Path, lines: list[str]) -> None:
    """The delimiter is named on the screen, and the output is an ordinary CSV."""
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n", encoding="utf-8-sig")
    words = ["--task", "qa", "--input", "in.csv", "--output", "out.csv"]
    done = run_script("scripts/label.py", *words, cwd=tmp_path)
    assert done.code == 0, done.err
    assert "Note: in.csv: its delimiter is the " in done.out
    assert Table(tmp_path / "out.csv").columns[:4] == (
        *("context", "question", "hallucinated_answer"),
        "is_hallucinated",
    )
    assert column(tmp_path / "out.csv", "hallucinated_answer") == ["১৮৬২, বা পরে"]
    again = run_script("scripts/label.py", *words, "--resume", cwd=tmp_path)
    assert "is complete" in again.out


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("answer, final", '"answer, final"'),
        ("a=b", "a=b"),
        ('the "model" says', 'the "model" says'),
        ('"quoted", it is', '"""quoted"", it is"'),
        ("  spaces at its ends ", '"  spaces at its ends "'),
        ("দুই\nলাইন", '"দুই\nলাইন"'),
        ("উত্তর; শেষ", "উত্তর; শেষ"),
        ("", '""'),
    ],
)
def test_a_column_of_any_name_can_be_judged(
    call: Call, tmp_path: Path, name: str, written: str
) -> None:
    """Names with commas could once not be given, and those with spaces at their ends neither."""
    with writing(tmp_path / "in.csv", ("context", "question", name)) as writer:
        writer.writerow([CONTEXT, ASKED, "১৮৬২ সালে"])
    done = call("--columns", f" answer = {written} ,context=context")
    assert done.code == 0, done.err
    assert record(tmp_path / "out.csv")["columns"]["answer"] == name
    assert column(tmp_path / "out.csv", "is_hallucinated") == ["yes"]


@pytest.mark.parametrize(
    "text", ["answer", "answer=", "answer=a,", 'answer="a', 'answer="a"b', "=a"]
)
def test_what_names_no_column_is_told_how_to(call: Call, text: str) -> None:
    done = call("--columns", text)
    assert done.code == 2
    assert "is not ROLE=NAME; quote a name that holds a comma" in done.err


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("track", TRACKS)
def test_a_benchmark_file_that_is_absent_is_told_with_its_command(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    task: TaskName,
    track: Track,
) -> None:
    """Who named it with --input once read only that there is no such file."""
    monkeypatch.chdir(tmp_path)
    words = ["--task", task, "--input", TASKS[task].files[track], "--output", "out.csv"]
    done = ended(capsys, lambda: label(Preset(""), words))
    assert done.code == 2
    assert f"`python scripts/fetch_datasets.py {task}` obtains it" in done.err
    assert f'sample "{short(ROOT / TASKS[task].samples[track])}"' in done.err
    assert done.err.count("\n") == 1


def test_another_file_that_is_absent_is_no_benchmark_file(call: Call) -> None:
    assert call("--input", "mine.csv").err == "error: no file mine.csv\n"
