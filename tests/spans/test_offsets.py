"""Offsets from files and from clients: what is none is an error that names its row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import UsageError
from banglahallueval.spans.offsets import from_utf16, read_soft_spans, read_spans
from banglahallueval.spans.types import SoftSpan, Span


def test_spans_are_read_sorted_and_merged() -> None:
    assert read_spans([[5, 7], [0, 2], [2, 3], [4, 4]], 7, "f") == (Span(0, 3), Span(5, 7))


def test_spans_may_be_objects() -> None:
    assert read_spans([{"start": 1, "end": 2, "text": "x"}], 3, "f") == (Span(1, 2),)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([[0, 9]], "outside the answer's 5"),
        ([[-1, 2]], "outside the answer's 5"),
        ([[3, 2]], "reversed"),
        ([[0, 1.0]], "1.0 of a span is not a whole number"),
        ([[0, True]], "True of a span is not a whole number"),
        ([[0, float("nan")]], "nan of a span is not a whole number"),
        ([["0", "1"]], "'0' of a span is not a whole number"),
        ([[0, None]], "None of a span is not a whole number"),
        ([[0, 1, 2]], "is no span"),
        (["01"], "is no span"),
        ([3], "is no span"),
        ([{"begin": 0}], "None of a span is not a whole number"),
        ("[[0, 1]]", "is no list of spans"),
        ({"start": 0, "end": 1}, "is no list of spans"),
        (7, "is no list of spans"),
    ],
)
def test_invalid_spans_are_errors_that_name_the_row(value: object, message: str) -> None:
    with pytest.raises(UsageError) as error:
        read_spans(value, 5, "f.jsonl, line 3")
    assert str(error.value).startswith("f.jsonl, line 3: ")
    assert message in str(error.value)


def test_soft_spans_are_read_in_both_forms() -> None:
    right = (SoftSpan(0, 2, 0.5), SoftSpan(1, 3, 1.0))
    assert read_soft_spans([[1, 3, 1], [0, 2, 0.5]], 3, "f") == right
    dicts = [{"start": 0, "end": 2, "prob": 0.5}, {"start": 1, "end": 3, "prob": 1}]
    assert read_soft_spans(dicts, 3, "f") == right


@pytest.mark.parametrize("share", [1.1, -0.1, float("nan"), True, "1", None])
def test_a_probability_is_a_number_from_0_to_1(share: object) -> None:
    with pytest.raises(UsageError, match=r"f, row 1: .*is (not a number from 0|no span)"):
        read_soft_spans([{"start": 0, "end": 1, "prob": share}], 3, "f, row 1")


@given(st.text(), st.data())
def test_utf16_offsets_are_those_of_the_encoded_text(text: str, data: st.DataObject) -> None:
    ends = data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text))))
    start, end = min(ends), max(ends)
    units = [len(text[:at].encode("utf-16-le")) // 2 for at in (start, end)]
    assert from_utf16(text, (units[0], units[1])) == (start, end)


@pytest.mark.parametrize("span", [(0, 1), (1, 2), (2, 9), (3, 2), (-1, 2)])
def test_utf16_offsets_lie_between_characters(span: tuple[int, int]) -> None:
    """One within an emoji, outside the text, or reversed is an error."""
    with pytest.raises(UsageError, match="of 3 units"):
        from_utf16("\U0001f44da", span)
