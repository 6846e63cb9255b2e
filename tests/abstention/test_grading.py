"""A grader's reply becomes a grade, or none with the reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.abstention.grading import read_grade
from banglahallueval.models.types import Finish, Reply
from banglahallueval.verdicts import (
    CONTRADICTS,
    CUT_OFF,
    EMPTY,
    FILTERED,
    REFUSED,
    UNFINISHED_THINKING,
    UNPARSED,
    read_verdict,
)

RIGHT, WRONG = "right", "wrong"
REPLIES = [
    ("YES", RIGHT),
    ("NO", WRONG),
    ("yes.", RIGHT),
    ("**No**", WRONG),
    ("হ্যাঁ", RIGHT),
    ("না।", WRONG),
    ("Yes, the answer is correct.", RIGHT),
    ("YES, the candidate is equivalent to the gold.", RIGHT),
    ("Yes. The answer is not hallucinated.", RIGHT),
    ("হ্যাঁ, উত্তরটি সঠিক।", RIGHT),
    ("YES (correct)", RIGHT),
    ("No, the answer is incorrect.", WRONG),
    ("No. The correct answer is 1971.", WRONG),
    ("No, the gold answer is Paris, not London.", WRONG),
    ("NO\n\nExplanation: the candidate says Ag, which is wrong.", WRONG),
    ("না, উত্তরটি ভুল।", WRONG),
    ("NO (wrong)", WRONG),
    ("CORRECT", RIGHT),
    ("**Correct.**", RIGHT),
    ("Grade: CORRECT", RIGHT),
    ("The answer is correct.", RIGHT),
    ("সঠিক", RIGHT),
    ("INCORRECT", WRONG),
    ("Verdict: incorrect", WRONG),
    ("Not correct", WRONG),
    ("The answer is incorrect.", WRONG),
    ("ভুল", WRONG),
    ("<think>no, no, no</think>YES", RIGHT),
    ("The candidate answer matches the gold answer. YES", RIGHT),
    ("The candidate answer does not match the gold answer.\nNO", WRONG),
    ("Gold answer: No\nCandidate answer: No\nYES", RIGHT),
    ("Answer: YES", RIGHT),
    ("Yes, but the answer is wrong.", CONTRADICTS),
    ("Yes, wrong", CONTRADICTS),
    ("হ্যাঁ, কিন্তু উত্তরটি ভুল।", CONTRADICTS),
    ("No, the answer is correct.", CONTRADICTS),
    ("Yes, it is hallucinated.", CONTRADICTS),
    ("The answer is wrong. YES", CONTRADICTS),
    ("The answer is correct.\n\nNO", CONTRADICTS),
    ("YES\nNO", CONTRADICTS),
    ("No, wait, yes", CONTRADICTS),
    ("yes or no", UNPARSED),
    ("YES/NO", UNPARSED),
    ("Partially correct", UNPARSED),
    ("Maybe", UNPARSED),
    # SimpleQA's first letter: A would be correct, and so would NOT_ATTEMPTED be.
    ("A", UNPARSED),
    ("C", UNPARSED),
    ("NOT_ATTEMPTED", UNPARSED),
    ("<think>yes, so", UNFINISHED_THINKING),
    ("", EMPTY),
    ("I'm sorry, I can't help with that.", REFUSED),
]


def graded(reply: Reply) -> str:
    """The grade in a word, or the reason why there is none."""
    is_right, reason = read_grade(reply)
    assert (is_right is None) == bool(reason)
    return reason or (RIGHT if is_right else WRONG)


@pytest.mark.parametrize(("text", "right"), REPLIES)
def test_grades_read_right(text: str, right: str) -> None:
    """Yes stands for a right answer, and what else is said must agree."""
    assert graded(Reply(text)) == right


@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("YES", "filtered", FILTERED),
        ("YES", "refused", REFUSED),
        ("The answer is correct", "length", CUT_OFF),
        ("", "length", CUT_OFF),
    ],
)
def test_a_withheld_or_cut_reply_is_no_grade(text: str, finish: Finish, reason: str) -> None:
    """What a filter left over is no grade, and neither is an argument that was cut."""
    assert graded(Reply(text, finish)) == reason


@pytest.mark.parametrize(("text", "right"), [("YES", RIGHT), ("NO", WRONG)])
def test_a_lone_word_at_the_budget_is_a_grade(text: str, right: str) -> None:
    """A budget of one token leaves nothing but the word."""
    assert graded(Reply(text, "length")) == right


@given(st.text(alphabet="yesno নাহ্যাঁ.,!\n correctin", max_size=40))
@settings(deadline=None)
def test_a_grade_turns_no_bare_verdict(text: str) -> None:
    """A reply of bare yes or no has a grade exactly where labelling reads the same word."""
    is_right, _ = read_grade(Reply(text))
    label = read_verdict(Reply(text), "standard").label
    if is_right is not None and label != "unknown":
        assert is_right == (label == "yes")
