"""A judge's own p_hallucinated as a sweep: which verdicts it should hand to a person."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from banglahallueval.abstention.types import Outcome, Question, Trial
from banglahallueval.errors import UsageError
from banglahallueval.io.assignments import Assignments
from banglahallueval.io.paths import short
from banglahallueval.scoring.load import load

NO_PROBABILITY = "no p_hallucinated"
_EXPECTED = {"main": "no", "candidates": "yes"}


class _Row(NamedTuple):
    """A labelled row, of the columns of `scoring.load.Labelled.rows` that count here."""

    file: int
    row: int
    task: str
    track: str
    label: str
    reason: str
    p: float
    output: str
    source: int


class Judged(NamedTuple):
    """A judge's labelled rows.

    Attributes:
        judge: Its name.
        trials: One per row and threshold, row by row.
    """

    judge: str
    trials: list[Trial]


def read_verdicts(
    paths: Iterable[str | Path],
    thresholds: Sequence[float],
    assignments: Assignments | None = None,
) -> Judged:
    """Read a judge's labelled rows as trials.

    The id is the file's name and the row, from 1. The question is the judged output, and the right
    answer the label that its track expects. The confidence is the probability of the label said:
    p_hallucinated for yes, 1 − it for no. At t the judge answers where this is above t, and
    abstains elsewhere, so rows of one confidence are answered together. Rows that are unknown or
    have no p_hallucinated are `no reply`, with the reason. Rows of one source are drawn together;
    subjects are tasks and tracks.

    Args:
        paths: Labelled files, folders, globs.
        thresholds: In [0, 1).
        assignments: What the user says the files hold.

    Raises:
        UsageError: If they cannot be read as labelled rows, hold labels of several judges, or no
            row has p_hallucinated.
    """
    labelled = load(paths, assignments)
    judges = list(dict.fromkeys(labelled.rows["system"]))
    if len(judges) > 1:
        raise UsageError(
            f"--from-verdicts got labels of {', '.join(judges)}; give the files of one judge at a "
            "time, each with its own --out"
        )
    if not (labelled.rows["p"].notna() & labelled.rows["label"].ne("unknown")).any():
        raise UsageError(
            f"no row of {judges[0]} has a label and p_hallucinated; take a judge that gives both"
        )
    names = _names([file.path for file in labelled.files])
    rows: Any = labelled.rows[list(_Row._fields)].itertuples(index=False, name=None)
    trials = [trial for cells in rows for trial in _trials(_Row(*cells), names, thresholds)]
    return Judged(judges[0], trials)


def _names(paths: Sequence[Path]) -> list[str]:
    """Name files without their folders, unless two have one name."""
    count = Counter(path.name for path in set(paths))
    return [path.name if count[path.name] == 1 else short(path) for path in paths]


def _trials(row: _Row, names: Sequence[str], thresholds: Iterable[float]) -> Iterator[Trial]:
    question = Question(
        f"{names[row.file]}, row {row.row + 1}",
        row.output,
        _EXPECTED[row.track],
        subject=f"{row.task} {row.track}",
        source=str(row.source),
    )
    if row.label == "unknown" or math.isnan(row.p):
        reason = row.reason if row.label == "unknown" else NO_PROBABILITY
        for t in thresholds:
            yield Trial(question, t, "", "no reply", reason)
        return
    # Rounded, as 1 − 0.9 is not 0.1 in floats, and might fall on the wrong side of t.
    confidence = round(row.p if row.label == "yes" else 1 - row.p, 12)
    answer: Outcome = "correct" if row.label == question.gold else "wrong"
    for t in thresholds:
        outcome: Outcome = answer if confidence > t else "abstained"
        yield Trial(question, t, row.label, outcome, confidence=confidence)
