"""The committed span samples are valid, varied, and what their README says they are."""

from __future__ import annotations

import csv
import json
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from banglahallueval.io.span_columns import SPAN_COLUMNS
from banglahallueval.spans.bangla.commands import main
from tests.scripting import ROOT

SAMPLES = ROOT / "Spans" / "samples"
FILES = ("bangla_gold.csv", "bangla_silver.csv")


def read(name: str) -> list[dict[str, str]]:
    with (SAMPLES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", FILES)
def test_rows_have_the_columns_of_a_span_file(name: str) -> None:
    assert all(tuple(row) == SPAN_COLUMNS for row in read(name))
    ids = [row["id"] for row in read(name)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", FILES)
def test_spans_are_whole_stretches_inside_their_answers(name: str) -> None:
    for row in read(name):
        answer, ends = row["answer"], -1
        for start, end in json.loads(row["spans"]):
            assert ends < start < end <= len(answer), row["id"]
            ends = end
            text = answer[start:end]
            assert text == text.strip(), row["id"]
            assert not unicodedata.combining(text[0]), row["id"]
            assert not answer[end : end + 1] or unicodedata.category(answer[end])[0] != "M"


def test_gold_rows_are_varied() -> None:
    rows = read("bangla_gold.csv")
    clean = sum(row["spans"] == "[]" for row in rows)
    chains = sum("=" in row["answer"] for row in rows)
    languages = Counter(row["language"] for row in rows)
    assert len(rows) >= 60
    assert 0.25 <= clean / len(rows) <= 0.4
    assert languages["bn-Latn"] >= 15
    assert chains >= 10
    answers = "".join(row["answer"] for row in rows)
    for what in (
        "\u09df",
        "\u09af\u09bc",
        "\u09dc",
        "\u09a1\u09bc",
        "\u200d",
        "\u09c7\u09be",
        "7",
        "৭",
    ):
        assert what in answers


def test_gold_rows_mark_the_right_one_of_repeated_words() -> None:
    repeated = [
        row
        for row in read("bangla_gold.csv")
        for start, end in json.loads(row["spans"])
        if row["answer"].count(row["answer"][start:end]) > 1
    ]
    later = [
        row for row in repeated
        for start, end in json.loads(row["spans"])
        if row["answer"].find(row["answer"][start:end]) < start
    ]  # fmt: skip
    assert repeated
    assert later


def test_silver_rows_are_what_the_script_makes(tmp_path: Path) -> None:
    made = tmp_path / "silver.csv"
    assert main("Make spans.", ["--samples", "--output", str(made)]) == 0
    assert made.read_bytes() == (SAMPLES / "bangla_silver.csv").read_bytes()
