"""Marks in label files, and what several people's marks have in common."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.annotation.marks import Marks, agreed, read_marks
from banglahallueval.errors import UsageError
from banglahallueval.io.span_columns import listed
from banglahallueval.text.spans import merged

TEXT = "ঢাকা না, ঢাকা"

places = st.tuples(st.integers(0, 20), st.integers(0, 20)).filter(lambda place: place[0] < place[1])
marks = st.lists(places, max_size=5).map(lambda found: tuple(merged(found)))


def characters(of: Marks) -> set[int]:
    return {at for start, end in of for at in range(start, end)}


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("", ()),
        (" ", ()),
        ("[]", ()),
        ("[[9, 13]]", ((9, 13),)),
        ("[[9,13],[0,4]]", ((0, 4), (9, 13))),
        ("[[0,4],[4,5]]", ((0, 5),)),
        ("[[0,13]]", ((0, 13),)),
    ],
)
def test_marks_are_read_in_order_and_those_that_touch_are_one(cell: str, expected: Marks) -> None:
    assert read_marks(cell, "a.csv, qa-001", TEXT) == expected


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("[[9,14]]", r"the span \[9, 14\] ends outside the text, which has 13 characters"),
        ("[[4,4]]", r"the span \[4, 4\] holds no character"),
        ("[[4,0]]", r"the span \[4, 0\] holds no character"),
        ("[[-4,2]]", r"the span \[-4, 2\] holds no character"),
        ("[[0,4],[3,9]]", r"the span \[3, 9\] overlaps the one before it"),
        ("[[0,4],[0,4]]", "overlaps"),
        ("ঢাকা", "is no JSON list"),
        ("[[0,4]", "is no JSON list"),
        ("[0,4]", "is no JSON list"),
        ("[[0,4,9]]", "is no JSON list"),
        ('[["0","4"]]', "is no JSON list"),
        ("[[0,4.0]]", "is no JSON list"),
        ("[[false,true]]", "is no JSON list"),
        ("{}", "is no JSON list"),
        ("null", "is no JSON list"),
        ("0", "is no JSON list"),
        ("[" * 100_000, "is no JSON list"),
        (f"[[0,{'9' * 5000}]]", "is no JSON list"),
    ],
)
def test_what_is_no_list_of_spans_is_refused_with_its_row(cell: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        read_marks(cell, "a.csv, qa-001", TEXT)
    assert str(refused.value).startswith("a.csv, qa-001: ")
    assert len(str(refused.value)) < 200


def test_a_text_counts_code_points() -> None:
    assert read_marks("[[8,12]]", "", "👍🏽 ঢাকা 1999") == ((8, 12),)
    with pytest.raises(UsageError, match="outside"):
        read_marks("[[10,14]]", "", "👍🏽 ঢাকা 1999")


def test_more_than_half_is_a_majority() -> None:
    """Of two people both must mark a character, of three two."""
    assert agreed([((0, 4),), ((2, 6),)]) == ((2, 4),)
    assert agreed([((0, 4),), ((2, 6),), ((5, 9),)]) == ((2, 4), (5, 6))
    assert agreed([((0, 2),), ((4, 6),)]) == ()


@settings(deadline=None)
@given(st.lists(marks, min_size=1, max_size=4))
def test_a_majority_is_of_characters(markings: list[Marks]) -> None:
    sets = [characters(of) for of in markings]
    found = agreed(markings)
    most = {at for at in set.union(*sets) if sum(at in of for of in sets) > len(sets) / 2}
    assert characters(found) == most
    assert read_marks(listed(found), "", "x" * 20) == found
