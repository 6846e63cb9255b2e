"""How far annotators agree on one question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import krippendorff
import numpy as np
import numpy.typing as npt
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from banglahallueval.annotation.forms import Question
from banglahallueval.annotation.labels import Labels
from banglahallueval.scoring import bootstrap
from banglahallueval.scoring.agreement import agreement as judges_agreement
from banglahallueval.scoring.rates import Rate

Floats = npt.NDArray[np.float64]

RESAMPLES = 1000  # of the coefficients of marks, each resample of which is computed in full
SEED = 42


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A chance-corrected coefficient.

    Attributes:
        value: Its value, at most 1; nan where it is not defined.
        low, high: Ends of its 95 % bootstrap interval over items; nan where there is none.
        items: How many items it is of.
        words: Landis and Koch's word for the value, or why there is no value.
    """

    value: float
    low: float
    high: float
    items: int
    words: str


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """Agreement on one question.

    Attributes:
        items: Items of the sheet.
        complete: Items that all annotators labelled; the rest is left out of all but α.
        exact: Mean share of agreeing pairs of annotators per complete item. The published study
            calls it exact agreement; a split item counts 1/3 with three annotators.
        unanimous: How many complete items all labelled the same.
        prevalence: Share of each answer among all labels of complete items.
        fleiss: Fleiss' κ over complete items (Fleiss 1971); answers count as unordered.
        alpha: Krippendorff's α over all items with two labels: nominal, or ordinal for marks.
        cohen: Cohen's κ of each two annotators over items both labelled (Cohen 1960); for marks
            weighted by squared distance (Cohen 1968).
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
    """Landis and Koch's word for a κ (Landis & Koch 1977, Biometrics 33)."""
    if value < 0:
        return "poor"
    steps = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
    return next((word for limit, word in steps if value <= limit), "almost perfect")


def agreement(labels: Labels, question: Question) -> AnnotatorAgreement:
    """Agreement of two or more annotators on a question."""
    answers = question.answers
    # Yes is 1 and no is 0; for marks the direction makes no difference.
    number = {answer: float(place) for place, answer in enumerate(reversed(answers))}
    table = np.array(
        [
            [
                number.get(labels.answers[name][question.name].get(item, ""), np.nan)
                for name in labels.annotators
            ]
            for item in labels.items
        ]
    ).reshape(len(labels.items), len(labels.annotators))
    full = table[~np.isnan(table).any(axis=1)]
    complete = [[answers[-1 - int(cell)] for cell in row] for row in full]
    said = Counter(answer for row in complete for answer in row)
    pairs = [pair_agreement(row) for row in complete]
    fleiss, alpha, cohen = (_of_marks if question.is_scale else _of_yes_no)(
        table, full, labels.annotators
    )
    return AnnotatorAgreement(
        items=len(labels.items),
        complete=len(full),
        exact=float(np.mean(pairs)) if pairs else float("nan"),
        unanimous=pairs.count(1.0),
        prevalence={a: said[a] / full.size if full.size else float("nan") for a in answers},
        fleiss=_named(fleiss),
        alpha=_named(alpha),
        cohen={names: _named(rate) for names, rate in cohen.items()},
    )


_Coefficients = tuple[Rate, Rate, Mapping[tuple[str, str], Rate]]


def _of_yes_no(table: Floats, full: Floats, names: Sequence[str]) -> _Coefficients:
    votes = {name: table[:, at] for at, name in enumerate(names)}
    found = judges_agreement(votes, np.arange(len(table)))
    return found.fleiss, found.alpha, found.pairs


def _of_marks(table: Floats, full: Floats, names: Sequence[str]) -> _Coefficients:
    def fleiss(rows: Floats) -> float:
        return float(fleiss_kappa(aggregate_raters(rows)[0]))

    def alpha(rows: Floats) -> float:
        # krippendorff takes annotators as rows.
        return float(krippendorff.alpha(rows.T, level_of_measurement="ordinal"))

    def cohen(rows: Floats) -> float:
        return float(cohen_kappa_score(*rows.astype(int).T, weights="quadratic"))

    paired = table[(~np.isnan(table)).sum(axis=1) > 1]
    both = {(names[a], names[b]): table[:, [a, b]] for a, b in combinations(range(len(names)), 2)}
    return (
        _rate(full, fleiss),
        _rate(paired, alpha),
        {pair: _rate(rows[~np.isnan(rows).any(axis=1)], cohen) for pair, rows in both.items()},
    )


def _rate(rows: Floats, coefficient: Callable[[Floats], float]) -> Rate:
    """A coefficient with its percentile interval, items resampled with replacement."""

    def value(drawn: Floats) -> float:
        only_one = len(np.unique(drawn[~np.isnan(drawn)])) < 2
        return float("nan") if only_one else coefficient(drawn)

    rng = np.random.default_rng(SEED)
    drawn = rng.integers(max(1, len(rows)), size=(RESAMPLES, len(rows)))
    replicates = np.array([value(rows[places]) for places in drawn])
    return Rate(value(rows), *bootstrap.interval(replicates), len(rows))


def _named(rate: Rate) -> Coefficient:
    if not rate.rows:
        words = "undefined: no item has labels enough"
    elif np.isnan(rate.value):
        words = "undefined: only one answer occurs, so agreement by chance is certain"
    else:
        words = landis_koch(rate.value)
    return Coefficient(rate.value, rate.low, rate.high, rate.rows, words)


def majority(question: Question, answers: Sequence[str]) -> str:
    """What most say; empty in a tie. Of marks, the median, the lower one of two."""
    if not answers:
        return ""
    if question.is_scale:
        return sorted(answers, key=question.answers.index)[(len(answers) - 1) // 2]
    (first, most), *others = Counter(answers).most_common()
    return "" if others and others[0][1] == most else first


def pair_agreement(answers: Sequence[str]) -> float:
    """Share of agreeing pairs of labels of an item; nan with fewer than two."""
    pairs = list(combinations(answers, 2))
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else float("nan")
