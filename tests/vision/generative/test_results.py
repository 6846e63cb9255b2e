"""Rows of results: written and read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import writing
from banglahallueval.vision.generative.results import (
    COLUMNS,
    cells_of,
    is_finished,
    read_trials,
    trial_of,
)
from banglahallueval.vision.generative.types import Description, Trial
from tests.vision.generative.trials import trial

TRIALS = [
    trial(0, "clean"),
    trial(1, "hallucinated", "oex", cut=True),
    trial(2, "hallucinated", reason="types: empty reply"),
    trial(3, "undescribed", reason="image missing"),
    trial(4, "unjudged", reason="no reply: timeout"),
    replace(
        trial(5, "clean"),
        description=Description('a "dog",\n\r একটি', reply="thinking\na"),
        image_sha256="ab",
        image_conversion="WEBP to PNG",
    ),
]


@pytest.mark.parametrize("made", TRIALS, ids=lambda made: str(made.item.index))
def test_a_row_is_read_back_as_it_was(made: Trial, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    with writing(path, COLUMNS) as writer:
        writer.writerow(cells_of(made))
    assert read_trials(path) == [made]


def test_what_is_open_is_asked_again() -> None:
    assert [is_finished(cells_of(made)) for made in TRIALS] == [
        *(True, True, False, False, False, True),
    ]


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("outcome", "fine", "outcome 'fine'"),
        ("types", "object, colour", "type 'colour'"),
        ("index", "first", "index 'first'"),
    ],
)
def test_a_cell_that_no_run_writes_is_an_error(column: str, cell: str, said: str) -> None:
    cells = cells_of(TRIALS[1])
    cells[COLUMNS.index(column)] = cell
    with pytest.raises(UsageError, match=f"row 1: {said}"):
        trial_of(cells, "row 1")


def test_another_table_is_none_of_results(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(UsageError, match="columns of judged descriptions"):
        read_trials(path)
