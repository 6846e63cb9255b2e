"""Wrong draws: one line that names the fault, exit status 2, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from banglahallueval.annotation import commands, study_writer
from banglahallueval.annotation.study import read_study
from tests.annotation.calling import QA, TOO_LONG, Call, assert_refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seed", "-1"], "argument --seed: '-1' is not a whole number from 0"),
        (["--seed", "x"], "--seed: 'x' is not a whole number from 0"),
        (["--seed", "1.5"], "--seed: '1.5' is not a whole number"),
        (["--qa", "-1", "5"], "--qa: '-1' is not a whole number from 0"),
        (["--qa", "x", "5"], "--qa: 'x' is not a whole number"),
        (["--qa", "0", "0"], "every size is 0"),
        (["--conversion", "3"], "conversion is not among --forms"),
        (["--annotators", ""], "--annotators ''"),
        (["--annotators", "a,"], "--annotators ''"),
        (["--annotators", "../x"], "--annotators '../x'"),
        (["--annotators", "a\nb"], "--annotators 'a\\nb'"),
        (["--annotators", TOO_LONG], "at most 60 letters"),
        (["--annotators", "a,a"], "two names are the same"),
        (["--annotators", "asha,Asha"], "two names are the same"),
        (["--annotators", "রি\u09df\u09be,রি\u09af\u09bc\u09be"], "two names are the same"),
        (["--study", ""], "--study ''"),
        (["--study", "a/b"], "--study 'a/b'"),
        (["--forms", "riddles"], "--forms: invalid choice"),
        (["--format", "pdf"], "--format: invalid choice"),
        (["--main", "qa"], "give TASK=CSV"),
        (["--main", "qa="], "give TASK=CSV"),
        (["--main", "riddles=x.csv"], "give TASK=CSV"),
        (["--main", "qa=nowhere.csv"], "no file nowhere.csv"),
        (["--main", "qa=file/x.csv"], "no file file/x.csv"),
        (["--main", "qa=folder"], "folder is a folder"),
        (["--main", f"qa={TOO_LONG}"], "File name too long"),
        (["--main", "qa=empty.csv"], "empty.csv is empty"),
        (["--main", "qa=bytes.csv"], "not UTF-8"),
        (["--main", "qa=other.csv"], "has no column"),
        (["--main", "qa=other.csv", "--main", "qa=other.csv"], "gives two files for qa"),
        (["--candidates", "qa=nowhere.csv"], "no file nowhere.csv"),
        (["--candidates", "reasoning=other.csv"], "no form in --forms draws from it"),
        (["--answers", "other.csv"], "model_outputs is not among --forms"),
    ],
)
def test_wrong_draws_are_refused(
    call: Call, tmp_path: Path, options: list[str], message: str
) -> None:
    """Sizes, seeds, names and inputs of `draw_sample.py`."""
    done = call(commands.draw_sample, "--output-dir", tmp_path / "s", *QA, *options)
    assert_refused(done, message)
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "needs --answers"),
        (["--answers", ""], "blank"),
        (["--answers", "gemma="], "no file gemma="),
        (["--answers", "nowhere.csv"], "no file nowhere.csv"),
        (["--answers", "gemma=folder"], "folder is a folder"),
        (["--answers", "gemma=other.csv"], "no column question"),
    ],
)
def test_wrong_answers_are_refused(
    call: Call, tmp_path: Path, options: list[str], message: str
) -> None:
    """Files of models' answers."""
    folder = tmp_path / "s"
    done = call(commands.draw_sample, "--output-dir", folder, "--forms", "model_outputs", *options)
    assert_refused(done, message)
    assert not folder.exists()


def test_a_folder_that_cannot_name_a_study_is_refused(call: Call) -> None:
    """Without --study the folder's name is the study's, and must be part of file names."""
    done = call(commands.draw_sample, "--output-dir", "my study!", *QA)
    assert_refused(done, "--study 'my study!'")
    assert not Path("my study!").exists()


def test_rows_that_cannot_be_labelled_are_no_sample(call: Call, tmp_path: Path) -> None:
    """Where every row is left out, the line says why."""
    header = "context,question,correct_answer,hallucinated_answer,pattern\n"
    (tmp_path / "blank.csv").write_text(header + "ক,খ,,,\n", encoding="utf-8")
    (tmp_path / "main.csv").write_text("context,question,correct_answer\n", encoding="utf-8")
    files = ("--main", "qa=main.csv", "--candidates", "qa=blank.csv")
    done = call(commands.draw_sample, "--output-dir", "s", *QA, *files)
    assert_refused(done, "qa: no item can be drawn: 1 rows left out: a text is blank")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fill", "--several-per-source"], "conversion: no item can be drawn: 12 rows left out"),
        (["--qa", "0", "0", "--fill"], "qa: every size is 0"),
        (["--forms", "reasoning", "qa"], "qa: no item can be drawn: among 12 gold rows and 4"),
    ],
)
def test_a_form_without_items_is_an_error_that_says_why(
    call: Call, tmp_path: Path, options: list[str], message: str
) -> None:
    """Fault: of 40 candidates none was drawn, the study had an empty form, and the status was 0."""
    rows = ["context,question,hallucinated_answer,pattern"]
    rows += [f"প্রসঙ্গ {n},প্রশ্ন,{'দীর্ঘ উত্তর ' * 20},p{n}" for n in range(4)]
    (tmp_path / "few.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    few = () if "--fill" in options else ("--candidates", "qa=few.csv", "--reasoning", "5", "1")
    done = call(commands.draw_sample, "--output-dir", "s", "--samples", *few, *options)
    assert_refused(done, message)
    assert not (tmp_path / "s").exists()


def test_foreign_files_are_not_overwritten(call: Call, tmp_path: Path) -> None:
    """A folder `lead` of something else is neither mixed with a study nor deleted for one."""
    notes = tmp_path / "s" / "lead" / "notes.txt"
    notes.parent.mkdir(parents=True)
    notes.write_text("x", encoding="utf-8")
    for options in ([], ["--overwrite"]):
        done = call(commands.draw_sample, "--output-dir", "s", *QA, *options)
        assert_refused(done, "belongs to no study")
    assert notes.exists()


def test_a_draw_that_fails_keeps_the_study_it_would_replace(
    call: Call, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --overwrite the old study goes when the new one is whole, not before."""
    before = {path: path.read_bytes() for path in study.rglob("*.*")}

    def no_space(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(study_writer, "_write_spreadsheet", no_space)
    options = ("--format", "csv", "--overwrite", "--seed", "1", *QA)
    done = call(commands.draw_sample, "--output-dir", study, *options)
    assert_refused(done, "No space left on device")
    assert {path: path.read_bytes() for path in study.rglob("*.*")} == before


def test_overwriting_leaves_nothing_of_the_old_study(call: Call, study: Path) -> None:
    """Forms and annotators of the old study are gone."""
    options = ("--annotators", "mitu", "--overwrite", *QA)
    assert call(commands.draw_sample, "--output-dir", study, *options).code == 0
    assert [path.name for path in (study / "annotators").iterdir()] == ["mitu"]
    assert sorted(path.name for path in study.iterdir()) == ["annotators", "lead"]


def test_bangla_names_with_joiners_are_names(call: Call, tmp_path: Path) -> None:
    """Names may hold the zero-width joiners of Bangla spelling."""
    names = "রিয়া,র‍্যান্ডি,Ana Maria"
    options = ("--annotators", names, "--study", "পাইলট ১", *QA)
    done = call(commands.draw_sample, "--output-dir", tmp_path / "s", *options)
    assert done.code == 0, done.err
    assert {path.name for path in (tmp_path / "s" / "annotators").iterdir()} == {*names.split(",")}
    assert read_study(tmp_path / "s").name == "পাইলট ১"
