"""Where answers with spans come from: a file, a folder of files, or the hub."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banglahallueval.hashing import file_sha256
from banglahallueval.io.paths import short
from banglahallueval.spans.formats import read_hub, read_span_data
from banglahallueval.spans.tables import sample_cells
from banglahallueval.spans.types import Sample

HUB = "hub"


@dataclass(frozen=True, slots=True)
class Data:
    """Answers, and where they are from.

    Attributes:
        samples: The answers, in order.
        notes: What a user should know about how they were read.
        source: What they are from, for messages.
        path: The file or folder; None for the hub.
        record: The same for run records: source, split, number of answers and a checksum.
    """

    samples: tuple[Sample, ...]
    notes: tuple[str, ...]
    source: str
    path: Path | None
    record: Mapping[str, Any]


def read_data(given: str, *, format_name: str = "", split: str = "") -> Data:
    """Read answers with spans.

    Args:
        given: A file, a folder of files, or `hub` for PsiloQA on the Hugging Face hub.
        format_name: A key of `formats.FORMATS`; empty to recognise it by the names of columns.
        split: `train`, `validation` or `test`; empty for a file as it is, and the hub's test split.

    Raises:
        UsageError: If nothing can be read, or a row is invalid.
        RunError: If the hub cannot be reached.
    """
    path = None if given == HUB else Path(given)
    if path is None:
        split = split or "test"
        found = read_hub(split=split)
    else:
        found = read_span_data(path, format_name=format_name, split=split)
    record: dict[str, Any] = {"source": given, "answers": len(found.samples)}
    if split:
        record["split"] = split
    if path is not None and path.is_file():
        record["sha256"] = file_sha256(path)
    else:
        record["answers_sha256"] = _checksum(found.samples)
    source = short(path) if path else f"PsiloQA on the hub ({split})"
    return Data(found.samples, found.notes, source, path, record)


def _checksum(samples: tuple[Sample, ...]) -> str:
    """Compute the SHA-256 of answers that no single file holds."""
    checksum = hashlib.sha256()
    for sample in samples:
        for cell in sample_cells(sample):
            checksum.update(cell.encode() + b"\0")
    return checksum.hexdigest()
