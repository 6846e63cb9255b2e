"""How a table is laid out for the page."""

from __future__ import annotations

import pandas as pd

from banglahallueval.scoring.page.cells import Cell, page_table
from banglahallueval.scoring.tables import ReportTable


def laid(frame: pd.DataFrame, printed: tuple[str, ...] = ()) -> list[str]:
    """The headings of a table."""
    return page_table(ReportTable("t", "T", frame, printed=printed)).heads


SCORES = pd.DataFrame(
    {
        "task": ["codemix", "qa", "qa"],
        "prompt": ["", "", ""],
        "main": [1, 2, 3],
        "judge": ["a", "a", "b"],
        "f1": [0.1, 0.2, 0.3],
        "bhs": [10.0, 20.0, float("nan")],
        "bhs_low": [9.0, 19.0, float("nan")],
        "bhs_high": [11.0, 21.0, float("nan")],
        "detection": [0.5, 0.6, 0.7],
        "false_alarms": [0.5, 0.6, 0.7],
        "cost": ["–", "–", "–"],
    }
)


def test_the_judge_and_what_matters_come_first() -> None:
    """Judge, BHS, detection, false alarms, then the rest; empty columns and dashes are left out."""
    assert laid(SCORES) == ["judge", "BHS", "detection", "false alarms", "main", "F1"]


def test_a_table_may_say_what_comes_first() -> None:
    """What it would print leads."""
    assert laid(SCORES, ("task", "judge", "f1"))[:3] == ["judge", "F1", "main"]


def test_rows_stand_under_their_task_in_the_order_of_tasks() -> None:
    """The task is no column, and qa comes first."""
    table = page_table(ReportTable("t", "T", SCORES))
    assert [(task, len(rows)) for task, rows in table.groups] == [("qa", 2), ("codemix", 1)]


def test_a_task_that_is_the_name_of_its_row_stays_a_column() -> None:
    """Agreement has one row per task, so the task is its first column."""
    frame = pd.DataFrame({"task": ["qa", "codemix"], "rows": [1, 2]})
    table = page_table(ReportTable("t", "T", frame))
    assert table.heads == ["task", "rows"]
    assert [task for task, _ in table.groups] == [""]


def test_whatever_tells_rows_apart_leads_with_the_judge() -> None:
    """A judge in several splits has its split beside it, not the prompt that all share."""
    frame = pd.DataFrame(
        {
            "task": "qa",
            "prompt": "p",
            "split": ["fit", "both"],
            "n": 1,
            "judge": "a",
            "bhs": 1.0,
            "detection": 0.5,
        }
    )
    assert laid(frame) == ["judge", "split", "BHS", "detection", "prompt", "n"]


def test_cells_sort_by_their_figure_and_know_what_is_unknown() -> None:
    """An interval stands apart from the figure; nan is a dash."""
    _, rows = page_table(ReportTable("t", "T", SCORES)).groups[0]
    assert rows[0][1] == Cell("20.000", "[19.00, 21.00]", 20.0)
    assert rows[1][1] == Cell("–", is_known=False)
    assert rows[0][0].number is None
