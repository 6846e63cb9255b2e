"""Tags become spans where they stand, and spans become tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.errors import UsageError
from banglahallueval.spans.offsets import merge
from banglahallueval.spans.tags import read_tagged, tagged
from banglahallueval.spans.types import Span
from banglahallueval.text.spans import Place

# Both forms of য়, a vowel sign, a joiner, an emoji with a modifier, and halves of tags.
TEXTS = st.text(st.sampled_from("কা\u09af\u09bc\u09df\u200d\U0001f44d\U0001f3fd \n।x[]/HAL"))


def test_a_repeated_word_is_where_its_tag_is() -> None:
    """Looking the text up again finds the first occurrence, at [0, 4]."""
    plain, spans = read_tagged("ঢাকা না, [HAL]ঢাকা[/HAL]", "f, row 1")
    assert (plain, len(plain), spans) == ("ঢাকা না, ঢাকা", 13, (Span(9, 13),))


def test_a_span_may_hold_line_breaks() -> None:
    plain, spans = read_tagged("ঢাকা না, [HAL]ঢাকা\n১৯৭১[/HAL]", "f, row 1")
    assert (len(plain), spans) == (18, (Span(9, 18),))


def test_a_text_without_tags_is_clean() -> None:
    assert read_tagged("ঢাকা [hal] [ HAL ]", "f, row 1") == ("ঢাকা [hal] [ HAL ]", ())


def test_tags_that_touch_are_one_span() -> None:
    assert read_tagged("[HAL]a[/HAL][HAL]b[/HAL]", "f, row 1") == ("ab", (Span(0, 2),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[HAL]ঢাকা", "never closed"),
        ("ঢাকা[/HAL]", "without [HAL] before"),
        ("[HAL]a[/HAL]b[/HAL]", "without [HAL] before"),
        ("[HAL]a[HAL]b[/HAL][/HAL]", "inside another"),
        ("a[HAL] \n[/HAL]b", "around nothing"),
        ("a[HAL][/HAL]b", "around nothing"),
    ],
)
def test_broken_tags_are_errors_that_name_the_row(text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        read_tagged(text, "f.csv, row 7")
    assert str(error.value).startswith("f.csv, row 7: ")
    assert message in str(error.value)


@given(TEXTS, st.data())
def test_tags_keep_text_and_spans(text: str, data: st.DataObject) -> None:
    """The text is not normalised on the way, so its offsets hold."""
    if "[HAL]" in text or "[/HAL]" in text:
        return
    ends = st.integers(0, len(text))
    drawn = data.draw(st.lists(st.tuples(ends, ends), max_size=4))
    spans: list[Place] = [(min(pair), max(pair)) for pair in drawn]
    spans = [(a, b) for a, b in merge(spans) if text[a:b].strip()]
    assert read_tagged(tagged(text, spans), "here") == (text, merge(spans))


def test_an_answer_with_a_tag_of_its_own_cannot_be_tagged() -> None:
    with pytest.raises(ValueError, match="itself"):
        tagged("a [HAL] b", [(0, 1)])


def test_a_span_outside_the_answer_cannot_be_tagged() -> None:
    with pytest.raises(ValueError, match="none of an answer of 2"):
        tagged("ab", [(0, 3)])
