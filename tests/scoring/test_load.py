"""Labelled files, ours and published ones, become rows."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import Assignment, Assignments
from banglahallueval.io.records import write_record
from banglahallueval.scoring.load import load

CONTEXT = "ঢাকা বাংলাদেশের রাজধানী।"


def qa(path: Path, **columns: list[str] | None) -> Path:
    """Write a small labelled QA file; a column given as None is left out."""
    rows: dict[str, list[str] | None] = {
        "id": ["1", "1", ""],
        "context": [CONTEXT, CONTEXT, "নদীর নাম\nপদ্মা।"],
        "question": ["রাজধানী কী?", "রাজধানী কী?", "নদীর নাম কী?"],
        "correct_answer": ["ঢাকা", "ঢাকা", "পদ্মা"],
        "is_hallucinated": ["yes", "no", "unknown"],
    }
    frame = pd.DataFrame({k: v for k, v in (rows | columns).items() if v is not None})
    frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    "labels", [["yes", "no", "unknown"], ["Yes", "No", ""], [" YES ", "no", "Unknown"]]
)
@pytest.mark.parametrize(("encoding", "newline"), [("utf-8", "\n"), ("utf-8-sig", "\r\n")])
def test_published_forms_read_alike(
    tmp_path: Path, labels: list[str], encoding: str, newline: str
) -> None:
    """Yes/No/blank, BOM and CRLF, duplicate and blank ids: every row comes out with its label."""
    path = qa(tmp_path / "x.csv", is_hallucinated=labels)
    text = path.read_text(encoding="utf-8")
    path.write_bytes(text.replace("\n", newline).encode(encoding))
    found = load([path])
    assert list(found.rows["label"]) == ["yes", "no", "unknown"]
    assert list(found.rows["track"]) == ["main"] * 3
    # The two rows of one item share key and source whatever their ids.
    assert found.rows["key"].nunique() == found.rows["source"].nunique() == 2


def test_why_rows_are_unknown(tmp_path: Path) -> None:
    """Our reason is kept; a blank label and an unexplained unknown say what they are."""
    ours = qa(tmp_path / "a.csv", unknown_reason=["", "", "refused"])
    blank = qa(tmp_path / "b.csv", is_hallucinated=["Yes", "No", ""])
    bare = qa(tmp_path / "c.csv")
    reasons = [load([path]).rows["reason"].iloc[2] for path in (ours, blank, bare)]
    assert reasons == ["refused", "blank label", "not recorded"]


def test_main_and_candidates_of_one_text_are_one_source(tmp_path: Path) -> None:
    """Tracks share no ids, so the evidence ties a source's rows together."""
    main = qa(tmp_path / "qa_main_x.csv")
    other = qa(
        tmp_path / "qa_candidates_x.csv",
        id=["9::a", "8::b", "7::c"],
        correct_answer=None,
        hallucinated_answer=["ঢাকা", "ঢাকা", "পদ্মা"],
    )
    rows = load([main, other]).rows
    assert rows["source"].nunique() == 2
    assert rows["key"].nunique() == 4
    assert set(rows["system"]) == {"x"}


def test_the_run_record_says_what_a_file_is(tmp_path: Path) -> None:
    """Task, track, judge and prompt come from the record before columns and names."""
    path = qa(tmp_path / "qa_candidates_wrongname.csv", answer=["a", "b", "c"], correct_answer=None)
    record = {
        "format": 1,
        "task": "qa",
        "track": "main",
        "columns": {"answer": "answer"},
        "judge": {
            "kind": "llm",
            "name": "qwen",
            "model": {"name": "qwen2.5:32b"},
            "prompt": {"name": "qa.standard"},
        },
    }
    path.with_name(path.name + ".run.json").write_text(json.dumps(record), encoding="utf-8")
    (source,) = load([path]).files
    assert (source.task, source.track) == ("qa", "main")
    assert (source.judge, source.prompt) == ("qwen2.5:32b", "qa.standard")


def test_flags_beat_everything(tmp_path: Path) -> None:
    """What the caller names is what the file is."""
    path = qa(tmp_path / "qa_main_x.csv")
    (source,) = load([path], Assignments(Assignment(judge="mine", prompt="qa.cot"))).files
    assert (source.judge, source.prompt) == ("mine", "qa.cot")
    with pytest.raises(UsageError, match="is the main track"):
        load([path], Assignments(Assignment(track="candidates")))


def test_columns_name_several_judges_in_one_file(tmp_path: Path) -> None:
    """A judge column splits a file without a record by judge."""
    path = qa(tmp_path / "all.csv", judge=["a", "b", "b"])
    assert [(s.judge, s.rows) for s in load([path]).files] == [("a", 1), ("b", 2)]


def test_prompts_are_never_mixed(tmp_path: Path) -> None:
    """One judge with two prompts on a task is two judges in every table."""
    for prompt in ("qa.standard", "qa.cot"):
        qa(tmp_path / f"{prompt}.csv", judge=["m"] * 3, prompt=[prompt] * 3)
    assert set(load([tmp_path]).rows["system"]) == {"m (standard)", "m (cot)"}


def test_the_same_labels_twice_are_refused(tmp_path: Path) -> None:
    """Fault: a file and its copy would count each row twice and narrow the intervals."""
    qa(tmp_path / "qa_main_x.csv")
    (tmp_path / "copy").mkdir()
    qa(tmp_path / "copy" / "qa_main_x.csv")
    with pytest.raises(UsageError, match="same rows"):
        load([tmp_path])


def test_folders_skip_what_is_not_labelled(tmp_path: Path) -> None:
    """Inputs that lie beside outputs are no labelled files, unless named."""
    qa(tmp_path / "qa_main_x.csv")
    unlabelled = qa(tmp_path / "input.csv", is_hallucinated=None)
    assert len(load([tmp_path]).files) == 1
    with pytest.raises(UsageError, match="not a labelled file"):
        load([unlabelled])
    empty = tmp_path / "header.csv"
    empty.write_text("id,context,question,correct_answer,is_hallucinated\n", encoding="utf-8")
    with pytest.raises(UsageError, match="has no rows"):
        load([empty])
    with pytest.raises(UsageError, match="no labelled CSV"):
        load([tmp_path / "nothing*.csv"])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"is_hallucinated": ["yes", "maybe", "no"]}, r"row 1 \(0-based\): 'maybe'"),
        ({"p_hallucinated": ["0.1", "", "1.5"]}, r"row 2 \(0-based\): p_hallucinated '1.5'"),
        ({"p_hallucinated": ["0.1", "nan", "1"]}, r"row 1 \(0-based\): p_hallucinated 'nan'"),
    ],
)
def test_what_is_no_label_or_probability_is_named(
    tmp_path: Path, columns: dict[str, list[str]], message: str
) -> None:
    """A wrong cell is an error with its file and row."""
    with pytest.raises(UsageError, match=message):
        load([qa(tmp_path / "x.csv", **columns)])


def test_absent_probability_is_absent(tmp_path: Path) -> None:
    """A blank p_hallucinated is no 0."""
    rows = load([qa(tmp_path / "x.csv", p_hallucinated=["0.5", "", ""])]).rows
    assert rows["p"].isna().tolist() == [False, True, True]


def test_own_outputs_need_no_track(tmp_path: Path) -> None:
    """Outputs of unknown truth load only where that is asked for."""
    path = qa(tmp_path / "mine.csv", answer=["a", "b", "c"], correct_answer=None)
    with pytest.raises(UsageError, match="tell no track"):
        load([path])
    assert load([path], own_outputs=True).files[0].track is None


def test_a_file_appended_to_twice_is_noted(tmp_path: Path) -> None:
    """Fault: published scripts run again without resume wrote every row a second time."""
    path = qa(tmp_path / "qa_main_x.csv", question=["ক", "খ", "গ"])
    assert load([path]).notes == ()
    lines = path.read_text(encoding="utf-8")
    path.write_text(lines + lines.partition("\n")[2], encoding="utf-8")
    (note,) = load([path]).notes
    assert "3 of 6 rows repeat" in note


def test_rows_that_repeat_in_the_input_are_not_noted(tmp_path: Path) -> None:
    """Fault: outputs of the samples, which repeat rows as the benchmark does, drew suspicion."""
    path = qa(tmp_path / "qa_main_x.csv")
    assert load([path]).notes
    write_record(path, {"task": "qa", "track": "main"})
    assert load([path]).notes == ()
