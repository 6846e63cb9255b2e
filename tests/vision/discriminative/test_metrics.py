from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.vision.discriminative.metrics import (
    FIGURES,
    MACRO,
    ONCE,
    POOLED,
    Group,
    Scoring,
    reasons,
    score,
)
from banglahallueval.vision.discriminative.results import Result
from banglahallueval.vision.types import Hallucination
from tests.vision.discriminative.answers import counts, groups, pair, result, results

HALLUCINATION = Scoring(positive="hallucination")


def values(group: Group, *names: str) -> list[float]:
    return [round(getattr(group.scores, name).value, 6) for name in names]


def prf(group: Group) -> list[float]:
    return values(group, "precision", "recall", "f1")


def test_the_positive_class_turns_precision_and_recall() -> None:
    """T2 of the reference."""
    answers = results("YYYN", "object", "YYNN")
    matches, hallucination = groups(answers)["object"], groups(answers, HALLUCINATION)["object"]
    assert values(matches, "accuracy", "yes") == [0.625, 0.625]
    assert values(hallucination, "accuracy", "yes") == [0.625, 0.625]
    assert prf(matches) == [0.6, 0.75, 0.666667]
    assert prf(hallucination) == [0.666667, 0.5, 0.571429]


def test_a_model_that_always_says_yes() -> None:
    """T3 of the reference."""
    answers = results("YYYYY", "event", "YYYYY")
    assert values(groups(answers)["event"], "accuracy", "yes") == [0.5, 1.0]
    assert prf(groups(answers)["event"]) == [0.5, 1.0, 0.666667]
    found = groups(answers, HALLUCINATION)["event"]
    assert math.isnan(found.scores.precision.value)
    assert values(found, "recall", "f1") == [0, 0]


def test_a_model_that_always_says_no() -> None:
    """T3 of the reference, mirrored."""
    answers = results("NNNNN", "event", "NNNNN")
    assert prf(groups(answers, HALLUCINATION)["event"]) == [0.5, 1.0, 0.666667]
    found = groups(answers)["event"]
    assert math.isnan(found.scores.precision.value)
    assert values(found, "accuracy", "recall", "f1", "yes") == [0.5, 0, 0, 0]


def test_without_answers_every_figure_is_undefined() -> None:
    """T3 of the reference: no items."""
    assert score([], Scoring()) == []
    missing = [result(0, kind, "unknown", "image missing") for kind in ("true", "event")]
    found = groups(missing)
    assert all(
        math.isnan(getattr(group.scores, name).value)
        for group in found.values()
        for name in FIGURES
    )
    assert found["event"].left_out == 1
    assert found["event"].captions == 0


T4 = results("YYYN?", "event", "NNY??")


def test_unparsed_replies_may_be_dropped() -> None:
    """T4 (a) of the reference."""
    found = groups(T4)["event"]
    assert values(found, "accuracy", "yes", "yes_of_answered") == [0.714286, 0.4, 0.571429]
    assert prf(found) == [0.75, 0.75, 0.75]
    assert values(groups(T4, HALLUCINATION)["event"], "f1") == [0.666667]
    assert (found.captions, found.unparsed) == (10, 3)


def test_unparsed_replies_may_count_as_wrong() -> None:
    """T4 (b) of the reference."""
    found = groups(T4, Scoring(unparsed="wrong"))["event"]
    assert values(found, "accuracy") == [0.5]
    assert prf(found) == [0.75, 0.6, 0.666667]
    assert prf(groups(T4, Scoring("hallucination", "wrong"))["event"]) == [0.666667, 0.4, 0.5]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Y", [0.6, 0.571429, 0.8, 0.666667, 0.7]),
        ("N", [0.7, 0.75, 0.6, 0.666667, 0.4]),
    ],
)
def test_other_tools_read_a_yes_or_no_into_them(answer: str, expected: list[float]) -> None:
    """T4 (c) and (d) of the reference: what counting them as yes, or as no, would give."""
    made = results("YYYN?".replace("?", answer), "event", "NNY??".replace("?", answer))
    found = groups(made)["event"]
    assert values(found, "accuracy", "precision", "recall", "f1", "yes") == expected


@pytest.mark.parametrize(
    ("tp", "fn", "fp", "tn", "published"),
    [
        (1780, 3220, 559, 4441, [62.21, 76.1009, 35.60, 48.508, 23.39]),
        (1315, 3685, 1054, 3946, [52.61, 55.5087, 26.30, 35.6901, 23.69]),
    ],
)
def test_published_figures_follow_from_their_counts(
    tp: int, fn: int, fp: int, tn: int, published: list[float]
) -> None:
    """T10 of the reference: two rows of the README's table."""
    found = groups(counts("object", tp, fp, tn, fn))["object"].scores
    got = [found.accuracy, found.precision, found.recall, found.f1, found.yes]
    assert [100 * each.value for each in got] == pytest.approx(published, abs=5e-4)


def test_the_mean_over_types_and_two_ways_of_pooling() -> None:
    """T10 of the reference; of each type's 50 true captions, the same 40 are answered yes."""
    wrong: list[tuple[Hallucination, int]] = [
        ("object", 10),
        ("relation", 30),
        ("attribute", 20),
        ("event", 35),
    ]
    answers = [result(index, "true", "yes" if index < 40 else "no") for index in range(50)]
    answers += [
        result(index, kind, "yes" if index < fp else "no")
        for kind, fp in wrong
        for index in range(50)
    ]
    found = groups(answers)
    assert [values(found[kind], "f1")[0] for kind, _ in wrong] == [0.8, 0.666667, 0.727273, 0.64]
    assert values(found[MACRO], "f1") == [0.708485]
    assert values(found[POOLED], "f1") == [0.703297]
    assert values(found[ONCE], "precision", "f1") == [0.296296, 0.432432]
    assert [found[name].captions for name in ("event", MACRO, POOLED, ONCE)] == [100, 400, 400, 250]


def test_a_mean_is_undefined_where_one_type_is() -> None:
    answers = [*results("N", "event", "N"), result(0, "object", "yes")]
    found = groups(answers)
    assert not math.isnan(found["object"].scores.precision.value)
    assert math.isnan(found["event"].scores.precision.value)
    assert math.isnan(found[MACRO].scores.precision.value)


@pytest.mark.parametrize(
    "reason", ["image missing", "image unreadable", "no reply: timeout", "no prediction"]
)
def test_a_pair_without_both_replies_is_left_out(reason: str) -> None:
    """That a picture is missing says nothing about the model, whatever becomes of unparsed ones."""
    answers = [*results("YN", "event", "NN"), result(2, "true", "yes")]
    answers.append(result(2, "event", "unknown", reason))
    for unparsed in ("drop", "wrong"):
        found = groups(answers, Scoring(unparsed=unparsed))["event"]
        assert (found.captions, found.unparsed, found.left_out) == (4, 0, 1)
        assert values(found, "accuracy") == [0.75]


def test_a_clean_table_leaves_out_defective_captions_and_spoilt_pictures() -> None:
    answers = [
        *results("Y", "event", "N"),
        result(1, "true", "yes", defect="refusal"),
        result(1, "event", "no"),
        result(2, "true", "yes"),
        result(2, "event", "yes", defect="copy"),
    ]
    assert groups(answers)["event"].captions == 6
    found = groups(answers, Scoring(clean=True))["event"]
    assert found.captions == 2
    assert values(found, "accuracy") == [1.0]


def test_items_of_one_picture_are_drawn_together() -> None:
    """Ten items that show one picture say no more of the model than that one picture."""
    alike = [
        each
        for index in range(40)
        for each in pair(
            index, "event", "yes", "no" if index < 20 else "yes", image=f"{index // 10}.jpg"
        )
    ]
    apart = [
        Result(each.index, f"{each.index}.jpg", "", each.kind, "", each.answer) for each in alike
    ]

    def width(answers: list[Result]) -> float:
        found = groups(answers)["event"].scores.accuracy
        return found.high - found.low

    assert width(alike) > 2 * width(apart)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["yes", "no", "unknown"]), st.sampled_from(["yes", "no", "unknown"])
        ),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(["matches", "hallucination"]),
    st.sampled_from(["drop", "wrong"]),
    st.randoms(use_true_random=False),
)
def test_figures_lie_within_their_intervals_in_any_order(
    answers: list[tuple[str, str]], positive: str, unparsed: str, rng: random.Random
) -> None:
    made = [
        each
        for index, (true, wrong) in enumerate(answers)
        for each in pair(index, "relation", true, wrong)
    ]
    scoring = Scoring(positive, unparsed)  # type: ignore[arg-type]
    found = score(made, scoring)
    assert [str(each) for each in score(rng.sample(made, len(made)), scoring)] == [
        str(each) for each in found
    ]
    for group in found:
        for name in FIGURES:
            each = getattr(group.scores, name)
            if not math.isnan(each.value):
                assert -1e-6 <= each.low <= each.value + 1e-6
                assert each.value - 1e-6 <= each.high <= 1 + 1e-6


def test_reasons_are_counted_the_model_s_own_apart() -> None:
    made = [
        result(0, "true", "unknown", "unparsed"),
        result(1, "true", "unknown", "unparsed"),
        result(2, "true", "unknown", "no reply: timeout"),
        result(3, "true", "yes"),
    ]
    assert list(reasons(made)) == [("unparsed", False, 2), ("no reply: timeout", True, 1)]
