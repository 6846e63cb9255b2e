"""Agreement on marked characters, by hand."""

from __future__ import annotations

import math

import pytest

from banglahallueval.annotation.forms import FORMS
from banglahallueval.annotation.labels import Labels
from banglahallueval.annotation.marks import Marks
from banglahallueval.annotation.settling import settled_marks
from banglahallueval.annotation.span_agreement import (
    SpanAgreement,
    pairwise_iou,
    span_agreement,
)

A4: Marks = ((0, 4),)


def labels(*items: list[Marks | str]) -> Labels:
    """Items of 10 characters; per annotator marks (yes), `no`, `yes` without a mark, or nothing."""
    found = Labels(FORMS["qa"], [f"qa-{number:03}" for number in range(len(items))])
    found.texts = dict.fromkeys(found.items, "x" * 10)
    for at in range(len(items[0])):
        name, answers = "abc"[at], {}
        found.marks[name] = {}
        for item, given in zip(found.items, items, strict=True):
            said = given[at]
            if said:
                answers[item] = said if isinstance(said, str) else "yes"
            if isinstance(said, tuple):
                found.marks[name][item] = said
            elif said == "no":
                found.marks[name][item] = ()
        found.answers[name] = {"is_hallucinated": answers}
        found.unsure[name], found.notes[name] = set(), {}
    return found


def measured(*items: list[Marks | str]) -> SpanAgreement:
    found = labels(*items)
    return span_agreement(found, found.texts or {})


def test_pairs_of_an_item_are_averaged() -> None:
    """[0, 4), [0, 2) and nothing: (1/2 + 0 + 0) / 3."""
    assert pairwise_iou([A4, ((0, 2),), ()]) == pytest.approx(1 / 6)
    assert math.isnan(pairwise_iou([A4]))


def test_items_are_averaged() -> None:
    """Three pairs of 1/2, 0, 0; both no, 1: the mean is (1/6 + 1) / 2."""
    found = measured([A4, ((0, 2),), "no"], ["no", "no", "no"])
    assert found.items == 2
    assert found.iou.value == pytest.approx(7 / 12)
    assert found.iou.low == pytest.approx(1 / 6)
    assert found.iou.high == 1
    pair = found.pairs["a", "b"]
    assert pair.iou.value == pytest.approx(3 / 4)
    assert (pair.shared, pair.either) == (2, 4)


def test_each_annotator_is_held_against_the_others() -> None:
    """[0, 4) against [0, 2) and [1, 6): union [0, 6), 4/6; intersection [1, 2), 1/4."""
    found = measured([A4, ((0, 2),), ((1, 6),)])
    assert found.annotators["a"].union.value == pytest.approx(4 / 6)
    assert found.annotators["a"].intersection.value == pytest.approx(1 / 4)


def test_a_yes_without_a_mark_is_no_judgement() -> None:
    """Not marked is not the same as nothing to mark, and an item needs two judgements."""
    found = labels([A4, "yes", A4], ["yes", "yes", A4], ["", "no", "no"])
    measured = span_agreement(found, found.texts or {})
    assert measured.items == 2
    assert measured.pairs["a", "b"].iou.rows == 0
    assert measured.pairs["a", "c"].iou.value == 1
    assert found.bare("a") == ["qa-001"]
    assert found.bare("b") == ["qa-000", "qa-001"]
    assert found.bare("c") == []


def test_alpha_is_1_where_all_mark_the_same() -> None:
    found = measured([A4, A4, A4], [((2, 3), (5, 9))] * 3, ["no"] * 3)
    assert (found.alpha.value, found.alpha.low, found.alpha.high) == (1, 1, 1)
    assert found.iou.value == 1


def test_alpha_is_negative_where_annotators_never_meet() -> None:
    """One marks what the other leaves out, item by item."""
    halves: list[Marks | str] = [((0, 5),), ((5, 10),)]
    found = measured(*[halves] * 4)
    assert found.alpha.value < 0
    assert found.iou.value == 0


def test_alpha_divides_the_items_sums() -> None:
    """An item of full agreement adds to the expected disagreement alone.

    Of 10 characters, [0, 4) by both: each unit meets the other (128 - 48 + 4)/3 = 28 and fits three
    times into two gaps of 6: 28 + 16·6 = 124. D_e = 2/10 · 248 / (20·19 - 24) = 0.2·248/356.
    [0, 4) against no: D_o = 32/200 = 0.16; the unit fits three times into a gap of 6 and seven
    times into one of 10: 160. D_e = 0.2·160/(380 - 12).
    """
    found = measured([A4, A4], [A4, "no"])
    expected = 0.2 * 248 / 356 + 0.2 * 160 / 368
    assert found.alpha.value == pytest.approx(1 - 0.16 / expected)
    assert found.alpha.low < found.alpha.value < found.alpha.high


def test_no_marks_leave_alpha_undefined() -> None:
    found = measured(["no", "no"])
    assert found.iou.value == 1
    assert math.isnan(found.alpha.value)


def test_no_judged_item_leaves_everything_undefined() -> None:
    found = measured(["yes", A4], ["", "no"])
    assert found.items == 0
    assert math.isnan(found.iou.value)
    assert math.isnan(found.alpha.value)


def test_marks_are_settled_by_majority_or_adjudicator() -> None:
    """A majority needs two who marked; the adjudicator's marks go before it."""
    given = labels(
        [A4, ((2, 6),), "yes"],
        [A4, ((6, 8),), "yes"],
        [A4, "yes", "yes"],
        ["no", "no", "no"],
        [A4, A4, "no"],
        [A4, A4, A4],
    )
    decisions = labels(["yes"], [A4], [""], [""], ["yes"], [((1, 2),)])
    before, after = settled_marks(given, None), settled_marks(given, decisions)
    assert [(each.marks, each.origin) for each in before.values()] == [
        (((2, 4),), "majority"),
        (None, "undecided"),
        (None, "undecided"),
        ((), "unanimous"),
        (None, "label undecided"),
        (A4, "majority"),
    ]
    assert [(each.marks, each.origin) for each in after.values()] == [
        (((2, 4),), "majority"),
        (A4, "adjudicated"),
        (None, "undecided"),
        ((), "unanimous"),
        (A4, "majority"),
        (((1, 2),), "adjudicated"),
    ]
    assert before["qa-000"].shares == [(0, 2, 0.5), (2, 4, 1), (4, 6, 0.5)]
