"""The project's own CSV of answers with their spans, and of what a detector finds in them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from banglahallueval.errors import UsageError
from banglahallueval.io.span_columns import SPAN_COLUMNS, listed
from banglahallueval.io.tables import RowWriter, writing
from banglahallueval.spans.offsets import read_soft_spans, read_spans, read_spans_of, shown
from banglahallueval.spans.records import Record, records
from banglahallueval.spans.types import Detection, Sample

COLUMNS = SPAN_COLUMNS
DETECTION_COLUMNS = ("detected_spans", "scores", "failure")

_LARGEST = 1e300  # of a score, so that the range of scores is a number too


def read_samples(path: Path) -> Iterator[Sample]:
    """Read the answers of a span CSV, as a stream.

    Raises:
        UsageError: If it cannot be read, or a row is invalid.
    """
    return map(read_sample, records(path))


def read_sample(record: Record) -> Sample:
    """Read an answer with its spans: `[[start, end], …]`, and an empty cell for unmarked answers.

    `answer` is needed; every other column may be missing.

    Raises:
        UsageError: If a cell is invalid.
    """
    answer = record.text("answer")
    spans, soft = record.json("spans"), record.json("soft")
    return Sample(
        record.id(),
        answer,
        None if spans is None else read_spans_of(spans, answer, record.where),
        () if soft is None else read_soft_spans(soft, len(answer), record.where),
        evidence=record.text("evidence", ""),
        question=record.text("question", ""),
        language=record.text("language", ""),
        model=record.text("model", ""),
        source=record.text("source", ""),
        rule=record.text("rule", ""),
    )


class SampleWriter:
    """Writes answers with their spans, as rows of a span CSV."""

    def __init__(self, rows: RowWriter) -> None:
        """Write to a table whose columns are COLUMNS."""
        self._rows = rows

    def write(self, sample: Sample, rule: str = "") -> None:
        """Write one answer; `rule` says how its spans came about, where the answer does not."""
        self._rows.writerow(sample_cells(sample, rule))


@contextlib.contextmanager
def writing_samples(path: Path) -> Iterator[SampleWriter]:
    """Write a span CSV that is whole or absent."""
    with writing(path, COLUMNS) as rows:
        yield SampleWriter(rows)


def sample_cells(sample: Sample, rule: str = "") -> list[str]:
    """Turn an answer into the cells of COLUMNS; `rule` stands in where the answer has none."""
    return [
        *(sample.id, sample.language, sample.model, sample.question, sample.evidence),
        *(sample.answer, "" if sample.spans is None else listed(sample.spans)),
        *(listed(sample.soft) if sample.soft else "", sample.source, sample.rule or rule),
    ]


def detection_cells(detection: Detection) -> list[str]:
    """Turn a detection into the cells of DETECTION_COLUMNS.

    Scores have nine significant digits, which hold a 32-bit number without loss.
    """
    if detection.failure:
        return ["", "", detection.failure]
    scores = ",".join(f"{score:.9g}" for score in detection.scores)
    return [listed(detection.spans), f"[{scores}]", ""]


def read_detections(path: Path) -> Iterator[tuple[Sample, Detection]]:
    """Read the answers of a table that a detector worked on, with what it found.

    Raises:
        UsageError: If it cannot be read, or a row is invalid.
    """
    return ((read_sample(record), read_detection(record)) for record in records(path))


def read_detection(record: Record) -> Detection:
    """Read what a detector found in the answer of a row.

    Raises:
        UsageError: If a cell is invalid, or there are not as many scores as code points.
    """
    if failure := record.text("failure", ""):
        return Detection(failure=failure)
    length = len(record.text("answer"))
    return Detection(
        read_scores(record.json("scores"), length, record.where),
        read_spans(record.json("detected_spans"), length, record.where),
    )


def read_scores(value: object, length: int, where: str) -> tuple[float, ...]:
    """Read character scores out of a file: one finite number per code point.

    Raises:
        UsageError: If they are none, or not as many as the answer has code points.
    """
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise UsageError(f"{where}: {str(value)[:40]!r} is no list of scores")
    for score in value:
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise UsageError(f"{where}: the score {shown(score)} is not a number")
        if not -_LARGEST <= score <= _LARGEST:
            raise UsageError(f"{where}: the score {shown(score)} is not a finite number")
    if len(value) != length:
        raise UsageError(
            f"{where}: {len(value)} scores for an answer of {length} code points; give one each"
        )
    return tuple(map(float, value))
