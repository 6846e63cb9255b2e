"""How far a sample can be trusted: intervals for the whole files, and the whole where it exists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from banglahallueval.io.sampling import Sample
from banglahallueval.mitigation.arms import Arm, Style
from banglahallueval.mitigation.judges import StudyJudge
from banglahallueval.mitigation.results import Study
from banglahallueval.scoring.bhs import bhs
from banglahallueval.scoring.rates import Rate, half_sum
from banglahallueval.scoring.shares import QUANTILE, wilson_ends
from banglahallueval.tasks import TRACKS, TaskName, Track


@dataclass(frozen=True, slots=True)
class Trust:
    """One figure of a sampled arm.

    Attributes:
        judge, style, task: Whose.
        figure: `a_err` (share of main rows judged `yes`), `b_err` (share of candidates not judged
            so) or `bhs`.
        population: Rows of the whole files.
        sampled: The figure on the sample, with the interval for the whole files; its rows are those
            of the sample.
        whole: The figure on the whole files; None where they were not labelled.
    """

    judge: StudyJudge
    style: Style
    task: TaskName
    figure: str
    population: int
    sampled: Rate
    whole: float | None

    @property
    def inside(self) -> bool | None:
        """Whether the interval holds the whole's figure; None without it."""
        if self.whole is None:
            return None
        # Rounding must not put a whole that was labelled in full outside its own point.
        return self.sampled.low - 1e-9 <= self.whole <= self.sampled.high + 1e-9


def finite_wilson(count: int, rows: int, population: int) -> Rate:
    """Compute a sample's share with its 95 % interval for the finite population it is from.

    The Wilson interval (Wilson 1927) with the sample size n replaced by n (N - 1) / (N - n), at
    which the variance of a share is that of drawing without replacement (Cochran 1977, theorem
    3.2). A sample of everything has no width. That patterns were drawn in proportion narrows the
    truth a little further, which is not counted.

    Args:
        count: Rows of the sample that have the property.
        rows: Rows of the sample, n.
        population: Rows that it was drawn from, N.
    """
    if rows == 0:
        return Rate(float("nan"), float("nan"), float("nan"), 0)
    share = count / rows
    if rows >= population:
        return Rate(share, share, share, rows)
    effective = rows * (population - 1) / (population - rows)
    return Rate(share, *wilson_ends(share, effective, QUANTILE), rows)


def trust(
    study: Study, samples: Sequence[Sample], whole: pd.DataFrame | None = None
) -> Iterator[Trust]:
    """Estimate what each sampled arm says of the whole files.

    Args:
        study: The labelled samples.
        samples: Where they were drawn from.
        whole: Rows of whole labelled files, as `scoring.load.Labelled.rows`; None without any.
    """
    populations = {(s.task, s.track): s.population for s in samples}
    numbers = {arm: number for number, arm in enumerate(study.frames)}
    together: dict[tuple[StudyJudge, Style, TaskName], dict[Track, Arm]] = {}
    for arm in study.frames:
        together.setdefault((arm.judge, arm.style, arm.task), {})[arm.track] = arm
    for each in study.figures:
        judge, style, task = each.judge, each.style, each.task
        arms = together[judge, style, task]
        found: dict[Track, Trust] = {}
        for track in TRACKS:
            if track not in arms:
                continue
            rows = study.rows[study.rows["arm"] == numbers[arms[track]]]
            population = populations[task, track]
            found[track] = Trust(
                judge,
                style,
                task,
                "a_err" if track == "main" else "b_err",
                population,
                finite_wilson(_errors(rows, track), len(rows), population),
                _whole(whole, arms[track], population),
            )
            yield found[track]
        if len(found) == len(TRACKS):
            a, b = found["main"], found["candidates"]
            both = a.whole is not None and b.whole is not None
            yield Trust(
                judge,
                style,
                task,
                "bhs",
                a.population + b.population,
                half_sum(a.sampled, b.sampled),
                bhs(a.whole or 0.0, 1 - (b.whole or 0.0)) if both else None,
            )


def _errors(rows: pd.DataFrame, track: Track) -> int:
    yes = int(rows["label"].eq("yes").sum())
    return yes if track == "main" else len(rows) - yes


def _whole(rows: pd.DataFrame | None, arm: Arm, population: int) -> float | None:
    """Find the error rate of an arm's judge and prompt on the whole file, where labelled."""
    if rows is None:
        return None
    same = rows[
        (rows["judge"] == arm.judge.name)
        & (rows["prompt"] == arm.prompt)
        & (rows["task"] == arm.task)
        & (rows["track"] == arm.track)
    ]
    return _errors(same, arm.track) / population if len(same) == population else None
