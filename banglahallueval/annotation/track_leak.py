"""Measure how well a classifier that has the key tells the tracks of a sheet apart.

It sees surface features alone. Annotators have no key to learn from, so this is an upper bound on
what the surface of the items can reveal to them.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from banglahallueval.annotation.forms import Sheet
from banglahallueval.annotation.surface_features import (
    SHEET_FEATURES,
    Bools,
    Floats,
    sheet_features,
    sklearn_seed,
)
from banglahallueval.tasks import Track

Ints = npt.NDArray[np.int64]

_FOLDS = 5
_REPEATS = 5
_PERMUTATIONS = 400
_RIDGE = 0.1
# An interval that ends above it leaves open that most pairs of items can be told apart.
_WEAK = 0.7


@dataclass(frozen=True, slots=True)
class TrackLeak:
    """How well the tracks of a sheet can be told apart.

    Attributes:
        form: The sheet's form.
        gold, candidates: Number of items of each track.
        auc: Probability that a candidate scores above a gold item; 0.5 is chance, 1 is perfect;
            nan where the sheet is too small to measure it.
        low, high: Ends of its 95 % interval.
        strongest: The features with the highest AUC on their own, and that AUC, highest first.
    """

    form: str
    gold: int
    candidates: int
    auc: float
    low: float
    high: float
    strongest: tuple[tuple[str, float], ...]

    @property
    def is_blind(self) -> bool:
        """Whether the classifier is not shown to beat chance."""
        return not self.low > 0.5


@dataclass(frozen=True, slots=True)
class _Groups:
    """Items that cross-validation keeps together: a matched set, or one item drawn alone.

    Attributes:
        number: Number of its group, by item.
        in_set: Whether the group is a matched set, by item.
    """

    number: Ints
    in_set: Bools

    @classmethod
    def of(cls, blind_ids: Sequence[str], matched_sets: Mapping[str, str]) -> _Groups:
        """Group items by the matched set they were drawn in."""
        names = [(matched_sets.get(i), "" if i in matched_sets else i) for i in blind_ids]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        return cls(
            np.array([numbers[name] for name in names], dtype=np.int64),
            np.array([name[0] is not None for name in names], dtype=bool),
        )

    def strata(self, is_candidate: Bools) -> Ints:
        """Number each group's stratum: 0 gold drawn alone, 1 a candidate alone, 2 a matched set."""
        first_items = np.unique(self.number, return_index=True)[1]
        return np.where(self.in_set, 2, is_candidate)[first_items].astype(np.int64)

    def can_be_split(self, is_candidate: Bools) -> bool:
        """Tell whether each training part of a split holds items of both tracks."""
        largest_stratum = int(np.bincount(self.strata(is_candidate), minlength=1).max())
        holding = [len(np.unique(self.number[track])) for track in (is_candidate, ~is_candidate)]
        return min(largest_stratum, *holding) >= _FOLDS


def measure_leak(
    sheet: Sheet,
    tracks: Mapping[str, Track],
    matched_sets: Mapping[str, str] | None = None,
    seed: int = 42,
) -> TrackLeak:
    """Classify each item's track by surface features, in five times repeated fivefold splits.

    The classifier is a linear discriminant. Scores of different folds are not comparable, so ranks
    within each fold are. Items of a matched set stay in one fold. The interval comes from repeating
    this with permuted tracks (within matched sets, where there are any): the AUC plus and minus its
    spread under chance. A bootstrap over items would miss the variance of the classifier itself.
    Cross-validation puts the AUC under chance somewhat below 0.5; the difference is added back.

    Args:
        sheet: The sheet as annotators see it.
        tracks: Track by blind id; items without one are left out.
        matched_sets: Matched set by blind id, of items that were drawn in one.
        seed: Seed of splits and permutations, from 0.
    """
    rows = [(blind_id, texts) for blind_id, texts in sheet.rows if blind_id in tracks]
    is_candidate = np.array([tracks[blind_id] == "candidates" for blind_id, _ in rows], dtype=bool)
    groups = _Groups.of([blind_id for blind_id, _ in rows], matched_sets or {})
    counts = (int((~is_candidate).sum()), int(is_candidate.sum()))
    if not groups.can_be_split(is_candidate):
        nan = float("nan")
        return TrackLeak(sheet.form.name, *counts, nan, nan, nan, ())
    raw = sheet_features(Sheet(sheet.study, sheet.form, rows))
    features = StandardScaler().fit_transform(np.array(raw))
    observed = np.mean([_auc(features, is_candidate, groups, seed + n) for n in range(_REPEATS)])
    rng = np.random.default_rng(seed)
    by_chance = [
        _auc(features, _permuted(is_candidate, groups, rng), groups, seed + n)
        for n in range(_PERMUTATIONS)
    ]
    auc = observed - np.mean(by_chance) + 0.5
    ends = auc + np.quantile(by_chance, [0.025, 0.975]) - np.mean(by_chance)
    value, low, high = np.clip([auc, *ends], 0, 1).tolist()
    strongest = _strongest_features(is_candidate, features)
    return TrackLeak(sheet.form.name, *counts, value, low, high, strongest)


def _auc(features: Floats, is_candidate: Bools, groups: _Groups, seed: int) -> float:
    folds = _folds(is_candidate, groups, seed)
    ranks = np.zeros(len(is_candidate))
    for held_out in (folds == number for number in range(_FOLDS)):
        direction = _discriminant(features[~held_out], is_candidate[~held_out])
        ranks[held_out] = rankdata(features[held_out] @ direction) / held_out.sum()
    return auroc(is_candidate, ranks)


def auroc(is_candidate: Bools, scores: Floats) -> float:
    """Share of pairs in which the candidate scores above the gold item; a tie counts half.

    The Mann-Whitney U over the number of pairs. scikit-learn's roc_auc_score is the same number,
    but spends a millisecond on checking its input, and a sheet needs it 405 times.
    """
    candidates = int(is_candidate.sum())
    over = rankdata(scores)[is_candidate].sum() - candidates * (candidates + 1) / 2
    return float(over / (candidates * (len(scores) - candidates)))


def _folds(is_candidate: Bools, groups: _Groups, seed: int) -> Ints:
    """Number the fold of each item: sets stay whole, items drawn alone are stratified by track.

    StratifiedGroupKFold would do the same, but loops over groups in Python: 40 ms for 250 items
    drawn alone, and a sheet needs 405 splits.
    """
    strata = groups.strata(is_candidate)
    splitter = StratifiedKFold(_FOLDS, shuffle=True, random_state=sklearn_seed(seed))
    fold_of_group = np.zeros(len(strata), dtype=np.int64)
    with warnings.catch_warnings():
        # scikit-learn warns of strata with fewer groups than folds; here one large stratum will do.
        warnings.simplefilter("ignore", UserWarning)
        for number, (_, held_out) in enumerate(splitter.split(strata, strata)):
            fold_of_group[held_out] = number
    return fold_of_group[groups.number]


def _discriminant(features: Floats, is_candidate: Bools) -> Floats:
    """Fit the direction of a regularised linear discriminant (Friedman 1989).

    Two lines of linear algebra, for it is fitted two thousand times and an estimator object spends
    most of its time checking its input.
    """
    candidates, gold = features[is_candidate], features[~is_candidate]
    covariance = (np.cov(candidates, rowvar=False) + np.cov(gold, rowvar=False)) / 2
    difference: Floats = candidates.mean(axis=0) - gold.mean(axis=0)
    regularised = covariance + _RIDGE * np.eye(features.shape[1])
    return np.asarray(np.linalg.solve(regularised, difference), dtype=np.float64)


def _permuted(is_candidate: Bools, groups: _Groups, rng: np.random.Generator) -> Bools:
    """Permute tracks within each matched set, and among the items drawn alone."""
    blocks = np.where(groups.in_set, groups.number, -1)
    permuted = is_candidate.copy()
    for block in np.unique(blocks):
        places = np.flatnonzero(blocks == block)
        permuted[places] = rng.permutation(is_candidate[places])
    return permuted


def _strongest_features(is_candidate: Bools, features: Floats) -> tuple[tuple[str, float], ...]:
    aucs = [auroc(is_candidate, column) for column in features.T]
    single = [(name, max(auc, 1 - auc)) for name, auc in zip(SHEET_FEATURES, aucs, strict=True)]
    return tuple(sorted(single, key=lambda pair: -pair[1])[:3])


def describe_leak(leak: TrackLeak) -> str:
    """Describe a leak in one line for the lead."""
    sizes = f"{leak.form}: {leak.gold} gold, {leak.candidates} candidates"
    if np.isnan(leak.auc):
        return f"{sizes}: too few items to measure whether the track leaks"
    verdict = "THE TRACK LEAKS"
    if leak.is_blind:
        verdict = "not shown to beat chance"
        if leak.high > _WEAK:
            verdict += f", but so few items cannot rule out a leak of {leak.high:.2f}"
    strongest = ", ".join(f"{name} {auc:.2f}" for name, auc in leak.strongest)
    return (
        f"{sizes}: track predicted with AUC {leak.auc:.3f} [{leak.low:.3f}, {leak.high:.3f}]: "
        f"{verdict}; strongest features: {strongest}"
    )
