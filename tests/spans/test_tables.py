"""The project's own CSV: what is written is read again, and what is invalid names its row."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Table, writing
from banglahallueval.spans.offsets import merge
from banglahallueval.spans.tables import (
    COLUMNS,
    DETECTION_COLUMNS,
    detection_cells,
    read_detections,
    read_samples,
    read_scores,
    sample_cells,
    writing_samples,
)
from banglahallueval.spans.types import Detection, Sample, SoftSpan, Span

# Texts in any normal form, with line ends, quotes and emoji.
TEXTS = st.text(st.sampled_from('ক\u09df\u09af\u09bc\u09c7\u09be\U0001f44d\r\n",; x'), max_size=12)


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    answer = draw(TEXTS)
    ends = st.integers(0, len(answer))
    pairs = draw(st.none() | st.lists(st.tuples(ends, ends), max_size=3))
    spans = None if pairs is None else merge((min(pair), max(pair)) for pair in pairs)
    soft = tuple(SoftSpan(*span, 0.25) for span in spans or ())
    name = draw(st.sampled_from(["1", "val-en-1", "নীল"]))
    return Sample(name, answer, spans, soft, draw(TEXTS), draw(TEXTS), "bn", "m", draw(TEXTS))


@given(st.lists(samples(), max_size=4))
def test_samples_are_read_as_they_were_written(written: list[Sample]) -> None:
    """No text is normalised, an unmarked answer is not a clean one, and offsets hold."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        with writing_samples(path) as writer:
            for sample in written:
                writer.write(sample, "by hand")
        assert list(read_samples(path)) == [replace(each, rule="by hand") for each in written]


def test_the_columns_are_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    sample = Sample("1", "ঢাকা না", (Span(0, 4),), (SoftSpan(0, 4, 0.5),), language="bn")
    with writing_samples(path) as writer:
        writer.write(sample, "by hand")
        writer.write(Sample("2", "ঢাকা", ()))
        writer.write(Sample("3", "ঢাকা"))
    rows = [dict(zip(COLUMNS, cells, strict=True)) for cells in Table(path).rows()]
    assert [row["spans"] for row in rows] == ["[[0,4]]", "[]", ""]
    assert (rows[0]["soft"], rows[0]["rule"]) == ("[[0,4,0.5]]", "by hand")


def test_only_the_answer_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("answer\nঢাকা\nনীল\n", encoding="utf-8")
    assert list(read_samples(path)) == [Sample("1", "ঢাকা"), Sample("2", "নীল")]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("[[0, 9]]", "outside the answer's 4"),
        ("[[3, 1]]", "reversed"),
        ("[[0, 1.5]]", "not a whole number"),
        ("[[0, true]]", "not a whole number"),
        ("[[0, NaN]]", "not a whole number"),
        ("0-3", "no JSON"),
        ("[" * 9999, "no JSON"),
        ("null", ""),
    ],
)
def test_invalid_spans_name_file_and_row(tmp_path: Path, cell: str, message: str) -> None:
    path = tmp_path / "a.csv"
    with writing(path, ["id", "answer", "spans"]) as writer:
        writer.writerow(["1", "ঢাকা", "[]"])
        writer.writerow(["2", "ঢাকা", cell])
    if not message:
        assert [sample.spans for sample in read_samples(path)] == [(), None]
        return
    with pytest.raises(UsageError) as error:
        list(read_samples(path))
    assert str(error.value).startswith(f"{path}, row 2: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_without_answers_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,text\n1,x\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"a\.csv, row 1: has no 'answer'"):
        list(read_samples(path))


def test_detections_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Beside the answer and its gold spans; a failure stays one."""
    sample = Sample("1", "ঢাকা", (Span(0, 4),))
    found = [
        Detection((0.125, 1e-7, 0.3333333333, -2.0), (Span(1, 2),)),
        Detection((0.0,) * 4),
        Detection(failure="no reply"),
    ]
    path = tmp_path / "a.csv"
    with writing(path, [*COLUMNS, *DETECTION_COLUMNS]) as writer:
        for each in found:
            writer.writerow([*sample_cells(sample), *detection_cells(each)])
    read = list(read_detections(path))
    assert [one for one, _ in read] == [sample] * 3
    assert read[0][1].scores == pytest.approx(found[0].scores, rel=1e-8)
    assert read[0][1].spans == found[0].spans
    assert [each for _, each in read[1:]] == found[1:]


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ("[0.1]", "1 scores for an answer of 4 code points"),
        ("[0, 1, 2, NaN]", "nan is not a finite number"),
        ("[0, 1, 2, 1e999]", "inf is not a finite number"),
        ("[0, 1, 2, true]", "True is not a number"),
        ('"0.1"', "no list of scores"),
        ("", "no list of scores"),
    ],
)
def test_scores_are_one_finite_number_per_code_point(
    tmp_path: Path, scores: str, message: str
) -> None:
    path = tmp_path / "a.csv"
    with writing(path, ["answer", *DETECTION_COLUMNS]) as writer:
        writer.writerow(["ঢাকা", "[]", scores, ""])
    with pytest.raises(UsageError, match=f"row 1: .*{message}"):
        list(read_detections(path))


def test_a_long_number_is_cut_in_messages() -> None:
    """Fault: all of its 400 digits were printed."""
    with pytest.raises(UsageError) as error:
        read_scores([10**400], 1, "here")
    assert len(str(error.value)) < 100
