"""Annotators' files, whatever program saved them."""

from __future__ import annotations

from pathlib import Path

import pytest

from banglahallueval.annotation.arguments import NamedFile
from banglahallueval.annotation.labels import SheetItems, read_labels
from banglahallueval.annotation.report import problem_lines
from banglahallueval.errors import UsageError

HEADER = "blind_id,is_hallucinated,unsure,note,annotator,study,sheet"


def write(path: Path, *lines: str, header: str = HEADER) -> NamedFile:
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return NamedFile("", path)


def test_excels_bom_and_line_ends(tmp_path: Path) -> None:
    """A file saved by Excel, with BOM, CRLF and an empty last line, reads like any other."""
    path = tmp_path / "asha.csv"
    text = f"\ufeff{HEADER}\r\nqa-001,Yes,,,asha,p,s\r\nqa-002,NO,,,asha,p,s\r\n,,,,,,\r\n"
    path.write_bytes(text.encode())
    labels = read_labels([NamedFile("", path)])["qa"]
    assert labels.answers == {"asha": {"is_hallucinated": {"qa-001": "yes", "qa-002": "no"}}}
    assert labels.problems == []


def test_bangla_answers_and_digits(tmp_path: Path) -> None:
    """হ্যাঁ, না and Bengali digits are answers, and so is a spreadsheet's 4.0."""
    header = "blind_id,meaning_preserved,naturalness_1to5,annotator"
    lines = ("conversion-001,হ্যাঁ,৫,a", "conversion-002,না,4.0,a")
    found = read_labels([write(tmp_path / "a.csv", *lines, header=header)])["conversion"]
    assert found.answers["a"]["meaning_preserved"] == {
        "conversion-001": "yes",
        "conversion-002": "no",
    }
    assert found.answers["a"]["naturalness_1to5"] == {"conversion-001": "5", "conversion-002": "4"}


@pytest.mark.parametrize(
    ("cell", "answer"),
    [
        *((cell, "yes") for cell in ("TRUE", "True", "1", "1.0", "Y", "yes ", "১", "হ্যাঁ", "Yes")),
        *((cell, "no") for cell in ("FALSE", "0", "0.0", "n", "N", "০", "না", "NO")),
    ],
)
def test_what_spreadsheets_make_of_an_answer_is_read(
    tmp_path: Path, cell: str, answer: str
) -> None:
    """TRUE, 1 and n were once invalid, and the screen did not say why."""
    labels = read_labels([write(tmp_path / "a.csv", f"qa-001,{cell},,,asha,,")])["qa"]
    assert labels.answers["asha"]["is_hallucinated"] == {"qa-001": answer}
    assert labels.problems == []


def test_what_is_invalid_is_shown_with_what_is_valid(tmp_path: Path) -> None:
    labels = read_labels([write(tmp_path / "a.csv", "qa-001,maybe,,,asha,,")])["qa"]
    lines = "\n".join(problem_lines(labels))
    assert "qa: asha: 1 invalid: qa-001 'maybe'" in lines
    assert "valid answers are is_hallucinated: yes no" in lines


@pytest.mark.parametrize("delimiter", [";", "\t"])
@pytest.mark.parametrize("names_it", [True, False])
def test_a_spreadsheets_own_separator_is_read(
    tmp_path: Path, delimiter: str, names_it: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Excel saves semicolons where commas are decimal signs; empty columns at the end go, too."""
    lines = [f"{HEADER},,,", 'qa-001,Yes,,"খ, গ",asha,p,s,,,', "qa-002,NO,,,asha,p,s"]
    text = "\n".join(lines).replace(",", delimiter).replace(f"খ{delimiter}", "খ,") + "\n"
    path = tmp_path / "asha.csv"
    path.write_text((f"sep={delimiter}\n" if names_it else "") + text, encoding="utf-8-sig")
    labels = read_labels([NamedFile("", path)])["qa"]
    assert labels.answers == {"asha": {"is_hallucinated": {"qa-001": "yes", "qa-002": "no"}}}
    assert labels.notes == {"asha": {"qa-001": "খ, গ"}}
    assert "3 empty columns at its end are left out" in capsys.readouterr().out


def test_missing_and_invalid_labels_are_listed(tmp_path: Path) -> None:
    """Blank, SKIP, words that are no answer and rows that are not there, by annotator and item."""
    path = write(
        tmp_path / "a.csv",
        "qa-001,,,,asha,,",
        "qa-002,maybe,,,asha,,",
        "qa-003,SKIP,,,asha,,",
        "qa-004,yes,,,asha,,",
    )
    wanted = [f"qa-00{n}" for n in range(1, 6)]
    labels = read_labels([path], {"qa": SheetItems(wanted)})["qa"]
    assert {(p.blind_id, p.problem, p.value) for p in labels.problems} == {
        ("qa-001", "missing", ""),
        ("qa-002", "invalid", "maybe"),
        ("qa-003", "missing", "SKIP"),
        ("qa-005", "missing", ""),
    }


def test_who_the_annotator_is(tmp_path: Path) -> None:
    """NAME=PATH beats the column, and the column beats the file's name."""
    named = write(tmp_path / "x.csv", "qa-001,yes,,,asha,,")
    plain = write(tmp_path / "bithi.csv", "qa-001,yes", header="blind_id,is_hallucinated")
    assert read_labels([NamedFile("mitu", named.path), plain])["qa"].annotators == ["mitu", "bithi"]
    assert read_labels([named])["qa"].annotators == ["asha"]


def test_one_file_may_hold_several_annotators(tmp_path: Path) -> None:
    """Label Studio exports everybody into one file, its choices under our names."""
    path = write(
        tmp_path / "export.csv",
        "1,qa-001,yes,yes,a@example.org",
        "2,qa-001,no,,b@example.org",
        header="annotation_id,blind_id,is_hallucinated,unsure,annotator",
    )
    labels = read_labels([path])["qa"]
    assert labels.annotators == ["a@example.org", "b@example.org"]
    assert labels.unsure["a@example.org"] == {"qa-001"}
    assert labels.answers_to("is_hallucinated", "qa-001") == ["yes", "no"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["qa-001,yes,,,asha,,s1", "qa-002,yes,,,asha,,s2"], "different sheets"),
        (["qa-001,yes,,,asha,,", "qa-001,no,,,asha,,"], "qa-001 is labelled twice"),
        (["qa-009,yes,,,asha,,"], "no item 'qa-009'"),
        (["riddle-001,yes,,,asha,,"], "'riddle-001' is not a blind id"),
    ],
)
def test_files_that_cannot_be_joined_are_refused(
    tmp_path: Path, lines: list[str], message: str
) -> None:
    """Labels of another sheet, doubled or unknown items end in one clear line."""
    path = write(tmp_path / "a.csv", *lines)
    with pytest.raises(UsageError, match=message):
        read_labels([path], {"qa": SheetItems(["qa-001", "qa-002"])})


def test_the_same_annotator_twice_is_refused(tmp_path: Path) -> None:
    """Two files of one annotator and form would count one person twice."""
    paths = [write(tmp_path / f"{n}.csv", "qa-001,yes,,,asha,,") for n in (1, 2)]
    with pytest.raises(UsageError, match="labels of asha for qa already"):
        read_labels(paths)


def test_a_file_without_labels_is_refused(tmp_path: Path) -> None:
    """A file without blind ids or without the form's label column is named."""
    with pytest.raises(UsageError, match="no column blind_id"):
        read_labels([write(tmp_path / "a.csv", "1", header="id")])
    with pytest.raises(UsageError, match="no column is_hallucinated"):
        read_labels([write(tmp_path / "b.csv", "qa-001", header="blind_id")])


def test_seconds_are_read_where_there_are_any(tmp_path: Path) -> None:
    """A decimal comma of a spreadsheet is one; files without the column count as before."""
    header = HEADER + ",seconds"
    lines = ("qa-001,yes,,,asha,p,s,12.5", 'qa-002,no,,,asha,p,s,"3,5"', "qa-003,no,,,asha,p,s,")
    old = write(tmp_path / "b.csv", "qa-001,yes,,,bithi,p,s")
    labels = read_labels([write(tmp_path / "a.csv", *lines, header=header), old])["qa"]
    assert labels.seconds == {"asha": {"qa-001": 12.5, "qa-002": 3.5}, "bithi": {}}


@pytest.mark.parametrize("cell", ["soon", "-1", "nan", "inf", "1e308"])
def test_seconds_that_are_none_are_refused(tmp_path: Path, cell: str) -> None:
    file = write(tmp_path / "a.csv", f"qa-001,yes,,,a,p,s,{cell}", header=HEADER + ",seconds")
    with pytest.raises(UsageError, match=r"qa-001: .* is no number of seconds"):
        read_labels([file])
