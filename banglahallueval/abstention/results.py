"""The rows of `results.csv`, one per question and threshold, and the files beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast, get_args

from banglahallueval.abstention.types import Outcome, Question, Trial
from banglahallueval.errors import UsageError
from banglahallueval.io.tables import Cells, Table
from banglahallueval.runs.options import RunOptions

# The first nine are gemini-hallcheck's.
COLUMNS = (
    "id",
    "t",
    "question",
    "gold",
    "unknown_ok",
    "pred",
    "abstained",
    "correct",
    "score",
    "outcome",
    "reason",
    "confidence",
    "grader",
    "subject",
    "source",
)
KIND: Final = "abstention"  # in the run record
# What a row is matched by when a run is resumed.
KEY_COLUMNS = ("id", "t", "question", "gold", "unknown_ok", "subject", "source")
# What a report writes beside it; subjects.csv where there are subjects.
_REPORT = ("metrics.json", "behavior.json", "rc_curve.png", "report.md", "subjects.csv")
_AT = {name: place for place, name in enumerate(COLUMNS)}


def key_cells(question: Question, t: float) -> Cells:
    """Return the cells of `KEY_COLUMNS` for a question at a threshold."""
    return [
        question.id,
        repr(t),
        question.text,
        question.gold,
        str(int(question.unknown_ok)),
        question.subject,
        question.source,
    ]


def cells_of(trial: Trial) -> Cells:
    """Write a trial; `correct` and `score` are empty where it has none."""
    is_settled = trial.score is not None
    cells = dict(zip(KEY_COLUMNS, key_cells(trial.question, trial.t), strict=True))
    cells |= {
        "pred": trial.pred,
        "abstained": str(int(trial.outcome == "abstained")) if is_settled else "",
        "correct": str(int(is_right(trial))) if is_settled else "",
        "score": "" if trial.score is None else repr(trial.score),
        "outcome": trial.outcome,
        "reason": trial.reason,
        "confidence": "" if trial.confidence is None else repr(trial.confidence),
        "grader": trial.grader,
    }
    return [cells[name] for name in COLUMNS]


def is_right(trial: Trial) -> bool:
    """Whether the model did the right thing: a right answer, or abstaining where nothing is known.

    Abstaining on an unanswerable question is right and scores 0 all the same.
    """
    if trial.outcome == "abstained":
        return trial.question.unknown_ok
    return trial.outcome == "correct"


def trial_of(cells: Cells, where: str) -> Trial:
    """Read a row of `COLUMNS` back; the options of a question are not kept.

    Args:
        cells: The row.
        where: File and row, for messages.

    Raises:
        UsageError: If a cell is not what a run writes.
    """
    cell = {name: cells[place] for name, place in _AT.items()}
    if cell["outcome"] not in get_args(Outcome):
        raise UsageError(f"{where}: outcome {cell['outcome']!r} is none that a run writes")
    try:
        t = float(cell["t"])
        confidence = float(cell["confidence"]) if cell["confidence"] else None
    except ValueError as error:
        raise UsageError(f"{where}: {error}") from None
    question = Question(
        cell["id"],
        cell["question"],
        cell["gold"],
        cell["unknown_ok"] == "1",
        subject=cell["subject"],
        source=cell["source"],
    )
    outcome = cast(Outcome, cell["outcome"])
    return Trial(question, t, cell["pred"], outcome, cell["reason"], confidence, cell["grader"])


def check_columns(columns: Sequence[str], where: str) -> None:
    """Refuse a file that is no results file.

    Raises:
        UsageError: If its columns are others.
    """
    if tuple(columns) != COLUMNS:
        raise UsageError(f"{where} is no results file of this version; name another --out")


def read_trials(path: Path) -> list[Trial]:
    """Read a results file.

    Raises:
        UsageError: If it is none.
    """
    table = Table(path)
    check_columns(table.columns, str(path))
    return [trial_of(cells, f"{path} row {row}") for row, cells in enumerate(table.rows(), 1)]


def report_files(output: Path, options: RunOptions) -> list[Path]:
    """List the files that a report writes beside a results.csv.

    Raises:
        UsageError: If some are there without a results.csv, so that they are somebody else's.
    """
    files = [output.with_name(name) for name in _REPORT]
    options.refuse_strays(output, files, flag="--out")
    return files
