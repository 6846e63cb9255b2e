"""A run loses no row, makes none up, and keeps what an earlier one labelled."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict, Unpack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.errors import RunError, UsageError
from banglahallueval.io.tables import Cells, Table, writing
from banglahallueval.judges.factory import JudgeSpec
from banglahallueval.labelling.plan import Plan, open_input
from banglahallueval.labelling.rows import LabelRun, Tally
from banglahallueval.models.options import ClientOptions
from banglahallueval.runs.options import RowRange, RunOptions
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Verdict

QA = ["id", "context", "question", "hallucinated_answer"]


class FunctionJudge:
    """Judges by a function; remembers what it judged."""

    name = "function"
    columns: tuple[str, ...] = ()

    def __init__(self, function: Callable[[Item, int], Verdict], most_turns: int = 0) -> None:
        self.asked: list[tuple[str, int]] = []
        self.judged: list[str] = []
        self._function = function
        self._turns = random.Random(7)
        self._most_turns = most_turns

    async def judge(self, item: Item, again: int = 0) -> Verdict:
        self.asked.append((item.output, again))
        for _ in range(self._turns.randint(0, self._most_turns)):  # of the event loop
            await asyncio.sleep(0)
        self.judged.append(item.output)
        return self._function(item, again)

    def record(self) -> dict[str, Any]:
        return {}


def says(label: str, reason: str = "", raw: str = "") -> FunctionJudge:
    return FunctionJudge(lambda item, again: Verdict(label, reason, raw=raw))  # type: ignore[arg-type]


def write_csv(path: Path, columns: list[str], rows: list[Cells]) -> Path:
    with writing(path, columns) as writer:
        for row in rows:
            writer.writerow(row)
    return path


def qa_rows(*outputs: str) -> list[Cells]:
    return [[str(n), "প্রসঙ্গ", "প্রশ্ন?", output] for n, output in enumerate(outputs)]


class Options(TypedDict, total=False):
    """What a test may choose of a run."""

    start: int
    end: int
    again: int
    concurrency: int
    resume: bool
    overwrite: bool


def run(source: Path, output: Path, judge: FunctionJudge, **chosen: Unpack[Options]) -> Tally:
    client = ClientOptions("openai", "m", max_in_flight=chosen.get("concurrency", 16))
    plan = Plan(
        "qa",
        JudgeSpec("openai", client),
        source,
        output,
        rows=RowRange(chosen.get("start", 0), chosen.get("end")),
        options=RunOptions(chosen.get("resume", False), chosen.get("overwrite", False)),
    )
    run = LabelRun(plan, *open_input(plan))
    run.survey()
    with writing(output, run.columns) as writer:
        return asyncio.run(run.label(judge, writer, again=chosen.get("again", 0)))


def labels(path: Path) -> list[tuple[str, str]]:
    table = Table(path)
    at = [table.columns.index("hallucinated_answer"), table.columns.index("is_hallucinated")]
    return [(cells[at[0]], cells[at[1]]) for cells in table.rows()]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_csv(tmp_path / "in.csv", QA, qa_rows("a", "b", "c", "d"))


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "out.csv"


def test_every_input_cell_comes_out_unchanged(tmp_path: Path, output: Path) -> None:
    """Awkward text, duplicate and blank ids: rows are their cells."""
    rows = [
        ["", 'ক "খ", গ', "প্রশ্ন\nদুই?", "NA"],
        ["001", "য়\u09af\u09bc", "null", "None"],
        ["001", "য়\u09af\u09bc", "null", "None"],
        ["x", "lone\rreturn", "প্রশ্ন?", " শূন্য "],
    ]
    source = write_csv(tmp_path / "in.csv", QA, rows)
    run(source, output, says("no"))
    assert [cells[:4] for cells in Table(output).rows()] == rows


def test_rows_come_out_in_input_order_whatever_finishes_first(tmp_path: Path, output: Path) -> None:
    """Sixteen workers of unequal speed write one ordered file."""
    outputs = [str(n) for n in range(300)]
    source = write_csv(tmp_path / "in.csv", QA, qa_rows(*outputs))
    judge = FunctionJudge(lambda item, again: Verdict("yes"), most_turns=50)
    run(source, output, judge, concurrency=16)
    assert judge.judged != outputs
    assert [name for name, _ in labels(output)] == outputs


def test_an_output_that_is_there_is_not_touched(source: Path, output: Path) -> None:
    """Neither --resume nor --overwrite: the call is refused and nothing is asked."""
    run(source, output, says("no"))
    before, judge = output.read_bytes(), says("yes")
    with pytest.raises(UsageError, match="--resume adds to it"):
        run(source, output, judge)
    assert (output.read_bytes(), judge.asked) == (before, [])


def test_overwriting_replaces_all_labels(source: Path, output: Path) -> None:
    """--overwrite judges every row anew."""
    run(source, output, says("no"))
    run(source, output, says("yes"), overwrite=True)
    assert {label for _, label in labels(output)} == {"yes"}


def test_slices_merge_in_input_order(source: Path, output: Path) -> None:
    """The output is the union of the slices run, whichever came first."""
    run(source, output, says("yes"), start=2, end=4)
    run(source, output, says("no"), start=0, end=1, resume=True)
    assert labels(output) == [("a", "no"), ("c", "yes"), ("d", "yes")]
    run(source, output, says("no"), resume=True)
    assert labels(output) == [("a", "no"), ("b", "no"), ("c", "yes"), ("d", "yes")]


def test_only_unknown_rows_are_asked_again(source: Path, output: Path) -> None:
    """Yes and no are kept; unknown is asked with the count of earlier runs."""
    first = FunctionJudge(
        lambda item, again: Verdict("unknown", "unparsed") if item.output == "b" else Verdict("no")
    )
    run(source, output, first)
    second = says("yes")
    run(source, output, second, resume=True, again=1)
    assert second.asked == [("b", 1)]
    assert labels(output) == [("a", "no"), ("b", "yes"), ("c", "no"), ("d", "no")]


def test_unknown_rows_outside_the_slice_stay(source: Path, output: Path) -> None:
    """A slice asks for its own rows only."""
    run(source, output, says("unknown", "unparsed"))
    judge = says("yes")
    run(source, output, judge, resume=True, start=1, end=2)
    assert [name for name, _ in judge.asked] == ["b"]
    assert [label for _, label in labels(output)] == ["unknown", "yes", "unknown", "unknown"]


def test_what_a_kept_row_says_is_kept(source: Path, output: Path) -> None:
    """Probability, reason and raw reply of a kept row survive the merge."""
    kept = FunctionJudge(lambda item, again: Verdict("no", p_hallucinated=0.25, raw='না,\n"না"'))
    run(source, output, kept, end=2)
    before = list(Table(output).rows())
    run(source, output, says("yes"), resume=True)
    assert list(Table(output).rows())[:2] == before


def test_equal_rows_are_each_kept_once(tmp_path: Path, output: Path) -> None:
    """Duplicate rows with one id once vanished, or stood twice, on resuming."""
    source = write_csv(tmp_path / "in.csv", QA, [["1", "c", "q", "x"]] * 5)
    run(source, output, says("no"), end=3)
    judge = says("yes")
    run(source, output, judge, resume=True)
    assert len(judge.asked) == 2
    assert [label for _, label in labels(output)] == ["no", "no", "no", "yes", "yes"]


def test_duplicate_ids_of_different_rows_are_no_matter(tmp_path: Path, output: Path) -> None:
    """Rows are matched by all their cells, not by id."""
    rows = [["1", "c", "q", text] for text in ("a", "b", "c")]
    source = write_csv(tmp_path / "in.csv", QA, rows)
    run(source, output, says("no"), start=1, end=2)
    run(source, output, says("yes"), resume=True)
    assert labels(output) == [("a", "yes"), ("b", "no"), ("c", "yes")]


def test_another_inputs_output_is_refused(source: Path, output: Path, tmp_path: Path) -> None:
    """Labels of a file that is not this input are neither kept nor lost."""
    run(source, output, says("no"))
    other = write_csv(tmp_path / "other.csv", QA, qa_rows("a", "b", "c", "changed"))
    with pytest.raises(UsageError, match=r"1 rows of .* are not in"):
        run(other, output, says("yes"), resume=True)


def test_a_labelled_file_is_no_input(source: Path, output: Path, tmp_path: Path) -> None:
    """Labelling the labels is refused, unless the file is the run's own output."""
    run(source, output, says("unknown", "unparsed"))
    with pytest.raises(UsageError, match="already has the column"):
        run(output, tmp_path / "again.csv", says("yes"))


@pytest.mark.parametrize("options", [Options(overwrite=True), Options(resume=True)])
def test_the_input_is_never_overwritten(source: Path, options: Options) -> None:
    """--output naming the input itself once replaced it."""
    before = source.read_bytes()
    with pytest.raises(UsageError, match="is the input itself"):
        run(source, source, says("no"), **options)
    assert source.read_bytes() == before


def test_an_output_can_be_resumed_in_place(source: Path, output: Path) -> None:
    """With the output as its own input, its unknown rows are asked again."""
    run(source, output, says("unknown", "unparsed"))
    run(output, output, says("yes"), resume=True)
    assert labels(output) == [(name, "yes") for name in "abcd"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_published_outputs_are_resumed(source: Path, output: Path, mark: str, end: str) -> None:
    """Yes/No/blank, BOM, CRLF, dropped and renamed columns: matched by the item's own text."""
    text = mark + end.join(
        [
            "row_index,question,context,answer_evaluated,is_hallucinated",
            "0,প্রশ্ন?,প্রসঙ্গ,b,No",
            "1,প্রশ্ন?,প্রসঙ্গ,a,Yes",
            "2,প্রশ্ন?,প্রসঙ্গ,c,",
            "",
        ]
    )
    output.write_bytes(text.encode())
    judge = says("yes", raw="new")
    run(source, output, judge, resume=True)
    assert sorted(judge.asked) == [("c", 0), ("d", 0)]
    assert labels(output) == [("a", "yes"), ("b", "no"), ("c", "yes"), ("d", "yes")]


def test_a_label_that_is_none_is_refused(source: Path, output: Path) -> None:
    """An output whose labels cannot be read is not merged."""
    output.write_text(
        "id,context,question,hallucinated_answer,is_hallucinated\n0,প্রসঙ্গ,প্রশ্ন?,a,maybe\n",
        encoding="utf-8",
    )
    with pytest.raises(UsageError, match=r"row 1: 'maybe' is not a label"):
        run(source, output, says("yes"), resume=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": 4}, "has 4 rows"),
        ({"start": 2, "end": 2}, "holds no rows"),
        ({"start": 3, "end": 1}, "holds no rows"),
    ],
)
def test_a_slice_without_rows_is_an_error(
    source: Path, output: Path, options: Options, message: str
) -> None:
    """--start and --end that hold nothing are said, not silently obeyed."""
    with pytest.raises(UsageError, match=message):
        run(source, output, says("no"), **options)


def test_a_slice_may_end_past_the_last_row(source: Path, output: Path) -> None:
    """--end 100 of 4 rows is all four."""
    assert run(source, output, says("no"), end=100).labels["no"] == 4


def test_a_malformed_input_is_found_before_the_first_request(tmp_path: Path, output: Path) -> None:
    """A ragged last row stops the run while nothing is paid for yet."""
    source = tmp_path / "in.csv"
    source.write_text("id,context,question,hallucinated_answer\n1,c,q,a\n2,c,q\n")
    judge = says("no")
    with pytest.raises(UsageError, match="line 3"):
        run(source, output, judge)
    assert judge.asked == []


def test_a_run_that_cannot_go_on_leaves_the_output_as_it_was(source: Path, output: Path) -> None:
    """A fatal error keeps the earlier output and writes no part of a new one."""
    run(source, output, says("no"), end=2)
    before = output.read_bytes()

    def fail(item: Item, again: int) -> Verdict:
        raise RunError("the key was refused")

    with pytest.raises(RunError, match="key was refused"):
        run(source, output, FunctionJudge(fail), resume=True)
    assert output.read_bytes() == before
    assert sorted(path.name for path in output.parent.iterdir()) == ["in.csv", "out.csv"]


def test_the_tally_counts_the_whole_file(source: Path, output: Path) -> None:
    """Counts after a resume cover kept and new rows, with the reasons of the unknown ones."""
    run(source, output, says("no"), end=2)
    tally = run(source, output, says("unknown", "no reply: timeout"), resume=True)
    assert dict(tally.labels) == {"no": 2, "unknown": 2}
    assert dict(tally.reasons) == {"no reply: timeout": 2}
    assert (tally.judged, tally.unanswered) == (2, 2)


@settings(max_examples=60)
@given(
    outputs=st.lists(st.sampled_from(["a", "b", "\r", "য়", ""]), min_size=1, max_size=12),
    cuts=st.lists(st.tuples(st.integers(0, 11), st.integers(1, 12)), max_size=4),
)
def test_any_slices_and_a_resume_are_one_whole_run(
    tmp_path_factory: pytest.TempPathFactory,
    outputs: list[str],
    cuts: list[tuple[int, int]],
) -> None:
    """However a run is cut up, resuming ends with the file of an uninterrupted run."""
    folder = tmp_path_factory.mktemp("slices")
    source = write_csv(folder / "in.csv", QA, [["1", "c", "q", text] for text in outputs])

    def judge() -> FunctionJudge:
        return FunctionJudge(lambda item, again: Verdict("yes" if item.output == "a" else "no"))

    run(source, folder / "whole.csv", judge())
    for start, length in cuts:
        if start < len(outputs):
            run(source, folder / "cut.csv", judge(), start=start, end=start + length, resume=True)
    run(source, folder / "cut.csv", judge(), resume=True)
    assert (folder / "cut.csv").read_bytes() == (folder / "whole.csv").read_bytes()
