"""Candidates are localised where the rules are sure, and left out with the reason elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banglahallueval.spans.bangla.localising import NotLocalisableError, localise
from banglahallueval.tasks import Item, TaskName

CONTEXT = "হালদা নদীর দৈর্ঘ্য ৯৮ কিলোমিটার। নদীটি কর্ণফুলীতে পড়েছে। এর উৎপত্তি খাগড়াছড়িতে।"
LENGTH = "হালদা নদীর দৈর্ঘ্য কত কিলোমিটার ?"
DOCUMENT = "দুই দিন ধরে ডান হাতে ব্যথা। নাপা খেয়েছি। কী করব?"
GOLD_CHAIN = "মোট আম ৮*২৫ = <<৮*২৫=২০০>>২০০টি।\nভালো আম ২০০-৩৬ = <<২০০-৩৬=১৬৪>>১৬৪টি।"


def marked(
    output: str, gold: str, *, task: TaskName = "qa", question: str = LENGTH, context: str = CONTEXT
) -> tuple[str, list[str]]:
    """The rule that localises an output, and the stretches it marks."""
    found = localise(Item(task, question, context, output), Item(task, question, context, gold))
    return found.rule, [output[start:end] for start, end in found.spans]


def reason(
    output: str, gold: str, *, task: TaskName = "qa", question: str = LENGTH, context: str = CONTEXT
) -> str:
    """Why an output is left out."""
    with pytest.raises(NotLocalisableError) as left_out:
        marked(output, gold, task=task, question=question, context=context)
    return str(left_out.value)


def marked_chain(output: str, gold: str = GOLD_CHAIN) -> tuple[str, list[str]]:
    return marked(output, gold, task="reasoning", question="কত আম?", context="")


def test_a_number_that_the_evidence_lacks_is_the_span() -> None:
    assert marked("হালদা নদীর দৈর্ঘ্য প্রায় ১২০ কিলোমিটার।", "৯৮") == ("swapped answer", ["১২০"])


def test_a_name_of_the_evidence_in_gold_s_place_is_misplaced() -> None:
    question = "হালদার উৎপত্তি কোথায় ?"
    assert marked("হালদার উৎপত্তি কর্ণফুলীতে।", "খাগড়াছড়িতে", question=question) == (
        "misplaced answer",
        ["কর্ণফুলীতে"],
    )


def test_words_shared_with_gold_stay_out_of_the_span() -> None:
    question = "তার বাবার নাম কী ?"
    found = marked("তার বাবার নাম কামাল মজুমদার।", "জামিল মজুমদার", question=question, context="অন্য কথা।")
    assert found == ("swapped answer", ["কামাল"])


def test_a_span_takes_in_the_quotation_mark_it_opens() -> None:
    question = "কবিতাটি কোন পত্রিকায় ছাপা হয় ?"
    _, spans = marked("মাসিক ‘সওগাত’ পত্রিকায়", "সাপ্তাহিক ‘বিজলী’", question=question)
    assert spans == ["মাসিক ‘সওগাত’"]


@pytest.mark.parametrize("coding", ["\u09af\u09bc", "\u09df"])
def test_codings_of_the_same_letter_are_one(coding: str) -> None:
    question = "রোকেয়ার জন্ম কোথায় ?"
    gold = "পায়রাবন্দে, রংপুর".replace("\u09af\u09bc", "\u09df")
    output = "পায়রাবন্দে, দিনাজপুর".replace("\u09df", "\u09af\u09bc").replace("\u09af\u09bc", coding)
    assert marked(output, gold, question=question) == ("swapped answer", ["দিনাজপুর"])


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("৯৮", "says the same as gold"),
        ("হালদা নদীর দৈর্ঘ্য ৯৮ কিলোমিটার।", "no word that question and gold lack"),
        ("হালদা নদীর দৈর্ঘ্য ১২০ কিলোমিটার নয়।", "a negation"),
        ("পাহাড়ি হালদা নদীর দৈর্ঘ্য ১২০ কিলোমিটার।", "several stretches"),
        ("পুরোনো সরকারি জরিপ দপ্তরের মানচিত্র বলছে ১২০ কিলোমিটার।", "a long stretch"),
        ("দৈর্ঘ্য **১২০** দশমিক কিলোমিটার", "a clause or markup inside the stretch"),
        ("দৈর্ঘ্য ১২০ কর্ণফুলীতে", "words of the evidence among others"),
        ("দৈর্ঘ্য প্রচুর ১২০ কিলোমিটার", "a qualification"),
    ],
)
def test_answers_that_are_not_localisable_are_left_out(output: str, why: str) -> None:
    assert reason(output, "৯৮") == why


def test_gold_in_another_spelling_is_left_out() -> None:
    question = "Tar mayer nam ki?"
    why = reason("Tar mayer nam Meher Banu.", "Meherbanu Khatun", question=question)
    assert why == "gold in another spelling"


def test_swapped_words_of_a_summary_are_the_spans() -> None:
    found = marked(
        "তিন দিন ধরে বাম হাতে ব্যথা। নাপা খেয়েছি। কী করব?",
        "দুই দিন ধরে ডান হাতে ব্যথা, নাপা খেয়েছি। কী করব?",
        task="summarization", question="", context=DOCUMENT,
    )  # fmt: skip
    assert found == ("changed words", ["তিন", "বাম"])


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("দুই দিন ধরে ডান হাতে ব্যথা নেই। নাপা খেয়েছি।", "a negation"),
        ("তিন দিন ধরে বাম পায়ে জ্বালা। নাপা খেয়েছি।", "words of the evidence among others"),
        ("তিন দিন ধরে বাম হাতে ব্যথা। এইচ খেয়েছি।", "several stretches"),
        ("দুই দিন ধরে হাতে ব্যথা। নাপা খেয়েছি।", "no word that the document and gold lack"),
        ("দুই দিন ধরে ডান হাতে ব্যথা, জ্বালাপোড়া, খিঁচ, ফোলা, লালভাব, ফোসকা। নাপা খেয়েছি।", "a long stretch"),
    ],
)
def test_summaries_that_are_not_localisable_are_left_out(output: str, why: str) -> None:
    gold = "দুই দিন ধরে ডান হাতে ব্যথা। নাপা খেয়েছি।"
    document = DOCUMENT + " পায়ে কিছু নাই।"
    assert reason(output, gold, task="summarization", question="", context=document) == why


def test_prefix_that_turns_a_word_into_its_opposite_is_a_change() -> None:
    found = marked(
        "মাসিক নিয়মিত হয়।", "মাসিক অনিয়মিত হয়।",
        task="summarization", question="", context="মাসিকের তারিখ ঠিক থাকে না।",
    )  # fmt: skip
    assert found == ("changed words", ["নিয়মিত"])


def test_the_slip_of_a_chain_is_marked_wherever_its_step_states_it() -> None:
    output = "মোট আম ৮*২৫ = <<৮*২৫=২২০>>২২০টি।\nভালো আম ২২০-৩৬ = <<২২০-৩৬=১৮৪>>১৮৪টি।"
    assert marked_chain(output) == ("arithmetic slip", ["২২০", "২২০"])


def test_a_number_with_separators_is_one_span() -> None:
    gold = "দাম ৫০০*৩০০ = <<৫০০*৩০০=১৫০০০০>>১৫০,০০০ টাকা।"
    output = "দাম ৫০০*৩০০ = <<৫০০*৩০০=১৪০০০০>>১৪০,০০০ টাকা।"
    assert marked_chain(output, gold) == ("arithmetic slip", ["১৪০০০০", "১৪০,০০০"])


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("মোট আম ৮+২৫ = <<৮+২৫=৩৩>>৩৩টি।", "no wrong calculation"),
        (GOLD_CHAIN.replace("২০০>>২০০", "২১০>>২১০").replace("=১৬৪>>১৬৪", "=১৭৪>>১৭৪"), "several"),
        ("তোলা হয় ৮*২৫ = <<৮*২৫=২২০>>২২০টি।", "the wrong step is worded otherwise"),
        (
            "মোট আম ৯*২৫ = <<৯*২৫=২২৫>>২২৫টি।\nভালো আম ২২৫-৩৬ = <<২২৫-৩৬=১৯৯>>১৯৯টি।",
            "an earlier step",
        ),
    ],
)
def test_chains_that_are_not_localisable_are_left_out(output: str, why: str) -> None:
    found = reason(output, GOLD_CHAIN, task="reasoning", question="কত আম?", context="")
    assert found.startswith(why)


def test_gold_s_own_wrong_calculation_is_no_slip() -> None:
    wrong = "মোট আম ৮*২৫ = <<৮*২৫=২১০>>২১০টি।"
    assert (
        reason(wrong + " শেষ।", wrong, task="reasoning", question="কত আম?", context="")
        == "no wrong calculation"
    )


TEXTS = st.text(st.sampled_from("হালদা ১২০৯৮ কিলোমিটার। কত নয় ab*‘’,\u09bc\u200d😀\n"), max_size=40)


@given(TEXTS, TEXTS, TEXTS, st.sampled_from(["qa", "codemix", "summarization", "reasoning"]))
def test_spans_lie_inside_the_output_in_order(
    output: str, gold: str, context: str, task: TaskName
) -> None:
    try:
        found = localise(Item(task, LENGTH, context, output), Item(task, LENGTH, context, gold))
    except NotLocalisableError:
        return
    ends = 0
    assert found.spans
    for start, end in found.spans:
        assert ends <= start < end <= len(output)
        ends = end
