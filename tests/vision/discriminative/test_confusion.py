from __future__ import annotations

import math

from banglahallueval.vision.discriminative.confusion import confuse
from banglahallueval.vision.discriminative.metrics import Scoring
from tests.vision.discriminative.answers import result

ANSWERS = [
    result(0, "true", "none"),
    result(0, "object", "object"),
    result(0, "event", "unknown"),
    result(1, "true", "object"),
    result(1, "object", "object"),
    result(1, "event", "event"),
    result(2, "event", "unknown", "image missing"),
]


def test_labels_are_scored_with_their_confusions() -> None:
    found = confuse(ANSWERS, Scoring())
    assert found.matrix == {
        ("none", "none"): 1,
        ("none", "object"): 1,
        ("object", "object"): 2,
        ("event", "event"): 1,
        ("event", "unknown"): 1,
    }
    assert found.accuracy.value == 0.8
    scores = {each.label: each for each in found.labels}
    assert list(scores) == ["none", "object", "event"]
    assert round(scores["object"].precision.value, 6) == 0.666667
    assert scores["object"].recall.value == 1
    assert round(scores["object"].f1.value, 6) == 0.8
    assert scores["event"].f1.value == 1
    assert round(found.macro_f1.value, 6) == round((2 / 3 + 0.8 + 1) / 3, 6)
    assert (found.unparsed, found.left_out) == (1, 1)


def test_unparsed_labels_may_count_as_wrong() -> None:
    found = confuse(ANSWERS, Scoring(unparsed="wrong"))
    assert round(found.accuracy.value, 6) == round(4 / 6, 6)
    event = next(each for each in found.labels if each.label == "event")
    assert event.recall.value == 0.5
    assert event.precision.value == 1


def test_without_answers_every_figure_is_undefined() -> None:
    found = confuse([], Scoring())
    assert math.isnan(found.accuracy.value)
    assert math.isnan(found.macro_f1.value)
    assert found.labels == ()


def test_a_label_never_given_has_no_precision() -> None:
    found = confuse([result(0, "event", "none")], Scoring())
    assert math.isnan(found.labels[0].precision.value)
    assert found.labels[0].f1.value == 0
