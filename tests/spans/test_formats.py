"""Files of every format become answers with spans; what is wrong in them is named or counted."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.errors import RunError, UsageError
from banglahallueval.spans.formats import FORMATS, read_hub, read_span_data
from banglahallueval.spans.types import Sample, SoftSpan, Span
from tests.spans.span_files import (
    PUBLISHED,
    READ,
    cells,
    fault,
    lines,
    parquet,
    read,
)


def test_mushroom_has_soft_and_hard_labels(tmp_path: Path) -> None:
    row = {
        "id": "val-en-1",
        "lang": "EN",
        "model_input": "Who?",
        "model_output_text": "0123456789",
        "model_id": "m",
        "soft_labels": [{"start": 0, "end": 3, "prob": 0.5}, {"start": 3, "end": 5, "prob": 0.9}],
        "hard_labels": [[3, 6]],
    }
    derived = {key: value for key, value in row.items() if key != "hard_labels"}
    bare = {key: value for key, value in derived.items() if key != "soft_labels"}
    data = read_span_data(lines(tmp_path / "a.jsonl", row, derived, bare))
    assert data.samples[0] == Sample(
        "val-en-1",
        "0123456789",
        (Span(3, 6),),
        (SoftSpan(0, 3, 0.5), SoftSpan(3, 5, 0.9)),
        question="Who?",
        language="en",
        model="m",
        source="en:Who?",
    )
    assert [sample.spans for sample in data.samples[1:]] == [(Span(3, 5),), None]
    assert data.notes[0].startswith("no labels: 1 rows")


RESPONSE: dict[str, Any] = {
    "id": "5",
    "source_id": "s1",
    "model": "m",
    "labels": [{"start": 3, "end": 5, "text": "34", "label_type": "Evident Conflict"}],
    "split": "test",
    "quality": "good",
    "response": "0123456789",
}
SOURCES: list[dict[str, Any]] = [
    {"source_id": "s1", "task_type": "QA", "source_info": {"question": "Who?", "passages": "P"}},
    {"source_id": "s2", "task_type": "Summary", "source_info": "A text."},
    {"source_id": "s3", "task_type": "Data2txt", "source_info": {"name": "নীল"}},
]


def test_ragtruth_joins_answers_and_sources(tmp_path: Path) -> None:
    lines(tmp_path / "source_info.jsonl", *SOURCES)
    rows = [RESPONSE | {"id": name, "source_id": f"s{name}"} for name in "123"]
    lines(tmp_path / "response.jsonl", *rows)
    found = read(tmp_path, split="test")
    assert found[0] == Sample("1", "0123456789", (Span(3, 5),), (), "P", "Who?", "en", "m", "s1")
    assert [sample.evidence for sample in found[1:]] == ["A text.", '{"name": "নীল"}']
    assert read(tmp_path / "response.jsonl", split="test") == found


def test_ragtruth_counts_doubtful_rows(tmp_path: Path) -> None:
    lines(tmp_path / "source_info.jsonl", *SOURCES)
    wrong = [{"start": 0, "end": 2, "text": "34"}]
    rows = [RESPONSE | {"labels": wrong}, RESPONSE | {"id": "6", "quality": "truncated"}]
    lines(tmp_path / "response.jsonl", *rows)
    notes = [note.split(":")[0] for note in read_span_data(tmp_path).notes]
    assert notes == [
        "split is test",
        "a label's text is not what its offsets cut out",
        "quality is truncated",
    ]


def test_ragtruth_needs_its_sources(tmp_path: Path) -> None:
    path = lines(tmp_path / "response.jsonl", RESPONSE)
    assert "needs it beside it" in fault(path)
    lines(tmp_path / "source_info.jsonl", SOURCES[1])
    assert "source 's1' is not in" in fault(path)


@pytest.mark.parametrize("info", ["\ud800", {"passages": "\ud800"}, {"name": ["\ud800"]}])
def test_ragtruth_with_half_a_character_is_told(tmp_path: Path, info: object) -> None:
    """Fault: a traceback when the detections were written."""
    lines(tmp_path / "response.jsonl", RESPONSE)
    lone = json.dumps(SOURCES[0] | {"source_info": info})
    (tmp_path / "source_info.jsonl").write_text(lone, encoding="utf-8")
    assert "line 1: 'source_info' holds half of a character" in fault(tmp_path)


def test_ragtruth_refuses_a_source_of_two_texts(tmp_path: Path) -> None:
    """Fault: the last one counted."""
    path = lines(tmp_path / "response.jsonl", RESPONSE)
    lines(tmp_path / "source_info.jsonl", SOURCES[0], SOURCES[0])
    assert len(read(path)) == 1
    lines(tmp_path / "source_info.jsonl", SOURCES[0], SOURCES[1] | {"source_id": "s1"})
    assert "line 2: the source 's1' is there twice and differs" in fault(path)


def test_gold_spans_cut_out_their_texts(tmp_path: Path) -> None:
    """Fault: only predictions were held to it."""
    span = {"start": 0, "end": 4, "text": "ঢাকা"}
    row: dict[str, Any] = {"id": "1", "answer": "ঢাকা না", "spans": [span]}
    assert read(lines(tmp_path / "a.jsonl", row))[0].spans == (Span(0, 4),)
    other = lines(tmp_path / "b.jsonl", row | {"spans": [span | {"end": 3}]})
    assert "cuts out 'ঢাক', not its text 'ঢাকা'" in fault(other)
    hard = {"id": "1", "model_output_text": "ঢাকা", "hard_labels": [span | {"text": "x"}]}
    assert "not its text 'x'" in fault(lines(tmp_path / "c.jsonl", hard))


def test_a_split_is_chosen_by_rows(tmp_path: Path) -> None:
    lines(tmp_path / "source_info.jsonl", *SOURCES)
    lines(tmp_path / "response.jsonl", RESPONSE, RESPONSE | {"id": "6", "split": "train"})
    assert [sample.id for sample in read(tmp_path, split="train")] == ["6"]
    assert "holds no answers of that split" in fault(tmp_path, split="validation")


def test_a_split_is_chosen_by_file_names(tmp_path: Path) -> None:
    """The hub's layout, and one file that was also converted, as fetching leaves it."""
    parquet(tmp_path / "data" / "test-00000-of-00001.parquet", PUBLISHED)
    parquet(tmp_path / "data" / "validation-00000-of-00001.parquet", PUBLISHED | {"id": "v1"})
    assert [sample.id for sample in read(tmp_path, split="test")] == ["p1"]
    assert [sample.id for sample in read(tmp_path, split="validation")] == ["v1"]
    assert "holds test, validation; say which with --split" in fault(tmp_path)
    assert "holds no train file" in fault(tmp_path, split="train")


def test_one_file_in_two_forms_is_read_once(tmp_path: Path) -> None:
    parquet(tmp_path / "psiloqa_test.parquet", PUBLISHED)
    lines(tmp_path / "psiloqa_test.jsonl", PUBLISHED)
    assert read(tmp_path) == (READ,)


def test_files_of_several_languages_are_read_together(tmp_path: Path) -> None:
    for language in ("en", "hi"):
        row = {"id": language, "lang": language.upper(), "model_output_text": "x"}
        lines(tmp_path / f"mushroom.{language}-val.v2.jsonl", row | {"hard_labels": []})
    assert [sample.language for sample in read(tmp_path, split="validation")] == ["en", "hi"]


def test_a_split_that_nothing_tells_is_an_error(tmp_path: Path) -> None:
    assert "has no column 'split'" in fault(lines(tmp_path / "a.jsonl", PUBLISHED), split="test")


def test_the_project_s_own_file_is_recognised(tmp_path: Path) -> None:
    path = cells(tmp_path / "a.csv", {"id": "1", "answer": "ঢাকা", "spans": "[[0,4]]"})
    assert read(path) == (Sample("1", "ঢাকা", (Span(0, 4),)),)
    assert read(path, format_name="spans") == read(path)


def test_a_format_may_be_named(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", PUBLISHED)
    assert read(path, format_name="psiloqa-annotator")[0].spans == (Span(9, 13),)
    assert "has no 'annotation', which the format psiloqa-pipeline needs" in fault(
        path, format_name="psiloqa-pipeline"
    )
    told = fault(path, format_name="squad")
    assert all(name in told for name in FORMATS)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b"", "holds no rows"),
        ("a.jsonl", b"{]", "line 1: not a JSON object"),
        ("a.jsonl", b"[1]", "line 1: not a JSON object"),
        ("a.jsonl", b"[" * 99999, "line 1: not a JSON object"),
        ("a.jsonl", b"\xff\xfe", "not UTF-8"),
        ("a.jsonl", b'{"x": 1}', "of no known format; it has x. Known are psiloqa (labels"),
        ("a.parquet", b"PAR1", "cannot read"),
        ("a.xlsx", b"", "cannot read '.xlsx'"),
        ("a.csv", b"", "is empty"),
    ],
)
def test_unreadable_files_are_told_in_one_line(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert message in fault(path)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    assert "no file" in fault(tmp_path / "a.jsonl")
    assert "holds no .jsonl, .parquet, .csv, .tsv file" in fault(tmp_path)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\ufeff" + json.dumps(PUBLISHED), encoding="utf-8")
    assert read(path) == (READ,)


def test_the_hub_is_read_through_its_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder stands for the hub: the library reads both alike."""
    pytest.importorskip("datasets")
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    parquet(tmp_path / "data" / "test-00000-of-00001.parquet", PUBLISHED)
    assert read_hub(str(tmp_path), "test").samples == (READ,)
    with pytest.raises(RunError, match="cannot load 'dev' of"):
        read_hub(str(tmp_path), "dev")
    with pytest.raises(RunError, match="cannot load 'test' of"):
        read_hub(str(tmp_path / "nothing"), "test")


def test_the_hub_needs_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(UsageError, match="pip install datasets"):
        read_hub()
