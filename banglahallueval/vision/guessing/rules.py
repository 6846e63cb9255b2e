"""Rules that guess from the look of a caption whether it is the true one; no picture is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt
import regex
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from banglahallueval.scoring.bootstrap import Floats
from banglahallueval.text.bangla import closing_mark

Bools = npt.NDArray[np.bool_]
RuleName = Literal["majority", "length", "full stop", "regression"]
RULES: tuple[RuleName, ...] = get_args(RuleName)
FOLDS: Final = 5

FEATURES: Final = ("words", "full_stop", "capital", "commas")
_CAPITAL = regex.compile(r"\W*+\p{Lu}")

# Learns from captions (one row of features each) and from which are true; guesses for others.
Rule = Callable[[Floats, Bools, Floats], Bools]


def features(caption: str) -> tuple[float, ...]:
    """Describe the look of a caption: `FEATURES`, all of them numbers.

    Words are what white space parts. A danda is a full stop. Bangla has no capitals.
    """
    return (
        float(len(caption.split())),
        float(closing_mark(caption) == "."),
        float(_CAPITAL.match(caption) is not None),
        float(caption.count(",")),
    )


@dataclass(frozen=True, slots=True)
class Threshold:
    """The best rule `fewer than so many words: true`, or false.

    Attributes:
        words: The number of words.
        shorter_is_true: Whether shorter captions are taken for true.
        accuracy: Share of the captions it was fitted to that it guesses right.
    """

    words: int
    shorter_is_true: bool
    accuracy: float

    def guess(self, words: Floats) -> Bools:
        """Guess which captions are true."""
        return np.asarray((words < self.words) == self.shorter_is_true, dtype=bool)


def fit_threshold(words: Floats, true: Bools) -> Threshold:
    """Fit the rule: of the best thresholds the smallest, shorter captions for true first.

    Args:
        words: Words of each caption; at least one.
        true: Which captions are true.
    """
    candidates = np.unique(np.concatenate([words, words + 1])).astype(int)
    shorter = words[:, None] < candidates[None, :]
    right = (shorter == true[:, None]).mean(axis=0)
    best, worst = int(right.argmax()), int(right.argmin())
    if right[best] >= 1 - right[worst]:
        return Threshold(int(candidates[best]), True, float(right[best]))
    return Threshold(int(candidates[worst]), False, float(1 - right[worst]))


def _majority(train: Floats, true: Bools, test: Floats) -> Bools:
    return np.full(len(test), 2 * true.sum() >= len(true))


def _length(train: Floats, true: Bools, test: Floats) -> Bools:
    at = FEATURES.index("words")
    return fit_threshold(train[:, at], true).guess(test[:, at])


def _full_stop(train: Floats, true: Bools, test: Floats) -> Bools:
    at = FEATURES.index("full_stop")
    stops = train[:, at] == 1
    agreeing = 2 * (stops == true).sum() >= len(true)
    return np.asarray((test[:, at] == 1) == agreeing, dtype=bool)


def _regression(train: Floats, true: Bools, test: Floats) -> Bools:
    if true.all() or not true.any():
        return np.full(len(test), bool(true.all()))
    model: Any = make_pipeline(StandardScaler(), LogisticRegression())
    model.fit(train, true)
    return np.asarray(model.predict(test), dtype=bool)


_RULES: Final[Mapping[RuleName, Rule]] = {
    "majority": _majority,
    "length": _length,
    "full stop": _full_stop,
    "regression": _regression,
}


def folds_of(pictures: Sequence[str]) -> npt.NDArray[np.int64]:
    """Number the fold of each row; the rows of one picture share it.

    Args:
        pictures: The picture of each row; at least two different ones.
    """
    numbers = np.zeros(len(pictures), dtype=np.int64)
    split = GroupKFold(n_splits=min(FOLDS, len(set(pictures))))
    for number, (_, rows) in enumerate(split.split(pictures, groups=np.array(pictures))):
        numbers[rows] = number
    return numbers


def cross_validate(
    rule: RuleName, values: Floats, true: Bools, folds: npt.NDArray[np.int64]
) -> Bools:
    """Guess each fold by what the other folds teach."""
    guesses = np.zeros(len(true), dtype=bool)
    for fold in np.unique(folds):
        held = folds == fold
        guesses[held] = _RULES[rule](values[~held], true[~held], values[held])
    return guesses
