"""Measure how far annotators agree on one question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import krippendorff
import numpy as np
import numpy.typing as npt
from sklearn.metrics import cohen_kappa_score

from banglahallueval.annotation.forms import Question
from banglahallueval.annotation.labels import Labels
from banglahallueval.scoring import bootstrap
from banglahallueval.scoring.agreement import agreement as judges_agreement
from banglahallueval.scoring.rates import Rate

Floats = npt.NDArray[np.float64]

RESAMPLES = 1000  # for marks, whose coefficients are computed in full for each resample
SEED = 42


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A chance-corrected coefficient.

    Attributes:
        value: Its value, at most 1; nan where it is undefined.
        low, high: Ends of its 95 % bootstrap interval over items; nan where there is none.
        items: Number of items it is computed over.
        interpretation: Landis and Koch's word for the value, or why it is undefined.
    """

    value: float
    low: float
    high: float
    items: int
    interpretation: str


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """Agreement on one question.

    Attributes:
        items: Items of the sheet.
        complete: Items that all annotators labelled; the others count in α alone.
        exact: Mean share of agreeing pairs of annotators per complete item. The published study
            calls it exact agreement; a split item counts 1/3 with three annotators.
        unanimous: Number of complete items that all labelled the same.
        prevalence: Share of each answer among all labels of complete items.
        fleiss: Fleiss' κ over complete items (Fleiss 1971); answers count as nominal.
        alpha: Krippendorff's α over all items with two labels: nominal, or ordinal for marks.
        cohen: Cohen's κ of each pair of annotators over items both labelled (Cohen 1960); for marks
            with quadratic weights (Cohen 1968).
    """

    items: int
    complete: int
    exact: float
    unanimous: int
    prevalence: Mapping[str, float]
    fleiss: Coefficient
    alpha: Coefficient
    cohen: Mapping[tuple[str, str], Coefficient]


def landis_koch(value: float) -> str:
    """Interpret a κ in one word (Landis & Koch 1977, Biometrics 33)."""
    if value < 0:
        return "poor"
    steps = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
    return next((word for limit, word in steps if value <= limit), "almost perfect")


def agreement(labels: Labels, question: Question) -> AnnotatorAgreement:
    """Measure the agreement of two or more annotators on a question."""
    ratings = _ratings(labels, question)
    complete = ratings[~np.isnan(ratings).any(axis=1)]
    coefficients = _of_marks if question.is_scale else _of_yes_no
    fleiss, alpha, cohen = coefficients(ratings, complete, labels.annotators)
    item_agreements = [pair_agreement(item) for item in complete.tolist()]
    return AnnotatorAgreement(
        items=len(ratings),
        complete=len(complete),
        exact=float(np.mean(item_agreements)) if item_agreements else float("nan"),
        unanimous=item_agreements.count(1.0),
        prevalence={
            answer: float(np.mean(complete == code)) if complete.size else float("nan")
            for answer, code in _codes(question).items()
        },
        fleiss=_interpreted(fleiss),
        alpha=_interpreted(alpha),
        cohen={pair: _interpreted(rate) for pair, rate in cohen.items()},
    )


def _codes(question: Question) -> dict[str, float]:
    """Number a question's answers: yes is 1 and no is 0; of marks the first is the highest."""
    last = len(question.answers) - 1
    return {answer: float(last - place) for place, answer in enumerate(question.answers)}


def _ratings(labels: Labels, question: Question) -> Floats:
    """Tabulate the codes of all answers, items by annotators; nan where there is none."""
    codes = _codes(question)
    answers = [labels.answers[name][question.name] for name in labels.annotators]
    ratings = np.full((len(labels.items), len(answers)), np.nan)
    for row, item in enumerate(labels.items):
        for column, given in enumerate(answers):
            ratings[row, column] = codes.get(given.get(item, ""), np.nan)
    return ratings


_Coefficients = tuple[Rate, Rate, Mapping[tuple[str, str], Rate]]


def _of_yes_no(ratings: Floats, complete: Floats, annotators: Sequence[str]) -> _Coefficients:
    votes = dict(zip(annotators, ratings.T, strict=True))
    found = judges_agreement(votes, np.arange(len(ratings)))
    return found.fleiss, found.alpha, found.pairs


def _of_marks(ratings: Floats, complete: Floats, annotators: Sequence[str]) -> _Coefficients:
    def fleiss(rows: Floats) -> float:
        # Of complete items, Krippendorff's nominal α is Fleiss' κ, but for drawing the pairs of
        # labels that would agree by chance without replacement.
        alpha = float(krippendorff.alpha(rows.T, level_of_measurement="nominal"))
        return 1 - (1 - alpha) * rows.size / (rows.size - 1)

    def alpha(rows: Floats) -> float:
        # krippendorff takes annotators as rows.
        return float(krippendorff.alpha(rows.T, level_of_measurement="ordinal"))

    def cohen(rows: Floats) -> float:
        return float(cohen_kappa_score(*rows.astype(int).T, weights="quadratic"))

    comparable = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    pairs = {}
    for first, second in combinations(range(len(annotators)), 2):
        both = ratings[:, [first, second]]
        both = both[~np.isnan(both).any(axis=1)]
        pairs[annotators[first], annotators[second]] = _bootstrapped(both, cohen)
    return _bootstrapped(complete, fleiss), _bootstrapped(comparable, alpha), pairs


def _bootstrapped(rows: Floats, coefficient: Callable[[Floats], float]) -> Rate:
    """Compute a coefficient and its percentile interval, resampling items with replacement."""

    def value(resample: Floats) -> float:
        only_one_answer = len(np.unique(resample[~np.isnan(resample)])) < 2
        return float("nan") if only_one_answer else coefficient(resample)

    rng = np.random.default_rng(SEED)
    resamples = rng.integers(max(1, len(rows)), size=(RESAMPLES, len(rows)))
    replicates = np.array([value(rows[places]) for places in resamples])
    return Rate(value(rows), *bootstrap.interval(replicates), len(rows))


def _interpreted(rate: Rate) -> Coefficient:
    if not rate.rows:
        interpretation = "undefined: no item has enough labels"
    elif np.isnan(rate.value):
        interpretation = "undefined: only one answer occurs, so agreement by chance is certain"
    else:
        interpretation = landis_koch(rate.value)
    return Coefficient(rate.value, rate.low, rate.high, rate.rows, interpretation)


def majority(question: Question, answers: Sequence[str]) -> str:
    """Return the most frequent answer, empty in a tie; of marks the lower median."""
    if not answers:
        return ""
    if question.is_scale:
        return sorted(answers, key=question.answers.index)[(len(answers) - 1) // 2]
    (first, most), *others = Counter(answers).most_common()
    return "" if others and others[0][1] == most else first


def pair_agreement(answers: Sequence[str] | Sequence[float]) -> float:
    """Compute the share of agreeing pairs of answers to an item; nan with fewer than two."""
    pairs = list(combinations(answers, 2))
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else float("nan")
