"""Explained verdicts are shown wherever they can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import UsageError
from banglahallueval.io.records import record_path
from banglahallueval.io.tables import writing
from banglahallueval.labelling.commands import Preset, label
from banglahallueval.labelling.explain import ExplainOptions, explained
from banglahallueval.labelling.explain_command import explain_main
from banglahallueval.labelling.wrapping import COLOUR_OFF, COLOUR_ON, cells, hanging


@pytest.fixture
def own_columns(tmp_path: Path) -> Path:
    """A labelled file none of whose columns has a published name."""
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    with writing(source, ("nr", "passage", "asked", "said")) as writer:
        writer.writerow(["1", "তিনি ১৮৬১ সালে জন্মগ্রহণ করেন।", "তিনি কবে জন্মগ্রহণ করেন?", "১৮৬২ সালে"])
    columns = "context=passage,question=asked,answer=said"
    words = ["--task", "qa", "--input", str(source), "--output", str(output), "--explain"]
    assert label(Preset(""), [*words, "--columns", columns, "--quiet"]) == 0
    return output


def test_a_file_with_columns_of_its_own_is_shown(own_columns: Path) -> None:
    """Fault: what `--columns` had labelled, explain.py could not read."""
    (block,) = explained(ExplainOptions(own_columns))
    assert "output    [[১৮৬২]] সালে" in block


def test_a_file_without_its_record_is_read_by_its_name(
    own_columns: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Columns that code-mixed files share with QA's are told apart by the name, and it is said."""
    path = own_columns.with_name("codemix_gpt.csv")
    text = own_columns.read_text(encoding="utf-8")
    path.write_text(text.replace("nr,passage,asked,said", "id,context,question,answer"), "utf-8")
    (block,) = explained(ExplainOptions(path))
    assert "output    [[১৮৬২]] সালে" in block
    assert f"{path}: codemix (task by columns, name (codemix)" in capsys.readouterr().err


def test_what_nothing_tells_is_said_in_one_line(own_columns: Path) -> None:
    """Without the record, columns of one's own tell no task."""
    record_path(own_columns).unlink()
    with pytest.raises(UsageError, match=r"no out\.csv\.run\.json beside it"):
        list(explained(ExplainOptions(own_columns)))


def test_it_is_said_where_there_is_nothing_to_show(
    own_columns: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain_main("Show.", [str(own_columns), "--label", "unknown"]) == 0
    assert capsys.readouterr() == ("", f"{own_columns} has no row labelled unknown\n")


def test_long_texts_go_on_below_their_beginning(own_columns: Path) -> None:
    """Fault: a terminal cut words at its edge, and went on at its left."""
    (block,) = explained(ExplainOptions(own_columns, width=40))
    first, *further = block[block.index("  because") :].splitlines()
    assert first.startswith("  because   '১৮৬২'")
    assert further != []
    assert all(line.startswith(" " * 12) and line[12] != " " for line in further)
    assert all(cells(line) <= 40 for line in (first, *further))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("এক দুই তিন চার পাঁচ ছয় সাত", ["এক দুই তিন চার পাঁচ ছয়", "সাত"]),
        ("একটিঅত্যন্তদীর্ঘশব্দযাআরধরেনা ছোট", ["একটিঅত্যন্তদীর্ঘশব্দযাআরধরেনা", "ছোট"]),
        ("প্রথম\nদ্বিতীয়", ["প্রথম", "দ্বিতীয়"]),
        (f"aaaaaaaa {COLOUR_ON}bbbbbbbb cccccccc{COLOUR_OFF} d", [
            f"aaaaaaaa {COLOUR_ON}bbbbbbbb{COLOUR_OFF}", f"{COLOUR_ON}cccccccc{COLOUR_OFF} d",
        ]),
    ],
)  # fmt: skip
def test_lines_break_between_words_and_colours_stop_with_them(text: str, lines: list[str]) -> None:
    assert hanging("ab ", text, 23).split("\n") == ["ab " + lines[0], "   " + lines[1]]


@given(st.text(alphabet="কাখিঁ্ab [](।"), st.integers(20, 60))
def test_wrapping_loses_no_word(text: str, width: int) -> None:
    wrapped = hanging("", text, width)
    assert wrapped.split() == text.split()
    assert all(cells(line) <= width or " " not in line.strip() for line in wrapped.split("\n"))
