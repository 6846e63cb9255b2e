"""Evaluations as sections of the page of all results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from banglahallueval.abstention.figure import CAPTION, curve_figure
from banglahallueval.abstention.findings import find
from banglahallueval.abstention.results import COLUMNS, read_trials
from banglahallueval.abstention.tables import all_tables
from banglahallueval.errors import UsageError
from banglahallueval.io.paths import short
from banglahallueval.io.records import read_record
from banglahallueval.io.tables import Table
from banglahallueval.scoring.sections import Section

RESULTS = "results.csv"


def find_sections(path: Path) -> list[Section]:
    """Make a section of each results.csv of an evaluation that a path is, or holds.

    Raises:
        UsageError: If one of them is damaged.
    """
    return [_section(results) for results in _results(path)]


def _results(path: Path) -> Iterable[Path]:
    files = sorted(path.rglob(RESULTS)) if path.is_dir() else [path]
    return (file for file in files if file.is_file() and _is_of_evaluation(file))


def _is_of_evaluation(file: Path) -> bool:
    try:
        return Table(file).columns == COLUMNS
    except UsageError:  # whoever reads it as labelled rows says what is wrong with it
        return False


def _section(results: Path) -> Section:
    found = find(read_trials(results))
    record = read_record(results) or {}
    return Section(
        title=f"Abstention: {short(results.parent)}",
        output=short(results),
        tables=all_tables(found, of_judge="judge" in record),
        figures=[(curve_figure(found.behaviour, _whose(record) or short(results.parent)), CAPTION)],
        sentences=found.behaviour.in_words(),
        record=record,
    )


def _whose(record: Mapping[str, Any]) -> str:
    """Name the judge or the model of a run; empty where its record does not."""
    model = record.get("model")
    return str(record.get("judge") or (model.get("name", "") if isinstance(model, dict) else ""))
