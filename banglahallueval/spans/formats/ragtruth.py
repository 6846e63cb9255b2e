"""RAGTruth: answers in `response.jsonl`, what they rest on in `source_info.jsonl` beside it.

Source: Niu et al. 2024, https://github.com/ParticleMedia/RAGTruth. Labels are code points of the
response, end exclusive.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from banglahallueval.errors import UsageError
from banglahallueval.spans.formats.notes import Notes
from banglahallueval.spans.offsets import read_spans
from banglahallueval.spans.records import Record, records
from banglahallueval.spans.types import Sample

SOURCES = "source_info.jsonl"


class RagTruth:
    """Reads responses, with the sources that were read before."""

    def __init__(self, path: Path, notes: Notes) -> None:
        """Read the sources beside a file of responses.

        Raises:
            UsageError: If they are not there or malformed, or one is there twice and differs.
        """
        self._path = path.with_name(SOURCES)
        if not self._path.is_file():
            raise UsageError(f"no file {self._path}; {path.name} needs it beside it")
        self._notes = notes
        self._sources = _sources(self._path)

    def sample(self, record: Record) -> Sample:
        """Read a response.

        A label whose text is not what its offsets cut out, and a response whose quality is not
        `good`, are noted; both stay.

        Raises:
            UsageError: If a label is invalid, or the response's source is unknown.
        """
        answer = record.text("response")
        labels = record.json("labels")
        spans = None if labels is None else read_spans(labels, len(answer), record.where)
        for label in labels or ():
            self._check_text(label, answer, record.where)
        quality = record.text("quality", "good")
        if quality != "good":
            self._notes.add(f"quality is {quality}", record.where)
        key = record.text("source_id")
        if key not in self._sources:
            raise UsageError(f"{record.where}: source {key!r} is not in {self._path}")
        evidence, question = self._sources[key]
        return Sample(
            record.id(),
            answer,
            spans,
            evidence=evidence,
            question=question,
            language="en",
            model=record.text("model", ""),
            source=key,
        )

    def _check_text(self, label: Any, answer: str, where: str) -> None:
        text = label.get("text") if isinstance(label, Mapping) else None
        if text is not None and text != answer[label["start"] : label["end"]]:
            self._notes.add("a label's text is not what its offsets cut out", where)


def _sources(path: Path) -> dict[str, tuple[str, str]]:
    """Read evidence and question of each source."""
    sources: dict[str, tuple[str, str]] = {}
    for record in records(path):
        key, name = record.id("source_id"), "source_info"
        evidence, question = _evidence(record.fields.get(name))
        source = record.valid(name, evidence), record.valid(name, question)
        if sources.setdefault(key, source) != source:
            raise UsageError(f"{record.where}: the source {key!r} is there twice and differs")
    return sources


def _evidence(info: Any) -> tuple[str, str]:
    """Take evidence and question of a source: a text, passages with a question, or a record."""
    if isinstance(info, str):
        return info, ""
    if isinstance(info, Mapping) and isinstance(info.get("passages"), str):
        return info["passages"], str(info.get("question") or "")
    return ("" if info is None else json.dumps(info, ensure_ascii=False)), ""
