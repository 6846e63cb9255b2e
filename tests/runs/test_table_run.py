"""A run over a table keeps what is finished, works on the rest, and loses no row."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.tables import Cells, writing
from banglahallueval.runs.table_run import TableRun
from tests.runs.tables import earlier_rows, read, write

SOURCE = Path("in.csv")


class Job:
    """Runs over keys; a unit that is worked on becomes `KEY` with the value of this run."""

    def __init__(
        self,
        units: Sequence[str],
        earlier: Path | None = None,
        *,
        rows: Collection[int] | None = None,
        before: Collection[int] = (),
    ) -> None:
        self.worked: list[str] = []
        self.run: TableRun[str] = TableRun(
            SOURCE,
            lambda: list(units),
            str.encode,
            earlier=earlier_rows(earlier) if earlier else None,
            selected=lambda place, unit: rows is None or place in rows,
            was_selected=lambda place, unit: place in before,
        )

    def write(self, output: Path, value: str, *, workers: int = 3) -> list[tuple[str, str]]:
        async def work(unit: str, before: Cells | None) -> Cells:
            self.worked.append(unit)
            for _ in range(random.randrange(3)):
                await asyncio.sleep(0)
            return [unit, value]

        self.run.survey()
        new = output.with_suffix(".new.csv")
        with writing(new, ("key", "value")) as writer:
            asyncio.run(self.run.write(writer, work, lambda unit, row: row, workers=workers))
        new.replace(output)
        return read(output)


def test_all_units_are_worked_on_in_order(tmp_path: Path) -> None:
    job = Job(["a", "b", "a"])
    assert job.write(tmp_path / "o.csv", "1") == [("a", "1"), ("b", "1"), ("a", "1")]
    assert (job.run.units, job.run.to_do, job.run.repeated) == (3, 3, 0)


def test_finished_rows_are_kept_and_open_ones_worked_on(tmp_path: Path) -> None:
    output = write(tmp_path / "o.csv", [("c", "1"), ("a", ""), ("b", "1")])
    job = Job(["a", "b", "c", "d"], output)
    assert job.write(output, "2") == [("a", "2"), ("b", "1"), ("c", "1"), ("d", "2")]
    assert sorted(job.worked) == ["a", "d"]


def test_open_rows_outside_the_slice_stay(tmp_path: Path) -> None:
    output = write(tmp_path / "o.csv", [("a", ""), ("b", "")])
    assert Job(["a", "b", "c"], output, rows=[1]).write(output, "2") == [("a", ""), ("b", "2")]


def test_a_twin_that_another_slice_made_is_made_again(tmp_path: Path) -> None:
    """Of two equal units the row of the later one was once taken for the earlier one's."""
    output = write(tmp_path / "o.csv", [("a", "1")])  # made for place 1
    assert Job(["a", "a"], output, rows=[0], before=[1]).write(output, "2") == [
        ("a", "1"),
        ("a", "2"),
    ]


def test_rows_of_no_unit_are_refused(tmp_path: Path) -> None:
    output = write(tmp_path / "o.csv", [("a", "1"), ("x", "1"), ("y", "1")])
    with pytest.raises(UsageError, match=r"2 rows of .*o\.csv are not in in\.csv"):
        Job(["a", "b"], output).run.survey()


def test_rows_that_repeat_are_counted_and_left_out(tmp_path: Path) -> None:
    output = write(tmp_path / "o.csv", [("a", ""), ("b", "1"), ("a", "2"), ("b", "3"), ("b", "4")])
    job = Job(["a", "b"], output)
    assert job.write(output, "9") == [("a", "2"), ("b", "1")]
    assert (job.run.repeated, job.run.to_do) == (3, 0)


def test_an_input_that_grows_is_said(tmp_path: Path) -> None:
    units = ["a"]
    job = Job(units)
    job.run = TableRun(SOURCE, lambda: iter(units), str.encode)
    job.run.survey()
    units.append("b")
    with (
        writing(tmp_path / "o.csv", ("key", "value")) as writer,
        pytest.raises(RunError, match="grew while it was read"),
    ):
        asyncio.run(job.run.write(writer, _fails, lambda unit, row: row, workers=1))


async def _fails(unit: str, before: Cells | None) -> Cells:
    return [unit, "1"]


def test_units_to_do_are_shown_in_order(tmp_path: Path) -> None:
    output = write(tmp_path / "o.csv", [("b", "1"), ("c", "")])
    seen: list[str] = []
    Job(["a", "b", "c"], output).run.survey(seen.append)
    assert seen == ["a", "c"]


KEYS = st.sampled_from("abc")


@settings(max_examples=80, deadline=None)
@given(
    units=st.lists(KEYS, min_size=1, max_size=8),
    slices=st.lists(st.sets(st.integers(0, 7)), max_size=4),
    shuffle=st.randoms(use_true_random=False),
)
def test_slices_in_any_order_make_one_whole_output(
    units: list[str], slices: list[set[int]], shuffle: random.Random
) -> None:
    """No unit is lost or made twice, whatever was run before and however the output is ordered."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "o.csv"
        before: set[int] = set()
        worked = 0
        for number, rows in enumerate([*slices, set(range(8))]):
            job = Job(units, output if output.exists() else None, rows=rows, before=before)
            job.write(output, str(number))
            worked += len(job.worked)
            before |= rows
            held = read(output)
            assert [key for key, _ in held] == [units[place] for place in _places(held, units)]
            shuffle.shuffle(held)
            write(output, held)
        assert Counter(key for key, _ in held) == Counter(units)
        assert worked == len(units)


def _places(held: Sequence[tuple[str, str]], units: Sequence[str]) -> list[int]:
    """Match rows with units from the left; fails where the rows are out of order."""
    places, at = [], 0
    for key, _ in held:
        at = next(place for place in range(at, len(units)) if units[place] == key) + 1
        places.append(at - 1)
    return places


@settings(max_examples=80, deadline=None)
@given(
    units=st.lists(KEYS, min_size=1, max_size=6),
    earlier=st.lists(st.tuples(KEYS, st.sampled_from(["", "old"])), max_size=10),
)
def test_no_finished_row_is_made_again(units: list[str], earlier: list[tuple[str, str]]) -> None:
    """Of each key as many finished rows are kept as there are units, however often it occurs."""
    with tempfile.TemporaryDirectory() as folder:
        output = write(Path(folder) / "o.csv", earlier)
        job = Job(units, output)
        if not {key for key, _ in earlier} <= set(units):
            with pytest.raises(UsageError, match="are not in"):
                job.run.survey()
            return
        held = job.write(output, "new")
        wanted = Counter(units)
        finished = Counter(key for key, value in earlier if value)
        kept = Counter(key for key, value in held if value == "old")
        assert [key for key, _ in held] == units
        assert kept == Counter({key: min(wanted[key], finished[key]) for key in wanted})
        assert job.run.repeated == sum((Counter(key for key, _ in earlier) - wanted).values())
