"""The CSV of questions: what is read, what is refused, and where."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.abstention.questions import draw, read_questions
from banglahallueval.abstention.types import Question
from banglahallueval.errors import UsageError
from tests.scripting import ROOT

HEADER = "id,question,gold,unknown_ok"
EXAMPLES = ROOT / "Abstention" / "examples"


def write(folder: Path, text: str) -> Path:
    path = folder / "in.csv"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(UsageError) as refused:
        read_questions(write(folder, text))
    message = str(refused.value)
    assert "\n" not in message
    return message


def test_rows_become_questions(tmp_path: Path) -> None:
    path = write(tmp_path, f"{HEADER},note\n7,রাজধানী কী?,ঢাকা,0,x\n8,Who?, ,TRUE,y\n")
    assert read_questions(path) == [
        Question("7", "রাজধানী কী?", "ঢাকা", False),
        Question("8", "Who?", " ", True),
    ]


@pytest.mark.parametrize("word", ["1", "১", "true", "TRUE", " Yes ", "y", "হ্যাঁ"])
def test_words_for_unanswerable(tmp_path: Path, word: str) -> None:
    (question,) = read_questions(write(tmp_path, f"{HEADER}\n1,Who?,,{word}\n"))
    assert question.unknown_ok


@pytest.mark.parametrize("word", ["0", "০", "false", "False", "no", "N", "না", "", " "])
def test_words_for_answerable(tmp_path: Path, word: str) -> None:
    (question,) = read_questions(write(tmp_path, f"{HEADER}\n1,Who?,me,{word}\n"))
    assert not question.unknown_ok


@pytest.mark.parametrize("word", ["2", "-1", "maybe", "1.0", "নাই"])
def test_any_other_word_is_refused(tmp_path: Path, word: str) -> None:
    message = refusal(tmp_path, f"{HEADER}\n1,Who?,me,{word}\n")
    assert f"neither 1 nor 0 (line 2 has {word!r})" in message


def test_a_gold_answer_of_an_unanswerable_question_is_kept(tmp_path: Path) -> None:
    """It counts for nothing, but the outputs show the row as it is."""
    (question,) = read_questions(write(tmp_path, f"{HEADER}\n1,Who?,me,1\n"))
    assert question == Question("1", "Who?", "me", True)


@pytest.mark.parametrize(
    ("columns", "cells", "subject", "source"),
    [
        ("category", "a", "a", ""),
        ("subject", "b", "b", ""),
        ("category,subject", "a,b", "b", ""),
        ("source", "s", "", "s"),
    ],
)
def test_columns_of_subject_and_source(
    tmp_path: Path, columns: str, cells: str, subject: str, source: str
) -> None:
    (question,) = read_questions(write(tmp_path, f"{HEADER},{columns}\n1,Who?,me,0,{cells}\n"))
    assert (question.subject, question.source) == (subject, source)


def test_a_byte_order_mark_is_no_part_of_the_id(tmp_path: Path) -> None:
    """Regression: the published loader found no id in such a file."""
    (question,) = read_questions(write(tmp_path, f"\ufeff{HEADER}\n1,Who?,me,0\n"))
    assert question.id == "1"


def test_a_spreadsheet_s_semicolons_are_read_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{HEADER}\n1,Who?,me,0\n".replace(",", ";")
    assert len(read_questions(write(tmp_path, text))) == 1
    assert "its delimiter is the semicolon" in capsys.readouterr().out


def test_missing_columns_are_named_with_those_that_are_there(tmp_path: Path) -> None:
    message = refusal(tmp_path, "id,question,answer\n1,Who?,me\n")
    assert "no column 'gold', 'unknown_ok'; it has 'id', 'question', 'answer'" in message


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("1, ,me,0", "1 row without a question (line 2)"),
        (" ,Who?,me,0", "1 row without an id (line 2)"),
        ("1,Who?, ,0", "1 row without a gold answer, though unknown_ok is 0 (line 2)"),
        ("1,Who?,,", "1 row without a gold answer, though unknown_ok is 0 (line 2)"),
        (
            "1,Who?,me,0\n2,Who?,me,0\n1,Why?,me,0",
            "1 row with an id that another has (line 4 repeats '1' of line 2)",
        ),
    ],
)
def test_rows_that_cannot_be_used_are_named(tmp_path: Path, rows: str, told: str) -> None:
    assert refusal(tmp_path, f"{HEADER}\n{rows}\n").endswith(told)


def test_problems_of_a_kind_are_counted(tmp_path: Path) -> None:
    """All kinds in one line, each with its number and its first lines."""
    rows = "\n".join(f"{n},,me,0" for n in range(7))
    message = refusal(tmp_path, f"{HEADER}\n{rows}\n8,Who?,,0\n")
    assert "7 rows without a question (line 2, line 3, line 4, line 5, line 6, …)" in message
    assert message.endswith("; 1 row without a gold answer, though unknown_ok is 0 (line 9)")


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    """Line breaks within a cell, blank lines and a `sep=` line count."""
    text = f'sep=;\n{HEADER}\n1,"Who\nis it?",me,0\n\n2,Who?,me,maybe\n'.replace(",", ";")
    assert "(line 6 has 'maybe')" in refusal(tmp_path, text)


def test_a_file_without_rows_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, f"{HEADER}\n").endswith("has no rows")


@pytest.mark.parametrize(("name", "rows", "unanswerable"), [("toy", 3, 1), ("bangla", 12, 4)])
def test_the_examples_can_be_read(name: str, rows: int, unanswerable: int) -> None:
    questions = read_questions(EXAMPLES / f"{name}.csv")
    assert len(questions) == rows
    assert sum(question.unknown_ok for question in questions) == unanswerable
    assert all(question.subject for question in questions)


@given(st.lists(st.integers(), unique=True), st.integers(1, 30), st.integers(0, 99))
def test_a_draw_keeps_the_order_and_the_seed_decides(
    items: list[int], limit: int, seed: int
) -> None:
    drawn = draw(items, limit, seed)
    assert len(drawn) == min(limit, len(items))
    assert drawn == [item for item in items if item in drawn]
    assert drawn == draw(items, limit, seed)


def test_without_a_limit_all_are_drawn() -> None:
    assert draw([3, 1, 2], None, 1) == [3, 1, 2]


def test_another_seed_draws_otherwise() -> None:
    assert draw(range(100), 10, 1) != draw(range(100), 10, 2)


@pytest.mark.parametrize("limit", [0, -3])
def test_a_limit_below_1_is_refused(limit: int) -> None:
    with pytest.raises(UsageError, match=f"--limit {limit}: draw at least 1"):
        draw([1, 2], limit, 1)
