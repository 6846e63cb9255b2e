"""Annotators' files, whatever program saved them."""

from __future__ import annotations

from pathlib import Path

import pytest

from banglahallueval.annotation.arguments import NamedFile
from banglahallueval.annotation.labels import SheetItems, read_labels
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
