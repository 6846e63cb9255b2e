"""Files of answers with spans, and of what detectors found, for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from banglahallueval.spans.tables import writing_samples
from banglahallueval.spans.types import Sample, Span

# An emoji of two code points, a joiner, both forms of য়, and a word that is wrong once of twice.
TRICKY = "👍🏽 ঢাকা নয়, ঢাকা ন\u09af\u09bc; ক্\u200dষ ১৯৭১"
REPEATED = Span(TRICKY.rindex("ঢাকা"), TRICKY.rindex("ঢাকা") + 4)


def sample(
    key: str, answer: str = TRICKY, *spans: tuple[int, int], language: str = "bn", source: str = ""
) -> Sample:
    """An answer with its spans; none make a clean one."""
    marked = tuple(Span(*span) for span in spans)
    return Sample(key, answer, marked, evidence="প্রমাণ", language=language, source=source)


def write_gold(path: Path, samples: Iterable[Sample]) -> Path:
    """A span CSV."""
    with writing_samples(path) as writer:
        for each in samples:
            writer.write(each)
    return path


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """JSON lines."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    return path


def scores_of(answer: str, spans: Sequence[tuple[int, int]]) -> list[float]:
    """A score of 0.9 inside spans and 0.1 outside."""
    inside = {at for start, end in spans for at in range(start, end)}
    return [0.9 if at in inside else 0.1 for at in range(len(answer))]
