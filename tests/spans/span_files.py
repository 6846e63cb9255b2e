"""Files of answers with spans, in every form that is read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import writing
from banglahallueval.spans.formats import read_span_data
from banglahallueval.spans.types import Sample, Span

TAGGED = "ঢাকা না, [HAL]ঢাকা[/HAL]"
ANSWER = "ঢাকা না, ঢাকা"
PUBLISHED: dict[str, Any] = {
    "id": "p1",
    "lang": "bn",
    "wiki_title": "ঢাকা",
    "wiki_url": "https://bn.wikipedia.org/wiki/ঢাকা",
    "llm_checkpoint": "some/model",
    "wiki_passage": "রাজধানী চট্টগ্রাম নয়।",
    "question": "রাজধানী কোথায়?",
    "golden_answer": "ঢাকা",
    "llm_answer": ANSWER,
    "annotated_span": TAGGED,
    "complexity": "easy",
    "labels": [[9, 13]],
}
READ = Sample(
    "p1",
    ANSWER,
    (Span(9, 13),),
    evidence="রাজধানী চট্টগ্রাম নয়।",
    question="রাজধানী কোথায়?",
    language="bn",
    model="some/model",
    source="https://bn.wikipedia.org/wiki/ঢাকা",
)


def lines(path: Path, *rows: Mapping[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    return path


def cells(path: Path, *rows: Mapping[str, Any]) -> Path:
    with writing(path, list(rows[0])) as writer:
        for row in rows:
            writer.writerow([str(value) for value in row.values()])
    return path


def parquet(path: Path, *rows: Mapping[str, Any]) -> Path:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    path.parent.mkdir(parents=True, exist_ok=True)
    pyarrow.parquet.write_table(arrow.Table.from_pylist(rows), path)
    return path


def read(path: Path, **options: str) -> Sequence[Sample]:
    return read_span_data(path, **options).samples


def fault(path: Path, **options: str) -> str:
    with pytest.raises(UsageError) as error:
        read_span_data(path, **options)
    assert "\n" not in str(error.value)
    return str(error.value)
