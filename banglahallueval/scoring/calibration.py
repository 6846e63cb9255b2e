"""How useful p_hallucinated is: ranking, calibration, abstention, choice of a threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score

from banglahallueval.scoring.bhs import bhs_of_rows
from banglahallueval.scoring.bootstrap import SEED, Floats
from banglahallueval.scoring.rates import Bools

BINS = 15
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Calibration:
    """One judge's p_hallucinated on one task, over the rows that have it.

    Attributes:
        rows, candidates: Rows that have p, and how many of them are candidates. Average precision,
            Brier and ECE depend on that share.
        auroc: Chance that a random candidate has a higher p than a random main row, ties half.
        average_precision: Area under precision over recall, in steps.
        brier: Mean squared distance of p from 1 (candidates) or 0 (main).
        ece: Expected calibration error of p as the share of candidates, 15 equal-width bins.
        ece_balanced: The same with both tracks weighing the same, as if half were candidates.
        aurc: Area under risk over coverage of the judge's yes/no labels; nan without any.
        threshold: The p from which on to say `yes` so that BHS on these rows is lowest.
        bhs: BHS of the judge's own labels on these rows.
        bhs_at_threshold: BHS with the threshold, fitted and measured on the same rows: optimistic.
        bhs_cross_validated: BHS with thresholds fitted on other sources; nan with too few.
        gain: `bhs` minus `bhs_cross_validated`; above 0 the threshold helps.
    """

    rows: int
    candidates: int
    auroc: float
    average_precision: float
    brier: float
    ece: float
    ece_balanced: float
    aurc: float
    threshold: float
    bhs: float
    bhs_at_threshold: float
    bhs_cross_validated: float
    gain: float


def bin_of(p: Floats, bins: int = BINS) -> npt.NDArray[np.int64]:
    """Assign values to equal-width bins of [0, 1]; a border belongs to the upper bin."""
    edges = np.arange(1, bins) / bins
    return np.digitize(p, edges).astype(np.int64)


def ece(
    p: Floats, outcome: npt.ArrayLike, bins: int = BINS, weights: Floats | None = None
) -> float:
    """Compute ECE: the sum over bins of share of rows · |share of outcomes − mean p|.

    It holds for the share of outcomes in these rows, or in the weighted ones.

    Source: Naeini, Cooper & Hauskrecht 2015; equal-width bins and the L1 norm, as torchmetrics.

    Args:
        p: The probability that each row is told to have the outcome.
        outcome: Whether it has.
        bins: Number of bins.
        weights: What each row weighs; None for the same.
    """
    weights = np.ones(len(p)) if weights is None else weights
    return float(_gaps(p, outcome, bins, weights).sum() / weights.sum())


def mce(p: Floats, outcome: npt.ArrayLike, bins: int = BINS) -> float:
    """Compute MCE: the largest |share of outcomes − mean p| of a bin that has rows.

    Source and bins as for `ece`.
    """
    rows = np.bincount(bin_of(p, bins), minlength=bins)
    return float((_gaps(p, outcome, bins, np.ones(len(p))) / np.maximum(rows, 1)).max())


def _gaps(p: Floats, outcome: npt.ArrayLike, bins: int, weights: Floats) -> Floats:
    """Compute per bin |number of outcomes − sum of p|, by the weights of rows."""
    gaps = weights * (np.asarray(outcome, dtype=float) - p)
    return np.abs(np.bincount(bin_of(p, bins), weights=gaps, minlength=bins))


def risk_coverage(confidence: Floats, correct: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Compute the risk among the most confident rows, for each share of rows that is kept.

    Equal confidences are one point.

    Returns:
        Coverages, rising to 1, and the share of wrong rows at each.
    """
    order = np.argsort(-confidence, kind="stable")
    wrong = 1.0 - np.asarray(correct, dtype=float)[order]
    last = np.append(np.diff(confidence[order]) != 0, True)
    upto = np.flatnonzero(last) + 1
    return upto / len(order), np.cumsum(wrong)[last] / upto


def aurc(confidence: Floats, correct: npt.ArrayLike) -> float:
    """Compute the area under the risk–coverage curve: (1/n) Σ risk of the k most confident rows.

    Source: Geifman, Uziel & El-Yaniv 2019, in step form (trapezoids differ). Ties count with the
    risk at the end of their group, so the order of rows within it does not matter.
    """
    coverage, risk = risk_coverage(confidence, correct)
    return float(np.sum(np.diff(coverage, prepend=0.0) * risk))


def best_threshold(p: Floats, candidate: Bools) -> float:
    """Find the p from which on to say `yes` so that BHS is lowest.

    That is the point of highest Youden index (Youden 1950), as BHS = 50 · (1 − J). Thresholds lie
    halfway between neighbouring values; of equally good ones, the one nearest ½.
    """
    values = np.unique(p)
    thresholds = np.concatenate([[0.0], (values[1:] + values[:-1]) / 2, [np.nextafter(1.0, 2.0)]])
    # Rows at or above each threshold, by sorting each track once.
    alarms, found = (
        1 - np.searchsorted(np.sort(p[side]), thresholds) / side.sum()
        for side in (~candidate, candidate)
    )
    loss = np.round(alarms - found, 12)
    best = thresholds[loss == loss.min()]
    return float(best[np.argmin(np.abs(best - 0.5))])


def cross_validated_bhs(
    p: Floats, candidate: Bools, sources: npt.ArrayLike, folds: int = FOLDS, seed: int = SEED
) -> float:
    """Compute BHS with each row judged by a threshold fitted on the sources of the other folds.

    Folds keep sources whole and spread each kind of source (with main rows, candidates, both)
    evenly. nan where a track has fewer sources than folds.
    """
    keys, at = np.unique(np.asarray(sources), return_inverse=True)
    has_main, has_candidates = (
        np.bincount(at, weights=side, minlength=len(keys)) > 0 for side in (~candidate, candidate)
    )
    if min(has_main.sum(), has_candidates.sum()) < folds:
        return float("nan")
    shuffled = np.random.default_rng(seed).random(len(keys))
    fold = np.empty(len(keys), dtype=np.int64)
    fold[np.lexsort((shuffled, has_main, has_candidates))] = np.arange(len(keys)) % folds
    yes = np.zeros(len(p), dtype=bool)
    for each in range(folds):
        held_out = fold[at] == each
        fitted = best_threshold(p[~held_out], candidate[~held_out])
        yes[held_out] = p[held_out] >= fitted
    return bhs_of_rows(candidate, yes)


def calibrate(
    p: Floats, candidate: Bools, label: npt.ArrayLike, sources: npt.ArrayLike
) -> Calibration | None:
    """Compute all of it for one judge on one task; None where p is absent on one of the tracks.

    Args:
        p: p_hallucinated, nan where absent.
        candidate: Whether a row is a candidate.
        label: The judge's labels.
        sources: Source key of each row.
    """
    has = ~np.isnan(p)
    p, candidate = p[has], candidate[has]
    labels, keys = np.asarray(label)[has], np.asarray(sources)[has]
    if not candidate.any() or candidate.all():
        return None
    threshold = best_threshold(p, candidate)
    own = bhs_of_rows(candidate, labels == "yes")
    validated = cross_validated_bhs(p, candidate, keys)
    confidence, correct = own_confidence(p, candidate, labels)
    return Calibration(
        rows=len(p),
        candidates=int(candidate.sum()),
        auroc=float(roc_auc_score(candidate, p)),
        average_precision=float(average_precision_score(candidate, p)),
        brier=float(brier_score_loss(candidate, p)),
        ece=ece(p, candidate),
        ece_balanced=ece(
            p, candidate, weights=np.where(candidate, (~candidate).mean(), candidate.mean())
        ),
        aurc=aurc(confidence, correct) if len(confidence) else float("nan"),
        threshold=threshold,
        bhs=own,
        bhs_at_threshold=bhs_of_rows(candidate, p >= threshold),
        bhs_cross_validated=validated,
        gain=own - validated,
    )


def own_confidence(p: Floats, candidate: Bools, labels: npt.ArrayLike) -> tuple[Floats, Bools]:
    """Compute for each yes/no row the probability of the judge's label, and whether it is right."""
    said = np.asarray(labels)
    known = np.isin(said, ["yes", "no"])
    yes = said[known] == "yes"
    return np.where(yes, p[known], 1 - p[known]), yes == candidate[known]
