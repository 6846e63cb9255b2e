"""Rows of results.csv: written, read back, refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.abstention.results import (
    COLUMNS,
    KEY_COLUMNS,
    cells_of,
    key_cells,
    read_trials,
    trial_of,
)
from banglahallueval.abstention.types import Outcome, Question, Trial
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import writing
from tests.abstention.trials import OUTCOMES, trials

QUESTIONS = st.builds(
    Question,
    st.text(),
    st.text(),
    st.text(),
    st.booleans(),
    subject=st.text(),
    source=st.text(),
)
TRIALS = st.builds(
    Trial,
    QUESTIONS,
    st.floats(0, 1, exclude_max=True),
    st.text(),
    st.sampled_from([*OUTCOMES.values()]),
    st.text(),
    st.none() | st.floats(0, 1),
    st.text(),
)


@given(TRIALS)
def test_a_row_is_read_back_as_it_was(trial: Trial) -> None:
    """Nothing of a trial is lost or rounded."""
    assert trial_of(cells_of(trial), "here") == trial


@given(TRIALS)
def test_a_row_is_matched_by_its_key_cells(trial: Trial) -> None:
    """The key stands in the row, in the columns it is named after."""
    row = dict(zip(COLUMNS, cells_of(trial), strict=True))
    assert [row[name] for name in KEY_COLUMNS] == key_cells(trial.question, trial.t)


@pytest.mark.parametrize(
    ("outcome", "unknown_ok", "flags"),
    [
        ("correct", False, ("0", "1", "1.0")),
        ("wrong", False, ("0", "0", "-3.0")),
        ("abstained", False, ("1", "0", "0.0")),
        ("abstained", True, ("1", "1", "0.0")),
        ("wrong", True, ("0", "0", "-3.0")),
        ("no reply", False, ("", "", "")),
        ("ungraded", True, ("", "", "")),
    ],
)
def test_abstained_correct_and_score(
    outcome: Outcome, unknown_ok: bool, flags: tuple[str, ...]
) -> None:
    """A due abstention is correct and scores 0; what has no result has none of the three."""
    trial = Trial(Question("1", "q", "g", unknown_ok), 0.75, "x", outcome)
    row = dict(zip(COLUMNS, cells_of(trial), strict=True))
    assert (row["abstained"], row["correct"], row["score"]) == flags


@pytest.mark.parametrize(
    ("column", "cell"), [("outcome", "maybe"), ("t", "high"), ("confidence", "sure")]
)
def test_a_damaged_row_is_named(column: str, cell: str) -> None:
    """A cell that no run writes is told with its place."""
    cells = cells_of(trials({0.5: "C"})[0])
    cells[COLUMNS.index(column)] = cell
    with pytest.raises(UsageError, match=r"results\.csv row 3"):
        trial_of(cells, "results.csv row 3")


def test_a_file_of_other_columns_is_refused(tmp_path: Path) -> None:
    """Another CSV is not read as results."""
    with writing(tmp_path / "results.csv", ["id", "label"]) as file:
        file.writerow(["1", "yes"])
    with pytest.raises(UsageError, match="no results file"):
        read_trials(tmp_path / "results.csv")
