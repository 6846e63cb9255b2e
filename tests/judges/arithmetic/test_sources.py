"""Tests of whether a chain uses the numbers of its problem."""

from __future__ import annotations

import pytest

from banglahallueval.judges.arithmetic import judge_item
from banglahallueval.judges.arithmetic.sources import has_unused_number, looks_like
from banglahallueval.tasks import Item
from banglahallueval.verdicts import Verdict

TRAIN = "২৪০ মিটার ট্রেন, ৩৬০ মিটার সেতু। মোট কত মিটার?"


def judged(chain: str, problem: str = TRAIN) -> Verdict:
    return judge_item(Item("reasoning", problem, "", chain))


def test_a_miscopied_number_is_a_suspicion() -> None:
    """A number much like an unused one of the problem makes the label yes, without proof."""
    found = judged("২৪০ + ৬৩০ = ৮৭০")
    assert (found.label, found.findings[0].proven) == ("yes", False)
    assert "630" in found.raw
    assert "360" in found.raw
    assert judged("২৪০ + ৩৬০ = ৬০০").label == "no"


def test_a_number_inside_a_longer_one_is_not_used() -> None:
    """The 360 of 3600 is not the problem's 360."""
    assert has_unused_number(TRAIN, "৭২ × ১০০০ ÷ ৩৬০০ = ২০, ২৪০ + ৬৩০")
    assert not has_unused_number(TRAIN, "240 + 360 = 600")


@pytest.mark.parametrize(
    ("chain", "problem"),
    [
        ("২৮৮ − ৩৬ = ২৫২", "২৮৮ জনের ১/৮ অংশ গেল, পরে ১৬ জন এল। কতজন গেল?"),  # 288/8, not told
        ("২০ × ১৫ = ৩০০", "৬ মিটার লম্বা, ৪৫০ সেমি চওড়া মেঝেতে ৩০ সেমি টাইলস। কয়টি?"),  # 6 m / 30 cm
        ("৫০ × ২ = ১০০", "৫০% ছাড়ে ১০০০ টাকার জিনিস, ৯০ টাকায় বিক্রি। লাভ কত?"),
        ("০.৪৫ × ২০ = ৯", "২০ জনের ৫৫% মেয়ে, ২৫ জন শিক্ষক। ছেলে কত?"),  # what is left of 55 %
    ],
)
def test_numbers_found_without_telling_are_not_miscopied(chain: str, problem: str) -> None:
    """Products and quotients, in any unit, and the rest of a percentage have a source."""
    assert judged(chain, problem).label == "no"


@pytest.mark.parametrize(
    ("one", "other", "like"),
    [
        (630, 360, True),
        (52, 62, True),
        (5, 6, False),
        (120, 12, False),
        (45, 54, True),
        (123, 321, True),
    ],
)
def test_digits_are_compared(one: int, other: int, like: bool) -> None:
    """One digit may differ, or the order of all; numbers of one digit are too short to tell."""
    assert looks_like(one, other) is like


def test_a_copy_of_the_problem_uses_none_of_its_numbers() -> None:
    """A chain that begins with its own problem is judged as without it."""
    problem = "রহিমের ৩৮টি আম ছিল। কতটি রইল?"
    chain = "১ + ৪৮ = ৪৯"
    assert judged(chain, problem).label == "yes"
    assert judged(f"{problem}\n{chain}", problem).label == "yes"
