"""Reading columns of scores: missing cells, and what is no score."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from banglahallueval.errors import UsageError
from banglahallueval.vision.correlation.scores import Scores, read_scores


def read(folder: Path, name: str, text: str, *names: str) -> Scores:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_scores(path, names or ("metric", "human"))


def test_cells_of_a_csv_are_numbers_or_missing(tmp_path: Path) -> None:
    found = read(tmp_path, "s.csv", "id,metric,human\na,0.5,1\nb,,২\nc, NA ,-1e1\n")
    assert np.allclose(found.columns["metric"], [0.5, math.nan, math.nan], equal_nan=True)
    assert found.columns["human"].tolist() == [1, 2, -10]
    assert (found.missing("metric"), found.rows) == (2, 3)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.json", '[{"metric": 1, "human": true}, {"metric": null, "human": 0.5}]'),
        ("s.jsonl", '{"metric": 1, "human": "1"}\n\n{"human": 0.5}\n'),
        ("s.json", '{"metric": [1, null], "human": [1, "0.5"]}'),
    ],
)
def test_json_is_rows_or_columns(tmp_path: Path, name: str, text: str) -> None:
    found = read(tmp_path, name, text)
    assert np.allclose(found.columns["metric"], [1, math.nan], equal_nan=True)
    assert found.columns["human"].tolist() == [1, 0.5]


@pytest.mark.parametrize("cell", ["good", "50%", "1_0", "inf", "1,5"])
def test_a_cell_that_is_no_number_names_its_row(tmp_path: Path, cell: str) -> None:
    with pytest.raises(UsageError, match=r"s\.csv, row 2, human: "):
        read(tmp_path, "s.csv", f'metric,human\n1,1\n1,"{cell}"\n')


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("s.csv", "metric,rating\n1,2\n", "no column 'human' (it has metric, rating"),
        ("s.csv", "metric,human\n", "no rows"),
        ("s.csv", "metric,human\n1,2\n3\n", "line 3"),
        ("s.json", '{"metric": [1, 2], "human": [1]}', "unequal length: metric 2, human 1"),
        ("s.json", '{"metric": 1, "human": [1]}', "metric is no list"),
        ("s.json", '[{"metric": [1], "human": 1}]', "row 1, metric"),
        ("s.json", "[1]", "row 1: not an object"),
        ("s.json", "7", "neither"),
        ("s.json", "{", "not JSON"),
        ("s.jsonl", '{"metric": 1}\n{', "line 2"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said.replace("(", r"\(")):
        read(tmp_path, name, text)


def test_sources_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps([{"m": 1, "image": 7}, {"m": 2, "image": 7}]), encoding="utf-8")
    assert read_scores(path, ["m"], "image").sources == ["7", "7"]
