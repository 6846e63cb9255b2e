"""What `scripts/score.py` is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from banglahallueval.io.assignments import Assignments

Format = Literal["markdown", "csv", "json", "latex"]
FORMATS: tuple[Format, ...] = ("markdown", "csv", "json", "latex")


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """What to score, and where the tables go.

    Attributes:
        inputs: Labelled files, folders of them, or globs.
        assignments: What flags say they hold.
        output: Folder to write the tables into; None to print them only.
        formats: The first is printed, all are written.
        wide: Whether all tables are printed where the first format is Markdown.
        against_published: Whether the judges are placed among the published ones.
        keep_flagged: Whether candidates that fail a generation check are scored.
    """

    inputs: tuple[str, ...]
    assignments: Assignments
    output: Path | None
    formats: tuple[Format, ...]
    wide: bool
    against_published: bool
    keep_flagged: bool
