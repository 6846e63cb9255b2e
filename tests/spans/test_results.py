"""Means per language and over languages, intervals, baselines, failures."""

from __future__ import annotations

import numpy as np
import pytest

from banglahallueval.errors import UsageError
from banglahallueval.spans.results import (
    MARK_ALL,
    MARK_NONE,
    UNKNOWN_LANGUAGE,
    DetectorScores,
    evaluate,
)
from banglahallueval.spans.types import Detection, Sample, SoftSpan, Span

GOLD = (Span(0, 4),)


def sample(language: str, spans: tuple[Span, ...] | None = GOLD, source: str = "") -> Sample:
    return Sample("a", "0123456789", spans, language=language, source=source)


def found(*spans: tuple[int, int]) -> Detection:
    marks = [any(start <= at < end for start, end in spans) for at in range(10)]
    return Detection(tuple(map(float, marks)), tuple(Span(*span) for span in spans))


def scored(samples: list[Sample], detections: list[Detection]) -> DetectorScores:
    return evaluate(samples, {"it": detections}, resamples=200)["it"]


def known() -> DetectorScores:
    """IoU 1, 1/2 and 0 in English, 4/9 in Bangla."""
    samples = [sample("en"), sample("en"), sample("en"), sample("bn")]
    return scored(samples, [found((0, 4)), found((0, 2)), found((5, 6)), found((0, 9))])


def test_macro_weighs_languages_and_pooled_weighs_answers() -> None:
    scores = known()
    assert scores.languages["en"].iou.value == pytest.approx(1 / 2)
    assert scores.languages["bn"].iou.value == pytest.approx(4 / 9)
    assert scores.macro.iou.value == pytest.approx(17 / 36, abs=1e-12)
    assert scores.pooled.iou.value == pytest.approx(35 / 72, abs=1e-12)
    assert (scores.macro.group, scores.pooled.group) == ("macro over languages", "pooled")


def test_intervals_hold_the_value() -> None:
    for group in (known().macro, known().pooled, known().languages["en"]):
        for rate in (group.iou, group.ap):
            assert rate.low <= rate.value <= rate.high
            assert 0 <= rate.low < rate.high <= 1


def test_intervals_are_seeded() -> None:
    assert known().macro.iou == known().macro.iou


def test_answers_of_one_source_are_drawn_together() -> None:
    """Twenty copies of two sources say as little as two answers: the interval is as wide."""
    samples = [sample("bn", source=str(n % 2)) for n in range(40)]
    detections = [found((0, 4)) if n % 2 else found() for n in range(40)]
    clustered = scored(samples, detections).pooled.iou
    assert (clustered.low, clustered.value, clustered.high) == (0, 0.5, 1)
    alone = scored([sample("bn")] * 40, detections).pooled.iou
    assert alone.low > 0.2


def test_baselines_stand_beside_every_detector() -> None:
    samples = [sample("bn"), sample("bn", ())]
    scores = evaluate(samples, {"it": [found((0, 4)), found()]}, resamples=20)
    assert list(scores) == ["it", MARK_ALL, MARK_NONE]
    assert scores["it"].pooled.iou.value == 1
    assert scores[MARK_ALL].pooled.iou.value == pytest.approx(0.4 / 2)
    assert scores[MARK_NONE].pooled.iou.value == pytest.approx(1 / 2)
    for baseline in (MARK_ALL, MARK_NONE):
        assert scores[baseline].pooled.ap_marked.value == pytest.approx(0.4)


def test_clean_answers_are_counted_and_ap_is_given_without_them() -> None:
    scores = scored([sample("bn"), sample("bn", ())], [found((0, 4)), found()]).pooled
    assert (scores.answers, scores.clean) == (2, 1)
    assert (scores.ap.value, scores.ap.rows) == (0.5, 2)
    assert (scores.ap_marked.value, scores.ap_marked.rows) == (1, 1)


def test_a_failure_is_never_a_clean_verdict() -> None:
    """On a clean answer nothing marked would earn 1; a failure earns 0 and is counted."""
    scores = scored(
        [sample("bn", ()), sample("bn")], [Detection(failure="no reply"), found((0, 4))]
    )
    assert scores.pooled.failed == 1
    assert scores.answers.iou.tolist() == [0, 1]
    assert scores.answers.failed.tolist() == [True, False]


def test_soft_labels_give_the_correlation() -> None:
    """A clean answer of a language with soft labels counts 1 where the scores are constant."""
    soft = Sample("a", "0123456789", GOLD, (SoftSpan(0, 4, 0.6),), language="en")
    scores = scored([soft, sample("en", ()), sample("bn")], [found((0, 4)), found(), found((0, 4))])
    assert scores.languages["en"].correlation.value == pytest.approx(1)
    assert np.isnan(scores.languages["bn"].correlation.value)
    assert (scores.macro.correlation.value, scores.macro.correlation.rows) == (1, 2)


def test_data_without_soft_labels_has_no_correlation() -> None:
    scores = known()
    for group in (scores.macro, scores.pooled):
        assert np.isnan(group.correlation.value)
        assert group.correlation.rows == 0


def test_a_language_of_clean_answers_is_left_out_of_ap_without_them() -> None:
    scores = scored([sample("bn"), sample("en", ())], [found((0, 4)), found()])
    assert np.isnan(scores.languages["en"].ap_marked.value)
    assert scores.macro.ap_marked.value == 1


def test_a_source_in_two_languages_is_drawn_once() -> None:
    samples = [sample(language, source="x") for language in ("bn", "en")] * 3
    assert scored(samples, [found((0, 4))] * 6).macro.iou.value == 1


def test_answers_without_a_language_have_a_name() -> None:
    assert list(scored([sample("")], [found()]).languages) == [UNKNOWN_LANGUAGE]


def test_unmarked_answers_are_not_scored() -> None:
    with pytest.raises(UsageError, match="1 of 2 answers have no gold spans, as 'a'"):
        scored([sample("bn"), sample("bn", None)], [found()] * 2)
    with pytest.raises(UsageError, match="no answers"):
        scored([], [])


def test_spans_outside_the_answer_are_refused() -> None:
    with pytest.raises(ValueError, match="none of an answer of 10"):
        scored([sample("bn")], [Detection((0.0,) * 10, (Span(5, 11),))])


def test_an_empty_answer_is_scored() -> None:
    scores = evaluate([Sample("a", "", ())], {"it": [Detection()]}, resamples=5)
    assert scores["it"].pooled.iou.value == scores[MARK_ALL].pooled.iou.value == 1
