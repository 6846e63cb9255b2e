"""PsiloQA's data set, and the files of its pipeline and annotators."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.spans.formats import read_span_data
from banglahallueval.spans.types import Sample, Span
from tests.spans.span_files import (
    ANSWER,
    PUBLISHED,
    READ,
    TAGGED,
    cells,
    fault,
    lines,
    parquet,
    read,
)


@pytest.mark.parametrize("write", [lines, parquet, cells])
def test_psiloqa_is_read_from_every_kind_of_file(tmp_path: Path, write: Any) -> None:
    names = {lines: "a.jsonl", parquet: "a.parquet", cells: "a.csv"}
    data = read_span_data(write(tmp_path / names[write], PUBLISHED))
    assert (data.samples, data.notes) == ((READ,), ())


def test_a_row_of_psiloqa_without_labels_is_clean(tmp_path: Path) -> None:
    row = PUBLISHED | {"labels": [], "annotated_span": ANSWER}
    assert read(lines(tmp_path / "a.jsonl", row))[0].spans == ()


def test_null_labels_are_taken_from_the_tags_or_are_none(tmp_path: Path) -> None:
    rows = [PUBLISHED | {"labels": None}, PUBLISHED | {"labels": None, "annotated_span": None}]
    found = read(lines(tmp_path / "a.jsonl", *rows))
    assert [sample.spans for sample in found] == [(Span(9, 13),), None]


def test_labels_that_differ_from_the_tags_are_counted(tmp_path: Path) -> None:
    """The labels stand. [0, 4] is where the published evaluation finds the repeated word."""
    row = PUBLISHED | {"labels": [[0, 4]]}
    data = read_span_data(lines(tmp_path / "a.jsonl", row, row, PUBLISHED))
    assert data.samples[0].spans == (Span(0, 4),)
    (note, _) = data.notes
    assert note.startswith("annotated_span marks other characters than labels: 2 rows, the first")
    assert note.endswith("a.jsonl, line 1")


def test_tags_of_another_text_are_counted(tmp_path: Path) -> None:
    row = PUBLISHED | {"annotated_span": "অন্য"}
    (note,) = read_span_data(lines(tmp_path / "a.jsonl", row)).notes
    assert note.startswith("annotated_span is another text than llm_answer: 1 rows")


def test_repeated_ids_are_counted(tmp_path: Path) -> None:
    (note,) = read_span_data(lines(tmp_path / "a.jsonl", PUBLISHED, PUBLISHED)).notes
    assert note.endswith("1 ids are there more than once, as 'p1'")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels": [[9, 14]]}, "outside the answer's 13"),
        ({"labels": [[9, 13.0]]}, "not a whole number"),
        ({"annotated_span": "[HAL]x"}, "never closed"),
        ({"llm_answer": None}, "has no 'llm_answer'"),
        ({"llm_answer": ["x"]}, "not a text"),
        ({"llm_answer": "\ud83d"}, "lone surrogate"),
    ],
)
def test_invalid_rows_of_psiloqa_are_named(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = tmp_path / "a.jsonl"
    rows = [json.dumps(row) for row in (PUBLISHED, PUBLISHED | change)]
    path.write_text("\n\n".join(rows), encoding="utf-8")
    told = fault(path)
    assert told.startswith(f"{path}, line 3: ")
    assert message in told


def test_an_answer_of_digits_stays_a_text(tmp_path: Path) -> None:
    """A reader that guesses types makes a number of it, and its length fails."""
    rows = [
        PUBLISHED | {"llm_answer": answer, "annotated_span": None, "labels": [[0, 4]], "id": 7}
        for answer in ("1971", 1971)
    ]
    found = read(lines(tmp_path / "a.jsonl", *rows))
    assert [(sample.id, sample.answer) for sample in found] == [("7", "1971")] * 2


def test_the_pipeline_s_files_have_names_of_their_own(tmp_path: Path) -> None:
    row: dict[str, Any] = {
        "id": "q1",
        "language": "bn",
        "title": "ঢাকা",
        "passage": "প",
        "question": "প্র",
        "model_id": "m",
        "hypothesis": ANSWER,
        "annotation": TAGGED,
    }
    failed = row | {"annotation": []}
    other = row | {"annotation": TAGGED + "।"}
    data = read_span_data(lines(tmp_path / "a.jsonl", row, failed, other))
    assert data.samples[0] == Sample(
        "q1", ANSWER, (Span(9, 13),), (), "প", "প্র", "bn", "m", "bn:ঢাকা"
    )
    assert [sample.spans for sample in data.samples[1:]] == [None, None]
    assert [note.split(":")[0] for note in data.notes[:2]] == [
        "not annotated",
        "annotation is another text than hypothesis",
    ]


def test_annotators_files_have_tags_alone(tmp_path: Path) -> None:
    row = {
        "id": "a1",
        "wiki_url": "https://en.wikipedia.org/wiki/X",
        "annotated_span": "X\nis [HAL]X\ny[/HAL]",
        "meta": "",
    }
    (sample,) = read(cells(tmp_path / "a.csv", row))
    assert sample == Sample(
        "a1", "X\nis X\ny", (Span(5, 8),), language="en", source="https://en.wikipedia.org/wiki/X"
    )
