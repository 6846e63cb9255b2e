"""Automatic scores against people's: every column against the people's mean, and people alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from banglahallueval.errors import UsageError
from banglahallueval.scoring.bootstrap import RESAMPLES, SEED, Floats
from banglahallueval.vision.correlation.coefficients import Correlation, correlate, standard
from banglahallueval.vision.correlation.scores import Scores, one_line, read_scores


@dataclass(frozen=True, slots=True)
class Options:
    """What is compared.

    Attributes:
        path: The file of scores.
        automatic: Columns of automatic scores.
        human: Columns of people's scores; of several, their mean counts.
        source: Column that says which rows are drawn together; None where each stands alone.
        resamples: How many resamples to draw for each interval.
        seed: Of the draws.
    """

    path: Path
    automatic: Sequence[str]
    human: Sequence[str]
    source: str | None = None
    resamples: int = RESAMPLES
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class Study:
    """What was found.

    Attributes:
        options: What was compared.
        scores: The scores.
        human: What people's scores are called: a column, or the mean of several.
        incomplete: Rows that some people scored and some did not; their mean is of those who did.
        correlations: Each automatic column with the people's scores.
        among_people: Each two of the people's columns.
        alpha: Krippendorff's α of the people, for intervals; nan where it is undefined.
    """

    options: Options
    scores: Scores
    human: str
    incomplete: int
    correlations: tuple[Correlation, ...]
    among_people: tuple[Correlation, ...]
    alpha: float


def run_study(options: Options) -> Study:
    """Read the scores and compare them.

    Raises:
        UsageError: If a column is named twice, or the file cannot be used.
    """
    names = [*options.automatic, *options.human]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"the column {name!r} is named twice; a score is compared with others")
    scores = read_scores(options.path, names, options.source)
    table = np.column_stack([scores.columns[name] for name in options.human])
    given = (~np.isnan(table)).sum(axis=1)
    people = options.human[0] if len(options.human) == 1 else f"mean of {', '.join(options.human)}"

    def compared(one: tuple[str, Floats], other: tuple[str, Floats]) -> Correlation:
        (name, values), (another, others) = one, other
        one, other = (one_line(name), values), (one_line(another), others)
        return correlate(one, other, scores.sources, resamples=options.resamples, seed=options.seed)

    columns = scores.columns
    return Study(
        options,
        scores,
        people,
        int(((given > 0) & (given < table.shape[1])).sum()),
        tuple(
            compared((name, columns[name]), (people, _mean(table, given)))
            for name in options.automatic
        ),
        tuple(
            compared((one, columns[one]), (other, columns[other]))
            for one, other in combinations(options.human, 2)
        ),
        alpha_of(table[given > 1]),
    )


def _mean(table: Floats, given: npt.NDArray[np.int64]) -> Floats:
    """Compute the mean of the scores that each row has; nan where it has none.

    Equal means of decimals are equal: 0.1 and 0.5 have that of 0.2 and 0.4.
    """
    return np.array(
        [
            float(sum(Fraction(repr(cell)) for cell in row if not math.isnan(cell)) / int(count))
            if count
            else math.nan
            for row, count in zip(table.tolist(), given, strict=True)
        ]
    )


def alpha_of(table: Floats) -> float:
    """Compute Krippendorff's α for intervals; nan where it is undefined.

    With squared differences, disagreement within rows and in all is variance, so that no pair has
    to be looked at.

    Args:
        table: One row for each thing that two people or more scored, one column for each person;
            nan where there is no score.
    """
    if table.shape[1] < 2 or not len(table) or np.nanmin(table) == np.nanmax(table):
        return math.nan
    scaled = standard(table[~np.isnan(table)])
    values = np.full(table.shape, np.nan)
    values[~np.isnan(table)] = scaled
    people = (~np.isnan(values)).sum(axis=1)
    within = np.nansum((values - np.nanmean(values, axis=1, keepdims=True)) ** 2, axis=1)
    observed = (people * within / (people - 1)).sum() / len(scaled)
    expected = ((scaled - scaled.mean()) ** 2).sum() / (len(scaled) - 1)
    return float(1 - observed / expected)
