"""Evaluations of vision-language models as sections of the page of all results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Table
from banglahallueval.scoring.sections import Section
from banglahallueval.vision import written_tables
from banglahallueval.vision.discriminative import section as of_answers
from banglahallueval.vision.discriminative.results import ask_of
from banglahallueval.vision.generative import section as of_descriptions
from banglahallueval.vision.generative.results import COLUMNS as DESCRIPTIONS


def find_sections(path: Path) -> list[Section]:
    """Make a section of each output of `hal_eval.py` that a path is, or holds.

    Raises:
        UsageError: If one of them is damaged.
    """
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [section for file in files if file.is_file() for section in _sections(file)]


def _sections(file: Path) -> Iterator[Section]:
    suffix = file.suffix.lower()
    if suffix == ".csv":
        columns = _columns(file)
        if columns == DESCRIPTIONS:
            yield of_descriptions.section_of(file)
        elif (ask := ask_of(columns)) is not None:
            yield of_answers.section_of(file, ask)
    elif suffix == ".json" and not file.name.endswith(".run.json"):
        yield from written_tables.find_section(file)


def _columns(file: Path) -> tuple[str, ...]:
    try:
        return tuple(Table(file).columns)
    except UsageError:  # whoever reads it as labelled rows says what is wrong with it
        return ()
