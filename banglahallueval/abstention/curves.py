"""Risk and coverage: areas under the curve of confidences, and under a sweep of thresholds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from banglahallueval.scoring.bootstrap import Floats
from banglahallueval.scoring.calibration import aurc, ece, mce, risk_coverage

CONVENTION = (
    "of answers that have a confidence, null without any; ece and mce: 15 bins of equal width, a "
    "border belongs to the upper one, ece is the mean distance between accuracy and mean "
    "confidence weighted by answers, mce the largest; aurc: (1/n) Σ risk among the k surest "
    "answers, in steps from coverage 0, ties as one point; e_aurc: aurc above that of the best "
    "order of the same answers, e_aurc_asymptotic of endlessly many; augrc: the same steps with "
    "wrong answers as a share of all; _trapezoid: by trapezoids, which other tools report"
)


@dataclass(frozen=True, slots=True)
class Ranking:
    """What the confidences of answers are worth.

    Areas are in steps, where each answer counts with the risk among those at least as sure, or by
    trapezoids from coverage 0, where the surest point's risk is repeated; ties are one point.

    Attributes:
        rows: Answers that have a confidence.
        ece, mce: Expected and largest calibration error, 15 equal-width bins.
        brier: Mean squared distance of the confidence from 1 (right) or 0 (wrong).
        aurc, aurc_trapezoid: Area under risk (share of wrong among answers kept) over coverage.
        e_aurc: AURC, in steps, above the best order of the same answers.
        e_aurc_asymptotic: The same above e + (1 − e) ln(1 − e), the best order of endlessly many.
        augrc, augrc_trapezoid: Area under wrong answers kept, as a share of all, over coverage.
    """

    rows: int
    ece: float
    mce: float
    brier: float
    aurc: float
    aurc_trapezoid: float
    e_aurc: float
    e_aurc_asymptotic: float
    augrc: float
    augrc_trapezoid: float


def rank(confidence: Floats, correct: npt.ArrayLike) -> Ranking:
    """Compute what confidences are worth.

    Source: AURC and E-AURC, Geifman, Uziel & El-Yaniv 2019; AUGRC, Traub et al. 2024.

    Args:
        confidence: Of each answer, in [0, 1]; at least one.
        correct: Whether each is right.
    """
    right = np.asarray(correct, dtype=float)
    coverage, risk = risk_coverage(confidence, right)
    share = coverage * risk
    steps = aurc(confidence, right)
    rows, wrong = len(right), int(len(right) - right.sum())
    return Ranking(
        rows=rows,
        ece=ece(confidence, right),
        mce=mce(confidence, right),
        brier=float(np.mean((confidence - right) ** 2)),
        aurc=steps,
        aurc_trapezoid=_trapezoids([0.0, *coverage], [risk[0], *risk]),
        e_aurc=steps - best_aurc(rows, wrong),
        e_aurc_asymptotic=steps - asymptotic_best_aurc(wrong / rows),
        augrc=float(np.sum(np.diff(coverage, prepend=0.0) * share)),
        augrc_trapezoid=_trapezoids([0.0, *coverage], [0.0, *share]),
    )


def best_aurc(rows: int, wrong: int) -> float:
    """Compute the AURC, in steps, of answers whose wrong ones all come last."""
    kept = np.arange(1, rows + 1)
    return float(np.mean(np.maximum(kept - (rows - wrong), 0) / kept))


def asymptotic_best_aurc(risk: float) -> float:
    """Compute what `best_aurc` tends to with many answers: e + (1 − e) ln(1 − e)."""
    return risk + (1 - risk) * math.log1p(-risk) if risk < 1 else 1.0


@dataclass(frozen=True, slots=True)
class Sweep:
    """The area under risk over coverage between the points of a sweep of thresholds.

    Attributes:
        least, most: The coverages it lies between; nan without points.
        area: By trapezoids; nan where these are the same.
        mean_risk: The area divided by its width.
    """

    least: float
    most: float
    area: float
    mean_risk: float


def sweep(points: Iterable[tuple[float, float]]) -> Sweep:
    """Compute the area under the points of a sweep; points of one coverage count with their mean.

    Args:
        points: Coverage and risk at each threshold at which something is answered.
    """
    risks: dict[float, list[float]] = {}
    for coverage, risk in points:
        risks.setdefault(coverage, []).append(risk)
    if not risks:
        return Sweep(math.nan, math.nan, math.nan, math.nan)
    at = sorted(risks)
    width = at[-1] - at[0]
    if not width:
        return Sweep(at[0], at[-1], math.nan, math.nan)
    area = _trapezoids(at, [math.fsum(risks[c]) / len(risks[c]) for c in at])
    return Sweep(at[0], at[-1], area, area / width)


def _trapezoids(x: list[float], y: list[float]) -> float:
    return float(np.trapezoid(y, x))
