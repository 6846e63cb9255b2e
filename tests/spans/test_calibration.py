"""Thresholds: the paper's grid and choice, and where they are fitted and reported."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import UsageError
from banglahallueval.spans.calibration import calibrate, fit, grid, mark, mean_ious
from banglahallueval.spans.characters import Characters
from banglahallueval.spans.metrics import iou
from banglahallueval.spans.offsets import runs
from banglahallueval.spans.sources import halves
from banglahallueval.spans.types import Detection, Sample, Span

Scored = tuple[list[bool], list[float]]

SCORES = st.floats(-5, 5) | st.sampled_from([0.0, 0.5, 1.0])
ANSWERS = st.lists(
    st.lists(st.tuples(st.booleans(), SCORES), min_size=1, max_size=8).map(
        lambda chars: ([g for g, _ in chars], [s for _, s in chars])
    ),
    min_size=1,
    max_size=6,
)


def made(gold: str, scores: list[float], language: str = "en", source: str = "") -> Sample:
    return Sample("a", "ক" * len(scores), runs([g == "1" for g in gold]), (), "", "", language)


EN = [("0011", [0.1, 0.4, 0.35, 0.8]), ("0000", [0.1, 0.1, 0.2, 0.1])]


def english() -> tuple[list[Sample], list[Detection]]:
    return [made(*one) for one in EN], [Detection(tuple(scores)) for _, scores in EN]


def test_the_best_threshold_of_the_known_case() -> None:
    """Any threshold in (.2, .35] gives 5/6; the paper's grid finds its first one, .2001."""
    found = fit(*english())
    assert found.iou == pytest.approx(5 / 6, abs=1e-12)
    assert 0.2 < found.value <= 0.35
    assert found.value == pytest.approx(0.20010, abs=1e-5)
    assert found.answers == 2


def test_the_mean_iou_at_given_thresholds() -> None:
    """At the lowest score 1/4, between 5/6, above the highest (marking none) 1/2."""
    means = mean_ious(Characters.of(*english()), np.array([0.1, 0.3, 0.9]))
    assert means.tolist() == pytest.approx([1 / 4, 5 / 6, 1 / 2])


def test_two_levels_of_scores_are_told_apart() -> None:
    found = fit([made("1100", [0] * 4, "bn")], [Detection((0.6, 0.6, 0.2, 0.2))])
    assert found.iou == 1
    assert 0.2 < found.value <= 0.6


@pytest.mark.parametrize("score", [0.0, 0.7, -1e300, 5e-324])
def test_constant_scores_mark_everything(score: float) -> None:
    """The paper's code divides by zero here."""
    found = fit([made("1100", [0] * 4)], [Detection((score,) * 4)])
    assert (found.value, found.iou) == (score, 0.5)


def test_scores_too_near_for_a_grid_mark_everything() -> None:
    assert grid(np.array([0.0, 5e-324])).tolist() == [0.0]
    assert grid(np.array([-1.7e308, 1.7e308])).tolist() == [-1.7e308]


def test_the_grid_leaves_out_the_highest_score() -> None:
    thresholds = grid(np.array([0.0, 0.3, 1.0]))
    assert (len(thresholds), thresholds[0], thresholds[-1]) == (2000, 0.0, 0.9995)


@given(ANSWERS)
def test_thresholds_are_those_of_a_plain_search(answers: list[Scored]) -> None:
    """The mean IoU is the best on the grid, and the first threshold that reaches it wins."""
    samples = [Sample("a", "ক" * len(gold), runs(gold)) for gold, _ in answers]
    detections = [Detection(tuple(scores)) for _, scores in answers]
    thresholds = grid(np.array([score for _, scores in answers for score in scores]))[::50]
    means = mean_ious(Characters.of(samples, detections), thresholds)
    plain = [
        np.mean(
            [
                iou(s.spans or (), mark(d, threshold).spans, len(s.answer))
                for s, d in zip(samples, detections, strict=True)
            ]
        )
        for threshold in thresholds
    ]
    assert means.tolist() == pytest.approx(plain, abs=1e-12)


@given(ANSWERS)
def test_the_fitted_threshold_reaches_its_iou(answers: list[Scored]) -> None:
    samples = [Sample("a", "ক" * len(gold), runs(gold)) for gold, _ in answers]
    detections = [Detection(tuple(scores)) for _, scores in answers]
    found = fit(samples, detections)
    reached = [
        iou(s.spans or (), mark(d, found.value).spans, len(s.answer))
        for s, d in zip(samples, detections, strict=True)
    ]
    assert np.mean(reached) == pytest.approx(found.iou)
    everything = [iou(s.spans or (), [(0, len(s.answer))], len(s.answer)) for s in samples]
    assert found.iou >= np.mean(everything) - 1e-12


def test_many_answers_are_counted_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    samples, detections = english()
    whole = mean_ious(Characters.of(samples * 5, detections * 5), np.array([0.1, 0.3]))
    monkeypatch.setattr("banglahallueval.spans.calibration._CELLS", 7)
    blocks = mean_ious(Characters.of(samples * 5, detections * 5), np.array([0.1, 0.3]))
    assert blocks.tolist() == pytest.approx(whole.tolist())


def test_a_failure_stays_one_and_fits_nothing() -> None:
    failure = Detection(failure="no reply")
    assert mark(failure, 0.0) is failure
    samples, detections = english()
    with_failure = fit([*samples, made("1111", [0] * 4)], [*detections, failure])
    assert with_failure == fit(samples, detections)


def test_validation_fits_and_test_is_reported() -> None:
    samples, detections = english()
    test = [made("01", [0, 0]), made("10", [0, 0])]
    found = calibrate(test, [Detection((0.1, 0.3)), Detection((0.3, 0.3))], samples, detections)
    assert found.places == (0, 1)
    assert [each.spans for each in found.detections] == [(Span(1, 2),), (Span(0, 2),)]
    assert found.thresholds["en"] == fit(samples, detections)
    assert found.note == "thresholds fitted on validation, per language"


def test_without_validation_half_of_the_sources_fits() -> None:
    """What is fitted on is not reported on, and the note says so."""
    test = [
        Sample(str(n), "ab", (Span(0, 1),), language="bn", source=str(n // 3)) for n in range(12)
    ]
    found = calibrate(test, [Detection((0.9, 0.1))] * 12)
    assert len(found.places) == len(found.detections) == 6
    first, second = halves(test)
    assert found.places == tuple(second)
    assert not {test[at].source for at in first} & {test[at].source for at in second}
    assert found.note.startswith("no validation split for bn: thresholds fitted on half")


def test_a_language_that_validation_lacks_is_halved_alone() -> None:
    samples, detections = english()
    bangla = [Sample(str(n), "ab", (Span(0, 1),), language="bn") for n in range(4)]
    found = calibrate(
        [*samples, *bangla], [*detections, *[Detection((0.9, 0.1))] * 4], samples, detections
    )
    assert len(found.places) == 4
    assert "no validation split for bn" in found.note
    assert found.note.endswith("else fitted on validation")


@pytest.mark.parametrize("own_spans", [True, False])
def test_without_a_threshold_only_spans_of_its_own_stand(own_spans: bool) -> None:
    """Fault: a detector with scores alone counted as one that marks nothing."""
    test = [made("01", [0, 0], "bn"), made("00", [0, 0], "bn")]
    failure = Detection(failure="no reply")
    own = Detection((0.1, 0.3), (Span(1, 2),) if own_spans else ())
    found = calibrate(test, [own, failure], test[:1], [failure], own_spans=own_spans)
    without = Detection(failure="no threshold: nothing to fit it to has a result")
    assert found.detections == (own if own_spans else without, failure)
    assert found.thresholds == {}


def test_one_source_cannot_be_halved() -> None:
    test = [Sample("a", "ab", (), language="bn", source="x")] * 3
    with pytest.raises(UsageError, match="'bn' come from one source"):
        calibrate(test, [Detection((0.9, 0.1))] * 3)


def test_no_scores_cannot_be_fitted() -> None:
    with pytest.raises(UsageError, match="no answer of 'bn' has character scores"):
        fit([Sample("a", "ab", (), language="bn")], [Detection(failure="no reply")])


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(0, 3))
def test_halves_share_no_source_and_no_answer(sources: list[int], seed: int) -> None:
    samples = [Sample("a", "x", (), source=str(number) if number else "") for number in sources]
    first, second = halves(samples, seed)
    assert sorted([*first, *second]) == list(range(len(samples)))
    shared = {samples[at].source for at in first} & {samples[at].source for at in second}
    assert shared <= {""}
    assert halves(samples, seed) == (first, second)
