"""Unfit studies, sheets, labels and decisions: one line, exit status 2, nothing written."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from banglahallueval.annotation import commands
from banglahallueval.io.tables import read_frame
from tests.annotation.calling import QA, TOO_LONG, Call, Command, assert_refused

NOT_UTF8 = os.fsdecode(b"\xff\xfe")


@pytest.mark.parametrize(
    ("folder", "message"),
    [
        ("", "--output-dir is blank"),
        ("file", "file is a file"),
        ("file/x", "Not a directory"),
        (TOO_LONG, "File name too long"),
        ("/dev/null", "/dev/null is a file"),
    ],
)
@pytest.mark.parametrize("command", [commands.draw_sample, commands.agree, commands.adjudicate])
def test_folders_that_cannot_be_written_are_refused(
    call: Call, study: Path, command: Command, folder: str, message: str
) -> None:
    """The output folder is checked before anything is read or written."""
    args: dict[Command, tuple[object, ...]] = {
        commands.draw_sample: QA,
        commands.agree: ("asha.csv", "bithi.csv"),
        commands.adjudicate: ("asha.csv", "bithi.csv", "--study", study),
    }
    assert_refused(call(command, "--output-dir", folder, *args[command]), message)


SHEET, KEY = "pilot/lead/sheets/qa.csv", "pilot/lead/keys/qa.csv"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "give a study's folder"),
        (["nowhere"], "nowhere holds no study"),
        (["file"], "file holds no study"),
        (["folder"], "folder holds no study"),
        (["pilot", "--seed", "-1"], "--seed: '-1' is not a whole number from 0"),
        (["pilot", "--sheet", SHEET, "--key", KEY], "give a study's folder, or"),
        (["--sheet", SHEET], "--sheet and --key for each sheet"),
        (["--sheet", "nowhere", "--key", KEY], "no file nowhere"),
        (["--sheet", "", "--key", KEY], "blank"),
        (["--sheet", "folder", "--key", KEY], "folder is a folder"),
        (["--sheet", SHEET, "--key", "folder"], "folder is a folder"),
        (["--sheet", KEY, "--key", KEY], "is not a sheet"),
        (["--sheet", "twice.csv", "--key", KEY], "holds 'qa-001' twice"),
        (["--sheet", SHEET, "--key", "twice.csv"], "holds 'qa-001' twice"),
        (["--sheet", SHEET, "--key", "other.csv"], "is not a key"),
        (["--sheet", SHEET, "--key", "empty.csv"], "empty.csv is empty"),
        (["--sheet", SHEET, "--key", "bytes.csv"], "not UTF-8"),
        (["--sheet", SHEET, "--key", "short.csv"], "has no 'qa-002'"),
    ],
)
@pytest.mark.usefixtures("study")
def test_wrong_sheets_and_keys_are_refused(
    call: Call, tmp_path: Path, args: list[str], message: str
) -> None:
    """Studies, sheets and keys of `check_blinding.py`."""
    (tmp_path / "short.csv").write_text("blind_id,track\nqa-001,main\n", encoding="utf-8")
    assert_refused(call(commands.check_blinding, *args), message)


def test_a_study_without_tracks_has_no_blinding_to_check(call: Call) -> None:
    """Conversion alone is said to mix no tracks."""
    options = ("--samples", "--forms", "conversion", "--conversion", "2")
    assert call(commands.draw_sample, "--output-dir", "c", *options).code == 0
    done = call(commands.check_blinding, "c")
    assert (done.code, done.out) == (
        0,
        "no form of the study mixes tracks; there is nothing to check\n",
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["asha.csv"], "labels of asha alone"),
        (["asha.csv", "asha.csv"], "labels of asha for qa already"),
        (["asha.csv", "nowhere.csv"], "no file nowhere.csv"),
        (["asha.csv", ""], "blank"),
        (["asha.csv", "folder"], "folder is a folder"),
        (["asha.csv", "empty.csv"], "empty.csv is empty"),
        (["asha.csv", "bytes.csv"], "not UTF-8"),
        (["asha.csv", "other.csv"], "no column is_hallucinated"),
        (["asha.csv", f"x={TOO_LONG}"], "File name too long"),
        (["asha.csv", "majority=bithi.csv"], "named 'majority', like a column"),
        (["asha.csv", "bithi.csv", "--study", "nowhere"], "nowhere holds no study"),
        (["asha.csv", "bithi.csv", "--study", "file"], "file holds no study"),
        (["asha.csv", "bithi.csv", "--judges", "asha.csv"], "--judges needs --study"),
        (["asha.csv", "bithi.csv", "--study", "pilot", "--judges", "x.csv"], "no labelled CSV"),
        (["asha.csv", "bithi.csv", "--study", "pilot", "--judges", ""], "--judges is blank"),
        (["asha.csv", "bithi.csv", "--study", "pilot", "--judges", "folder"], "no labelled CSV"),
        (["asha.csv", "bithi.csv", "--study", "pilot", "--judges", TOO_LONG], "too long"),
        (["asha.csv", "bithi.csv", "--study", "pilot", "--judges", "bytes.csv"], "not UTF-8"),
        (["asha.csv", "bithi.csv", "--study", "pilot", "--judges", "other.csv"], "labelled file"),
    ],
)
@pytest.mark.usefixtures("study")
def test_wrong_labels_and_judges_are_refused(
    call: Call, tmp_path: Path, args: list[str], message: str
) -> None:
    """Files and folders of `agreement.py`; a judge's file that cannot be read leaves nothing."""
    assert_refused(call(commands.agree, *args, "--output-dir", "out"), message)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("", "cannot read"),
        ("[", "cannot read"),
        ("[]", "is not a study's manifest"),
        ('{"study": "x", "forms": {"qa": 1}}', "is not a study's manifest"),
        ('{"study": "x", "forms": {}}', "the study has no form qa"),
        ('{"study": "x", "forms": {"reasoning": {"items": 1, "sheet": "x"}}}', "no file"),
    ],
)
def test_broken_manifests_are_refused(call: Call, study: Path, manifest: str, message: str) -> None:
    """A manifest cut short, or of another shape."""
    (study / "lead" / "manifest.json").write_text(manifest, encoding="utf-8")
    done = call(commands.agree, "asha.csv", "bithi.csv", "--study", study, "--output-dir", "out")
    assert_refused(done, message)


def test_broken_keys_and_sheets_are_refused(call: Call, study: Path, tmp_path: Path) -> None:
    """A key without its columns, and a sheet with other items than the key."""
    key, sheet = tmp_path / KEY, tmp_path / SHEET
    args = ("asha.csv", "bithi.csv", "--study", study, "--output-dir", "out")
    read_frame(sheet).iloc[1:].to_csv(sheet, index=False)
    assert_refused(call(commands.adjudicate, *args), "hold different items")
    key.write_text("blind_id\nqa-001\n", encoding="utf-8")
    assert_refused(call(commands.agree, *args), "is not the key of a study: it has no column task")


def test_labels_of_a_study_that_was_drawn_again_are_refused(call: Call, study: Path) -> None:
    """Blind ids of two draws are the same, so the sheet's digest decides.

    Regression: labels of the old sheet counted as labels of the new one.
    """
    options = ("--overwrite", "--seed", "1", *QA)
    assert call(commands.draw_sample, "--output-dir", study, *options).code == 0
    args = ("asha.csv", "bithi.csv", "--study", study, "--output-dir", "out")
    for command in (commands.agree, commands.adjudicate):
        assert_refused(call(command, *args), "drawn again after they were labelled")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--adjudicator", ""], "--adjudicator ''"),
        (["--adjudicator", "a/b"], "--adjudicator 'a/b'"),
        (["--adjudicator", TOO_LONG], "at most 60 letters"),
        (["--adjudicated", "nowhere.csv"], "no file nowhere.csv"),
        (["--adjudicated", "folder"], "folder is a folder"),
        (["--adjudicated", "bytes.csv"], "not UTF-8"),
        (["--adjudicated", "other.csv"], "no column is_hallucinated"),
        (["--adjudicated", "asha.csv", "bithi.csv"], "give one adjudicator's decisions"),
        (["--adjudicated", "asha.csv", "--show-votes"], "--show-votes is for pages"),
        (["--adjudicated", "asha.csv", "--include-unsure"], "--include-unsure is for pages"),
        (["--adjudicated", "asha.csv", "--adjudicator", "rina"], "--adjudicator is for pages"),
    ],
)
def test_wrong_adjudications_are_refused(
    call: Call, study: Path, args: list[str], message: str
) -> None:
    """Names and decisions of `adjudicate.py`."""
    options = ("--study", study, "--output-dir", "out")
    done = call(commands.adjudicate, "asha.csv", "bithi.csv", *options, *args)
    assert_refused(done, message)
    assert not Path("out").exists()


def test_invalid_decisions_are_reported(call: Call, study: Path, tmp_path: Path) -> None:
    """A decision that is no answer is named, and its label stays undecided."""
    labels = read_frame(tmp_path / "bithi.csv")
    labels.loc[0, "is_hallucinated"] = "no"
    labels.to_csv(tmp_path / "bithi.csv", index=False)
    (tmp_path / "rina.csv").write_text("blind_id,is_hallucinated\nqa-001,maybe\n", encoding="utf-8")
    options = ("--study", study, "--output-dir", "out", "--adjudicated", "rina.csv")
    done = call(commands.adjudicate, "asha.csv", "bithi.csv", *options)
    assert "qa: qa-001: 'maybe' is no answer to is_hallucinated" in done.out
    assert (done.code, "1 labels are undecided" in done.err) == (1, True)


@pytest.mark.parametrize("name", ["qa_pairs.csv", "qa_human_labels.csv"])
def test_no_table_is_written_over_a_labels_file(
    call: Call, study: Path, tmp_path: Path, name: str
) -> None:
    """An output folder that holds an input under an output's name is refused."""
    (tmp_path / "out").mkdir()
    path = Path(shutil.copy(tmp_path / "asha.csv", tmp_path / "out" / name))
    before = path.read_bytes()
    done = call(commands.agree, path, "bithi.csv", "--study", study, "--output-dir", "out")
    assert_refused(done, "would be overwritten")
    assert path.read_bytes() == before


def test_decisions_are_not_overwritten_by_the_gold_file(
    call: Call, study: Path, tmp_path: Path
) -> None:
    """The same holds for the gold file and the decisions."""
    (tmp_path / "out").mkdir()
    path = shutil.copy(tmp_path / "asha.csv", tmp_path / "out" / "qa_gold.csv")
    options = ("--study", study, "--output-dir", "out", "--adjudicated", path)
    done = call(commands.adjudicate, "asha.csv", "bithi.csv", *options)
    assert_refused(done, "would be overwritten")


def test_names_that_are_not_utf_8_are_escaped(call: Call, study: Path, tmp_path: Path) -> None:
    """Files may have names of any bytes; in keys, manifests and tables they become escapes."""
    sheet = read_frame(tmp_path / "asha.csv").drop(columns="annotator")
    sheet.to_csv(tmp_path / f"{NOT_UTF8}.csv", index=False)
    args = (f"{NOT_UTF8}.csv", "bithi.csv", "--study", study, "--output-dir", f"out{NOT_UTF8}")
    done = call(commands.agree, *args)
    assert done.code == 0, done.err
    items = read_frame(tmp_path / f"out{NOT_UTF8}" / "qa_is_hallucinated_items.csv")
    assert "\\xff\\xfe" in items.columns
    rows = "".join(f"প্রশ্ন {n},উত্তর {n},ক {n}\n" for n in range(3))
    answers = tmp_path / f"{NOT_UTF8}=b.csv"
    answers.write_text("question,correct_answer,model_answer\n" + rows, encoding="utf-8")
    options = ("--study", "s", "--forms", "model_outputs", "--model-outputs", "3")
    folder = tmp_path / f"s{NOT_UTF8}"
    done = call(
        commands.draw_sample, "--output-dir", folder, *options, "--answers", f"gold={answers}"
    )
    assert done.code == 0, done.err
    manifest = json.loads((folder / "lead" / "manifest.json").read_text(encoding="utf-8"))
    (record,) = manifest["forms"].values()
    assert [Path(path).name for path in record["inputs"]] == ["\\xff\\xfe=b.csv"]
    assert record["strata"] == {"gold": 3}


def test_items_without_a_majority_leave_nothing_to_compare(
    call: Call, study: Path, tmp_path: Path
) -> None:
    """Where annotators disagree on every item, the key is measured on none."""
    labels = read_frame(tmp_path / "bithi.csv").assign(is_hallucinated="no")
    labels.to_csv(tmp_path / "bithi.csv", index=False)
    done = call(commands.agree, "asha.csv", "bithi.csv", "--study", study, "--output-dir", "out")
    assert done.code == 0, done.err
    (row,) = read_frame(tmp_path / "out" / "qa_against_humans.csv").to_dict("records")
    assert (row["labels_of"], row["items"], row["accuracy"]) == ("the key", "0", "")


def test_other_humans_labels_are_not_the_truth(call: Call, study: Path, tmp_path: Path) -> None:
    """Human labels of an earlier run among the judges' files are named and left out."""
    args = ("asha.csv", "bithi.csv", "--study", study)
    assert call(commands.agree, *args, "--output-dir", "first").code == 0
    earlier = tmp_path / "first" / "qa_human_labels.csv"
    flipped = read_frame(earlier).assign(is_hallucinated="no")
    flipped.to_csv(earlier, index=False)
    done = call(commands.agree, *args, "--output-dir", "out", "--judges", "first")
    assert done.code == 0, done.err
    assert "first/qa_human_labels.csv: human labels, not a judge's; left out" in done.out
    written = read_frame(tmp_path / "out" / "qa_human_labels.csv")
    assert set(written["is_hallucinated"]) == {"yes"}
    against = read_frame(tmp_path / "out" / "qa_against_humans.csv")
    assert against["labels_of"].tolist() == ["the key"]
    assert float(against["accuracy"].iloc[0]) == pytest.approx(6 / 9)
