"""The dataset folder: typed columns, splits, a card with the licence."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from pyarrow import parquet

from banglahallueval.harnesses.commands import export_main
from tests.harnesses.calling import cells
from tests.harnesses.tables import input_flags, write_benchmark
from tests.in_process import ended

Capsys = pytest.CaptureFixture[str]


@pytest.fixture
def folder(capsys: Capsys, tmp_path: Path) -> Path:
    """An exported dataset of qa and reasoning; its files lie beside it."""
    flags = ["--task", "qa,reasoning", *input_flags(write_benchmark(tmp_path))]
    argv = ["--to", "hf", str(tmp_path / "hf"), "--licence", "cc-by-4.0", *flags]
    done = ended(capsys, lambda: export_main("Export.", argv))
    assert done.code == 0, done
    return tmp_path / "hf"


def test_texts_are_whole(folder: Path) -> None:
    """Line ends, both forms of য়, and all rows, equal ones too."""
    table = parquet.read_table(folder / "qa" / "candidates.parquet").to_pylist()
    right = cells(folder.parent / "qa_candidates.csv", "context", "question", "hallucinated_answer")
    assert [(row["context"], row["question"], row["output"]) for row in table] == right
    assert {row["label"] for row in table} == {1}
    assert table[0]["pattern"] == "factualness"


def test_main_has_no_pattern(folder: Path) -> None:
    """And its label is no; a chain's final answer has a column of its own."""
    rows = parquet.read_table(folder / "reasoning" / "main.parquet").to_pylist()
    assert {(row["label"], row["pattern"]) for row in rows} == {(0, None)}
    assert [row["final_answer"] for row in rows] == ["0", "2", "4", "6", "8"]
    assert not any("####" in row["output"] for row in rows)


def test_the_card_names_licence_and_splits(folder: Path) -> None:
    """What the Hub reads stands between the two lines of dashes."""
    head = (folder / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    assert 'license: "cc-by-4.0"\n' in head
    assert "- bn\n" in head
    assert "  - split: candidates\n    path: reasoning/candidates.parquet\n" in head


def test_the_label_is_a_class(folder: Path) -> None:
    """Parquet knows no classes; the library keeps them in the file's metadata."""
    schema = parquet.read_schema(folder / "qa" / "main.parquet")
    features = json.loads(schema.metadata[b"huggingface"])["info"]["features"]
    assert features["label"] == {"names": ["no", "yes"], "_type": "ClassLabel"}
    assert str(schema.field("row").type) == "int32"


def test_the_library_loads_it(folder: Path, tmp_path: Path) -> None:
    """By configuration, with its features, offline."""
    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(str(folder), "qa", cache_dir=str(tmp_path / "cache"))
    assert {name: split.num_rows for name, split in loaded.items()} == {"main": 5, "candidates": 11}
    features = loaded["main"].features
    assert features["label"].names == ["no", "yes"]
    assert features["row"].dtype == "int32"
    assert features["output"].dtype == "string"
    assert loaded["candidates"][0]["pattern"] == "factualness"


def test_no_dataset_without_a_licence(capsys: Capsys, tmp_path: Path) -> None:
    """Nobody but the owner of the data can say it; an unknown one is said to be."""
    flags = ["--task", "qa,reasoning", *input_flags(write_benchmark(tmp_path))]
    argv = ["--to", "hf", str(tmp_path / "hf"), *flags]
    given: list[list[str]] = [[], ["--licence", " "], ["--licence", "My own: free"]]
    for more in given:
        done = ended(capsys, partial(export_main, "Export.", [*argv, *more]))
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert "--licence cc-by-4.0" in done.err
        assert ("is no name of a licence" in done.err) == bool(more)
    done = ended(capsys, lambda: export_main("Export.", [*argv, "--licence", "unknown"]))
    assert done.code == 0
    assert "Note: the licence is unknown" in done.out
