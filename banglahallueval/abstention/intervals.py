"""What the intervals of an evaluation draw together: questions that share a source."""

from __future__ import annotations

from banglahallueval.abstention.results import key_cells
from banglahallueval.abstention.types import Question

METHODS = (
    "[95 % interval]: Wilson for shares of independent questions; else a bootstrap over sources "
    "(10,000 draws, all thresholds of a question together), and Wilson's bound where all agree."
)
LEAST_SOURCES = 5  # with fewer, the intervals of a subject say next to nothing


def item_key(question: Question) -> tuple[str, ...]:
    """Name a question by what results tell it by, whatever the threshold."""
    return tuple(key_cells(question, 0.0))


def cluster_key(question: Question) -> tuple[str, ...]:
    """Name what a question is drawn with: its source; one without a source stands alone."""
    return (question.source,) if question.source else item_key(question)
