"""Tests of calculations told in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.arithmetic import check_chain, judge_item
from banglahallueval.judges.arithmetic.number_names import read_name
from banglahallueval.tasks import Item
from tests.work import lines_run

# A right calculation, and the same one with a wrong result that nothing could save.
PROVEN = {
    "পাঁচ গুণ তিন সমান পনেরো": "পাঁচ গুণ তিন সমান ষোলো",
    "৫ গুণ ৩ = ১৫": "৫ গুণ ৩ = ১৬",
    "২৪০ গুণ ১/৩ সমান ৮০": "২৪০ গুণ ১/৩ সমান ৯০",
    "৭ মিনিট/শিশু গুণ ২ সমান ১৪": "৭ মিনিট/শিশু গুণ ২ সমান ১৫",
    "২০ যোগ ২০ যোগ ১২ বিয়োগ ৫ সমান ৪৭": "২০ যোগ ২০ যোগ ১২ বিয়োগ ৫ সমান ৪৮",
    "পাঁচকে তিন দিয়ে গুণ করলে পনেরো হয়": "পাঁচকে তিন দিয়ে গুণ করলে ষোলো হয়",
    "২০ কে ৪ দিয়ে ভাগ করলে ৫ পাওয়া যায়": "২০ কে ৪ দিয়ে ভাগ করলে ৬ পাওয়া যায়",
    "আঠারো শ-কে তিন শ দ্বারা ভাগ করলে ছয় দিন": "আঠারো শ-কে তিন শ দ্বারা ভাগ করলে সাত দিন",
    "১০ টাকা থেকে ৩ টাকা বাদ দিলে থাকে ৭ টাকা": "১০ টাকা থেকে ৩ টাকা বাদ দিলে থাকে ৮ টাকা",
    "৫ এর সাথে ৩ যোগ করলে ৮ হয়": "৫ এর সাথে ৩ যোগ করলে ৯ হয়",
    "১৪ হাজার ছয় শ বিশ যোগ এক শ সমান ১৪ হাজার সাত শ বিশ": "১৪ হাজার ছয় শ বিশ যোগ এক শ সমান ১৪ হাজার নয় শ",
    "5 ke 3 diye gun korle 15": "5 ke 3 diye gun korle 16",
    "panch gun tin soman ponero": "panch gun tin soman sholo",
    "ponchash theke bish bad dile thake tirish": "ponchash theke bish bad dile thake chollish",
    "five times three is fifteen": "five times three is sixteen",
    "One hundred divided by four is twenty-five": "One hundred divided by four is twenty-six",
    "multiplying 5 by 3 gives 15": "multiplying 5 by 3 gives 16",
    "দেড় মিটার মানে ১৫০ সেন্টিমিটার": "দেড় মিটার মানে ১৫ সেন্টিমিটার",
    "খাতা প্রতি ১৫ টাকা হারে, ৮টি খাতা ১২০ টাকা": "খাতা প্রতি ১৫ টাকা হারে, ৮টি খাতা ১১২ টাকা",
}
# The same with words that may mean something else.
DOUBTED = {
    "৩, ৫ ও ৭ মিলে ১৫": "৩, ৫ ও ৭ মিলে ১৬",
    "দুই শ থেকে দেড় শ গেলে থাকে পঞ্চাশ": "দুই শ থেকে দেড় শ গেলে থাকে ষাট",
    "আঠারো লাখের তিন ভাগের এক ভাগ ছয় লাখ": "আঠারো লাখের তিন ভাগের এক ভাগ সাত লাখ",
    "১২ লাখ টাকার চার ভাগের তিন ভাগ, মানে ৯ লাখ": "১২ লাখ টাকার চার ভাগের তিন ভাগ, মানে ৮ লাখ",
    "৯০ টাকা ছিল। বইয়ে গেল চল্লিশ, রইল পঞ্চাশ": "৯০ টাকা ছিল। বইয়ে গেল চল্লিশ, রইল ষাট",
}


@pytest.mark.parametrize("right", [*PROVEN, *DOUBTED])
def test_right_calculations_in_words_are_read(right: str) -> None:
    """Number words of either script, in Bangla and English word order, have their value."""
    report = check_chain(right)
    assert report.steps
    assert report.faults == ()


@pytest.mark.parametrize("right", PROVEN)
def test_wrong_results_in_words_are_proven(right: str) -> None:
    """A wrong result is proven, and its words are code points of the chain."""
    (fault,) = check_chain(PROVEN[right]).faults
    assert fault.proven
    assert PROVEN[right][fault.start :].startswith(fault.expression)
    assert PROVEN[right][: fault.end].endswith(fault.stated)


@pytest.mark.parametrize("right", DOUBTED)
def test_vague_words_are_only_doubted(right: str) -> None:
    """`মিলে`, `গেলে` and shares make the label yes, without proof."""
    verdict = judge_item(Item("reasoning", "কত?", "", DOUBTED[right]))
    assert verdict.label == "yes"
    assert not any(finding.proven for finding in verdict.findings)


def test_the_explanation_repeats_the_words() -> None:
    """What was told in words is explained in them."""
    verdict = judge_item(Item("reasoning", "কত?", "", "5 ke 3 diye gun korle 16"))
    assert verdict.raw == "5 ke 3 diye gun korle = 15, not 16"


@pytest.mark.parametrize(
    "chain",
    [
        "সে ৩ গুণ বেশি পায়, ২০ টাকা।",
        "৪ গুণ, ২০ সমান ভাগে ৫ জন পায়।",
        "৭ ভাগ, 1 + 2 + 4 ভাগ = 2",
        "১২ দিয়ে ভাগ করতে হবে ৩ জনের মধ্যে ৫ বার",
        "১০ জন ও ২০ জন মিলে ৫টি কাজ করে",
        "১৪-কে ৩ দিয়ে ভাগ করে প্রতি জোড়ার দাম",
        "থেকে ৫ বাদ দিলে ৩",
        "রোজ ৫ লিটার হারে, ৩ দিনে ১৫ লিটার",
        "২ক যোগ ৩ক যোগ ৫ সমান ২০",
        "আসল দাম যোগ ১২ - ১৮ সমান ৪৫",
        ".৮ যোগ । ৮৪ যোগ .৮২ সমান ২.৪৬",
        "২৪০ গুণ (১/৩) সমান ৮০",
    ],
)
def test_words_that_do_not_calculate_prove_nothing(chain: str) -> None:
    """`৩ গুণ বেশি`, shares of something and sentences about numbers are no calculations."""
    assert check_chain(chain).first_proven is None


def test_a_part_is_no_sign() -> None:
    """`এক ভাগ` before a calculation names it."""
    assert check_chain("এক ভাগ ৬০ ÷ ৫ = ১৩").first_proven is not None


def test_annotations_keep_their_places_beside_words() -> None:
    """An annotation behind a calculation in words is checked by itself."""
    report = check_chain("৫ গুণ ৩ সমান ১৫, তাই ১৫ + ১ = <<১৫+১=১৭>>১৭")
    (fault,) = report.faults
    assert (fault.expression, fault.stated) == ("১৫+১", "১৭")


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("চোদ্দো", 14),
        ("ponchash", 50),
        ("poytrish", 35),
        ("tinsho", 300),
        ("আঠাশ", 28),
        ("nobboi", 90),
    ],
)
def test_names_of_numbers_are_read(word: str, value: int) -> None:
    """Rare spellings, romanised tens and hundreds are numbers."""
    assert read_name(word) == value


@pytest.mark.parametrize("word", ["shat", "sottor-e", "kolom", "dokan", "bari", "manush"])
def test_other_words_are_no_numbers(word: str) -> None:
    """A romanised word that sounds like two numbers, or like none, is none above twenty."""
    assert (read_name(word) or 0) <= 20


INFIXES = {"গুণ": lambda a, b: a * b, "যোগ": lambda a, b: a + b, "plus": lambda a, b: a + b}


@pytest.mark.parametrize("word", INFIXES)
@given(a=st.integers(2, 99), b=st.integers(2, 99), off=st.integers(-2, 2))
def test_infix_words_are_checked(word: str, a: int, b: int, off: int) -> None:
    """A calculation in words is a fault exactly if its result is off."""
    calculate: Callable[[int, int], int] = INFIXES[word]
    report = check_chain(f"{a} {word} {b} সমান {calculate(a, b) + off}")
    assert len(report.steps) == 1
    assert (report.first_proven is None) is (off == 0)


@pytest.mark.parametrize(
    "piece", ["৫ গুণ ", "পাঁচ গুণ তিন সমান পনেরো ", "৩ ও ৪ মিলে ৭, ", "ভাগ ", "২ থেকে ১ গেলে ১ রইল "]
)
def test_words_are_read_in_linear_time(piece: str) -> None:
    """A chain four times as long takes four times the work."""
    check_chain(piece * 250)  # fills the caches
    work = lines_run(lambda: check_chain(piece * 500))
    assert lines_run(lambda: check_chain(piece * 2000)) < 5 * work
