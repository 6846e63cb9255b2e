"""Behaviour over a sweep: monotonic coverage, single questions, accuracy below t."""

from __future__ import annotations

import itertools
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.abstention.behaviour import Behaviour, behave
from banglahallueval.abstention.metrics import measure
from tests.abstention.trials import trials


def behaviour(sweep: dict[float, str]) -> Behaviour:
    """The behaviour of a sweep."""
    made = trials(sweep)
    return behave(made, measure(made))


def judged(found: Behaviour) -> tuple[bool, bool]:
    """Whether accuracy at the only threshold is below it, and wholly so."""
    rows = found.as_json()["accuracy_against_t"]
    assert isinstance(rows, list)
    return rows[0]["below_t"], rows[0]["over_confident"]


@pytest.mark.parametrize(
    ("coverages", "rises"), [((0.8, 0.6, 0.6), 0), ((0.6, 0.8, 0.5), 1)], ids=["falls", "rises"]
)
def test_rises_of_coverage_right_values(coverages: tuple[float, ...], rises: int) -> None:
    """Coverage .8 .6 .6 never rises, .6 .8 .5 once; in whatever order thresholds come."""
    sweep = {
        t: "C" * round(10 * coverage) + "I" * round(10 - 10 * coverage)
        for t, coverage in zip((0.5, 0.75, 0.9), coverages, strict=True)
    }
    for order in itertools.permutations(sweep):
        found = behaviour({t: sweep[t] for t in order}).as_json()
        assert found["thresholds"] == [0.5, 0.75, 0.9]
        assert found["coverage"] == list(coverages)
        assert found["monotonicity_violations"] == rises
        assert found["monotonic_coverage_expected"] is True


def test_single_questions_may_violate_what_coverage_does_not() -> None:
    """One answers only low, another only high: equal coverages, one violation."""
    found = behaviour({0.5: "CI", 0.9: "IC"})
    assert found.rises == ()
    assert (found.violations.items, found.violations.pairs) == (1, 1)
    assert (found.violations.compared, found.violations.incomplete) == (2, 0)


def test_every_pair_of_thresholds_counts() -> None:
    """Abstaining at two low thresholds and answering at a higher one makes two pairs."""
    found = behaviour({0.5: "I", 0.75: "I", 0.9: "W"}).violations
    assert (found.items, found.pairs) == (1, 2)


def test_missing_replies_are_skipped() -> None:
    """A threshold without a reply is compared with none; the others still are.

    The second question has one outcome only, so it is incomplete, and not compared.
    """
    found = behaviour({0.5: "I-I", 0.75: "-CI", 0.9: "C-?"}).violations
    assert (found.items, found.pairs) == (1, 1)
    assert (found.compared, found.incomplete) == (2, 1)


def test_a_question_that_is_there_twice_is_two() -> None:
    """The first at one t is compared with the first at another."""
    made = [*trials({0.5: "I"}), *trials({0.5: "C"}), *trials({0.9: "I"}), *trials({0.9: "C"})]
    found = behave(made, measure(made)).violations
    assert (found.items, found.compared) == (0, 2)


def test_accuracy_below_t_is_no_proof() -> None:
    """7 of 10 right at .75 is below t, but its interval reaches above: not over-confident."""
    found = behaviour({0.75: "CCCCCCCWWW"})
    assert judged(found) == (True, False)
    assert any("no proof" in sentence for sentence in found.in_words())


def test_an_interval_wholly_below_t_is_over_confidence() -> None:
    """5 of 20 right at .9 is."""
    found = behaviour({0.9: "C" * 5 + "W" * 15})
    assert judged(found) == (True, True)
    assert any("over-confident" in sentence for sentence in found.in_words())


def test_the_known_sweep_is_well_behaved() -> None:
    """Its points, its area, and no accuracy below t."""
    found = behaviour({0.5: "CCCCCWWWII", 0.75: "CCCCCWIIII", 0.9: "CCCCIIIIII"})
    written = found.as_json()
    curve = written["risk_coverage"]
    assert isinstance(curve, dict)
    points = [(point["coverage"], point["risk"]) for point in curve["points"]]
    assert points == [(0.8, 0.375), (0.6, pytest.approx(1 / 6)), (0.4, 0)]
    assert curve["area"] == pytest.approx(0.85 / 12, abs=1e-9)
    assert curve["mean_risk"] == pytest.approx(2.125 / 12, abs=1e-9)
    assert "Accuracy is nowhere below t." in found.in_words()


def test_thresholds_without_answers_have_no_point() -> None:
    """Nothing answered, or nothing replied, is null and off the curve."""
    written = behaviour({0.5: "CC", 0.75: "II", 0.9: "--"}).as_json()
    assert written["coverage"] == [1, 0, None]
    curve = written["risk_coverage"]
    assert isinstance(curve, dict)
    assert [point["t"] for point in curve["points"]] == [0.5]
    assert (curve["area"], curve["mean_risk"]) == (None, None)
    assert json.dumps(written, allow_nan=False)


def test_nothing_answered_is_not_as_expected() -> None:
    """Without a single answer the sweep shows nothing, and says so once."""
    (sentence,) = behaviour({0.5: "II", 0.9: "I-"}).in_words()
    assert sentence == "Nothing was answered at any t: there is no accuracy, and no curve."


@pytest.mark.parametrize(
    ("sweep", "sentences"),
    [
        (
            {0.5: "I-", 0.9: "CC"},
            (
                "1 of 1 question is abstained on at one t and answered at a higher one.",
                "1 question lacks replies or grades at so many t that nothing is left to compare, "
                "and is left out.",
            ),
        ),
        (
            {0.5: "CC--", 0.9: "CICC"},
            (
                "0 of 2 questions are abstained on at one t and answered at a higher one.",
                "2 questions lack replies or grades at so many t that nothing is left to compare, "
                "and are left out.",
            ),
        ),
    ],
)
def test_sentences_agree_in_number(sweep: dict[float, str], sentences: tuple[str, ...]) -> None:
    """One question is, several are."""
    assert set(sentences) <= set(behaviour(sweep).in_words())


@settings(deadline=None, max_examples=30)
@given(
    st.integers(1, 8).flatmap(
        lambda n: st.dictionaries(
            st.sampled_from([0.0, 0.5, 0.75, 0.9]),
            st.text("CWI-?", min_size=n, max_size=n),
            min_size=1,
        )
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_trials_makes_no_difference(
    sweep: dict[float, str], rng: random.Random
) -> None:
    """Async runs write rows in another order, and find the same."""
    made = trials(sweep)
    shuffled = rng.sample(made, len(made))
    one, other = (behave(rows, measure(rows)) for rows in (made, shuffled))
    assert one.as_json() == other.as_json()
    assert one.in_words() == other.in_words()
    assert one.violations.items <= one.violations.pairs
    questions = len(made) // len(sweep)
    assert one.violations.compared + one.violations.incomplete <= questions
