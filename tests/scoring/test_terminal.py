"""What `score.py` prints in a terminal."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.io.paths import short
from banglahallueval.scoring.commands import score
from banglahallueval.scoring.tables import ReportTable
from banglahallueval.scoring.terminal import terminal
from banglahallueval.text.width import WIDTH, display_width, wrapped
from tests.scoring.test_report import make_rows

LONG = "বাংলা-ভাষার-বিচারক-মডেল-বত্রিশ-বিলিয়ন-নির্দেশনা-অনুসারী-সংস্করণ-দ্বিতীয়:32b-instruct-q4_K_M"


def scores_of(judges: list[str], rows: int = 4000) -> list[ReportTable]:
    """Make a table of scores with the widest figures there are."""
    ends = {
        f"{name}_{end}": 1.0 for name in ("detection", "false_alarms") for end in ("low", "high")
    }
    row = {
        "task": "summarization",
        "main": rows,
        "candidates": 4 * rows,
        "bhs": 100.0,
        "bhs_low": 100.0,
        "bhs_high": 100.0,
        "detection": 1.0,
        "false_alarms": 1.0,
        **ends,
        "unknown": 1.0,
    }
    frame = pd.DataFrame([{**row, "judge": judge} for judge in judges])
    return [ReportTable("scores", "Scores", frame), ReportTable("unknown", "Unknown rows", frame)]


def test_marks_have_no_width() -> None:
    assert display_width("কি্ত") == 3  # ক, ি as older terminals show it, and ত
    assert display_width("abc") == 3


def test_names_wrap_and_stay_whole() -> None:
    printed = terminal(scores_of([LONG]), [f"note: {LONG * 3}"])
    lines = printed.splitlines()
    assert all(display_width(line) <= WIDTH for line in lines)
    task, _ = lines[3].split()[:2]
    below = lines[4 : lines.index("", 4)]
    names = (line[len(task) :].strip().partition("  ")[0] for line in below)
    assert "".join(name.removeprefix("summarization").strip() for name in names) == LONG
    assert "--wide prints the other columns, and: Unknown rows." in printed


@given(
    st.lists(st.text("কাি্ত-_:. a", min_size=1, max_size=90), min_size=1, max_size=3),
    st.integers(0, 10**6),
)
def test_no_line_is_wider_than_100_columns(judges: list[str], rows: int) -> None:
    printed = terminal(scores_of(judges, rows), ["note: " + " ".join(judges)])
    assert all(display_width(line) <= WIDTH for line in printed.splitlines())


@given(st.text("কাি্ত-_:. a", max_size=90), st.integers(6, 40))
def test_wrapping_keeps_every_letter(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_score_prints_100_columns_and_relative_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_rows(tmp_path)
    monkeypatch.chdir(tmp_path)
    flags = [str(tmp_path), "--against", "published", "--output", str(tmp_path / "out")]
    assert score("doc", flags) == 0
    printed = capsys.readouterr().out
    assert all(display_width(line) <= WIDTH for line in printed.splitlines())
    assert str(tmp_path) not in printed
    assert "written: out/scores.md" in printed
    assert score("doc", [str(tmp_path), "--wide"]) == 0
    printed = capsys.readouterr().out
    assert "## Files read" in printed
    assert str(tmp_path) not in printed


@pytest.mark.parametrize("form", ["csv", "json", "latex"])
def test_what_a_program_reads_has_its_notes_beside_it(
    form: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Fault: notes of files and `written:` were printed for Markdown alone."""
    make_rows(tmp_path)
    monkeypatch.chdir(tmp_path)
    name = "নামহীন-ফাইল-" * 4
    Path(f"{name}.csv").write_text("a,is_hallucinated\n1,yes\n", encoding="utf-8")
    assert score("doc", [".", "--output", "out", "--format", form]) == 1
    out, err = capsys.readouterr()
    assert "written:" not in out
    assert "written: out" in err
    assert "left out: " in err
    shown = [line for line in err.splitlines() if not line.startswith("left out: ")]
    assert all(display_width(line) <= WIDTH for line in shown)


def test_files_are_named_from_here_or_as_they_were_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert short(tmp_path / "a" / "b.csv") == str(Path("a", "b.csv"))
    assert short(Path("b.csv")) == "b.csv"
    assert short(tmp_path.parent / "d.csv") == str(tmp_path.parent / "d.csv")


def test_published_figures_stand_with_their_caveats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fault: figures that are not comparable, and why a judge is not ranked, were left out."""
    make_rows(tmp_path)
    assert score("doc", [str(tmp_path), "--against", "published"]) == 0
    printed = capsys.readouterr().out
    assert "Qwen2.5-32B * " in printed
    assert "* Qwen2.5-32B on qa: context not shown to the judge" in printed
    assert "Not ranked on qa: " in printed
    assert all(display_width(line) <= WIDTH for line in printed.splitlines())
