"""Unanswerable multiple-choice questions have no right option, and nothing that gives them away."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

from banglahallueval.abstention.choices import LETTERS, replace_option, stem_of
from banglahallueval.abstention.types import Question
from banglahallueval.abstention.unanswerable import Mixed, is_convertible, make_unanswerable
from banglahallueval.errors import UsageError
from banglahallueval.text.normalise import for_matching
from tests.abstention.choices import question, questions

ANIMALS = ("otter", "heron", "viper", "gecko")
TOOLS = ("lathe", "spade", "auger", "chisel")


def pair(options: tuple[str, ...], lent: tuple[str, ...]) -> tuple[Question, Question]:
    """Make a question, and another that can lend it an option."""
    asked = question("Which one swims?", options)
    return asked, question("Which one turns?", lent, "B", name="2")


def like(mixed: Mixed) -> int:
    """Count the questions that were converted unnoticeably."""
    return mixed.made - mixed.unlike


@given(st.integers(1, 60), st.integers(0, 9), st.floats(0, 1), st.integers(1, 3))
def test_what_holds_for_every_conversion(n: int, seed: int, frac: float, subjects: int) -> None:
    """One option is another question's wrong one, all differ, and the rest is as it was."""
    assume(round(frac * n) or not frac)
    asked = questions(n, seed, subjects)
    mixed = make_unanswerable(asked, frac, seed)
    assert mixed.wanted == round(frac * n)
    assert mixed.made == sum(each.unknown_ok for each in mixed.questions) <= mixed.wanted
    for before, after in zip(asked, mixed.questions, strict=True):
        if not after.unknown_ok:
            assert after == before
            continue
        at = LETTERS.index(before.gold)
        assert after.gold == ""
        assert after == Question(
            before.id, after.text, "", True, after.options, before.subject, before.source
        )
        assert after.text == replace_option(before, at, after.options[at]).text
        assert after.options[:at] + after.options[at + 1 :] == (
            before.options[:at] + before.options[at + 1 :]
        )
        assert len(set(map(for_matching, after.options))) == len(before.options)
        assert for_matching(before.options[at]) not in map(for_matching, after.options)
        assert any(
            after.options[at] in lender.options
            and lender.options[LETTERS.index(lender.gold)] != after.options[at]
            and (lender.subject == before.subject or mixed.unlike)
            for lender in asked
            if lender.id != before.id
        )


@given(st.integers(0, 20))
def test_the_seed_alone_decides(seed: int) -> None:
    asked = questions(40, 1)
    assert make_unanswerable(asked, 0.5, seed) == make_unanswerable(asked, 0.5, seed)


def test_another_seed_converts_others() -> None:
    asked = questions(40, 1)
    converted = [
        [each.id for each in make_unanswerable(asked, 0.5, seed).questions if each.unknown_ok]
        for seed in (1, 2)
    ]
    assert converted[0] != converted[1]


def test_which_option_is_lent_does_not_depend_on_the_order_of_the_lenders() -> None:
    asked, lenders = questions(1, 1), questions(30, 2)
    first = make_unanswerable(asked, 1, 3, donors=lenders)
    assert first.made == 1
    assert make_unanswerable(asked, 1, 3, donors=lenders[::-1]) == first


def features(asked: Question) -> list[float]:
    """Describe the surface: lengths by place and by rank, and how many options are the same."""
    lengths = np.array([len(each) for each in asked.options])
    ranks = lengths.argsort(kind="stable").argsort(kind="stable")
    distinct = len(set(map(for_matching, asked.options)))
    return [*ranks, *(lengths / lengths.mean()), *np.sort(lengths), distinct]


def separation(mixed: Sequence[Question]) -> float:
    """Compute how well a classifier of surface features finds the unanswerable ones (AUC)."""
    labels = np.array([each.unknown_ok for each in mixed])
    found = cross_val_predict(
        RandomForestClassifier(min_samples_leaf=5, random_state=0),
        np.array([features(each) for each in mixed]),
        labels,
        cv=5,
        method="predict_proba",
    )
    return float(roc_auc_score(labels, found[:, 1]))


def test_surface_features_do_not_find_them() -> None:
    """A classifier of lengths, ranks, places and duplicates is no better than chance."""
    asked = questions(400, 5)
    assert make_unanswerable(asked, 1, 5).made > 395  # so that it is chance which are taken
    standard_error = math.sqrt(1 / (3 * len(asked)))  # of an AUC of 0.5 with two equal halves
    assert abs(separation(make_unanswerable(asked, 0.5, 7).questions) - 0.5) < 3 * standard_error


def test_the_same_features_find_duplicates() -> None:
    """Regression: the published way copies a wrong option over the right one."""
    asked = questions(200, 5)
    for place in range(0, 200, 2):
        gold = LETTERS.index(asked[place].gold)
        copied = replace_option(asked[place], gold, asked[place].options[gold - 1])
        asked[place] = replace(copied, gold="", unknown_ok=True)
    assert separation(asked) > 0.95


@pytest.mark.parametrize(
    "stem",
    [
        "Which of these is NOT a bird?",
        "All of these are birds EXCEPT",
        "Which of these isn't a bird?",
        "Which statement is false?",
        "Which is the largest of these?",
        "Which of these is most likely to swim?",
        "It rained. Which happened first?",
        "নিচের কোনটি পাখি নয়?",
        "কোন নদীটি সবচেয়ে দীর্ঘ?",
    ],
)
def test_questions_that_another_option_may_answer_stay(stem: str) -> None:
    """Without the right option, another is right, or is so to the highest degree."""
    assert is_convertible(question("Which of these is a bird?", ANIMALS))
    assert not is_convertible(question(stem, ANIMALS))


def test_a_negation_before_the_question_does_not_matter() -> None:
    assert is_convertible(question("It did not rain. Who came?", ANIMALS))


@pytest.mark.parametrize(
    "option",
    [
        "All of the above",
        "none of these",
        "Both A and B",
        "B and C",
        "I and III only",
        "Neither",
        "Yes, it is",
        "False",
        "It cannot be determined",
        "There is not enough information",
        "উপরের সবগুলো",
        "কোনোটিই নয়",
        "ক ও খ",
        "হ্যাঁ",
    ],
)
def test_questions_with_options_that_refer_to_others_stay(option: str) -> None:
    """Wherever such an option stands, and none is lent."""
    options = (*ANIMALS[:3], option)
    assert not is_convertible(question("Which one swims?", options))
    lender = question("Which one turns?", (*TOOLS[:3], option), "A", name="2")
    asked = question("Which one swims?", ANIMALS)
    assert make_unanswerable([asked], 1, 1, donors=[lender]).made == 0


def test_free_answers_stay() -> None:
    assert not is_convertible(Question("1", "What swims?", "an otter"))


def test_questions_with_equal_options_stay() -> None:
    assert not is_convertible(question("Which one swims?", ("Otter", "otter.", "heron", "viper")))


def test_options_of_other_subjects_are_lent_only_where_there_is_no_other() -> None:
    asked, lender = pair(ANIMALS, TOOLS)
    other = question(stem_of(lender), TOOLS, "B", subject="physics", name="2")
    assert like(make_unanswerable([asked], 1, 1, donors=[lender, other])) == 1
    assert make_unanswerable([asked], 1, 1, donors=[other]).unlike == 1


def test_the_right_option_of_another_question_is_not_lent() -> None:
    """What is right there may be a true statement anywhere."""
    asked, lender = pair(ANIMALS, TOOLS)
    lent = {
        make_unanswerable([asked], 1, seed, donors=[lender]).questions[0].options[0]
        for seed in range(20)
    }
    assert lent == {"lathe", "auger"}  # "chisel" would be the longest


@pytest.mark.parametrize(
    "lent",
    [
        ("Lathe", "auger", "(spade)", "123"),  # another style
        ("a small lathe", "auger", "the broad spade", "an old steel saw"),  # longer
    ],
)
def test_options_that_stand_out_are_lent_only_where_there_is_no_other(
    lent: tuple[str, ...],
) -> None:
    asked, lender = pair(ANIMALS, lent)
    _, fitting = pair(ANIMALS, TOOLS)
    assert like(make_unanswerable([asked], 1, 1, donors=[lender])) == 0
    assert like(make_unanswerable([asked], 1, 1, donors=[lender, fitting])) == 1


@pytest.mark.parametrize(
    "lent",
    [
        ("HERON.", "auger", "OTTER", "Viper!"),  # what is there already
        ("12", "13", "14", "15"),  # numbers
        ("swims", "auger", "ox", "ape"),  # said in the question, or without content
        ("x+1", "auger", "1+x", "2x+y"),
    ],
)
def test_options_that_may_answer_are_never_lent(lent: tuple[str, ...]) -> None:
    asked, lender = pair(ANIMALS, lent)
    assert make_unanswerable([asked], 1, 1, donors=[lender]).made == 0


def test_questions_whose_options_share_words_do_not_lend_to_each_other() -> None:
    """They may ask for the same: what is wrong there may be right here."""
    asked, lender = pair(ANIMALS, ("heron", "auger", "crane", "egret"))
    assert make_unanswerable([asked], 1, 1, donors=[lender]).made == 0


@pytest.mark.parametrize(
    ("lent", "fits"),
    [
        ("11", True),
        ("10.4", False),  # within 5% of the right one
        ("১০", False),
        ("20/2", False),
        ("14", False),  # out of rank
        ("11 cm", False),
        ("eleven", False),
    ],
)
def test_a_number_is_lent_if_it_has_another_value_and_keeps_the_order(
    lent: str, fits: bool
) -> None:
    asked = question("How many?", ("8", "10", "12", "16"), "B")
    lender = question("How much?", (lent, "100", "2000", "3000"), "B", name="2")
    mixed = make_unanswerable([asked], 1, 1, donors=[lender])
    assert like(mixed) == fits
    if fits:
        assert mixed.questions[0].options == ("8", "11", "12", "16")


@pytest.mark.parametrize("lent", ["10.4", "১০", "20/2", "8", "1 kg", "10 cm"])
def test_a_number_that_may_be_the_same_is_never_lent(lent: str) -> None:
    """By value, whatever the digits; of another unit none is compared."""
    asked = question("How many?", ("8", "10", "12", "16"), "B")
    lender = question("How much?", (lent, "100", "12.1", "8.2"), "B", name="2")
    assert make_unanswerable([asked], 1, 1, donors=[lender]).made == 0


def test_few_questions_of_a_subject_are_converted_from_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What has nothing alike to borrow gets something unlike, and a line says so."""
    asked = [
        question("Which one swims?", ANIMALS, subject="biology", name="1"),
        question("Which one flies?", ("pelican", "badger", "weasel", "lizard"), name="2"),
        question("Which one turns?", TOOLS, "B", subject="physics", name="3"),
        question("Who ruled?", ("Akbar the Great", "Babur", "Humayun", "Jahangir"), name="4"),
    ]
    mixed = make_unanswerable(asked, 0.5, 1)
    assert (mixed.wanted, mixed.made) == (2, 2)
    mixed.report("stand out")
    told = f"Note: of 2 unanswerable questions, {mixed.unlike} stand out\n"
    assert capsys.readouterr().out == told


def test_too_few_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    """As many as possible are converted, and one line says how many are not."""
    mixed = make_unanswerable([*questions(30, 1), Question("free", "Why?", "so")] * 2, 1, 1)
    assert 0 < mixed.made < mixed.wanted == 62
    mixed.report("stand out")
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"Note: of 62 questions to be made unanswerable, {mixed.made} could be")


def test_nothing_is_reported_where_all_are_converted(capsys: pytest.CaptureFixture[str]) -> None:
    make_unanswerable(questions(30, 1), 0.1, 1).report("stand out")
    assert capsys.readouterr().out == ""


def test_none_at_all_is_refused() -> None:
    """Asking for some and measuring none is no result."""
    mixed = make_unanswerable([Question("free", "Why?", "so")], 1, 1)
    with pytest.raises(UsageError, match="of 1 questions to be made unanswerable, none could be"):
        mixed.report("stand out")


def test_a_share_that_comes_to_none_is_refused() -> None:
    with pytest.raises(UsageError, match=r"--idk-frac 0\.1 of 3 questions is none"):
        make_unanswerable(questions(3, 1), 0.1, 1)


@pytest.mark.parametrize("frac", [-0.1, 1.1, math.nan, math.inf])
def test_a_fraction_outside_0_to_1_is_refused(frac: float) -> None:
    with pytest.raises(UsageError, match="a fraction lies in"):
        make_unanswerable(questions(3, 1), frac, 1)
