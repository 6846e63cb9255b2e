"""Answers are checked against their context, and findings say what is unsupported and where."""

from __future__ import annotations

from dataclasses import replace
from unicodedata import normalize

import pytest
from hypothesis import example, given
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
def test_supported_answers_are_no(item: Item) -> None:
    """Digits of either script, spelling variants, inflection and full sentences are supported."""
    assert judge_item(item).label == "no"


def test_wrong_count_is_proven_and_the_right_one_quoted() -> None:
    """A number that the context lacks is proven wrong if the context counts the same unit."""
    item = replace(UPAZILA, output="Upojelati mot 83ti gram niye gothito.")
    verdict = judge_item(item)
    assert verdict.label == "yes"
    assert verdict.p_hallucinated is not None
    assert verdict.p_hallucinated >= 0.99
    (finding,) = verdict.findings
    assert item.output[finding.start : finding.end] == "83ti"
    assert finding.proven
    assert finding.reason == "'83ti' is not in the context; it says 64ti gram"


def test_wrong_year_is_proven() -> None:
    """Asked when, a year that a whole context lacks contradicts the year that it has."""
    finding = judge_item(replace(BRIDGE, output="1998 sale")).findings[0]
    assert finding.proven
    assert "2005" in finding.reason


def test_truncated_context_proves_nothing() -> None:
    """What a truncated context lacks may have been cut off."""
    item = replace(BRIDGE, context=BRIDGE.context + " Setur upor", output="1998 sale")
    assert not any(finding.proven for finding in judge_item(item).findings)


def test_unsupported_name_is_one_finding() -> None:
    """The name is one span, and the question's words are none."""
    item = replace(SINGER, output="সুমন রায়ের বাবার নাম ছিল নিখিল চৌধুরী।")
    assert judge_item(item).label == "yes"
    assert spans(item) == ["নিখিল চৌধুরী"]


def test_wrong_person_from_the_context_is_a_finding() -> None:
    """The mother's name in place of the father's is in the context, but not what is asked for."""
    verdict = judge_item(replace(SINGER, task="codemix", output="কমলা দেবী"))
    assert verdict.label == "yes"
    assert "হরিপদ" in verdict.raw


def test_day_with_the_wrong_year_is_a_finding() -> None:
    """A date combined from two dates of the context is neither of them."""
    context = "Setuti 2005 saler 21 May uddhodhon kora hoy. 2011 saler 3 June eti bondho hoy."
    item = replace(BRIDGE, context=context, output="2011 saler 21 May")
    combined, right = judge_item(item), judge_item(replace(item, output="21 May 2005"))
    assert any("date that the context gives otherwise" in f.reason for f in combined.findings)
    assert right.label == "no"
    assert not any("date" in finding.reason for finding in right.findings)
    assert (combined.p_hallucinated or 0) > (right.p_hallucinated or 1)


def test_offsets_refer_to_the_raw_output() -> None:
    """Offsets count code points of the raw output, whatever its normalisation form."""
    output = normalize("NFD", "রায় পরিবারের ") + "নির্ম\u09b2 সেন\u09df"
    item = replace(SINGER, output=output)
    assert any("নির্মল" in span for span in spans(item))


@pytest.mark.parametrize("item", [UPAZILA, SINGER, BRIDGE])
@pytest.mark.parametrize("wrong", ["", "83ti", "Motilal Basu", "1998 sale"])
def test_padding_with_the_question_keeps_the_verdict(item: Item, wrong: str) -> None:
    """An answer gets the same verdict as a span and together with its question."""
    item = replace(item, output=wrong or item.output)
    bare = judge_item(item)
    for output in (f"{item.question} {item.output}", f"{item.output}\n{item.question}"):
        padded = judge_item(replace(item, output=output))
        assert padded.label == bare.label
        assert padded.p_hallucinated == pytest.approx(bare.p_hallucinated)


@pytest.mark.parametrize("marks", ["**{}**", "  {}  ", "{}।", "“{}”", "{}\n"])
def test_formatting_keeps_the_verdict(marks: str) -> None:
    """Bold marks, quotes, blanks and a final danda carry no evidence."""
    for output in ("64ti", "Motilal Basu"):
        bare = judge_item(replace(UPAZILA, output=output))
        formatted = judge_item(replace(UPAZILA, output=marks.format(output)))
        assert formatted.p_hallucinated == pytest.approx(bare.p_hallucinated)


@pytest.mark.parametrize("blank", ["", "  \n"])
def test_blank_texts_are_unknown(blank: str) -> None:
    """A blank output or context gives no verdict."""
    for item in (replace(SINGER, output=blank), replace(SINGER, context=blank)):
        verdict = judge_item(item)
        assert (verdict.label, verdict.reason) == ("unknown", "blank input")


@example("\U00016d70", "")  # a digit that is newer than this Python's tables may be
@example("9" * 400 + " দশমিক পাঁচ", "")
@given(st.text(max_size=80), st.text(max_size=40))
def test_any_text_gets_a_repeatable_verdict(output: str, question: str) -> None:
    """Every yes has a finding, and every finding lies within the output."""
    verdict = judge_item(replace(BRIDGE, output=output, question=question))
    assert verdict == judge_item(replace(BRIDGE, output=output, question=question))
    assert verdict.label != "yes" or verdict.findings
    for finding in verdict.findings:
        assert 0 <= finding.start < finding.end <= len(output)
        assert finding.reason


@pytest.mark.parametrize(
    ("written", "output"),
    [
        ("৩৫০", "সাড়ে তিনশ"),
        ("সাড়ে তিনশ", "৩৫০"),
        ("৯০০০", "নয় হাজার"),
        ("noy hajar", "৯০০০"),
        ("৩.০৫", "তিন দশমিক শূন্য পাঁচ"),
        ("১২৫০০০", "সোয়া লাখ"),
        ("সোয়া লাখ", "125k"),
        ("২৫", "twenty-five"),
        ("three hundred and fifty", "350"),
    ],
)
def test_a_number_in_another_form_is_supported(written: str, output: str) -> None:
    """Whichever of context and answer has it in words."""
    context = f"মেলাটি ১৯৭৮ সালে শুরু হয়। মেলায় {written} টাকা আয় হয়। আগের বছর ৭৭ টাকা আয় ছিল।"
    verdict = judge_item(Item("qa", "মেলায় কত টাকা আয় হয়?", context, f"{output} টাকা"))
    assert (verdict.label, verdict.findings) == ("no", ())


@pytest.mark.parametrize("output", ["রাত ১০টা ১৫ মিনিটে", "রাত সোয়া দশটায়", "10:15 PM"])
def test_a_time_on_the_other_clock_is_not_proven_wrong(output: str) -> None:
    """22:15 is a quarter past ten in the evening."""
    document = "অনুষ্ঠানটি ২২:১৫ মিনিটে শুরু হয়। সেখানে ৫০ জন মানুষ ছিলেন।"
    item = Item("summarization", "", document, f"অনুষ্ঠানটি {output} শুরু হয়।")
    assert not any(finding.proven for finding in judge_item(item).findings)


@pytest.mark.parametrize("asking", ["হয়েছে কি না?", "হয়েছে কিনা?"])
def test_whether_or_not_is_no_denial(asking: str) -> None:
    """A question that ends in কি না asks whether, and not whether not."""
    context = "সেতুটি এখনও খুলে দেওয়া হয়নি। মন্ত্রী উপস্থিত ছিলেন।"
    item = Item("qa", f"সেতুটি খুলে দেওয়া {asking}", context, "না")
    assert not judge_item(item).findings
    assert spans(replace(item, output="হ্যাঁ")) == ["হ্যাঁ"]


@pytest.mark.parametrize("output", ["...", "😊", "।", "NA"])
def test_an_output_that_claims_nothing_is_explained_as_such(output: str) -> None:
    """It is not said to be carried by the evidence."""
    assert "no words" in judge_item(replace(SINGER, output=output)).raw
