"""Slices and what a run may do with an output that exists."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import UsageError
from banglahallueval.runs.options import RowRange, RunOptions

SOURCE = Path("in.csv")
SMALL = st.integers(0, 30)


@given(rows=SMALL, start=SMALL, end=st.none() | SMALL, limit=st.none() | st.integers(1, 30))
def test_a_slice_is_that_of_a_list(
    rows: int, start: int, end: int | None, limit: int | None
) -> None:
    """Rows count from 0, the end is exclusive, the limit counts within the slice."""
    slice_ = RowRange(start, end, limit)
    expected = list(range(rows))[start:end][:limit]
    assert [row for row in range(rows) if row in slice_] == expected


@given(rows=st.integers(1, 30), start=SMALL, end=st.none() | SMALL)
def test_a_slice_ends_within_its_input(rows: int, start: int, end: int | None) -> None:
    slice_ = RowRange(start, end)
    if start >= rows:
        with pytest.raises(UsageError, match=f"in.csv has {rows} rows"):
            slice_.end_in(rows, SOURCE)
    elif end is None or end > start:
        assert slice_.end_in(rows, SOURCE) == len(range(rows)[:end])


@pytest.mark.parametrize(("start", "end"), [(3, 3), (3, 1)])
def test_a_slice_without_rows_is_refused(start: int, end: int) -> None:
    with pytest.raises(UsageError, match=f"--start {start} --end {end} holds no rows"):
        RowRange(start, end).check()


def test_a_limit_ends_a_slice_that_has_no_end() -> None:
    assert (RowRange(4, None, 3).stop, RowRange(4, 5, 3).stop, RowRange(4).stop) == (7, 5, None)


@pytest.mark.parametrize(
    ("options", "adds"),
    [
        (RunOptions(resume=True), True),
        (RunOptions(overwrite=True), False),
        (RunOptions(resume=True, overwrite=True), True),
    ],
)
def test_an_existing_output_is_added_to_or_replaced(
    tmp_path: Path, options: RunOptions, adds: bool
) -> None:
    (tmp_path / "out.csv").touch()
    assert options.adds_to(tmp_path / "out.csv") is adds


def test_an_existing_output_is_never_touched_unasked(tmp_path: Path) -> None:
    (tmp_path / "out.csv").touch()
    with pytest.raises(UsageError, match="--resume adds to it, --overwrite replaces it"):
        RunOptions().adds_to(tmp_path / "out.csv")


def test_nothing_is_added_to_an_output_that_does_not_exist(tmp_path: Path) -> None:
    assert not RunOptions(resume=True).adds_to(tmp_path / "out.csv")
