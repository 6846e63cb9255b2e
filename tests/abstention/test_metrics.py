"""Metrics at a threshold: the right values, intervals, and what must always hold."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.abstention.intervals import cluster_key
from banglahallueval.abstention.metrics import Metrics, measure, measure_subjects
from banglahallueval.abstention.types import Trial
from banglahallueval.scoring.clustered import Clusters, Measure, Sample
from tests.abstention.trials import trials

SWEEPS = st.integers(1, 12).flatmap(
    lambda n: st.dictionaries(
        st.sampled_from([0.0, 0.25, 0.5, 0.75, 0.9]),
        st.text("CWI-?", min_size=n, max_size=n),
        min_size=1,
        max_size=3,
    )
)


def only(letters: str, t: float = 0.75, *, unanswerable: int = 0, source: str = "") -> Metrics:
    """The metrics of one threshold."""
    (found,) = measure(trials({t: letters}, unanswerable=unanswerable, source=source))
    return found


def close(value: float) -> object:
    """Equal to nine decimals."""
    return pytest.approx(value, abs=1e-9)


def test_scores_and_rates_right_values() -> None:
    """Three right, one wrong, two abstained at .75: a mean score of 0."""
    found = only("CCCWII")
    assert found.score.value == 0
    assert found.coverage.value == close(4 / 6)
    assert found.accuracy.value == close(0.75)
    assert found.hallucination.value == close(0.25)
    assert found.hallucination_overall.value == close(1 / 6)


def test_unanswerable_questions_right_values() -> None:
    """An answer to an unanswerable question is wrong; abstaining on it scores 0."""
    found = only("CCWI IW", unanswerable=2)
    assert (found.n, found.answered, found.abstained) == (6, 4, 2)
    assert found.coverage.value == close(4 / 6)
    assert found.accuracy.value == close(2 / 4)
    assert found.hallucination.value == close(0.5)
    assert found.hallucination_overall.value == close(2 / 6)
    assert found.score.value == close(-2 / 3)
    assert (found.precision.value, found.recall.value, found.f1.value) == (0.5, 0.5, 0.5)
    assert found.answerable == 4
    assert found.answerable_coverage.value == close(3 / 4)
    assert found.answerable_accuracy.value == close(2 / 3)
    assert found.as_json()["unanswerable"] == {"n": 2, "abstained": 1, "answered": 1}


def test_nothing_answered_leaves_accuracy_undefined() -> None:
    """Five abstentions: coverage and score are 0; accuracy is null, and the JSON strict."""
    found = only("IIIII")
    written = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert (written["coverage"], written["avg_expected_score"]) == (0, 0)
    assert written["accuracy_conditioned_on_answering"] is None
    assert written["hallucination_rate_among_answers"] is None
    assert written["answerable"]["accuracy"] is None
    assert "accuracy_conditioned_on_answering" not in written["intervals"]


def test_metrics_hold_the_original_keys_first() -> None:
    """The keys of gemini-hallcheck come first, in its order."""
    assert list(only("CWI").as_json())[:9] == [
        "n",
        "coverage",
        "accuracy_conditioned_on_answering",
        "hallucination_rate_among_answers",
        "avg_expected_score",
        "answered",
        "correct_answers",
        "incorrect_answers",
        "abstentions",
    ]


@pytest.mark.parametrize(
    ("t", "letters", "score"),
    [(0.5, "CCCCCWWWII", 0.2), (0.75, "CCCCCWIIII", 0.2), (0.9, "CCCCIIIIII", 0.4)],
)
def test_mean_scores_of_a_sweep_right_values(t: float, letters: str, score: float) -> None:
    """The mean scores of the known sweep."""
    assert only(letters, t).score.value == close(score)


@pytest.mark.parametrize(
    ("letters", "ends"),
    [
        ("CCCCCWWW", (0.3057, 0.8632)),
        ("CCCCCCCWWW", (0.3968, 0.8922)),
        ("CCCCCCCCCC", (0.7225, 1)),
    ],
)
def test_wilson_right_values(letters: str, ends: tuple[float, float]) -> None:
    """Shares of independent questions have Wilson's interval."""
    accuracy = only(letters).accuracy
    assert (accuracy.low, accuracy.high) == pytest.approx(ends, abs=1e-4)
    assert accuracy.method == "Wilson"


def test_simpleqa_right_values() -> None:
    """Five right, three wrong, two not attempted: F is .5555556."""
    simpleqa = only("CCCCCWWWII", 0.5).as_json()["simpleqa"]
    assert simpleqa == {
        "correct": 0.5,
        "incorrect": close(0.3),
        "not_attempted": 0.2,
        "accuracy_given_attempted": 0.625,
        "f": close(5 / 9),
    }


def test_simpleqa_with_nothing_attempted() -> None:
    """F is 0, and accuracy given attempted null."""
    simpleqa = only("III").as_json()["simpleqa"]
    assert isinstance(simpleqa, dict)
    assert (simpleqa["f"], simpleqa["accuracy_given_attempted"]) == (0, None)


def test_what_has_no_result_counts_nowhere_else() -> None:
    """Replies and grades that are missing change no figure."""
    found = only("CCW I --?")
    assert (found.no_reply, found.ungraded) == (2, 1)
    assert replace(found, no_reply=0, ungraded=0) == only("CCWI")


def test_nothing_but_missing_replies() -> None:
    """Without a single result all figures are null."""
    written = only("--?").as_json()
    assert (written["n"], written["coverage"], written["avg_expected_score"]) == (0, None, None)
    assert json.dumps(written, allow_nan=False)


def test_precision_needs_unanswerable_questions() -> None:
    """Where all can be answered, abstentions are neither due nor undue."""
    assert only("CI").as_json()["abstention"] == {"precision": None, "recall": None, "f1": None}


def test_confidences_of_answers_are_measured() -> None:
    """ECE and its kin are of the answers that have a confidence; null without any."""
    made = trials({0.0: "CCWCWIC"})
    sure = [
        replace(trial, confidence=confidence)
        for trial, confidence in zip(made, [0.9, 0.8, 0.7, 0.6, 0.5, 0.1, None], strict=True)
    ]
    written = measure(sure)[0].as_json()
    confidence = written["confidence"]
    assert isinstance(confidence, dict)
    assert confidence["answers"] == 5
    assert confidence["aurc"] == close(0.59 / 3)
    assert confidence["e_aurc"] == close(0.2 / 3)
    without = measure(made)[0].as_json()["confidence"]
    assert isinstance(without, dict)
    assert (without["answers"], without["ece"]) == (0, None)


def test_confidences_say_how_they_are_computed() -> None:
    """Bins and the form of AURC stand beside the figures."""
    confidence = only("CW").as_json()["confidence"]
    assert isinstance(confidence, dict)
    assert "15 bins of equal width" in confidence["convention"]
    assert "in steps" in confidence["convention"]


def test_rows_of_one_source_widen_the_interval() -> None:
    """Ten questions of each source that agree tell no more than one of each."""
    alone = only("C" * 60 + "W" * 40)
    sources = "".join(chr(ord("a") + number // 10) for number in range(100))
    together = only("C" * 60 + "W" * 40, source=sources)
    assert together.accuracy.value == alone.accuracy.value
    assert (together.accuracy.method, alone.accuracy.method) == ("clustered Wilson", "Wilson")
    assert together.accuracy.high - together.accuracy.low > 2 * (
        alone.accuracy.high - alone.accuracy.low
    )


def test_agreement_does_not_make_the_interval_collapse() -> None:
    """Where all sources agree, Wilson's bound over sources gives the width."""
    accuracy = only("CCCCCC", source="aabbcc").accuracy
    assert accuracy.method == "clustered Wilson"
    assert (accuracy.low, accuracy.high) == pytest.approx((0.4385, 1), abs=1e-4)
    score = only("IIIIIIIIII").score
    assert (score.value, score.method) == (0, "Wilson bound")
    assert score.low == close(-3 * 0.2775327998628892)
    assert score.high == close(0.2775327998628892)


def test_a_single_source_gives_no_false_certainty() -> None:
    """One source says next to nothing, however many questions it has."""
    accuracy = only("CCCW", source="aaaa").accuracy
    assert accuracy.low < 0.2
    assert accuracy.high > 0.9


def test_thresholds_share_their_draws() -> None:
    """Equal outcomes at two thresholds have equal intervals, for the same questions are drawn."""
    low, high = measure(trials({0.5: "CCWCIIWC", 0.75: "CCWCIIWC"}))
    assert (low.f, low.coverage) == (high.f, high.coverage)


def test_subjects_are_measured_apart() -> None:
    """Each subject has its own metrics; without subjects there are none."""
    physics, history = trials({0.5: "CC"}, subject="physics"), trials({0.5: "WI"}, subject="")
    found = measure_subjects([*physics, *history])
    assert {name: each[0].accuracy.value for name, each in found.items()} == {"": 0, "physics": 1}
    assert measure_subjects(history) == {}


def figures(found: Metrics) -> list[Measure]:
    """Every figure with an interval."""
    return [each for _, each in found._intervals()]


@settings(deadline=None, max_examples=30)
@given(SWEEPS, st.integers(0, 3), st.randoms(use_true_random=False))
def test_the_order_of_trials_makes_no_difference(
    sweep: dict[float, str], unanswerable: int, rng: random.Random
) -> None:
    """Async runs write rows in another order, and find the same."""
    made = trials(sweep, unanswerable=unanswerable)
    shuffled = rng.sample(made, len(made))
    for one, other in zip(measure(made), measure(shuffled), strict=True):
        assert json.dumps(one.as_json()) == json.dumps(other.as_json())


@settings(deadline=None, max_examples=50)
@given(SWEEPS, st.integers(0, 3))
def test_figures_lie_within_their_bounds(sweep: dict[float, str], unanswerable: int) -> None:
    """Shares lie in [0, 1], scores between the penalty and 1, values within their intervals."""
    for found in measure(trials(sweep, unanswerable=unanswerable)):
        lowest = -found.t / (1 - found.t)
        for each in figures(found):
            if not math.isnan(each.value):
                least = lowest if each is found.score else 0
                assert least - 1e-6 <= each.low <= each.value + 1e-6
                assert each.value - 1e-6 <= each.high <= 1 + 1e-6
                assert each.low < each.high
        assert found.answered == found.correct + found.wrong
        assert found.n == found.answered + found.abstained


def test_ratios_are_of_sums() -> None:
    """A ratio is the quotient of the sums, not the mean of quotients."""
    made: list[Trial] = trials({0.5: "CCC"})
    columns = {"top": np.array([1.0, 0, 0]), "bottom": np.array([1.0, 2, 2])}
    keys = [cluster_key(each.question) for each in made]
    assert Sample(Clusters(keys), keys, columns).ratio("top", "bottom").value == 0.2
