"""The contrast sets: labels that neither length nor single words tell, and pairs in every style."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

from banglahallueval.io.layouts import find_layout
from banglahallueval.tasks import TASKS, TaskName

ROOT = Path(__file__).parent.parent


def _read(task: TaskName) -> tuple[list[dict[str, str]], list[str]]:
    """Read a task's set; gives its rows and the outputs under judgement."""
    path = ROOT / TASKS[task].folder / "Contrast set" / f"{task}_contrast.csv"
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
        header = reader.fieldnames or []
    layout = find_layout(header, task)
    column = layout.columns[TASKS[task].output_role]
    return rows, [row[column] for row in rows]


@pytest.fixture(params=TASKS)
def task(request: pytest.FixtureRequest) -> TaskName:
    name: TaskName = request.param
    return name


def test_each_source_has_six_pairs_in_six_styles(task: TaskName) -> None:
    styles: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in _read(task)[0]:
        styles[row["source_id"]][row["expected"]].append(row["style"])
    assert len(styles) >= 40
    for source, by_label in styles.items():
        assert set(by_label) == {"yes", "no"}, source
        assert sorted(by_label["yes"]) == sorted(by_label["no"]), source
        assert len(by_label["no"]) == 6, source


def test_kinds_name_what_is_wrong(task: TaskName) -> None:
    rows, _ = _read(task)
    assert all((row["kind"] == "right") == (row["expected"] == "no") for row in rows)
    assert len({row["kind"] for row in rows}) >= 8


def test_ids_are_unique_and_name_their_source(task: TaskName) -> None:
    rows, _ = _read(task)
    assert len({row["id"] for row in rows}) == len(rows)
    assert all(row["id"].rpartition("-")[0] == row["source_id"] for row in rows)


def test_half_of_the_sources_are_only_measured(task: TaskName) -> None:
    splits: dict[str, set[str]] = defaultdict(set)
    for row in _read(task)[0]:
        splits[row["split"]].add(row["source_id"])
    assert set(splits) == {"fit", "measure"}
    assert len(splits["fit"]) == len(splits["measure"])
    assert not splits["fit"] & splits["measure"]


def test_length_does_not_tell_the_label(task: TaskName) -> None:
    rows, outputs = _read(task)
    wrong = [row["expected"] == "yes" for row in rows]
    assert 0.45 <= roc_auc_score(wrong, [len(output) for output in outputs]) <= 0.55


def test_single_words_do_not_tell_the_label(task: TaskName) -> None:
    rows, outputs = _read(task)
    wrong = np.array([row["expected"] == "yes" for row in rows])
    words = CountVectorizer(token_pattern=r"\S+", min_df=2).fit_transform(outputs)
    sources = [row["source_id"] for row in rows]
    told = cross_val_predict(
        LogisticRegression(max_iter=2000), words, wrong, groups=sources, cv=GroupKFold(10)
    )
    assert np.mean(told == wrong) < 0.6
