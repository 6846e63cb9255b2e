"""Code points are scored by how far their words lack support."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.spans.detectors.word_support import word_support

EVIDENCE = "রোকেয়া ১৮৮০ সালে রংপুরের পায়রাবন্দে জন্মগ্রহণ করেন।"


def unsupported(
    answer: str, evidence: str = EVIDENCE, question: str = "", least: dict[int, float] | None = None
) -> str:
    """The code points that score half or more, the others as dots."""
    scores = word_support(answer, evidence, question, least or {})
    pairs = zip(answer, scores, strict=True)
    return "".join(char if score >= 0.5 else "·" for char, score in pairs)


def stretches(answer: str, evidence: str = EVIDENCE, question: str = "") -> list[str]:
    return [part for part in unsupported(answer, evidence, question).split("·") if part]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("রোকেয়া রংপুরের পায়রাবন্দে জন্মগ্রহণ করেন।", []),
        ("রোকেয়া 1880 সালে জন্মগ্রহণ করেন।", []),
        ("রোকেয়া ১৮৯০ সালে জন্মগ্রহণ করেন।", ["১৮৯০"]),
        ("Rokeya Rongpurer Payrabonde jonmogrohon koren.", []),
        ("রোকেয়া ঢাকায় জন্মগ্রহণ করেন।", ["ঢাকায়"]),
        ("রো\u09be", ["রো\u09be"]),
    ],
)
def test_words_and_numbers_that_the_evidence_lacks_score_high(
    answer: str, found: list[str]
) -> None:
    assert stretches(answer) == found


def test_blanks_and_function_words_between_unknown_words_are_filled() -> None:
    assert stretches("রোকেয়া কলকাতা ও ঢাকা শহরে জন্মগ্রহণ করেন।") == ["কলকাতা ও ঢাকা শহরে"]


def test_sentences_are_not_joined() -> None:
    assert stretches("জন্ম রংপুরে কলকাতায়। ঢাকায় পায়রাবন্দে।") == ["কলকাতায়", "ঢাকায়"]


def test_words_of_the_question_are_given() -> None:
    question = "বেগম রোকেয়ার জন্মস্থান কোথায় ?"
    assert stretches("বেগম রোকেয়ার জন্মস্থান রংপুরের পায়রাবন্দে।", question=question) == []


@pytest.mark.parametrize("coding", ["\u09af\u09bc", "\u09df"])
def test_both_codings_of_a_letter_match(coding: str) -> None:
    assert stretches(f"রোকে{coding}া পা{coding}রাবন্দে জন্মগ্রহণ করেন।") == []


def test_vowel_signs_score_as_their_words() -> None:
    answer = "রোকেয়া ক\u09c7\u09beটালীপাড়ায় জন্মগ্রহণ করেন।"
    assert stretches(answer) == ["ক\u09c7\u09beটালীপাড়ায়"]


@pytest.mark.parametrize("emoji", ["👨‍👩‍👧", "⚠️", "👍🏽"])
def test_emoji_are_no_words(emoji: str) -> None:
    assert stretches(f"{emoji} রোকেয়া রংপুরের {emoji}") == []


def test_only_the_wrong_one_of_two_places_is_found_by_its_neighbour() -> None:
    assert unsupported("১৮৮০ না ১৮৮১") == "········১৮৮১"


def test_quotes_and_brackets_go_with_their_word() -> None:
    assert stretches("রোকেয়া ‘কলকাতা’ (ঢাকা) রংপুরের।") == ["‘কলকাতা’ (ঢাকা)"]


def test_the_number_of_an_entry_goes_with_the_entry() -> None:
    answer = "1. Dhaka\n2. Rangpur\n3. Kolkata"
    assert stretches(answer, "Dhaka Rangpur") == ["3. Kolkata"]


def test_a_year_that_opens_an_answer_is_no_entry_s_number() -> None:
    assert stretches("১৯৮১. রংপুরে।") == ["১৯৮১"]


def test_a_least_score_holds_whatever_the_evidence_has() -> None:
    assert unsupported("রংপুরে", least={0: 0.6}) == "রংপুরে"


@pytest.mark.parametrize(
    ("evidence", "answer", "found"),
    [
        ("清华大学位于北京市海淀区。", "清华大学位于上海。", ["上海"]),
        ("清华大学位于北京市海淀区。", "清华的大学位于北京市。", []),
        ("東京タワーは東京都にある。", "東京タワーは大阪にある。", ["大阪"]),
        ("تقع القاهرة على نهر النيل.", "تقع القاهرة على نهر الفرات.", ["الفرات"]),
        ("ताजमहल आगरा में यमुना नदी के किनारे है।", "ताजमहल दिल्ली में है।", ["दिल्ली"]),
        ("Helsinki on Suomen pääkaupunki.", "Helsinki on Ruotsin pääkaupunki.", ["Ruotsin"]),
    ],
)
def test_other_scripts_and_languages_are_looked_up_too(
    evidence: str, answer: str, found: list[str]
) -> None:
    assert stretches(answer, evidence) == found


TEXTS = st.text(
    st.sampled_from("ঢাকা না রংপুর ১৮৮০. 1.\n\u09bc\u200d😀️\"'‘’()京大阪のab,।"), max_size=60
)


@given(TEXTS, TEXTS, TEXTS)
def test_every_code_point_has_a_score_from_0_to_1(
    answer: str, evidence: str, question: str
) -> None:
    scores = word_support(answer, evidence, question, {})
    assert len(scores) == len(answer)
    assert all(0 <= score <= 1 for score in scores)
