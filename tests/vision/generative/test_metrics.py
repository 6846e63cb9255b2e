"""Metrics of judged descriptions: the right values, and what must always hold."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.vision.generative.metrics import Metrics, measure
from banglahallueval.vision.generative.reading import supplied_description
from banglahallueval.vision.generative.types import TYPES, HallucinationType, Trial
from tests.vision.generative.trials import trial, typed


def only(trials: list[Trial], *edges: int) -> Metrics:
    (found,) = measure(trials, edges or (20, 80))
    return found


def shares(found: Metrics, *, of: str) -> dict[HallucinationType, float]:
    return {
        name: round(getattr(each, f"among_{of}").value, 6) for name, each in found.types.items()
    }


def test_type_ratios_are_over_the_hallucinated_and_over_all() -> None:
    found = only(typed(["", "o", "oe", "", "r", "e", "", "oae", "", "x"]))
    assert (found.hallucinated, found.accuracy.value) == (6, 0.4)
    over_hallucinated = shares(found, of="hallucinated")
    assert over_hallucinated == {
        "object": 0.5,
        "relation": 0.166667,
        "attribute": 0.166667,
        "event": 0.5,
        "multiple": 0,
        "other": 0.166667,
    }
    assert sum(each.count for each in found.types.values()) / found.hallucinated == 1.5
    assert list(shares(found, of="judged").values()) == [0.3, 0.1, 0.1, 0.3, 0, 0.1]


def test_without_hallucination_ratios_over_the_hallucinated_are_undefined() -> None:
    found = only(typed(["", "", "", ""]))
    assert found.accuracy.value == 1
    assert all(math.isnan(each.among_hallucinated.value) for each in found.types.values())
    assert all(each.among_judged.value == 0 for each in found.types.values())


def test_what_has_no_verdict_counts_in_coverage_alone() -> None:
    found = only(
        [
            trial(0, "clean"),
            trial(1, "clean"),
            trial(2, "unjudged", reason="empty reply"),
            trial(3, "hallucinated", "o"),
        ]
    )
    assert (found.clean, found.hallucinated, found.outputs) == (2, 1, 4)
    assert found.accuracy.value == pytest.approx(2 / 3)
    assert found.coverage.value == 0.75
    assert found.reasons == (("unjudged: empty reply", 1),)


def test_an_empty_description_is_not_clean() -> None:
    found = only([trial(0, "clean"), trial(1, "undescribed", reason="empty reply")])
    assert (found.described, found.judged, found.coverage.value) == (1, 1, 0.5)


def test_unknown_types_count_among_all_judged_and_not_among_hallucinated() -> None:
    found = only([*typed(["", "o", "e"]), trial(3, "hallucinated", reason="types: empty reply")])
    assert (found.untyped, found.accuracy.value) == (1, 0.25)
    assert found.types["object"].among_hallucinated.value == 0.5
    assert found.types["object"].among_judged.value == pytest.approx(1 / 4)
    assert found.reasons == (("hallucinated: types: empty reply", 1),)


LENGTHS = ((12, 0), (19, 1), (20, 0), (45, 1), (79, 1), (80, 1), (80, 0), (131, 1))


def test_length_bins() -> None:
    found = only(
        [
            trial(place, "hallucinated" if wrong else "clean", "o" * wrong, words=words)
            for place, (words, wrong) in enumerate(LENGTHS)
        ]
    )
    assert [each.name for each in found.bins] == ["[0, 20)", "[20, 80)", "[80, ∞)"]
    assert [each.n for each in found.bins] == [2, 3, 3]
    assert [each.accuracy.value for each in found.bins] == pytest.approx([1 / 2, 1 / 3, 1 / 3])
    assert (found.accuracy.value, found.words.value) == (0.375, 58.25)


def test_an_empty_bin_has_no_accuracy() -> None:
    found = only([trial(0, "clean", words=5)], 5)
    assert [each.n for each in found.bins] == [0, 1]
    assert math.isnan(found.bins[0].accuracy.value)


@pytest.mark.parametrize(
    ("text", "words"), [("A dog, a cat; and a bird.", 7), ("state-of-the-art  dog\n\nruns", 3)]
)
def test_words_are_parted_by_white_space(text: str, words: int) -> None:
    assert replace(trial(0, "clean"), description=supplied_description(text)).words == words


def test_nothing_judged_is_undefined_throughout() -> None:
    found = only([trial(0, "undescribed", reason="image missing")])
    assert math.isnan(found.accuracy.value)
    assert math.isnan(found.words.value)
    assert found.coverage.value == 0


def test_prompts_are_measured_apart() -> None:
    found = measure([trial(0, "clean", prompt="short"), trial(0, "hallucinated", "o")])
    assert [(each.prompt, each.accuracy.value) for each in found] == [("short", 1), ("long", 0)]


def test_items_of_one_picture_belong_together() -> None:
    outcomes = ["clean"] * 4 + ["hallucinated"] * 4
    apart = only([trial(i, o, "o" * (o != "clean")) for i, o in enumerate(outcomes)])  # type: ignore[arg-type]
    together = only(
        [trial(i, o, "o" * (o != "clean"), image=f"{i // 2}.jpg") for i, o in enumerate(outcomes)]  # type: ignore[arg-type]
    )
    assert (apart.pictures, together.pictures) == (8, 4)
    assert (apart.accuracy.method, together.accuracy.method) == ("Wilson", "clustered Wilson")
    assert together.accuracy.low < apart.accuracy.low


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(st.sampled_from(["", "o", "oe", "ra", "x", "?", "-"]), st.integers(1, 120)),
        min_size=1,
        max_size=12,
    )
)
def test_parts_sum_up(rows: list[tuple[str, int]]) -> None:
    trials = [
        trial(place, "unjudged", reason="unparsed", words=words)
        if types == "?"
        else trial(place, "undescribed", reason="empty reply")
        if types == "-"
        else trial(place, "hallucinated" if types else "clean", types, words=words)
        for place, (types, words) in enumerate(rows)
    ]
    found = only(trials)
    assert sum(each.n for each in found.bins) == found.judged == found.clean + found.hallucinated
    assert found.judged + sum(count for _, count in found.reasons) == found.outputs
    for name in TYPES:
        each = found.types[name]
        assert each.count <= found.hallucinated
        for measure_ in (each.among_hallucinated, each.among_judged, found.accuracy):
            if measure_.rows:
                assert 0 <= measure_.low <= measure_.value <= measure_.high <= 1
    assert only(list(reversed(trials))) == found
