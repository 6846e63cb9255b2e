"""Whose verdict should count: chosen on one half of the sources, reported on the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from banglahallueval.judges.ecot.policies import MISSING_SHARE, Counts, Source, by_rule, source_of
from banglahallueval.mitigation.judges import StudyJudge
from banglahallueval.mitigation.results import Study
from banglahallueval.scoring.bhs import bhs_of_rows
from banglahallueval.scoring.rates import Bools, Rate, score
from banglahallueval.tasks import TaskName
from banglahallueval.verdicts import CUT_OFF

_COUNTS = ("num_claims", "num_supported", "num_contradicted", "num_missing")


@dataclass(frozen=True, slots=True)
class Policy:
    """Whose verdict counts.

    Attributes:
        source: The rule's or the model's.
        missing_share: The rule's threshold.
    """

    source: Source
    missing_share: float = MISSING_SHARE

    def __str__(self) -> str:
        """For tables."""
        if self.source == "model":
            return "the model's own"
        if self.missing_share == 1:
            return "rule: any contradicted"
        return f"rule: any contradicted, or missing > {self.missing_share:.0%}"


# At equal BHS the first wins: the published one is put before all, then fewer parameters.
_CHOICES = (
    Policy("model"),
    Policy("rule"),
    *(Policy("rule", n / 10) for n in range(11) if n / 10 != MISSING_SHARE),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen for a judge on a task, and what it is worth on rows it was not chosen on.

    Attributes:
        judge, task: Whose.
        policy: The choice.
        calibration_rows, held_out_rows: Rows it was chosen on, and reported on.
        bhs: BHS of the choice on the held-out rows.
        bhs_published: BHS of the published policy there.
    """

    judge: StudyJudge
    task: TaskName
    policy: Policy
    calibration_rows: int
    held_out_rows: int
    bhs: Rate
    bhs_published: Rate


def choose(study: Study, seed: int) -> Iterator[Choice]:
    """Choose a policy for each judge and task that E-CoT judged on both tracks.

    Half of the sources, drawn by the seed, calibrate; rows of one source stay together. Nothing is
    chosen where a half lacks a track.
    """
    # A hybrid's rows are not all settled by claims, and a panel keeps its members' labels only.
    arms = [a for a in study.frames if a.style == "ecot" and a.judge.kind == "model"]
    numbers = {arm: number for number, arm in enumerate(study.frames)}
    for judge, task in dict.fromkeys((arm.judge, arm.task) for arm in arms):
        own = [arm for arm in arms if (arm.judge, arm.task) == (judge, task)]
        parts = [(study.frames[a], study.rows[study.rows["arm"] == numbers[a]]) for a in own]
        cells = pd.concat([cells for cells, _ in parts], ignore_index=True)
        rows = pd.concat([rows for _, rows in parts], ignore_index=True)
        candidate: Bools = rows["track"].eq("candidates").to_numpy()
        sources = rows["source"].to_numpy()
        unique = np.unique(sources)
        rng = np.random.default_rng([seed, *task.encode()])
        calibrates: Bools = np.isin(sources, rng.permutation(unique)[: len(unique) // 2])
        if any(len(set(candidate[half])) < 2 for half in (calibrates, ~calibrates)):
            continue
        published = Policy(source_of("published", task))
        said = {policy: _says_yes(cells, policy) for policy in (published, *_CHOICES)}
        best = min(said, key=lambda p: bhs_of_rows(candidate[calibrates], said[p][calibrates]))
        held = ~calibrates
        worth = [score(candidate[held], said[p][held], sources[held]) for p in (best, published)]
        yield Choice(
            judge,
            task,
            best,
            int(calibrates.sum()),
            int(held.sum()),
            worth[0].bhs,
            worth[1].bhs,
        )


def _says_yes(cells: pd.DataFrame, policy: Policy) -> Bools:
    if policy.source == "model":
        return cells["verdict_model"].eq("yes").to_numpy()
    counts = cells[[*_COUNTS]].replace("", "0").astype(int)
    return np.array(
        [
            by_rule(
                Counts(
                    supported,
                    contradicted,
                    missing,
                    total - supported - contradicted - missing,
                    open_end=reason == CUT_OFF or _cut(rule, total, supported, missing),
                ),
                policy.missing_share,
            )
            == "yes"
            for (total, supported, contradicted, missing), rule, reason in zip(
                counts.itertuples(index=False, name=None),
                cells["verdict_rule"],
                cells["unknown_reason"],
                strict=True,
            )
        ]
    )


def _cut(rule: str, total: int, supported: int, missing: int) -> bool:
    """Whether claims were cut off: the rule was undecided although each claim has its status."""
    return rule == "unknown" and 0 < total == supported + missing
