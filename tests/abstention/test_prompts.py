"""The prompts say their numbers truly, and keep what is put into them apart."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.abstention.prompts import (
    GRADING,
    Lang,
    answer_prompt,
    answer_template,
    grading_prompt,
    template_sha256,
)
from banglahallueval.abstention.types import Question

QUESTION = Question("1", "সোনার রাসায়নিক প্রতীক কী?", "Au")


@pytest.mark.parametrize(
    ("t", "stated", "wrong"),
    [
        (0, "0 (0%)", "answer 0,"),
        (0.25, "0.25 (25%)", "answer -0.333,"),
        (0.5, "0.5 (50%)", "answer -1,"),
        (0.75, "0.75 (75%)", "answer -3,"),
        (0.9, "0.9 (90%)", "answer -9,"),
        (0.99, "0.99 (99%)", "answer -99,"),
        (0.999, "0.999 (99.9%)", "answer -999,"),
        (0.0001, "0.0001 (0.01%)", "answer -0.0001,"),
    ],
)
def test_threshold_and_penalty_are_true(t: float, stated: str, wrong: str) -> None:
    """Both are written as they are; 0.999 is not 1."""
    text = answer_prompt(QUESTION, t, "en", confidence=False)
    assert f"more than {stated} confident" in text
    assert f"not more than {stated.partition(' ')[0]} confident" in text
    assert wrong in text


def test_bangla_is_written_in_bengali_digits() -> None:
    """The Bangla prompt has its own words and digits."""
    text = answer_prompt(QUESTION, 0.75, "bn", confidence=False)
    assert "০.৭৫ (৭৫%)-এর বেশি নিশ্চিত হলে তবেই" in text
    assert "০.৭৫-এর বেশি নিশ্চিত না হলে" in text
    assert "ভুল উত্তরে -৩" in text
    assert "হুবহু লিখুন: জানি না" in text
    assert "IDK" in text


@pytest.mark.parametrize(("lang", "line"), [("en", "Confidence: N%"), ("bn", "আত্মবিশ্বাস: N%")])
def test_a_confidence_is_asked_for_on_a_line_of_its_own(lang: Lang, line: str) -> None:
    """Only the variant asks for it."""
    assert answer_prompt(QUESTION, 0.5, lang, confidence=True).endswith(f"\n{line}")
    assert line not in answer_prompt(QUESTION, 0.5, lang, confidence=False)


@given(st.text(), st.sampled_from(["en", "bn"]), st.booleans())
@settings(deadline=None)
def test_a_question_goes_in_as_it_is(text: str, lang: Lang, confidence: bool) -> None:
    """Braces and slots inside a question stay."""
    filled = answer_prompt(Question("1", text, ""), 0.5, lang, confidence=confidence)
    assert filled.startswith(f"{text}\n\n")
    assert "{t}" not in filled.removeprefix(text)


@given(st.text(), st.text(), st.text())
@settings(deadline=None)
def test_an_answer_cannot_leave_its_place(text: str, gold: str, answer: str) -> None:
    """The grading prompt shows one JSON object, and the answer is a string of it."""
    prompt = grading_prompt(Question("1", text, gold), answer)
    begin = prompt.index("{")
    case, end = json.JSONDecoder().raw_decode(prompt, begin)
    assert case == {"question": text, "gold_answer": gold, "candidate_answer": answer}
    assert prompt[:begin] + prompt[end:] == (
        grading_prompt(QUESTION, "").partition("{")[0]
        + grading_prompt(QUESTION, "").rpartition("}")[2]
    )


def test_templates_have_their_own_checksums() -> None:
    """The record tells which template was used."""
    langs: list[Lang] = ["en", "bn"]
    names = [answer_template(lang, confidence=c) for lang in langs for c in (False, True)]
    sums = {template_sha256(name) for name in (*names, GRADING)}
    assert len(sums) == 5
