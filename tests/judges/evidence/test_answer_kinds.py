"""An explanation names an answer of the context only if it is of the kind asked for."""

from __future__ import annotations

import pytest

from banglahallueval.judges.evidence.answer_kinds import (
    Kind,
    are_alike,
    asked_kind,
    named_answer,
)
from banglahallueval.judges.evidence.answer_location import locate_answer
from banglahallueval.judges.evidence.evidence_index import index_evidence
from banglahallueval.judges.evidence.questions import parse_question
from banglahallueval.judges.evidence.weights import shipped_weights

FAIR = (
    "মেলা শুরু হয় ২৫ জুন ১৯৮৪ তারিখে। মেলার উদ্বোধন করেন অধ্যাপক রফিক আহমেদ। মেলাটি বসে নীলপুর গ্রামে। "
    "মেলায় ৪৫টি দোকান ছিল।"
)
FAIR_ROMANISED = (
    "Mela shuru hoy 25 June 1984 tarikhe. Melar udbodhon koren Professor Rafiq Ahmed. Melati bose "
    "Nilpur grame. Melay 45ti dokan chhilo."
)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("মেলা কবে শুরু হয়?", "time"),
        ("কোন সালে মেলা শুরু হয়?", "time"),
        ("মেলায় কতটি দোকান ছিল?", "number"),
        ("মেলার উদ্বোধন কে করেন?", "person"),
        ("তাঁর বাবার নাম কী?", "person"),
        ("Tar babar nam ki?", "person"),
        ("মেলাটি কোথায় বসে?", "place"),
        ("মেলাটি কোন গ্রামে বসে?", "place"),
        ("Melati kon grame bose?", "place"),
        ("মেলায় কী বিক্রি হয়?", None),
    ],
)
def test_the_kind_is_read_off_the_question(question: str, kind: Kind | None) -> None:
    assert asked_kind(parse_question(question)) == kind


@pytest.mark.parametrize(
    ("question", "context", "named"),
    [
        ("মেলা কবে শুরু হয়?", FAIR, "২৫ জুন ১৯৮৪"),
        ("মেলার উদ্বোধন কে করেন?", FAIR, "অধ্যাপক রফিক আহমেদ"),
        ("মেলাটি কোথায় বসে?", FAIR, "নীলপুর গ্রামে"),
        ("মেলায় কতটি দোকান ছিল?", FAIR, "৪৫টি দোকান"),
        ("Mela kobe shuru hoy?", FAIR_ROMANISED, "25 June 1984"),
        ("Melar udbodhon ke koren?", FAIR_ROMANISED, "Professor Rafiq Ahmed"),
        ("Melati kothay bose?", FAIR_ROMANISED, "Nilpur grame"),
        ("Melay kototi dokan chhilo?", FAIR_ROMANISED, "45ti dokan"),
        # Nothing establishes what a thing is, and nothing of the kind is there.
        ("মেলায় কী বিক্রি হয়?", FAIR, ""),
        ("মেলাটি কোথায় বসে?", "মেলা শুরু হয় ২৫ জুন। মেলাটি বসে বিকেলে।", ""),
        ("মেলার উদ্বোধন কে করেন?", "মেলার উদ্বোধন হয় ২৫ জুন।", ""),
        ("মেলায় কতটি দোকান ছিল?", "মেলায় ৩০ জন লোক ছিল।", ""),
    ],
)
def test_only_an_answer_of_the_kind_is_named(question: str, context: str, named: str) -> None:
    """Fault: a question for a place was told "there it says '25 June'"."""
    assert named_answer(locate_answer(question, context, shipped_weights()), ()) == named


def test_the_given_answer_is_not_held_against_itself() -> None:
    location = locate_answer("মেলাটি কোথায় বসে?", FAIR, shipped_weights())
    own = [at for at, token in enumerate(location.evidence.tokens) if token.word.text == "নীলপুর"]
    assert named_answer(location, own) == ""


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("৪৫টি", "১২টি", True),
        ("৪৫টি", "৯০০", False),  # stalls and taka
        ("১৯৮৪", "১৯৭১", True),
        ("ঢাকা", "সিলেট", True),
        ("ঢাকা", "ব্যাংক", False),
        ("রহিম", "দুর্বল", False),
        ("আহমেদ", "বেগম", True),
        ("জুন", "মে", True),
        ("জুন", "ব্যাংক", False),
        ("মেয়ে", "ছেলে", True),
        ("Rafiq", "Samuel", True),
        ("Rafiq", "ortho", False),
        ("Rafiq", "Hojrot", False),  # a title is no name
    ],
)
def test_what_stands_nearer_is_named_only_if_it_is_of_the_same_kind(
    one: str, other: str, alike: bool
) -> None:
    evidence = index_evidence(
        "সেখানে ৪৫টি দোকান ও ১২টি দোকান, দাম ৯০০ টাকা। ১৯৮৪ সালের জুন ও ১৯৭১ সালের মে মাস। এখানে ঢাকা, সিলেট, "
        "ব্যাংক, রহিম, দুর্বল, আহমেদ, বেগম, মেয়ে, ছেলে। Ekhane Rafiq, Samuel, ortho, Hojrot."
    )
    at = {evidence.raw(number): number for number in range(len(evidence.tokens))}
    assert are_alike(evidence, at[one], at[other]) == alike
