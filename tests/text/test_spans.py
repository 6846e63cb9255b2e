"""Places in a text are merged without loss, and several people's compared by characters."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.text.spans import (
    Place,
    intersection,
    iou,
    merged,
    shares,
    size,
    union,
    whole,
)

PLACES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda p: (p[0], p[0] + p[1]))
)


def covered(places: list[Place]) -> set[int]:
    return {at for start, end in places for at in range(start, end)}


@given(PLACES)
def test_merged_places_cover_the_same_code_points(places: list[Place]) -> None:
    assert covered(list(merged(places))) == covered(places)


@given(st.text("কৌ্ষ১৯ \u200d\u09bc\n", max_size=40), PLACES)
def test_widened_places_hold_the_places_and_stay(text: str, places: list[Place]) -> None:
    inside = [(start, min(end, len(text))) for start, end in places if start < len(text)]
    found = list(whole(text, inside))
    assert covered(inside) <= covered(found) <= set(range(len(text)))
    assert list(whole(text, found)) == found


@given(PLACES)
def test_merged_places_are_in_order_and_apart(places: list[Place]) -> None:
    found = list(merged(places))
    assert all(start < end for start, end in found)
    assert all(one[1] < other[0] for one, other in itertools.pairwise(found))


@given(PLACES)
def test_the_order_of_places_does_not_matter(places: list[Place]) -> None:
    assert list(merged(places)) == list(merged(reversed(places)))


def test_shares_are_those_who_marked_a_stretch() -> None:
    assert shares([((0, 4),), ((2, 6),)]) == [(0, 2, 0.5), (2, 4, 1), (4, 6, 0.5)]
    assert shares([((0, 2), (2, 4)), ((6, 8),)]) == [(0, 4, 0.5), (6, 8, 0.5)]
    assert shares([(), ()]) == []


@given(st.lists(PLACES, min_size=1, max_size=4))
def test_union_and_intersection_are_those_of_characters(markings: list[list[Place]]) -> None:
    sets = [covered(places) for places in markings]
    for found, right in (
        (union(markings), set.union(*sets)),
        (intersection(markings), set.intersection(*sets)),
    ):
        assert covered([*found]) == right
        assert found == tuple(merged(found))


@given(PLACES, PLACES)
def test_overlap_is_counted_in_characters(one: list[Place], other: list[Place]) -> None:
    ours, theirs = covered(one), covered(other)
    assert size(one) == len(ours)
    either = len(ours | theirs)
    assert iou(one, other) == (len(ours & theirs) / either if either else 1)
