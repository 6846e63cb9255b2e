"""Rows for tests that run scripts, and readers of what comes out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from banglahallueval.io.tables import Table, writing

QA = ("id", "source_id", "pattern", "context", "question", "right_answer", "hallucinated_answer")


def write_qa(path: Path, rows: int) -> Path:
    """QA candidates with awkward text: duplicate ids, quotes, line breaks, both forms of য়."""
    with writing(path, QA) as writer:
        for n in range(rows):
            context = f'প্রসঙ্গ {n}: "উদ্ধৃতি", য় \u09af\u09bc\nদ্বিতীয় লাইন'
            writer.writerow(
                [f"id-{n // 2}", str(n // 4), "inference", context, f"প্রশ্ন {n}?", "NA", f"উত্তর {n}"]
            )
    return path


def column(path: Path, name: str) -> list[str]:
    """One column of a CSV."""
    table = Table(path)
    at = table.columns.index(name)
    return [cells[at] for cells in table.rows()]


def record(output: Path) -> dict[str, Any]:
    """The run record of an output."""
    found: dict[str, Any] = json.loads(Path(f"{output}.run.json").read_text(encoding="utf-8"))
    return found
