"""The files of an evaluation, its figure, and its section of the page of all results."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from PIL import Image

from banglahallueval.abstention.behaviour import behave
from banglahallueval.abstention.figure import curve_figure
from banglahallueval.abstention.findings import find
from banglahallueval.abstention.metrics import measure
from banglahallueval.abstention.report import summary_table, write_results
from banglahallueval.abstention.results import COLUMNS, cells_of
from banglahallueval.abstention.tables import summary
from banglahallueval.abstention.types import Trial
from banglahallueval.errors import UsageError
from banglahallueval.io.records import write_record
from banglahallueval.io.tables import read_frame, writing
from tests.abstention.trials import trials
from tests.in_process import run_script
from tests.scoring.test_report import make_rows

KNOWN = {0.5: "CCCCCWWWII", 0.75: "CCCCCWIIII", 0.9: "CCCCIIIIII"}
FILES = {"metrics.json", "behavior.json", "rc_curve.png", "report.md"}


def write_evaluation(folder: Path, made: list[Trial]) -> None:
    """Write a whole output folder, as a run does."""
    with writing(folder / "results.csv", COLUMNS) as file:
        for trial in made:
            file.writerow(cells_of(trial))
    write_record(folder / "results.csv", {"kind": "abstention", "model": {"name": "gemini-x"}})
    write_results(made, folder, "Abstention", {"model": "gemini-x"})


def figure_of(sweep: dict[float, str], title: str = "gemini-x") -> Figure:
    """The curve of a sweep."""
    made = trials(sweep)
    return curve_figure(behave(made, measure(made)), title)


def labels(figure: Figure) -> list[str]:
    """The labels of its points."""
    return [text.get_text() for text in figure.axes[0].texts if text.get_text()]


def test_every_file_is_written(tmp_path: Path) -> None:
    """Four files, and one of subjects where there are some; JSON is strict."""
    write_results(trials(KNOWN), tmp_path, "Abstention", {})
    assert {path.name for path in tmp_path.iterdir()} == FILES

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    metrics = json.loads((tmp_path / "metrics.json").read_text("utf-8"), parse_constant=refuse)
    assert list(metrics) == ["0.5", "0.75", "0.9"]
    assert metrics["0.5"]["coverage"] == 0.8
    behavior = json.loads((tmp_path / "behavior.json").read_text("utf-8"), parse_constant=refuse)
    assert behavior["thresholds"] == [0.5, 0.75, 0.9]


def test_subjects_have_a_table_of_their_own(tmp_path: Path) -> None:
    """One row per subject and threshold; a later run without subjects leaves none behind."""
    write_results(trials(KNOWN, subject="ভূগোল"), tmp_path, "Abstention", {})
    frame = read_frame(tmp_path / "subjects.csv")
    assert frame["subject"].to_list() == ["ভূগোল"] * 3
    assert frame["t"].to_list() == ["0.5", "0.75", "0.9"]
    assert frame["coverage"].to_list() == ["0.8", "0.6", "0.4"]
    write_results(trials(KNOWN), tmp_path, "Abstention", {})
    assert not (tmp_path / "subjects.csv").exists()


def test_few_sources_have_no_intervals(tmp_path: Path) -> None:
    """Four sources of a subject are too few, five are enough; the caption says so."""
    for source, has_interval in (("aabbccdd", False), ("aabbccde", True)):
        made = trials({0.5: "CCWIICCW"}, source=source, subject="ভূগোল")
        write_results(made, tmp_path, "Abstention", {})
        (row,) = read_frame(tmp_path / "subjects.csv").to_dict("records")
        assert (row["n"], row["sources"]) == ("8", str(len(set(source))))
        assert row["coverage"] == "0.75"
        for name in ("coverage", "accuracy", "mean_score"):
            assert bool(row[f"{name}_low"]) == has_interval
    assert "fewer than 5 sources" in (tmp_path / "report.md").read_text("utf-8")


def test_the_summary_shows_sources_where_questions_share_them() -> None:
    """As many sources as questions need no column."""
    alone = summary(find(trials({0.5: "CCWI"})).metrics).frame
    together = summary(find(trials({0.5: "CCWI"}, source="aabb")).metrics).frame
    assert "sources" not in alone
    assert together["sources"].to_list() == [2]


def test_the_report_says_it_in_words(tmp_path: Path) -> None:
    """Model, table, behaviour, curve and what is missing stand in it."""
    made = trials({0.5: "CCCI--?", 0.9: "IIIIIII"}, unanswerable=4)
    write_results(made, tmp_path, "Toy", {"model": "gemini-x"})
    text = (tmp_path / "report.md").read_text("utf-8")
    assert text.startswith("# Toy\n\n- model: gemini-x\n")
    for part in (
        "## Summary",
        "## Behavioral check",
        "(rc_curve.png)",
        "## Unanswerable questions",
        "At t=0.9 nothing was answered",
        "| no reply  | timeout       | 2 ",
        "Wilson",
        "trapezoids",
    ):
        assert part in text
    assert "nan" not in text.replace("Unanswerable", "").replace("unanswerable", "")


def test_nothing_answered_at_all_is_reported(tmp_path: Path) -> None:
    """A run without a single answer has all its files."""
    write_results(trials({0.5: "II", 0.9: "--"}), tmp_path, "Abstention", {})
    assert {path.name for path in tmp_path.iterdir()} == FILES


def test_the_summary_fits_a_terminal() -> None:
    """At most 100 columns, with the widest figures there are."""
    made = trials({0.99: "W" * 9000 + "C" * 5000 + "I" * 42, 0.5: "-" * 14042})
    table = summary_table(find(made))
    assert max(map(len, table.splitlines())) <= 100
    assert "0.36 [0.35, 0.37]" in table


def test_the_curve_is_an_image(tmp_path: Path) -> None:
    """It is large enough to read, and not blank."""
    write_results(trials(KNOWN), tmp_path, "Abstention", {})
    with Image.open(tmp_path / "rc_curve.png") as image:
        assert min(image.size) >= 600
        assert np.asarray(image.convert("L")).std() > 5


def test_every_point_is_labelled() -> None:
    """Axes are fixed, with room for what stands at 0 and 1."""
    figure = figure_of(KNOWN)
    axes = figure.axes[0]
    assert (axes.get_xlim(), axes.get_ylim()) == ((-0.04, 1.04), (-0.04, 1.04))
    assert labels(figure) == ["t=0.5", "t=0.75", "t=0.9"]


def test_points_that_coincide_share_a_label() -> None:
    """Up to five are listed; of more, the first, the last and how many."""
    assert labels(figure_of({0.5: "CWI", 0.75: "CII", 0.9: "CII"})) == ["t=0.5", "t=0.75, 0.9"]
    five, six = (0.5, 0.6, 0.7, 0.8, 0.9), (0.0, 0.5, 0.6, 0.7, 0.8, 0.9)
    assert labels(figure_of(dict.fromkeys(five, "CWI"))) == ["t=0.5, 0.6, 0.7, 0.8, 0.9"]
    assert labels(figure_of(dict.fromkeys(six, "CWI"))) == ["t=0 … 0.9 (6 values)"]


def test_each_dash_is_tied_to_its_point() -> None:
    """A line goes from the accuracy to t, at the coverage of the point."""
    (ties,) = [
        lines.get_segments()
        for lines in figure_of({0.5: "CWCC", 0.9: "CWII"}).axes[0].collections
        if isinstance(lines, LineCollection) and lines.get_zorder() == 2.5
    ]
    assert [line.tolist() for line in ties] == [
        [[1, 0.75], [1, 0.5]],
        [[0.5, 0.5], [0.5, 0.9]],
    ]


@pytest.mark.parametrize(
    ("sweep", "n"),
    [
        (KNOWN, "n = 10"),
        ({0.5: "CCCI", 0.9: "CI--"}, "n = 2 to 4 by t"),
        ({0.5: "II"}, "n = 2"),
    ],
)
def test_the_curve_says_whose_it_is(sweep: dict[float, str], n: str) -> None:
    """Title and number of questions stand above it."""
    assert figure_of(sweep).axes[0].get_title() == f"gemini-x\n{n}"


def test_a_long_title_stays_on_the_picture() -> None:
    """It is wrapped, a name without spaces too."""
    figure = figure_of(KNOWN, "What " + "org/model-" * 20 + " answers")
    box = figure.axes[0].title.get_window_extent()
    assert 0 <= box.x0 < box.x1 <= figure.bbox.width
    assert box.y1 <= figure.bbox.height


def test_labels_do_not_overlap() -> None:
    """Near points have labels beside each other."""
    made = {t: "C" * (700 - n) + "W" * (200 + n) for n, t in enumerate((0.5, 0.6, 0.7))}
    figure = figure_of({t: text + "I" * (n * 30) for n, (t, text) in enumerate(made.items())})
    boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text()]
    assert len(boxes) == 3
    assert not any(one.overlaps(other) for one in boxes for other in boxes if one is not other)


def test_an_evaluation_alone_makes_a_page(tmp_path: Path) -> None:
    """`report.py` takes a folder without labelled files, and the results file itself."""
    write_evaluation(tmp_path / "toy", trials(KNOWN, subject="<b>x</b>"))
    for given in (tmp_path / "toy", tmp_path / "toy" / "results.csv"):
        page = tmp_path / "report.html"
        ended = run_script("scripts/report.py", given, "--output", page)
        assert (ended.code, ended.err) == (0, "")
        html = page.read_text("utf-8")
        assert '<section id="section-1"><h2>Abstention: ' in html
        assert 'id="table-section-1-summary"' in html
        assert "Accuracy is nowhere below t." in html
        assert html.count("<svg") == 1
        assert "gemini-x" in html
        assert "<b>x</b>" not in html
        assert "Leaderboard" not in html


def test_labelled_files_beside_an_evaluation_are_scored(tmp_path: Path) -> None:
    """One folder that holds both makes both; plots are written of both."""
    make_rows(tmp_path)
    write_evaluation(tmp_path / "toy", trials(KNOWN))
    page = tmp_path / "page" / "report.html"
    plots = tmp_path / "plots"
    ended = run_script("scripts/report.py", tmp_path, "--output", page, "--plots", plots)
    assert (ended.code, ended.err) == (0, "")
    html = page.read_text("utf-8")
    assert "Leaderboard" in html
    assert '<section id="section-1">' in html
    assert (plots / "section-1-1.png").exists()


def test_a_damaged_evaluation_is_left_out(tmp_path: Path) -> None:
    """The page is made without it, and the exit status is 1; alone it is an error."""
    make_rows(tmp_path)
    write_evaluation(tmp_path / "toy", trials({0.5: "C"}))
    results = tmp_path / "toy" / "results.csv"
    results.write_text(results.read_text("utf-8").replace("1.0,correct,", "1.0,maybe,"), "utf-8")
    page = tmp_path / "report.html"
    ended = run_script("scripts/report.py", tmp_path, "--output", page)
    assert ended.code == 1
    assert ended.err.startswith("left out: ")
    assert "'maybe'" in ended.err
    assert "Leaderboard" in page.read_text("utf-8")
    alone = run_script("scripts/report.py", results, "--output", page)
    assert (alone.code, len(alone.err.splitlines())) == (2, 1)


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A file where the folder should be is one line."""
    (tmp_path / "out").write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        write_results(trials(KNOWN), tmp_path / "out", "Abstention", {})
