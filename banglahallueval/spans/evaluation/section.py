"""Evaluations of span detectors as sections of the page of all results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import short
from banglahallueval.scoring.sections import Section
from banglahallueval.spans.evaluation.coloured import answers_markup
from banglahallueval.spans.evaluation.files import RESULTS, Written, read_evaluation


def find_sections(path: Path) -> list[Section]:
    """Make a section of each evaluation that a path is, or holds.

    Raises:
        UsageError: If one of them is damaged.
    """
    return [_section(written) for written in _written(path)]


def _written(path: Path) -> Iterator[Written]:
    files = sorted(path.rglob(RESULTS)) if path.is_dir() else [path]
    for file in files:
        if file.suffix.lower() == ".json" and file.is_file() and (found := read_evaluation(file)):
            yield found


def _section(written: Written) -> Section:
    path = written.path
    where = path.parent if path.name == RESULTS else path
    try:
        answers = answers_markup(written.answers, short(path))
    except (KeyError, TypeError, ValueError):
        raise UsageError(
            f"{path} is a damaged evaluation; make it anew with scripts/evaluate_spans.py"
        ) from None
    return Section(
        title=f"Spans: {short(where)}",
        output=short(path),
        tables=written.tables,
        figures=[],
        sentences=written.sentences,
        record=written.record,
        markup=answers,
    )
