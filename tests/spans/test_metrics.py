"""IoU and average precision: the right values, and what must always hold."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from banglahallueval.spans.characters import Characters
from banglahallueval.spans.metrics import average_precision, average_precisions, iou
from banglahallueval.spans.offsets import from_utf16, mask, runs
from banglahallueval.spans.types import Detection, Sample
from banglahallueval.text.spans import Place

LENGTH = 20
SPANS = st.lists(
    st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).map(
        lambda ends: (min(ends), max(ends))
    ),
    max_size=6,
)
# Few values, so that ties are common.
SCORES = st.sampled_from([0.0, -0.0, 0.1, 0.25, 0.5, 1.0, -3.0, 1e-300, 1e30])
ANSWERS = st.lists(st.lists(st.tuples(st.booleans(), SCORES), max_size=12), max_size=8)


def exact(value: float, right: str) -> None:
    assert value == pytest.approx(float(Fraction(right)), abs=1e-12)


@pytest.mark.parametrize(
    ("gold", "predicted", "right"),
    [([], [], 1), ([], [(0, 3)], 0), ([(0, 3)], [], 0), ([], [(2, 2)], 1)],
)
def test_two_empty_sides_agree(gold: list[Place], predicted: list[Place], right: float) -> None:
    """An answer without hallucination, of which nothing is marked, counts 1 and not 0."""
    assert iou(gold, predicted, 5) == right


def test_the_card_s_example() -> None:
    answer = "Three anime titles produced by Kyoto Animation are: 1. Blue Spring 2. Clannad 3. Air"
    assert [answer[a:b] for a, b in ((55, 66), (81, 84))] == ["Blue Spring", "Air"]
    exact(iou([(55, 66), (81, 84)], [(55, 66), (70, 77)], len(answer)), "11/21")


def test_characters_are_code_points() -> None:
    """Not graphemes, which would give 4/7, nor bytes, which would give 12/25."""
    answer = "রবীন্দ্রনাথ ঠাকুর ১৯১৫ সালে নোবেল পুরস্কার পান।"
    assert (len(answer), answer[18:22], answer[18:27]) == (47, "১৯১৫", "১৯১৫ সালে")
    exact(iou([(18, 22)], [(18, 27)], len(answer)), "4/9")


@pytest.mark.parametrize(
    ("raw", "place", "moved", "wrong"),
    [
        (
            "\u09ac\u09dc \u09ac\u09be\u09dc\u09bf ১৯৭১ \u09b8\u09be\u09b2\u09c7",
            (8, 12),
            (10, 14),
            "1/3",
        ),
        ("\u0995\u09c7\u09be\u09a8 ১৯৭১", (5, 9), (4, 8), "3/5"),
    ],
)
def test_offsets_are_those_of_the_raw_text(
    raw: str, place: Place, moved: Place, wrong: str
) -> None:
    """NFC makes the one text longer and the other shorter; its offsets miss the year."""
    normal = unicodedata.normalize("NFC", raw)
    assert raw[slice(*place)] == normal[slice(*moved)] == "১৯৭১"
    assert iou([place], [place], len(raw)) == 1
    exact(iou([place], [moved], len(raw)), wrong)


def test_a_hole_between_tokens_costs() -> None:
    """A vowel sign that belongs to no token must be filled by the detector."""
    exact(iou([(0, 3)], [(0, 1), (1, 2)], 9), "2/3")
    assert iou([(0, 3)], [(0, 1), (1, 2), (2, 3)], 9) == 1


def test_offsets_of_a_javascript_client_are_converted() -> None:
    answer = "\U0001f44d\U0001f3fd ঢাকা 1999"
    assert (len(answer), answer[8:12]) == (12, "1999")
    assert iou([(8, 12)], [from_utf16(answer, (10, 14))], len(answer)) == 1
    exact(iou([(8, 12)], [(10, 14)], 14), "1/3")  # were the answer as long in code points
    with pytest.raises(ValueError, match="none of an answer of 12"):
        iou([(8, 12)], [(10, 14)], len(answer))


@pytest.mark.parametrize("spans", [[(0, 5), (3, 8), (3, 8)], [(0, 4), (4, 8)], [(4, 8), (0, 5)]])
def test_overlaps_repetition_and_order_do_not_matter(spans: list[Place]) -> None:
    assert iou([(0, 8)], spans, 8) == 1


@pytest.mark.parametrize("spans", [[(0, 8)], [(-1, 2)], [(3, 2)]])
def test_a_span_outside_the_answer_is_refused(spans: list[Place]) -> None:
    """The official scorer counts characters that no answer has, and gives 1/2 for the first."""
    with pytest.raises(ValueError, match="none of an answer of 4"):
        iou([(0, 4)], spans, 4)


@given(SPANS, SPANS)
def test_iou_is_symmetric_and_a_share(one: list[Place], other: list[Place]) -> None:
    value = iou(one, other, LENGTH)
    assert value == iou(other, one, LENGTH)
    assert 0 <= value <= 1
    assert iou(one, one, LENGTH) == 1


@given(SPANS, SPANS, st.randoms())
def test_iou_is_that_of_sets_in_any_order(
    one: list[Place], other: list[Place], random: Random
) -> None:
    left, right = ({at for a, b in side for at in range(a, b)} for side in (one, other))
    right_value = len(left & right) / len(left | right) if left | right else 1.0
    random.shuffle(one)
    assert iou(one, other, LENGTH) == pytest.approx(right_value, abs=1e-12)


@given(SPANS)
def test_runs_are_the_way_back_from_a_mask(spans: list[Place]) -> None:
    assert iou(spans, runs(mask(spans, LENGTH)), LENGTH) == 1


@pytest.mark.parametrize(
    ("gold", "scores", "right"),
    [
        ("0110", [0.1, 0.9, 0.8, 0.2], "1"),
        ("1000", [0.1, 0.2, 0.3, 0.4], "1/4"),
        ("10100", [0.9, 0.8, 0.7, 0.6, 0.5], "5/6"),
        ("0011", [0.1, 0.4, 0.35, 0.8], "5/6"),
    ],
)
def test_average_precision_of_untied_scores(gold: str, scores: list[float], right: str) -> None:
    exact(average_precision(bits(gold), scores), right)


@pytest.mark.parametrize(
    ("gold", "scores", "right"),
    [
        ("11000", [0.5] * 5, "2/5"),
        ("0011110000", [0.9] * 3 + [0.5] * 4 + [0.1] * 3, "43/84"),
        ("00001100", [0.2] * 4 + [0.8] * 4, "1/2"),
    ],
)
def test_equal_scores_are_one_step(gold: str, scores: list[float], right: str) -> None:
    exact(average_precision(bits(gold), scores), right)


def test_average_precision_at_the_edges() -> None:
    """Nothing to find gives 0 whatever the scores; nothing but gold gives 1; no text gives 0."""
    assert average_precision([False] * 3, [0.1, 0.2, 0.3]) == 0
    assert average_precision([True] * 3, [0.1, 0.2, 0.3]) == 1
    assert average_precision([], []) == 0


@given(ANSWERS)
def test_average_precision_is_scikit_learn_s(answers: list[list[tuple[bool, float]]]) -> None:
    """All answers at once give what scikit-learn gives for each, empty ones among them."""
    with warnings.catch_warnings(action="ignore"):
        right = [
            average_precision_score([g for g, _ in answer], [s for _, s in answer])
            if answer
            else 0.0
            for answer in answers
        ]
    found = average_precisions(laid_out(answers))
    assert found.tolist() == pytest.approx(right, abs=1e-12)


@given(ANSWERS)
def test_average_precision_depends_on_the_order_alone(
    answers: list[list[tuple[bool, float]]],
) -> None:
    moved = [[(g, 2.0**20 if s > 1 else s * 8 - 1) for g, s in answer] for answer in answers]
    kept = [[(g, s if abs(s) > 1e-200 else 0.0) for g, s in answer] for answer in answers]
    found = average_precisions(laid_out(kept))
    assert average_precisions(laid_out(moved)).tolist() == pytest.approx(found.tolist())
    assert ((found >= 0) & (found <= 1 + 1e-12)).all()


def test_scores_must_fit_their_answer() -> None:
    with pytest.raises(ValueError, match="2 scores for the 3 characters of 'a'"):
        Characters.of([Sample("a", "abc", ())], [Detection((0.1, 0.2))])
    with pytest.raises(ValueError, match="finite"):
        Characters.of([Sample("a", "ab", ())], [Detection((0.1, float("nan")))])
    with pytest.raises(ValueError, match="2 scores for 3 characters"):
        average_precision([True] * 3, [0.1, 0.2])


def bits(text: str) -> list[bool]:
    return [char == "1" for char in text]


def laid_out(answers: Sequence[Sequence[tuple[bool, float]]]) -> Characters:
    samples = [Sample("a", "ক" * len(one), runs([gold for gold, _ in one])) for one in answers]
    return Characters.of(samples, [Detection(tuple(s for _, s in one)) for one in answers])
