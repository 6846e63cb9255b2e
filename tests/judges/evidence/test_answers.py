"""Answers are held against their context: what is not carried is named, with its place."""

from __future__ import annotations

from dataclasses import replace
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.judges.evidence import judge_item
from banglahallueval.tasks import Item

UPAZILA = Item(
    "codemix",
    "Nilganj upojela koyti gram niye gothito?",
    "Nilganj upojelay 7ti union, 52ti mouza ebong 64ti gram royeche. Er ayoton 120 borgo ki.mi.",
    "64ti",
)
SINGER = Item(
    "qa",
    "গায়ক সুমন রায়ের বাবার নাম কী ?",
    "সুমন রায় ১৯৫৪ সালের ৩ মার্চ খুলনায় জন্মগ্রহণ করেন। তাঁর পিতার নাম হরিপদ রায় এবং মায়ের নাম কমলা দেবী।",
    "হরিপদ রায়",
)
BRIDGE = Item(
    "codemix",
    "Rupsha setu kobe uddhodhon kora hoy?",
    "Rupsha setu Khulna shohore obosthito. 2003 sale er kaj shesh hoy. Setuti 2005 saler 21 May "
    "uddhodhon kora hoy. Er dairgho 1360 meter.",
    "2005 saler 21 May",
)


def spans(item: Item) -> list[str]:
    return [item.output[f.start : f.end] for f in judge_item(item).findings]


@pytest.mark.parametrize(
    "item",
    [
        UPAZILA,
        replace(UPAZILA, output="৬৪টি গ্রাম"),
        replace(UPAZILA, output="Nilgonj upozila 64 ti gram niye gothito chhilo."),
        SINGER,
        replace(SINGER, output="তাঁর বাবার নাম ছিল হরিপদ রায়।"),
        BRIDGE,
        replace(BRIDGE, output="Setuta 2005 shaler 21 May uddhodhon kora hoyechilo."),
    ],
)
def test_carried_answers_are_no(item: Item) -> None:
    """Digits of either script, spelling variants, inflection and full sentences carry."""
    assert judge_item(item).label == "no"


def test_a_wrong_count_is_proven_and_says_the_right_one() -> None:
    """A number that the context does not have, where it counts just that, needs no opinion."""
    item = replace(UPAZILA, output="Upojelati mot 68ti gram niye gothito.")
    verdict = judge_item(item)
    assert verdict.label == "yes"
    assert verdict.p_hallucinated is not None
    assert verdict.p_hallucinated >= 0.99
    (finding,) = verdict.findings
    assert item.output[finding.start : finding.end] == "68ti"
    assert finding.proven
    assert finding.reason == "'68ti' is not in the context; it says 64ti for gram"


def test_a_wrong_year_is_proven() -> None:
    """Asked when, a year that a whole context does not have contradicts the one it has."""
    finding = judge_item(replace(BRIDGE, output="1998 sale")).findings[0]
    assert finding.proven
    assert "2005" in finding.reason


def test_a_cut_context_proves_nothing() -> None:
    """What a context that breaks off does not say may have been cut."""
    item = replace(BRIDGE, context=BRIDGE.context + " Setur upor", output="1998 sale")
    assert not any(finding.proven for finding in judge_item(item).findings)


def test_a_name_that_is_nowhere_is_found() -> None:
    """The unsupported name is one span, the question's words are none."""
    item = replace(SINGER, output="সুমন রায়ের বাবার নাম ছিল নিখিল চৌধুরী।")
    assert judge_item(item).label == "yes"
    assert spans(item) == ["নিখিল চৌধুরী"]


def test_another_person_of_the_context_is_found() -> None:
    """The mother's name, given for the father's, is in the context but not what is asked for."""
    verdict = judge_item(replace(SINGER, task="codemix", output="কমলা দেবী"))
    assert verdict.label == "yes"
    assert "not as what is asked for" in verdict.raw


def test_another_count_of_the_context_is_likelier_hallucinated() -> None:
    """The number of mouzas, given for that of villages, is told from the right one."""
    right, wrong = judge_item(UPAZILA), judge_item(replace(UPAZILA, output="52ti"))
    assert right.p_hallucinated is not None
    assert wrong.p_hallucinated is not None
    assert wrong.p_hallucinated > 2 * right.p_hallucinated


def test_a_day_of_another_year_is_found() -> None:
    """A date put together from two dates of the context is none of them."""
    context = "Setuti 2005 saler 21 May uddhodhon kora hoy. 2011 saler 3 June eti bondho hoy."
    item = replace(BRIDGE, context=context, output="2011 saler 21 May")
    assert judge_item(item).label == "yes"
    assert judge_item(replace(item, output="21 May 2005")).label == "no"


def test_raw_offsets_survive_normalisation() -> None:
    """Places are of the raw output, whatever form its letters have."""
    output = normalize("NFD", "রায় পরিবারের ") + "নির্ম\u09b2 সেন\u09df"
    item = replace(SINGER, output=output)
    assert any("নির্মল" in span for span in spans(item))


@pytest.mark.parametrize("item", [UPAZILA, SINGER, BRIDGE])
@pytest.mark.parametrize("wrong", ["", "68ti", "Motilal Basu", "1998 sale"])
def test_padding_with_the_question_changes_nothing(item: Item, wrong: str) -> None:
    """An answer as a span and as a sentence with its question's words has one verdict."""
    item = replace(item, output=wrong or item.output)
    bare = judge_item(item)
    for output in (f"{item.question} {item.output}", f"{item.output}\n{item.question}"):
        padded = judge_item(replace(item, output=output))
        assert padded.label == bare.label
        assert padded.p_hallucinated == pytest.approx(bare.p_hallucinated)


@pytest.mark.parametrize("marks", ["**{}**", "  {}  ", "{}।", "“{}”", "{}\n"])
def test_formatting_changes_nothing(marks: str) -> None:
    """Bold marks, quotes, blanks and a final danda say nothing."""
    for output in ("64ti", "Motilal Basu"):
        bare = judge_item(replace(UPAZILA, output=output))
        formatted = judge_item(replace(UPAZILA, output=marks.format(output)))
        assert formatted.p_hallucinated == pytest.approx(bare.p_hallucinated)


@pytest.mark.parametrize("blank", ["", "  \n"])
def test_blank_texts_are_unknown(blank: str) -> None:
    """Without an output or a context there is no verdict."""
    for item in (replace(SINGER, output=blank), replace(SINGER, context=blank)):
        verdict = judge_item(item)
        assert (verdict.label, verdict.reason) == ("unknown", "blank input")


@given(st.text(max_size=80), st.text(max_size=40))
def test_any_text_is_judged(output: str, question: str) -> None:
    """No text breaks the judge; each yes has a finding, and findings lie in the output."""
    verdict = judge_item(replace(BRIDGE, output=output, question=question))
    assert verdict == judge_item(replace(BRIDGE, output=output, question=question))
    assert verdict.label != "yes" or verdict.findings
    for finding in verdict.findings:
        assert 0 <= finding.start < finding.end <= len(output)
        assert finding.reason
