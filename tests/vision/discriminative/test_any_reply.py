from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.models.types import Finish, Reply
from banglahallueval.vision.discriminative.naming import TYPE_LABELS, read_type
from banglahallueval.vision.discriminative.reading import read_answer

WORDS = st.sampled_from(
    (
        *("yes", "no", "Yes,", "No.", "not", "match", "matches", "the", "caption", "image", "?"),
        *(":", "but", "হ্যাঁ", "না", "মেলে", "na", "ha", "return", "object", "none", "event"),
        *("type", "error", "<think>", "</think>", "```", "\n", '"', "I", "cannot", "see"),
    )
)
REPLIES = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=14).map(" ".join))
FINISHES: st.SearchStrategy[Finish] = st.sampled_from(["stop", "length"])


@settings(deadline=None, max_examples=300)
@given(REPLIES, FINISHES, st.booleans(), st.booleans())
def test_an_answer_is_unknown_just_where_it_has_a_reason(
    text: str, finish: Finish, is_cot: bool, is_bangla: bool
) -> None:
    answer = read_answer(Reply(text, finish), is_cot=is_cot, is_bangla=is_bangla)
    assert answer.label in ("yes", "no", "unknown")
    assert (answer.label == "unknown") == (answer.reason != "")
    assert not (answer.conflicts and answer.label == "unknown")


@settings(deadline=None, max_examples=300)
@given(REPLIES, FINISHES, st.booleans())
def test_a_type_is_unknown_just_where_it_has_a_reason(
    text: str, finish: Finish, is_cot: bool
) -> None:
    named = read_type(Reply(text, finish), is_cot=is_cot)
    assert named.label in (*TYPE_LABELS, "unknown")
    assert (named.label == "unknown") == (named.reason != "")
