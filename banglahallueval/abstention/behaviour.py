"""Whether a model behaves as the thresholds ask: abstains more as they rise, and is right above."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from banglahallueval.abstention.curves import Sweep, sweep
from banglahallueval.abstention.intervals import item_key
from banglahallueval.abstention.metrics import Metrics, defined
from banglahallueval.abstention.types import SETTLED, Trial

_RISE = 1e-6  # of coverage, as gemini-hallcheck

CONVENTION = (
    "risk is the share of wrong answers, coverage the share of questions answered; the area is by "
    "trapezoids between the least and the greatest coverage of the sweep, and mean_risk is it "
    "divided by that width; points of one coverage count with their mean risk, and thresholds at "
    "which nothing is answered are left out"
)


@dataclass(frozen=True, slots=True)
class ItemViolations:
    """Questions abstained on at one threshold, and answered at a higher one.

    Attributes:
        items: Questions.
        pairs: Pairs of a lower and a higher threshold, over all questions.
        compared: Questions with an outcome that counts at two thresholds or more; pairs with
            a threshold where it is missing are skipped.
        incomplete: Questions that lack so many that there is nothing to compare.
    """

    items: int
    pairs: int
    compared: int
    incomplete: int


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a model behaves over a sweep.

    Attributes:
        metrics: At each threshold, ascending.
        rises: Neighbouring thresholds between which coverage rises, the lower first.
        violations: Of single questions.
        curve: The area under the points at which something is answered.
    """

    metrics: tuple[Metrics, ...]
    rises: tuple[tuple[Metrics, Metrics], ...]
    violations: ItemViolations
    curve: Sweep

    @property
    def points(self) -> tuple[Metrics, ...]:
        """The thresholds at which something is answered."""
        return tuple(each for each in self.metrics if each.answered)

    def as_json(self) -> dict[str, object]:
        """Convert for `behavior.json`; None where undefined."""
        curve = self.curve
        return {
            "thresholds": [each.t for each in self.metrics],
            "coverage": [defined(each.coverage.value) for each in self.metrics],
            "monotonic_coverage_expected": True,
            "monotonicity_violations": len(self.rises),
            "item_violations": {
                "items": self.violations.items,
                "pairs": self.violations.pairs,
                "items_compared": self.violations.compared,
                "items_incomplete": self.violations.incomplete,
            },
            "accuracy_against_t": [
                {
                    "t": each.t,
                    "accuracy": defined(each.accuracy.value),
                    "interval": [each.accuracy.low, each.accuracy.high] if each.answered else None,
                    "below_t": is_below(each) if each.answered else None,
                    "over_confident": is_over_confident(each) if each.answered else None,
                }
                for each in self.metrics
            ],
            "risk_coverage": {
                "points": [
                    {"t": m.t, "coverage": m.coverage.value, "risk": m.hallucination.value}
                    for m in self.points
                ],
                "min_coverage": defined(curve.least),
                "max_coverage": defined(curve.most),
                "area": defined(curve.area),
                "mean_risk": defined(curve.mean_risk),
                "convention": CONVENTION,
            },
        }

    def in_words(self) -> list[str]:
        """Say what the sweep shows, a sentence each."""
        if not self.points:
            return ["Nothing was answered at any t: there is no accuracy, and no curve."]
        return [
            *self._coverage_in_words(),
            *self._items_in_words(),
            *self._accuracy_in_words(),
            *self._curve_in_words(),
        ]

    def _coverage_in_words(self) -> Iterator[str]:
        if len(self.metrics) < 2:
            yield "One threshold only: nothing to compare coverage with."
        elif not self.rises:
            yield "Coverage never rises with t, as expected."
        for low, high in self.rises:
            yield (
                f"Coverage rises from {low.coverage.value:.3f} at t={low.t:g} to "
                f"{high.coverage.value:.3f} at t={high.t:g}, where it should fall or stay."
            )

    def _items_in_words(self) -> Iterator[str]:
        found = self.violations
        if found.compared:
            yield (
                f"{found.items} of {_questions(found.compared)} "
                f"{'is' if found.items == 1 else 'are'} abstained on at one t and answered at a "
                "higher one."
            )
        if found.incomplete and len(self.metrics) > 1:
            lacks, are = ("lacks", "is") if found.incomplete == 1 else ("lack", "are")
            yield (
                f"{_questions(found.incomplete)} {lacks} replies or grades at so many t that "
                f"nothing is left to compare, and {are} left out."
            )

    def _accuracy_in_words(self) -> Iterator[str]:
        for each in self.metrics:
            accuracy = each.accuracy
            said = f"At t={each.t:g} accuracy is {accuracy.value:.3f}"
            if not each.answered:
                yield (
                    f"At t={each.t:g} nothing was answered: accuracy is undefined, and the curve "
                    "has no point."
                )
            elif is_over_confident(each):
                yield (
                    f"{said}, and its interval [{accuracy.low:.3f}, {accuracy.high:.3f}] lies "
                    "wholly below t: the model is over-confident there, or does not do as asked."
                )
            elif is_below(each):
                yield (
                    f"{said}, below t, but its interval reaches up to {accuracy.high:.3f}: no "
                    "proof of over-confidence."
                )
        if not any(is_below(each) for each in self.points):
            yield "Accuracy is nowhere below t."

    def _curve_in_words(self) -> Iterator[str]:
        curve = self.curve
        if not math.isnan(curve.area):
            yield (
                f"Between the coverages {curve.least:.3f} and {curve.most:.3f}, the area of risk "
                f"over coverage is {curve.area:.4f}: a mean risk of {curve.mean_risk:.4f}."
            )


def _questions(count: int) -> str:
    return f"{count} question{'' if count == 1 else 's'}"


def is_below(metrics: Metrics) -> bool:
    """Whether the accuracy of answers is below t."""
    return metrics.accuracy.value < metrics.t


def is_over_confident(metrics: Metrics) -> bool:
    """Whether the accuracy's whole interval is below t, so that chance hardly explains it."""
    return metrics.accuracy.high < metrics.t


def behave(trials: Iterable[Trial], metrics: Sequence[Metrics]) -> Behaviour:
    """Compute how a model behaves.

    Args:
        trials: All trials, in any order.
        metrics: Theirs, by ascending threshold.
    """
    counted = [each for each in metrics if each.n]
    return Behaviour(
        tuple(metrics),
        tuple(
            (low, high)
            for low, high in pairwise(counted)
            if high.coverage.value - low.coverage.value > _RISE
        ),
        _item_violations(trials),
        sweep((m.coverage.value, m.hallucination.value) for m in counted if m.answered),
    )


def _item_violations(trials: Iterable[Trial]) -> ItemViolations:
    by_item: defaultdict[tuple[tuple[str, ...], int], dict[float, Trial]] = defaultdict(dict)
    met: Counter[tuple[tuple[str, ...], float]] = Counter()
    for trial in trials:
        key = item_key(trial.question)
        met[key, trial.t] += 1  # a question that is there twice is two items
        by_item[key, met[key, trial.t]][trial.t] = trial
    items = pairs = compared = incomplete = 0
    for of_item in by_item.values():
        outcomes = [of_item[t].outcome for t in sorted(of_item) if of_item[t].outcome in SETTLED]
        incomplete += len(outcomes) < min(2, len(of_item))
        compared += len(outcomes) > 1
        own = sum(
            low == "abstained" and high != "abstained" for low, high in combinations(outcomes, 2)
        )
        items += own > 0
        pairs += own
    return ItemViolations(items, pairs, compared, incomplete)
