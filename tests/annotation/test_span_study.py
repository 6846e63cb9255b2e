"""A study with marks: drawn, read, measured, adjudicated, and written as spans."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from banglahallueval.annotation import commands
from banglahallueval.annotation.study import read_study
from banglahallueval.io.span_columns import SPAN_COLUMNS
from banglahallueval.io.tables import read_frame
from tests.annotation.calling import QA, Call, assert_refused
from tests.annotation.using_page import Open, column, exported, marked, press, select

NAMES = ("asha", "bithi", "mitu")


@pytest.fixture(scope="module")
def drawn_spans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of nine QA items that asks for marks."""
    folder = tmp_path_factory.mktemp("spans") / "pilot"
    options = ("--annotators", ",".join(NAMES), "--spans", *QA)
    assert commands.draw_sample("Doc.", ["--output-dir", str(folder), *options]) == 0
    return folder


def label(folder: Path, study: Path, cells: dict[str, dict[str, str]]) -> list[Path]:
    """Label files: yes with the spans given, `no` where they are `[]`, else no."""
    sheet = read_frame(study / "lead" / "sheets" / "qa.csv")
    digest = read_study(study).digests["qa"]
    paths = []
    for name, given in cells.items():
        spans = [given.get(item, "[]") for item in sheet["blind_id"]]
        frame = pd.DataFrame(
            {
                "blind_id": sheet["blind_id"],
                "is_hallucinated": ["no" if cell == "[]" else "yes" for cell in spans],
                "spans": spans,
                "annotator": name,
                "sheet": digest,
            }
        )
        paths.append(folder / f"{name}.csv")
        frame.to_csv(paths[-1], index=False)
    return paths


def test_a_draw_asks_for_marks_only_if_told(drawn_spans: Path, study: Path) -> None:
    """Without the flag a manifest and a study are what they were; items and digests are alike."""
    plain = json.loads((study / "lead" / "manifest.json").read_text(encoding="utf-8"))
    asking = json.loads((drawn_spans / "lead" / "manifest.json").read_text(encoding="utf-8"))
    assert "spans" not in plain["forms"]["qa"]
    assert asking["forms"]["qa"].pop("spans") is True
    assert asking["forms"] == plain["forms"]
    assert read_study(study).items()["qa"].texts is None
    texts = read_study(drawn_spans).items()["qa"].texts
    sheet = read_frame(drawn_spans / "lead" / "sheets" / "qa.csv")
    assert texts == dict(zip(sheet["blind_id"], sheet["answer"], strict=True))


def test_a_form_of_several_texts_is_drawn_without_marks(call: Call) -> None:
    options = ("--samples", "--fill", "--several-per-source", "--forms", "qa", "conversion")
    sizes = ("--qa", 2, 1, "--conversion", 2)
    done = call(commands.draw_sample, "--output-dir", "s", *options, *sizes, "--spans")
    assert done.code == 0, done.err
    assert "conversion: has no single text to mark" in done.out
    assert read_study(Path("s")).marked == {"qa"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--forms", "conversion"], "--spans: conversion has no single text to mark"),
        (["--format", "csv"], "--spans: nothing can be marked in --format csv"),
        (["--format", "html", "label-studio"], "nothing can be marked in --format label-studio"),
    ],
)
def test_draws_that_cannot_be_marked_are_refused(
    call: Call, options: list[str], message: str
) -> None:
    done = call(commands.draw_sample, "--output-dir", "s", "--samples", "--spans", *options)
    assert_refused(done, message)
    assert not Path("s").exists()


@pytest.mark.parametrize(
    ("cell", "label_cell", "message"),
    [
        ("[[0,9999]]", "yes", "the span [0, 9999] ends outside the text"),
        ("[[3,1]]", "yes", "the span [3, 1] holds no character"),
        ("[[0,2],[1,3]]", "yes", "the span [1, 3] overlaps the one before it"),
        ("ঢাকা", "yes", "is no JSON list such as"),
        ("[[0,1]]", "no", "is_hallucinated is no, but spans [[0,1]] are marked"),
        ("[]", "yes", "is_hallucinated is yes, but spans is []"),
    ],
)
def test_bad_spans_are_refused_with_file_and_row(
    call: Call, tmp_path: Path, drawn_spans: Path, cell: str, label_cell: str, message: str
) -> None:
    files = label(tmp_path, drawn_spans, {"asha": {}, "bithi": {}})
    frame = read_frame(files[1])
    frame.loc[3, ["is_hallucinated", "spans"]] = [label_cell, cell]
    frame.to_csv(files[1], index=False)
    for command in (commands.agree, commands.adjudicate):
        done = call(command, *files, "--study", drawn_spans, "--output-dir", "out")
        assert_refused(done, message)
        assert f"{files[1]}, qa-004: " in done.err
    assert not Path("out").exists()


def test_label_files_without_spans_are_read(call: Call, tmp_path: Path, drawn_spans: Path) -> None:
    """Files of earlier versions have no such column: what they label yes is not marked."""
    files = label(tmp_path, drawn_spans, {"asha": {"qa-001": "[[0,2]]"}, "bithi": {}})
    read_frame(files[1]).assign(is_hallucinated="yes").drop(columns="spans").to_csv(
        files[1], index=False
    )
    done = call(commands.agree, *files, "--study", drawn_spans, "--output-dir", "out")
    assert done.code == 0, done.err
    assert "qa: bithi: 9 labelled yes without a mark: qa-001, qa-002" in done.out
    (row,) = read_frame(Path("out/qa_spans.csv")).to_dict("records")
    assert (row["judged"], row["yes_without_mark"], row["iou"]) == ("0", "9", "")


def test_marks_without_their_texts_are_left_out_and_told(
    call: Call, tmp_path: Path, drawn_spans: Path
) -> None:
    files = label(tmp_path, drawn_spans, {"asha": {"qa-001": "[[0,2]]"}, "bithi": {}})
    done = call(commands.agree, *files, "--output-dir", "out")
    assert done.code == 0, done.err
    assert "qa: spans are left out; give --study" in done.out
    assert not Path("out/qa_spans.csv").exists()


def test_agreement_on_marks_is_printed_and_written(
    call: Call, tmp_path: Path, drawn_spans: Path
) -> None:
    """Two of three mark [0, 4) and [0, 2), the third no; all else is no: (1/6 + 8) / 9."""
    cells = {"asha": {"qa-002": "[[0,4]]"}, "bithi": {"qa-002": "[[0,2]]"}, "mitu": {}}
    files = label(tmp_path, drawn_spans, cells)
    done = call(commands.agree, *files, "--study", drawn_spans, "--output-dir", "out")
    assert done.code == 0, done.err
    assert "qa: agreement of 3 annotators on marked characters" in done.out
    assert "Krippendorff's alpha for unitizing" in done.out
    (row,) = read_frame(Path("out/qa_spans.csv")).to_dict("records")
    assert (row["judged"], row["yes_without_mark"]) == ("9", "0")
    assert float(row["iou"]) == pytest.approx((1 / 6 + 8) / 9)
    assert -1 < float(row["alpha_u"]) < 1
    pairs = read_frame(Path("out/qa_span_pairs.csv"))
    assert pairs["iou"].map(float).tolist() == pytest.approx([8.5 / 9, 8 / 9, 8 / 9])
    assert pairs["shared_characters"].tolist() == ["2", "0", "0"]
    annotators = read_frame(Path("out/qa_span_annotators.csv"))
    assert annotators["iou_union"].map(float).tolist()[0] == pytest.approx(8.5 / 9)
    assert annotators["iou_intersection"].map(float).tolist()[2] == pytest.approx(8 / 9)
    item = read_frame(Path("out/qa_span_items.csv")).to_dict("records")[1]
    assert [item[name] for name in NAMES] == ["[[0,4]]", "[[0,2]]", "[]"]
    assert item["majority"] == "[[0,2]]"


def test_marks_become_gold_and_rows_of_the_span_csv(
    call: Call, tmp_path: Path, drawn_spans: Path
) -> None:
    """Split labels and unlike marks are adjudicated; what is settled is written as spans."""
    cells = {
        "asha": {"qa-001": "[[0,2]]", "qa-002": "[[0,2]]", "qa-003": "[[0,2]]"},
        "bithi": {"qa-001": "[[0,1]]", "qa-002": "[[2,3]]"},
    }
    files = label(tmp_path, drawn_spans, cells)
    args = (*files, "--study", drawn_spans, "--output-dir", "out", "--spans-output", "spans.csv")
    done = call(commands.adjudicate, *args, "--show-votes")
    assert done.code == 0, done.err
    assert "spans.csv: 9 items, spans of 2 undecided" in done.out
    assert "qa: 2 of 9 items to decide" in done.out
    page = Path("out/qa_adjudicator.html").read_text(encoding="utf-8")
    assert '"marked": "answer"' in page
    sheet = read_frame(drawn_spans / "lead" / "sheets" / "qa.csv")
    assert f"1: yes [{sheet['answer'].tolist()[1][:2]}]" in page
    rows = read_frame(Path("spans.csv"))
    assert tuple(rows.columns) == SPAN_COLUMNS
    assert rows["id"].tolist()[0] == "pilot-qa-001"
    assert rows["answer"].tolist() == sheet["answer"].tolist()
    assert rows["evidence"].tolist() == sheet["context"].tolist()
    assert rows["question"].tolist() == sheet["question"].tolist()
    assert set(rows["language"]) == {"bn"}
    assert rows["spans"].tolist()[:4] == ["[[0,1]]", "", "", "[]"]
    assert rows["soft"].tolist()[:4] == ["[[0,1,1.0],[1,2,0.5]]", "", "", ""]
    assert rows["rule"].tolist()[:4] == ["majority", "undecided", "label undecided", "unanimous"]
    assert len(set(rows["source"])) == len(set(sheet["context"]))

    Path("rina.csv").write_text(
        'blind_id,is_hallucinated,spans\nqa-002,yes,"[[1,3]]"\nqa-003,yes,\n', encoding="utf-8"
    )
    done = call(commands.adjudicate, *args, "--adjudicated", "rina.csv")
    assert done.code == 1
    assert "1 labels are undecided" in done.err
    gold = read_frame(Path("out/qa_gold.csv"))
    assert gold["spans"].tolist()[:4] == ["[[0,1]]", "[[1,3]]", "", "[]"]
    assert gold["spans_by"].tolist()[:4] == ["majority", "adjudicated", "undecided", "unanimous"]
    assert column(Path("spans.csv"), "rule") == gold["spans_by"].tolist()


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("asha.csv", "--spans-output asha.csv is the input itself"),
        ("spans.txt", "name a .csv file"),
        ("folder.csv", "folder.csv"),
        ("", "name a .csv file"),
    ],
)
def test_a_span_file_that_cannot_be_written_is_refused(
    call: Call, tmp_path: Path, drawn_spans: Path, path: str, message: str
) -> None:
    label(tmp_path, drawn_spans, {"asha": {}, "bithi": {}})
    (tmp_path / "folder.csv").mkdir()
    args = ("asha.csv", "bithi.csv", "--study", drawn_spans, "--output-dir", "out")
    done = call(commands.adjudicate, *args, "--spans-output", path)
    assert done.code in {1, 2}
    assert message in done.err.splitlines()[-1]
    assert "Traceback" not in done.err


def test_a_study_without_marks_has_no_spans_to_write(call: Call, study: Path) -> None:
    args = ("asha.csv", "bithi.csv", "--study", study, "--output-dir", "out")
    done = call(commands.adjudicate, *args, "--spans-output", "spans.csv")
    assert_refused(done, "--spans-output: these labels hold no marks; draw the study with --spans")


def test_from_the_page_to_the_span_csv(
    call: Call, open_page: Open, tmp_path: Path, drawn_spans: Path
) -> None:
    """What two people mark in the browser is what the span CSV says of the text they saw."""
    pages = [drawn_spans / "annotators" / name / "qa.html" for name in NAMES[:2]]
    files = []
    page = open_page(pages[0])
    page.on("dialog", lambda dialog: dialog.accept())
    for path in pages:
        page.goto(path.as_uri())
        press(page, *["n", "ArrowRight"] * 9, "y")
        assert page.inner_text("#place") == "Item 9 of 9"
        select(page, 0, 3)
        page.click("#mark")
        words = marked(page)
        files.append(exported(page, tmp_path))
    args = (*files, "--study", drawn_spans, "--output-dir", "out", "--spans-output", "spans.csv")
    assert call(commands.agree, *files, "--study", drawn_spans, "--output-dir", "a").code == 0
    (row,) = read_frame(Path("a/qa_spans.csv")).to_dict("records")
    assert (float(row["iou"]), float(row["alpha_u"])) == (1, 1)
    done = call(commands.adjudicate, *args)
    assert "qa: 0 of 9 items to decide" in done.out
    last = read_frame(Path("spans.csv")).iloc[8]
    ((start, end),) = json.loads(last["spans"])
    assert words == [last["answer"][start:end]]
