"""`--as` and `--assign`: what a user says of single files."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import (
    Assignment,
    Assignments,
    file_key,
    parse_assignment,
    read_assignments,
)


@pytest.mark.parametrize(
    ("text", "file", "expected"),
    [
        ("x.csv=qa:main:gpt", "x.csv", ("qa", "main", "gpt", None)),
        ("x.csv=qa:main:gpt:cot", "x.csv", ("qa", "main", "gpt", "cot")),
        ("x.csv=qa:main:gpt:qa.ecot", "x.csv", ("qa", "main", "gpt", "qa.ecot")),
        ("x.csv=QA:Main:gpt", "x.csv", ("qa", "main", "gpt", None)),
        # Ollama's names hold colons, drives and Bangla names anything.
        ("x.csv=qa:main:qwen2.5:32b", "x.csv", ("qa", "main", "qwen2.5:32b", None)),
        ("x.csv=qa:main:qwen2.5:32b:cot", "x.csv", ("qa", "main", "qwen2.5:32b", "cot")),
        (r"C:\a b\x.csv=codemix::gpt", r"C:\a b\x.csv", ("codemix", None, "gpt", None)),
        ("k=v/x.csv=::a=b", "k=v/x.csv", (None, None, "a=b", None)),
        ("বড়.csv=:candidates:", "বড়.csv", (None, "candidates", None, None)),
        ("x.csv=:::cot", "x.csv", (None, None, None, "cot")),
        ("x.csv=::cot", "x.csv", (None, None, "cot", None)),
    ],
)
def test_as_is_read_from_its_last_equals_sign(
    text: str, file: str, expected: tuple[str | None, ...]
) -> None:
    """What is left empty is left to the file, and a colon may be part of a judge's name."""
    name, found = parse_assignment(text)
    assert name == file
    assert (found.task, found.track, found.judge, found.prompt) == expected


@pytest.mark.parametrize(
    "text", ["x.csv", "x.csv=gpt", "x.csv=qa:main", "x.csv=qaa:main:g", "=qa:main:g", "x.csv=::"]
)
def test_what_is_no_assignment_is_refused(text: str) -> None:
    """A wrong one is told with the form it should have."""
    with pytest.raises(UsageError, match=r"FILE=TASK:TRACK:JUDGE\[:PROMPT\]"):
        parse_assignment(text)


def assigned(table: str, folder: Path) -> dict[str, Assignment]:
    path = folder / "assignments.csv"
    path.write_text(table, encoding="utf-8")
    return read_assignments([], path)[0]


def test_a_table_assigns_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are from the current folder, else from the table's, with either separator."""
    (tmp_path / "here" / "QA").mkdir(parents=True)
    (tmp_path / "here" / "QA" / "a.csv").touch()
    (tmp_path / "b.csv").touch()
    monkeypatch.chdir(tmp_path / "here")
    files = assigned(
        "file,task,track,judge,prompt,rows\nQA\\a.csv,qa,,gpt,cot,7\nb.csv,,main,,,\n", tmp_path
    )
    assert files == {
        file_key(tmp_path / "here" / "QA" / "a.csv"): Assignment(
            "qa", None, "gpt", "cot", "--assign"
        ),
        file_key(tmp_path / "b.csv"): Assignment(None, "main", None, None, "--assign"),
    }


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("path,task\na.csv,qa\n", "needs a column file"),
        ("file,label\na.csv,qa\n", "needs a column file and some of task"),
        ("file,task\na.csv,qaa\n", "row 1: 'qaa' is no task"),
        ("file,track\na.csv,gold\n", "row 1: 'gold' is no track"),
        ("file,task\n,qa\n", "row 1: names no file"),
        ("file,task\na.csv,qa\n./a.csv,codemix\n", r"row 2: \./a\.csv is assigned twice"),
    ],
)
def test_a_wrong_table_is_told_by_its_row(tmp_path: Path, table: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        assigned(table, tmp_path)


def test_as_holds_over_the_table(tmp_path: Path) -> None:
    """One line on the command corrects one of many; naming a file twice is a mistake."""
    path = tmp_path / "assignments.csv"
    path.write_text(f"file,judge\n{tmp_path / 'x.csv'},a\n", encoding="utf-8")
    text = f"{tmp_path / 'x.csv'}=::b"
    files, _ = read_assignments([text], path)
    assert [each.judge for each in files.values()] == ["b"]
    with pytest.raises(UsageError, match="assigned twice"):
        read_assignments([text, text], None)


def test_files_that_are_not_read_are_told(tmp_path: Path) -> None:
    """A path of `--as` that is not read is a slip; of a table for a whole clone it is expected."""
    files, named = read_assignments([f"{tmp_path / 'x.csv'}=::b"], None)
    with pytest.raises(UsageError, match=r"x\.csv: no such file is among those read"):
        Assignments(files=files, named=named).unused([tmp_path / "y.csv"])
    assert Assignments(files=files, named=named).unused([tmp_path / "x.csv"]) == 0
    assert Assignments(files=files).unused([]) == 1


def test_a_file_is_the_same_however_it_is_written(tmp_path: Path) -> None:
    """Relative or absolute, composed or decomposed Bangla letters, through a link or not."""
    name = "বড়.csv"
    forms = {unicodedata.normalize(form, name) for form in ("NFC", "NFD")} | {"ব\u09dc.csv"}
    assert len({file_key(tmp_path / form) for form in forms}) == 1
    (tmp_path / name).touch()
    (tmp_path / "link.csv").symlink_to(tmp_path / name)
    relative = Path(os.path.relpath(tmp_path / name))
    assert file_key(relative) == file_key(tmp_path / "link.csv") == file_key(tmp_path / name)
