"""Places in a text are merged without loss."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.text.spans import Place, merged

PLACES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda p: (p[0], p[0] + p[1]))
)


def covered(places: list[Place]) -> set[int]:
    return {at for start, end in places for at in range(start, end)}


@given(PLACES)
def test_merged_places_cover_the_same_code_points(places: list[Place]) -> None:
    assert covered(list(merged(places))) == covered(places)


@given(PLACES)
def test_merged_places_are_in_order_and_apart(places: list[Place]) -> None:
    found = list(merged(places))
    assert all(start < end for start, end in found)
    assert all(one[1] < other[0] for one, other in itertools.pairwise(found))


@given(PLACES)
def test_the_order_of_places_does_not_matter(places: list[Place]) -> None:
    assert list(merged(places)) == list(merged(reversed(places)))
