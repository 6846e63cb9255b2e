"""The exact judge takes every usual shape of the right answer, and nothing that means another."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from banglahallueval.abstention.exact import is_match
from banglahallueval.abstention.types import Question

CITIES = ("Paris", "London", "Berlin", "Madrid")
FIRST = [
    "A", "a", "A.", "A।", "(A)", "A)", "[A]", "{A}", "**A**", "'A'", "A. Paris", "A: Paris",
    "A) Paris", "(A) Paris", "A - Paris", "A Paris", "Paris", "paris.", '"Paris"',
    "The answer is A",
    "The answer is A.", "The correct answer is (A).", "The correct option is A.",
    "The answer is Paris", "Option A", "option (a)", "Answer: A", "Answer:\nA",
    "Final answer: **A**", "<answer>A</answer>",
    "\\boxed{A}", "$\\boxed{A}$", "\\boxed{\\text{A}}", "I choose A", "A is correct",
    "A is the correct answer.", "A because it is the capital", "Answer: A because B is wrong",
    "A, because it is", "A\n\nExplanation: Paris is the capital.",
    "উত্তর: A", "উত্তর: ক", "ক", "ক।", "(ক)", "ক)", "ক) Paris", "সঠিক উত্তর ক", "বিকল্প ক",
    "A (Paris)", "A [Paris]", "A-Paris", "A—Paris", "A.Paris", "A = Paris", "Paris (A)", "a: Paris",
    "It's A", "I think it's A", "I would say A", "Definitely A", "Clearly, A", "সম্ভবত ক",
    "Based on the passage, A", "The answer is definitely A.", "ans A", "choice a", "I pick A!",
    "B is wrong, A", "B and C are wrong, so A", "A\nB is wrong.", "Because B is in England, A",
    "Initially B, but A", "A instead of B", "A (not B)", "It is A, not D", "Not B or C: A",
    "I pick A over B", "Between A and B, I choose A", "উত্তর হলো ক, খ নয়", "খ ভুল, ক",
    "A: The capital of France is Paris.", "A, no doubt", "A is not wrong", "A — it is the capital",
    "<A>", "Ａ", "(Ａ) Paris", "Ⓐ", "ⓐ", "⒜", "𝐀", "A ✅", "✅ A",
]  # fmt: skip
NOT_FIRST = [
    "B", "খ", "E", "None", "", "A or B", "A and B", "A, B", "A/B", "A\nB", "A. B. C.", "AB", "ABCD",
    "A. London", "B. Paris", "London", "Paris or London", "Not A", "A is wrong",
    "A is incorrect, so B",
    "A, no wait, B", "Answer: A. Final answer: B", "A city in France", "a city",
    "A beautiful city: London", "As I see it, B",
    "So A is out; B", "A, no: B", "A; B", "A. Wrong", "A: no", "A ❌", "A - wrong", "A? No.",
    "A (wrong)", "A isn't right", "A is not correct", "A is eliminated", "Anything but A",
    "ruled out A", "neither A nor B", "(a) Paris (b) London", "A vs B", "A B",
    "ক, খ", "ক নয়", "ক ভুল", "ক নয়, খ",
    "A. Vienna", "A, London", "A is London", "London (A)", "A. Paris or London", "A. Not Paris",
    "A. London, not Paris", "A. Paris? No, London", "Vitamin A", "It's a city", "I like a.",
    "A European city", "A-list", "A.B.",
]  # fmt: skip
SAME = [
    ("2", "2"),
    ("The answer is 2", "2"),
    ("The answer is 2.", "2"),
    ("1,000", "1000"),
    ("১,০০০", "1000"),
    ("12%", "12"),
    ("$5", "5"),
    ("0.30000000000000004", "0.3"),
    ("১২৩।", "123"),
    ("1/2", "0.5"),
    ("Answer: -5", "−5"),
    ('"Au"', "Au"),
    ("**Au**", "au"),
    ("`x = 1`", "x = 1"),
    ("(Paris)", "Paris"),
    ("Paris!", "Paris"),
    ("Final answer: Paris", "Paris"),
    ("Answer\n\nParis", "Paris"),
    ("the  Nile", "Nile"),
    ("O’Neill", "O'Neill"),
    ("ঢাকা।", "ঢাকা"),
    ("উত্তর: ঢাকা।", "ঢাকা"),
    ("উত্তরঃ ঢাকা", "ঢাকা"),
    ("উত্তর হলো ঢাকা", "ঢাকা"),
    ("চূড়ান্ত উত্তর - ঢাকা", "ঢাকা"),
    ("সম\u09df", "সম\u09af\u09bc"),
    ("১৬ই ডিসেম্বর ১৯৭১", "১৬ ডিসেম্বর ১৯৭১"),
    ("১লা বৈশাখ", "১ বৈশাখ"),
    ("২১শে ফেব্রুয়ারি", "২১ ফেব্রুয়ারি"),
    ("16th December 1971", "16 December 1971"),
    ("16th of December", "16 December"),
    ("December 16th, 1971", "December 16, 1971"),
    ("It is Paris.", "Paris"),
    ("It's the Nile", "Nile"),
    ("এটি ঢাকা।", "ঢাকা"),
    ("উত্তর: এটা হলো ঢাকা", "ঢাকা"),
    ("Pa\x00ris\x07", "Paris"),
    ("ঢা\ud800কা", "ঢাকা"),
    ("২ম", "2nd"),
    ("H₂O", "H2O"),
    ("H2O", "H₂O"),
    ("C₆H₁₂O₆", "C6H12O6"),
    ("Ca(OH)₂", "Ca(OH)2"),
    ("ঢাকা (Dhaka)", "ঢাকা"),
    ("ঢাকা (Dhaka)।", "ঢাকা"),
    ("Dhaka (ঢাকা)", "ঢাকা"),
    ("**Dhaka** [the capital of Bangladesh]", "Dhaka"),
    ("বিদ্রোহী (কাজী নজরুল ইসলাম, ১৯২২)", "বিদ্রোহী"),
    ("২ (দুই)", "2"),
    ("5 (km)", "5 km"),
    ("two", "2"),
    ("Two.", "২"),
    ("102", "one hundred and two"),
    ("এক শত দুই", "১০২"),
    ("একশ দুই", "102"),
    ("উত্তর: দুইটি", "২"),
    ("দুই", "two"),
]
DIFFERENT = [
    ("5-", "5"),
    ("5", "-5"),
    ("5!", "5"),
    ("1_000", "1000"),
    ("nan", "0"),
    ("inf", "Infinity"),
    ("2", "2 million"),
    ("10⁸", "108"),
    ("x²", "x2"),
    ("10₂", "102"),
    ("log₂8", "log28"),
    ("H₂O", "H2O2"),
    ("Paris (or London)", "Paris"),
    ("Paris (not sure)", "Paris"),
    ("Paris?! (perhaps)", "Paris"),
    ("ঢাকা (নয়)", "ঢাকা"),
    ("London (Paris)", "Paris"),
    ("Paris (London) Berlin", "Paris"),
    ("চট্টগ্রাম (Dhaka)", "Dhaka"),
    ("1971 (1972)", "1971"),
    ("৫ (ছয়)", "5"),
    ("5 (miles)", "5 km"),
    ("2 (million)", "2"),
    ("26 March (27 March)", "26 March"),
    ("two", "3"),
    ("third", "3"),
    ("দুই তিন", "23"),
    ("two or three", "2"),
    ("2**3", "23"),
    ("C++", "C"),
    ("C#", "C"),
    ("Ag", "Au"),
    ("Parisian", "Paris"),
    ("not Paris", "Paris"),
    ("The answer is not Paris", "Paris"),
    ("Paris, London", "Paris"),
    ("", "Paris"),
    ("Paris", ""),
    ("", ""),
    ("It is not Paris", "Paris"),
    ("Finished", "It Is Finished"),
    ("এটি নয়", "নয়"),
    ("16th street", "16 street"),
    ("১৭ই মার্চ", "১৬ই মার্চ"),
    ("০১৭১১", "1711"),
]


def of(gold: str, *options: str, text: str = "কোনটি?", unknown_ok: bool = False) -> Question:
    return Question("1", text, gold, unknown_ok, options)


@pytest.mark.parametrize("answer", FIRST)
def test_a_letter_counts_in_every_usual_shape(answer: str) -> None:
    """An option is chosen by its letter, bare or dressed, or by its text."""
    assert is_match(answer, of("A", *CITIES))
    assert not is_match(answer, of("B", *CITIES))


@pytest.mark.parametrize("answer", NOT_FIRST)
def test_another_letter_or_two_do_not_count(answer: str) -> None:
    """An article is no letter, and an answer that names two options chooses none."""
    assert not is_match(answer, of("A", *CITIES))


@pytest.mark.parametrize(
    "answer",
    [
        "B because A is wrong",
        "A is wrong, so B",
        "Answer: B because…",
        "So A is out; B",
        "As I see it, B",
    ],
)
def test_a_letter_that_is_ruled_out_is_not_chosen(answer: str) -> None:
    """A reason may name the options that are wrong."""
    assert is_match(answer, of("b", *CITIES))


@pytest.mark.parametrize(
    ("answer", "gold", "options"),
    [
        ("B. No", "B", ("Yes", "No")),
        ("C. Vitamin C", "C", ("Iron", "Zinc", "Vitamin C")),
        ("B. C++", "B", ("Java", "C++", "C")),
        ("D. A and B", "D", ("oak", "elm", "ash", "A and B")),
        ("D) Both A and B are right", "D", ("oak", "elm", "ash", "Both A and B")),
        ("I think B", "B", tuple("pqrstuvwxy")),
        ("I", "I", tuple("pqrstuvwxy")),
    ],
)
def test_the_text_of_an_option_names_no_other(
    answer: str, gold: str, options: tuple[str, ...]
) -> None:
    """Letters and denials in the option's own text, and the pronoun, choose nothing."""
    assert is_match(answer, of(gold, *options))
    assert not is_match("A: no", of("A", *options))


def test_options_that_are_numbers_are_compared_by_value() -> None:
    """The number of the right option counts, unless two options have it."""
    assert is_match("১,০০০", of("B", "10", "1000"))
    assert not is_match("5", of("A", "5 km", "5 m"))


@pytest.mark.parametrize(("answer", "gold"), SAME)
def test_free_answers_count_however_dressed(answer: str, gold: str) -> None:
    """Labels, marks, case, articles and the form of a number make no difference."""
    assert is_match(answer, of(gold))
    assert is_match(unicodedata.normalize("NFD", answer), of(gold))


@pytest.mark.parametrize(("answer", "gold"), DIFFERENT)
def test_what_means_another_thing_does_not_count(answer: str, gold: str) -> None:
    """A sign, a negation, a unit or an empty gold answer makes a difference."""
    assert not is_match(answer, of(gold))


@pytest.mark.parametrize(
    ("answer", "text", "right"),
    [
        ("2 Ds", "How many Ds are in DEED? Give a number only.", True),
        ("২ নদী", "কয়টি নদী আছে?", True),
        ("3 Ds", "How many Ds are in DEED?", False),
        ("2 apples", "How many Ds are in DEED?", False),
        ("2 not", "How many are not red?", False),
    ],
)
def test_a_number_may_name_what_is_counted(answer: str, text: str, right: bool) -> None:
    """One word behind it that stands in the question is what it counts."""
    assert is_match(answer, of("2", text=text)) == right


@pytest.mark.parametrize("answer", ["", "IDK", "Paris"])
def test_nothing_answers_what_cannot_be_answered(answer: str) -> None:
    """On an unanswerable question every answer is wrong, its gold answer's too."""
    assert not is_match(answer, of("Paris", unknown_ok=True))


WORDS = st.lists(
    st.sampled_from(["ঢাকা", "শহর", "Paris", "Au", "১৯৭১", "C++", "নদী"]), min_size=1, max_size=4
)
DRESSES = st.sampled_from(
    [
        "{}",
        "**{}**",
        '"{}"',
        "{}.",
        "{}।",
        "Answer: {}",
        "উত্তর: {}",
        "  {}\n",
        "({})",
        "\\boxed{{{}}}",
        "> {}",
    ]
)


@given(WORDS, DRESSES, DRESSES)
@settings(deadline=None)
def test_a_dressed_answer_is_itself(words: list[str], inner: str, outer: str) -> None:
    """An answer counts as the right one in any dress, and with `not` before it in none."""
    assume(inner != outer)
    gold = " ".join(words)
    assert is_match(outer.format(inner.format(gold)), of(gold))
    assert not is_match(outer.format(inner.format(f"not {gold}")), of(gold))


@given(st.text(max_size=80), st.text(max_size=20))
@settings(deadline=None)
def test_any_text_is_judged(answer: str, gold: str) -> None:
    """No text makes it fail, with options or without."""
    is_match(answer, of(gold))
    is_match(answer, of("A", gold, "London"))
