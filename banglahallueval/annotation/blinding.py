"""How well the track can be guessed from the outside of a sheet, by a learner that has the key.

An annotator has no key to learn from, so this is an upper bound on what looks can give away.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from rapidfuzz import fuzz
from scipy.stats import fisher_exact, rankdata
from sklearn.preprocessing import StandardScaler

from banglahallueval.annotation import surface_features
from banglahallueval.annotation.forms import Sheet
from banglahallueval.errors import UsageError
from banglahallueval.tasks import Track

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

_FEATURES = (
    *surface_features.FEATURES,
    "place in the sheet",
    "rows with the same evidence",
    "likeness to outputs with the same evidence",
    "length beside outputs with the same evidence",
)
_FOLDS = 5
_REPEATS = 5
_PERMUTATIONS = 400
_RIDGE = 0.1
_ALONE = "alone "


@dataclass(frozen=True, slots=True)
class Guess:
    """How well the track of a sheet's items can be guessed.

    Attributes:
        form: The sheet's form.
        gold, candidates: How many items of each track it has.
        auc: Chance that a candidate looks more like one than a gold item does; 0.5 is blind,
            1 is an open book; nan with fewer than five items of a track.
        low, high: Ends of its 95 % interval.
        tells: Features that tell most on their own, and their AUC, the strongest first.
    """

    form: str
    gold: int
    candidates: int
    auc: float
    low: float
    high: float
    tells: tuple[tuple[str, float], ...]

    @property
    def is_blind(self) -> bool:
        """Whether guessing is not shown to beat chance."""
        return not self.low > 0.5


@dataclass(frozen=True, slots=True)
class SharedOrder:
    """Two sheets in which the place of an item tells its track in the other.

    Attributes:
        first, second: The sheets' forms.
        same: Share of places that hold the same track in both.
        p: How likely that much agreement is by chance (Fisher's exact test, one-sided).
    """

    first: str
    second: str
    same: float
    p: float


def tracks_of(key: pd.DataFrame, path: Path) -> dict[str, Track]:
    """Track by blind id, from our keys or those of the published study.

    Published keys have `split`, and a `hallucination_type` for candidates alone.

    Raises:
        UsageError: If a key tells no tracks.
    """
    column = next((name for name in ("track", "split", "hallucination_type") if name in key), None)
    if column is None:
        raise UsageError(
            f"{path} tells no tracks: it has no column track, split, hallucination_type"
        )
    gold = {"main", "gold", "correct", "ground_truth", ""}
    return {
        str(blind_id): "main" if cell.strip().casefold() in gold else "candidates"
        for blind_id, cell in key[column].items()
    }


def sets_of(key: pd.DataFrame) -> dict[str, str]:
    """Look-alike set by blind id; a key without sets has none."""
    cells = key["set"].items() if "set" in key else ()
    return {str(blind_id): cell for blind_id, cell in cells if cell}


def guess_track(
    sheet: Sheet,
    tracks: Mapping[str, Track],
    sets: Mapping[str, str] | None = None,
    seed: int = 42,
) -> Guess:
    """Guess the track of each item by features of the others: ten times fivefold, left out.

    A linear discriminant of the features; ranks are taken within each fold, for scores of different
    folds do not compare. Items of a look-alike set stay in one fold. The interval comes from
    guessing again with tracks permuted (within look-alike sets, where there are any): the AUC plus
    and minus what chance makes of it. A bootstrap over items would miss what the learner owes to
    chance, and cross-validation alone puts the AUC of pure chance somewhat below 0.5, which is
    taken off.

    Args:
        sheet: The sheet as annotators see it.
        tracks: Track by blind id.
        sets: Look-alike set by blind id, of items that were drawn in one.
        seed: Seed of folds and resamples.
    """
    rows = [(blind_id, texts) for blind_id, texts in sheet.rows if blind_id in tracks]
    sheet = Sheet(sheet.study, sheet.form, rows)
    candidate = np.array([tracks[blind_id] == "candidates" for blind_id, _ in rows], dtype=bool)
    counts = (int((~candidate).sum()), int(candidate.sum()))
    if min(counts) < _FOLDS:
        nothing = float("nan")
        return Guess(sheet.form.name, *counts, nothing, nothing, nothing, ())
    values = StandardScaler().fit_transform(np.array(_features(sheet)))
    together = [(sets or {}).get(blind_id, f"{_ALONE}{blind_id}") for blind_id, _ in rows]
    guessed = np.mean([_auc(values, candidate, together, seed + n) for n in range(_REPEATS)])
    rng = np.random.default_rng(seed)
    chance = [
        _auc(values, _permuted(candidate, together, rng), together, seed + n)
        for n in range(_PERMUTATIONS)
    ]
    # Chance moves the AUC by as much as it moves it where tracks are dealt out by chance.
    middle = np.mean(chance)
    auc = guessed - (middle - 0.5)
    ends = auc + (np.quantile(chance, [0.025, 0.975]) - middle)
    low, high = np.clip(ends, 0, 1).tolist()
    return Guess(
        sheet.form.name, *counts, float(np.clip(auc, 0, 1)), low, high, _tells(candidate, values)
    )


def _auc(values: Floats, candidate: Bools, together: Sequence[str], seed: int) -> float:
    folds = _folds(candidate, together, np.random.default_rng(seed))
    ranks = np.zeros(len(candidate))
    for asked in (folds == number for number in range(_FOLDS)):
        direction = _discriminant(values[~asked], candidate[~asked])
        ranks[asked] = rankdata(values[asked] @ direction) / asked.sum()
    return _auc_of(candidate, ranks)


def _auc_of(candidate: Bools, scores: Floats) -> float:
    """AUC as the Mann-Whitney statistic (Hanley & McNeil 1982)."""
    above, gold = int(candidate.sum()), int((~candidate).sum())
    return float((rankdata(scores)[candidate].sum() - above * (above + 1) / 2) / (above * gold))


def _discriminant(values: Floats, candidate: Bools) -> Floats:
    """Direction of a regularised linear discriminant (Friedman 1989) of standardised features.

    Two lines of linear algebra, for a thousand of them are needed and an estimator object spends
    most of its time checking its input.
    """
    groups = values[candidate], values[~candidate]
    spread = sum(np.cov(group, rowvar=False) for group in groups) / 2
    apart: Floats = groups[0].mean(axis=0) - groups[1].mean(axis=0)
    penalised = spread + _RIDGE * np.eye(values.shape[1])
    return np.asarray(np.linalg.solve(penalised, apart), dtype=np.float64)


def _folds(
    candidate: Bools, together: Sequence[str], rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """A fold for each item: sets dealt out whole, items drawn alone dealt out by track."""
    folds = np.zeros(len(candidate), dtype=np.int64)
    dealt: Counter[str] = Counter()
    fold_of: dict[str, int] = {}
    for place in rng.permutation(len(candidate)):
        group = together[place]
        kind = str(candidate[place]) if group.startswith(_ALONE) else "set"
        if group not in fold_of:
            fold_of[group] = dealt[kind] % _FOLDS
            dealt[kind] += 1
        folds[place] = fold_of[group]
    return folds


def _permuted(candidate: Bools, together: Sequence[str], rng: np.random.Generator) -> Bools:
    """Tracks exchanged within each look-alike set, and among the items drawn alone."""
    groups = defaultdict(list)
    for place, group in enumerate(together):
        groups["" if group.startswith(_ALONE) else group].append(place)
    out = candidate.copy()
    for places in groups.values():
        out[places] = rng.permutation(candidate[places])
    return out


def _features(sheet: Sheet) -> list[list[float]]:
    output, evidence = sheet.form.names("output")[-1], sheet.form.names("evidence")[0]
    together: dict[str, list[str]] = defaultdict(list)
    for _, texts in sheet.rows:
        together[texts[evidence]].append(texts[output])
    found = []
    for place, (_, texts) in enumerate(sheet.rows):
        own = texts[output]
        others = list((Counter(together[texts[evidence]]) - Counter([own])).elements())
        likeness = [fuzz.ratio(own, other) / 100 for other in others]
        lengths = [np.log((1 + len(own)) / (1 + len(other))) for other in others]
        found.append(
            [
                *surface_features.features(sheet.form, texts),
                place / len(sheet.rows),
                float(len(others)),
                float(np.mean(likeness)) if others else 0.0,
                float(np.mean(lengths)) if others else 0.0,
            ]
        )
    return found


def _tells(candidate: Bools, values: Floats) -> tuple[tuple[str, float], ...]:
    single = [
        (name, max(auc, 1 - auc))
        for name, column in zip(_FEATURES, values.T, strict=True)
        for auc in [_auc_of(candidate, column)]
    ]
    return tuple(sorted(single, key=lambda pair: -pair[1])[:3])


def in_words(guess: Guess) -> str:
    """One line for the lead."""
    sizes = f"{guess.form}: {guess.gold} gold, {guess.candidates} candidates"
    if np.isnan(guess.auc):
        return f"{sizes}: too few of a track to tell"
    verdict = "no better than chance" if guess.is_blind else "THE TRACK SHOWS"
    tells = ", ".join(f"{name} {auc:.2f}" for name, auc in guess.tells)
    return (
        f"{sizes}: guessed with AUC {guess.auc:.3f} [{guess.low:.3f}, {guess.high:.3f}]: "
        f"{verdict}; tell most: {tells}"
    )


def shared_orders(tracks: Mapping[str, Sequence[Track]]) -> list[SharedOrder]:
    """Pairs of sheets whose tracks stand in the same places more often than chance would have it.

    Args:
        tracks: Tracks in the sheet's order, by form.
    """
    found = []
    for (first, ours), (second, theirs) in combinations(tracks.items(), 2):
        pairs = list(zip(ours, theirs, strict=False))
        table = [
            [pairs.count(("main", "main")), pairs.count(("main", "candidates"))],
            [pairs.count(("candidates", "main")), pairs.count(("candidates", "candidates"))],
        ]
        p = float(fisher_exact(np.array(table), alternative="greater")[1])
        if p < 0.001:
            same = (table[0][0] + table[1][1]) / len(pairs)
            found.append(SharedOrder(first, second, same, p))
    return found
