"""Rows of an existing output are found by their keys, equal ones by their order."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from banglahallueval.errors import RunError
from banglahallueval.io.tables import Table
from banglahallueval.runs.earlier import OPEN, SETTLED, EarlierRows
from tests.runs.tables import earlier_rows, key, write


def test_states_are_kept_by_key_in_file_order(tmp_path: Path) -> None:
    rows = earlier_rows(write(tmp_path / "o.csv", [("a", "1"), ("b", ""), ("a", "")]))
    assert rows.rows == 3
    assert rows.states == {b"a": bytes((SETTLED, OPEN)), b"b": bytes((OPEN,))}


def test_rows_are_taken_in_any_order_of_their_keys(tmp_path: Path) -> None:
    rows = earlier_rows(write(tmp_path / "o.csv", [("a", "1"), ("b", "2"), ("a", "3"), ("c", "4")]))
    taken = [rows.take(name)[1] for name in (b"c", b"a", b"b", b"a")]
    assert taken == ["4", "1", "2", "3"]


def test_a_row_that_is_gone_is_said(tmp_path: Path) -> None:
    """A file that loses rows while it is read is no other row's label."""
    rows = earlier_rows(write(tmp_path / "o.csv", [("a", "1")]))
    rows.take(b"a")
    with pytest.raises(RunError, match="changed while it was read"):
        rows.take(b"a")


@pytest.mark.parametrize(
    ("values", "units", "taken"),
    [
        (["", "1"], 1, ["1"]),
        (["", "1"], 2, ["", "1"]),
        (["1", "", "2"], 1, ["1"]),
        (["", "", "1"], 2, ["", "1"]),
        (["", "1", "2"], 2, ["1", "2"]),
        (["1", "2"], 1, ["1"]),
    ],
)
def test_of_surplus_rows_finished_ones_are_preferred(
    tmp_path: Path, values: list[str], units: int, taken: list[str]
) -> None:
    """A row that failed at first and was appended again once hid its second, good label."""
    rows = earlier_rows(write(tmp_path / "o.csv", [("a", value) for value in values]))
    counts = Counter(dict.fromkeys(rows.mixed_keys(), units))
    rows.prefer_settled(counts)
    states = rows.states[b"a"][:units]
    assert [rows.take(b"a")[1] for _ in range(units)] == taken
    assert [state == SETTLED for state in states] == [bool(value) for value in taken]
    assert len(rows.states[b"a"]) == len(values)


def test_only_keys_with_both_states_are_mixed(tmp_path: Path) -> None:
    table = [("a", ""), ("a", "1"), ("b", ""), ("b", ""), ("c", "1"), ("c", "2"), ("d", "")]
    assert earlier_rows(write(tmp_path / "o.csv", table)).mixed_keys() == {b"a"}


def test_rows_are_numbered_from_one_for_messages(tmp_path: Path) -> None:
    numbers = []

    def is_settled(number: int, cells: list[str]) -> bool:
        numbers.append((number, cells[0]))
        return True

    EarlierRows(Table(write(tmp_path / "o.csv", [("a", ""), ("b", "")])), key, is_settled)
    assert numbers == [(1, "a"), (2, "b")]
