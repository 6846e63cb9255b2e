"""What the intervals of an evaluation's figures rest on: which trials share a source."""

from __future__ import annotations

from banglahallueval.abstention.results import key_cells
from banglahallueval.abstention.types import Question, Trial
from banglahallueval.scoring.intervals import Source

METHODS = (
    "[95 % interval]: Wilson for shares of independent questions; else a bootstrap over sources "
    "(10,000 draws, all thresholds of a question together), and Wilson's bound where all agree."
)
LEAST_SOURCES = 5  # with fewer, the intervals of a subject say next to nothing


def source_of(trial: Trial) -> Source:
    """Name what a trial is drawn with: its source; a question without one stands alone."""
    question = trial.question
    return (question.source,) if question.source else item_key(question)


def item_key(question: Question) -> tuple[str, ...]:
    """Name a question by what results tell it by, whatever the threshold."""
    return tuple(key_cells(question, 0.0))
