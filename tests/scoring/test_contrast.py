"""Contrast sets: the figures on tables small enough to count, and through the scripts."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import parse_assignment
from banglahallueval.labelling.combine_command import combine_main
from banglahallueval.scoring.clustered import Clusters
from banglahallueval.scoring.commands import score
from banglahallueval.scoring.contrast import contrast_results, score_contrast, style_gap
from banglahallueval.scoring.estimate_command import estimate
from banglahallueval.scoring.report_command import report
from tests.in_process import run_script
from tests.scoring.test_report import make_rows
from tests.scripting import ROOT
from tests.servers.openai_server import OpenAIServer

STYLES = ("short", "framed")


def make_frame(sources: int = 10, **columns: str) -> pd.DataFrame:
    """Two right and two wrong outputs of each source, one in each style, none labelled yet."""
    return pd.DataFrame(
        {
            "id": f"s{source}-{number}",
            "context": f"নদী নম্বর {source} পদ্মা।",
            "question": "নদীর নাম কী?",
            "model_answer": f"{'পদ্মা' if expected == 'no' else 'যমুনা'} {style} {source}",
            "expected": expected,
            "kind": "right" if expected == "no" else ("date" if style == "short" else "number"),
            "style": style,
            "source_id": f"s{source}",
            "split": "fit" if source % 2 else "measure",
            **columns,
        }
        for source in range(sources)
        for number, (expected, style) in enumerate((e, s) for e in ("no", "yes") for s in STYLES)
    )


def with_labels(frame: pd.DataFrame) -> pd.DataFrame:
    """Call everything framed hallucinated, and of what is short the dates of sources 0 to 3."""
    found = frame["kind"].eq("date") & frame["source_id"].isin(["s0", "s1", "s2", "s3"])
    yes = frame["style"].eq("framed") | found
    return frame.assign(is_hallucinated=yes.map({True: "yes", False: "no"}))


def write(frame: pd.DataFrame, path: Path) -> Path:
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """The labels of a judge that goes by style, in a file that its name tells."""
    return write(with_labels(make_frame()), tmp_path / "qa_contrast_styled.csv")


def rows_of(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows as they are scored."""
    return frame.assign(
        label=frame["is_hallucinated"], source=frame["source_id"], task="qa", system="a", prompt=""
    )


def scored(
    *arguments: object, capsys: pytest.CaptureFixture[str]
) -> dict[str, list[dict[str, object]]]:
    """The rows of every table, by its name."""
    score("doc", [*map(str, arguments), "--format", "json"])
    made = json.loads(capsys.readouterr().out)
    return {name: table["rows"] for name, table in made.items()}


def test_figures_are_those_counted_by_hand() -> None:
    """10 of 20 right outputs alarm, all framed; 14 of 20 wrong ones are found."""
    found = score_contrast(rows_of(with_labels(make_frame())))
    assert found.sources == 10
    assert (found.false_alarms.value, found.false_alarms.rows) == (0.5, 20)
    assert (found.detection.value, found.detection.rows) == (0.7, 20)
    assert found.bhs.value == pytest.approx(40)
    assert found.bhs.low < 32.5
    assert found.bhs.high > 47.5
    assert {name: (m.value, m.rows) for name, m in found.by_style.items()} == {
        "short": (0, 10),
        "framed": (1, 10),
    }
    assert {name: (m.value, m.rows) for name, m in found.by_kind.items()} == {
        "date": (0.4, 10),
        "number": (1, 10),
    }
    assert found.by_kind["date"].method == "Wilson"
    assert found.unknown.value == 0


def test_chance_is_50_whatever_a_judge_always_says() -> None:
    for label in ("yes", "no", "unknown"):
        found = score_contrast(rows_of(make_frame(is_hallucinated=label)))
        assert found.bhs.value == 50
        assert found.style_gap.gap.value == 0
        assert found.style_gap.by_chance == 0
        assert (found.style_gap.least, found.style_gap.most) == ("", "")
        assert found.unknown.value == (label == "unknown")


def test_unknown_is_a_miss_on_wrong_and_no_alarm_on_right_outputs() -> None:
    frame = with_labels(make_frame())
    frame.loc[frame["style"].eq("framed"), "is_hallucinated"] = "unknown"
    found = score_contrast(rows_of(frame))
    assert found.false_alarms.value == 0
    assert found.detection.value == 0.2
    assert found.unknown.value == 0.5


def test_intervals_go_by_sources() -> None:
    """With each row five times there are no more sources, so no interval gets narrower."""
    frame = rows_of(make_frame(is_hallucinated="no"))
    frame["label"] = np.where(frame["source"].isin(["s1", "s2", "s3"]), "yes", "no")
    once, often = score_contrast(frame), score_contrast(pd.concat([frame] * 5))
    assert (once.bhs.low, once.bhs.high) == pytest.approx((often.bhs.low, often.bhs.high))


def test_style_gap_names_its_styles_and_what_chance_gives() -> None:
    rows = rows_of(with_labels(make_frame()))
    right = rows[rows["expected"].eq("no")]
    found = style_gap(right, Clusters(rows["source"]))
    assert (found.gap.value, found.least, found.most) == (1, "short", "framed")
    assert found.gap.low < 0.8
    assert found.gap.high == 1
    # One of each source's two right outputs alarms: a coin for each of ten sources.
    assert 0.1 < found.by_chance < 0.4


def test_style_gap_has_a_width_and_needs_outputs() -> None:
    """Alarms on half of the framed ones: the gap is one half, and its interval around it.

    With t = 2.262 at 9 degrees of freedom, Wilson's interval of 5 in 10 reaches 0.2909 from one
    half, and that of none in 10 to 0.3385: 0.5 - √(0.2909² + 0.3385²), and 0.5 + 0.2909.
    """
    rows = rows_of(with_labels(make_frame()))
    rows.loc[rows["source"].isin([f"s{n}" for n in range(5)]), "label"] = "no"
    right = rows[rows["expected"].eq("no")]
    found = style_gap(right, Clusters(rows["source"])).gap
    assert found.value == 0.5
    assert (found.low, found.high) == pytest.approx((0.0537, 0.7909), abs=1e-4)
    few = right[right["style"].ne("short") | right["source"].isin(["s1", "s2", "s3", "s4"])]
    assert style_gap(few, Clusters(few["source"])).most == ""


def test_splits_are_scored_apart_and_together() -> None:
    frame = with_labels(make_frame())
    found = {each.split: each.scores for each in contrast_results(rows_of(frame))}
    assert list(found) == ["measure", "fit", "both"]
    assert [each.sources for each in found.values()] == [5, 5, 10]
    assert found["measure"].by_kind["date"].value == 0.4
    unsplit = contrast_results(rows_of(frame.assign(split="no split")))
    assert [each.split for each in unsplit] == ["no split"]


def test_score_reads_a_contrast_set_alone(
    labelled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its columns say what it is, its name whose labels; the headline is the measured half."""
    made = scored(labelled, capsys=capsys)
    assert list(made) == [
        *("contrast", "contrast_splits", "contrast_by_style", "contrast_by_kind"),
        "contrast_files",
    ]
    (row,) = made["contrast"]
    assert (row["task"], row["judge"], row["split"], row["chance"]) == (
        "qa",
        "styled",
        "measure",
        50,
    )
    assert (row["sources"], row["right"], row["wrong"]) == (5, 10, 10)
    assert row["bhs"] == pytest.approx(40)
    assert (row["fewest_alarms"], row["most_alarms"], row["style_gap"]) == ("short", "framed", 1)
    assert [each["split"] for each in made["contrast_splits"]] == ["fit", "both"]
    framed, short = made["contrast_by_style"]
    assert (framed["style"], framed["measure"], framed["measure_n"], framed["both_n"]) == (
        *("framed", 1, 5),
        10,
    )
    assert (short["style"], short["fit"]) == ("short", 0)
    assert {row["kind"]: row["both"] for row in made["contrast_by_kind"]} == {
        "date": 0.4,
        "number": 1,
    }


def test_contrast_rows_are_never_mixed_with_tracks(
    tmp_path: Path, labelled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one folder with files of a track, whose figures and ranks stay what they were."""
    tracks = tmp_path / "tracks"
    tracks.mkdir()
    make_rows(tracks)
    alone = scored(tracks, "--against", "published", capsys=capsys)
    together = scored(tmp_path, "--against", "published", capsys=capsys)
    assert {name: rows for name, rows in together.items() if "contrast" not in name} == alone
    assert [row["judge"] for row in together["contrast"]] == ["styled"]
    # A track that flags name for all files is not that of a contrast set.
    assert "contrast" in scored(labelled, "--track", "main", capsys=capsys)


def test_every_form_is_written(
    labelled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    forms = "markdown,csv,json,latex"
    assert score("doc", [str(labelled), "--wide", "--output", str(out), "--format", forms]) == 0
    assert "style gap by chance" in capsys.readouterr().out
    with (out / "contrast_by_style.csv").open(encoding="utf-8", newline="") as file:
        assert [row["measure"] for row in csv.DictReader(file)] == ["1.0", "0.0"]
    assert json.loads((out / "scores.json").read_text(encoding="utf-8"))["contrast"]["rows"]
    assert "## Contrast sets" in (out / "scores.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("split", [None, ""])
def test_a_set_of_ones_own_needs_no_splits_nor_source_ids(
    tmp_path: Path, split: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without ids, rows with the same evidence belong together."""
    frame = with_labels(make_frame()).drop(columns=["source_id", "split", "id"])
    if split is not None:
        frame = frame.assign(split=split)
    made = scored(write(frame, tmp_path / "qa_styled.csv"), capsys=capsys)
    (row,) = made["contrast"]
    assert (row["split"], row["sources"], row["bhs"]) == ("no split", 10, pytest.approx(40))
    assert "contrast_splits" not in made
    assert made["contrast_by_style"][0]["no_split_n"] == 10


def test_all_tasks_are_told_by_their_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The columns of the committed sets, without a run record and with a name of no task."""
    for task, folder in (("summarization", "Summarization"), ("reasoning", "Reasoning")):
        path = ROOT / folder / "Contrast set" / f"{task}_contrast.csv"
        frame = pd.read_csv(path, dtype=str, nrows=24).assign(is_hallucinated="no")
        made = scored(write(frame, tmp_path / "mine.csv"), capsys=capsys)
        assert made["contrast_files"][0]["task"] == task


@pytest.mark.parametrize(
    ("column", "cell", "why"),
    [
        ("expected", "maybe", "expected 'maybe' is neither yes nor no"),
        ("expected", "yes", "expected yes, but kind 'right' does not say what is wrong"),
        ("kind", "date", "expected no, but kind 'date' says that something is wrong"),
        ("style", " ", "its style is blank"),
        ("split", "test", "split 'test' is neither fit nor measure"),
        ("split", "", "split '' is neither fit nor measure"),
        ("split", "measure", "source_id 's1' is in both splits"),
        ("is_hallucinated", "perhaps", "perhaps"),
    ],
)
def test_wrong_cells_are_one_line_that_names_the_row(
    tmp_path: Path, column: str, cell: str, why: str
) -> None:
    frame = with_labels(make_frame())
    frame.loc[5, column] = cell
    path = write(frame, tmp_path / "qa_contrast_styled.csv")
    with pytest.raises(UsageError) as told:
        score("doc", [str(path)])
    assert f"{path}, row 5 (0-based)" in str(told.value)
    assert why in str(told.value)
    assert "\n" not in str(told.value)


def test_a_wrong_set_leaves_the_others_scored(
    tmp_path: Path, labelled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = with_labels(make_frame()).assign(expected="maybe")
    write(frame, tmp_path / "qa_contrast_other.csv")
    assert score("doc", ["--wide", str(tmp_path)]) == 1
    captured = capsys.readouterr()
    assert "| styled" in captured.out
    assert captured.err.startswith("left out: ")
    assert len(captured.err.splitlines()) == 1
    assert labelled.exists()


def test_one_judges_labels_of_the_same_rows_are_told(
    tmp_path: Path, labelled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twice the same rows are left out; two sets of one task are scored as one, and noted."""
    again = tmp_path / "again"
    again.mkdir()
    copy = write(with_labels(make_frame()), again / labelled.name)
    with pytest.raises(UsageError, match="all hold styled's labels of the same rows"):
        score("doc", [str(labelled), str(copy)])
    other = with_labels(make_frame())
    other["model_answer"] += "।"
    write(other, copy)
    assert score("doc", ["--wide", str(labelled), str(copy)]) == 0
    assert f"styled, qa contrast sets: {labelled}, {copy} are scored" in capsys.readouterr().out


def test_a_track_assigned_to_a_contrast_set_is_refused(labelled: Path) -> None:
    with pytest.raises(UsageError, match="has no track, but --as says main") as told:
        score("doc", [str(labelled), "--as", f"{labelled}=qa:main:styled"])
    settled = str(told.value).rpartition("settle it with --as ")[2].strip('"')
    assert parse_assignment(settled)[1].track is None
    assert score("doc", [str(labelled), "--as", settled]) == 0


def test_commands_on_tracks_say_who_reads_contrast_sets(
    tmp_path: Path, labelled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match=r"score\.py and report\.py read such files"):
        estimate("doc", ["--outputs", str(labelled), "--benchmark", str(labelled)])
    assert "left out" not in capsys.readouterr().err
    hybrid = tmp_path / "hybrid.csv"
    arguments = [str(labelled), "--offline-first", "--output", str(hybrid)]
    assert combine_main("doc", arguments) == 0
    capsys.readouterr()
    (row,) = scored(hybrid, capsys=capsys)["contrast"]
    assert "hybrid" in str(row["judge"])


def test_the_report_has_a_section(tmp_path: Path, labelled: Path) -> None:
    """With files of a track and without; tables, the sentence, and no row among the tracks'."""
    tracks = tmp_path / "tracks"
    tracks.mkdir()
    make_rows(tracks)
    for inputs in ([labelled], [labelled, tracks]):
        page = tmp_path / "report.html"
        assert report("doc", [*map(str, inputs), "--output", str(page)]) == 0
        html = page.read_text(encoding="utf-8")
        assert ">Contrast sets</h2>" in html
        assert "styled on qa (measure): BHS 40.0 [" in html
        assert "fewest alarms in the style short" in html
        assert 'id="table-section-1-contrast_by_kind"' in html
        assert ('id="scores"' in html) == (tracks in inputs)


def test_the_committed_sets_go_through_the_scripts(tmp_path: Path) -> None:
    """Labelled by the offline judge, scored and reported as the README says."""
    labelled = tmp_path / "qa_contrast_offline.csv"
    data = ROOT / "QA" / "Contrast set" / "qa_contrast.csv"
    words = ("--task", "qa", "--input", data, "--output", labelled)
    assert run_script("scripts/label.py", *words).code == 0
    done = run_script("scripts/score.py", labelled, "--format", "json")
    assert done.code == 0, done.err
    measured, *_ = json.loads(done.out)["contrast"]["rows"]
    assert (measured["judge"], measured["split"]) == ("offline", "measure")
    assert (measured["right"], measured["wrong"]) == (132, 132)
    page = tmp_path / "report.html"
    assert run_script("scripts/report.py", labelled, "--output", page).code == 0
    assert "Run record of" in page.read_text(encoding="utf-8")


def test_every_kind_of_judge_is_scored(
    tmp_path: Path,
    openai_server: Callable[..., OpenAIServer],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Offline, a model, and a hybrid of the two: one row each."""
    url = openai_server().url
    data = write(make_frame(4), tmp_path / "mine.csv")
    results = tmp_path / "results"
    for judge in ("offline", "openai", "hybrid"):
        model = [] if judge == "offline" else ["--model", "m", "--base-url", url]
        words = ["--task", "qa", "--input", data, "--output", results / f"{judge}.csv"]
        done = run_script("scripts/label.py", *words, "--judge", judge, *model)
        assert done.code == 0, done.err
    rows = scored(results, capsys=capsys)["contrast"]
    assert sorted(str(row["judge"]) for row in rows) == ["hybrid m", "m", "offline"]
    assert all(row["right"] == row["wrong"] == 4 for row in rows)
