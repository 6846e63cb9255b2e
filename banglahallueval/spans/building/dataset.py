"""The finished data set: the rows that the filter kept, as a span CSV and in PsiloQA's schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.io.paths import is_same_file, short
from banglahallueval.io.tables import replacing
from banglahallueval.runs.options import RunOptions
from banglahallueval.spans.building.filtering import KEPT
from banglahallueval.spans.records import records
from banglahallueval.spans.tables import read_sample, writing_samples
from banglahallueval.spans.types import Sample


def check_places(filtered: Path, files: list[Path], options: RunOptions) -> None:
    """Refuse to write the data set over a file that is there, or over one of the run's own.

    Raises:
        UsageError: Naming the file.
    """
    for place, path in enumerate(files):
        if any(is_same_file(path, other) for other in [filtered, *files[:place]]):
            raise UsageError(f"{path} is named twice; name another file")
        options.adds_to(path)


def write_dataset(filtered: Path, output: Path, published: Path | None, *, quiet: bool) -> None:
    """Write the data set out of a filtered file.

    Args:
        filtered: The output of the step `filter`.
        output: The span CSV.
        published: The JSON lines in the schema of PsiloQA's published data; None for none.
        quiet: Whether to say nothing.

    Raises:
        UsageError: If a row of it is invalid.
        RunError: If a file cannot be written.
    """
    number = 0
    with writing_samples(output) as writer:
        for row, sample in _kept(filtered):
            writer.write(sample, f"marked by {row['annotator']}")
            number += 1
    written = [output]
    if published is not None:
        written.append(published)
        with replacing(published) as file:
            for row, sample in _kept(filtered):
                file.write(json.dumps(_as_published(row, sample), ensure_ascii=False) + "\n")
    if not quiet:
        print(f"written: {', '.join(map(short, written))}: {number} answers")


def _kept(filtered: Path) -> Iterator[tuple[dict[str, str], Sample]]:
    for record in records(filtered):
        row = {name: record.text(name, "") for name in record.fields}
        if row["status"] != KEPT:
            continue
        sample = read_sample(record)
        name = f"{sample.id}::{row['complexity']}" if row.get("complexity") else sample.id
        # The answers to the questions about one passage share their origin.
        source = row.get("url") or f"{sample.language}:{sample.id}"
        yield row, replace(sample, id=name, source=source)


def _as_published(row: dict[str, str], sample: Sample) -> dict[str, object]:
    """Name the fields of a row as the published data does, in its order."""
    return {
        "id": sample.id,
        "lang": sample.language,
        "wiki_title": row.get("title", ""),
        "wiki_url": row.get("url", ""),
        "llm_checkpoint": sample.model,
        "wiki_passage": sample.evidence,
        "question": sample.question,
        "golden_answer": row["gold_answer"],
        "llm_answer": sample.answer,
        "annotated_span": row["tagged"],
        "complexity": row.get("complexity", ""),
        "labels": [list(span) for span in sample.spans or ()],
    }
