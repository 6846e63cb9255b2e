"""Rates of the published judges, for comparison."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import as_file, files

from banglahallueval.io import tables
from banglahallueval.scoring.bhs import bhs
from banglahallueval.scoring.rates import Rate, wilson


@dataclass(frozen=True, slots=True)
class Published:
    """One published judge on one task.

    Attributes:
        task, judge: What the rates are of.
        detection, false_alarms: Its rates; without rows where they are not published.
        bhs: Its BHS, computed from its rates or as quoted; nan if neither is known.
        comparable: False if the file judged is not the benchmark's.
        caveat: What to know before comparing.
    """

    task: str
    judge: str
    detection: Rate
    false_alarms: Rate
    bhs: float
    comparable: bool
    caveat: str


def published() -> list[Published]:
    """Load the rates of the seven published judges: baseline prompts, whole published files.

    Counted from the published label files; the QA figures of BHS are quoted by a third party.
    """
    with as_file(files(__package__) / "published.csv") as path:
        rows = tables.read_frame(path).to_dict("records")
    return [_published({str(name): str(cell) for name, cell in row.items()}) for row in rows]


def _published(row: dict[str, str]) -> Published:
    detection, false_alarms = (
        wilson(int(row[f"{track}_yes"] or 0), int(row[f"{track}_rows"] or 0))
        for track in ("candidates", "main")
    )
    quoted = float(row["bhs_quoted"] or "nan")
    comparable = row["comparable"] == "yes"
    rated = bhs(false_alarms.value, detection.value)
    return Published(
        row["task"],
        row["judge"],
        detection,
        false_alarms,
        quoted if row["bhs_quoted"] else rated if comparable else float("nan"),
        comparable,
        row["caveat"],
    )
