"""Rows of files that somebody supplies: what names their items."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.vision.discriminative.predictions import read_predictions
from banglahallueval.vision.supplied import Row, read_rows
from tests.vision.items import picture_item


@pytest.mark.parametrize(
    ("value", "index"),
    [
        (0, 0),
        ("0", 0),
        (3.0, 3),
        ("3.0", 3),
        (" 12 ", 12),
        ("০", 0),
        (None, None),
        (math.nan, None),
    ],
)
def test_an_index_may_be_written_as_pandas_does(value: object, index: int | None) -> None:
    assert Row("r", {"index": value}).index == index


@pytest.mark.parametrize("value", ["9" * 5000, 10**400, True, -1, 0.5, "1e3", "x", [1], {}])
def test_what_is_no_index_is_refused_in_one_line(value: object) -> None:
    with pytest.raises(UsageError, match="is no whole number from 0") as caught:
        assert Row("r", {"index": value}).index
    assert len(str(caught.value)) < 100


def test_a_malformed_line_is_named_by_its_place_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n\n{"a": \n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"not JSON \(line 3: Expecting value\)"):
        list(read_rows(path, "rows"))


@pytest.mark.parametrize(
    ("value", "answer"), [(1.0, "yes"), ("1.0", "yes"), ("0.0", "no"), (0, "no"), (2.0, "unknown")]
)
def test_an_answer_may_be_written_as_pandas_does(
    tmp_path: Path, value: object, answer: str
) -> None:
    path = tmp_path / "rows.json"
    rows = [{"index": 0.0, "kind": "true", "answer": value}]
    path.write_text(json.dumps(rows), encoding="utf-8")
    found = read_predictions(path, [picture_item()], "match").found
    assert found[0, "true"].answer == answer


@pytest.mark.parametrize("code", [[1], {"a": 1}, "1", None, True, 3, 10**400])
def test_what_is_no_code_is_refused_in_one_line(tmp_path: Path, code: object) -> None:
    path = tmp_path / "rows.json"
    rows = [{"index": 0, "result": [code, 0, 0, 0, 0]}]
    path.write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(UsageError, match="is no code: 0 no, 1 yes, 2 unknown"):
        read_predictions(path, [picture_item()], "match")
