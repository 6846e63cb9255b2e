"""An answer takes its context's spelling, and nothing but its spelling changes."""

from __future__ import annotations

import pytest

from banglahallueval.generation.anchoring import anchored, borrowed_word, occurs
from banglahallueval.generation.codemix import failures_of


def bangla(context: str, answer: str) -> dict[str, str]:
    return {"context": context, "question": "কী?", "answer": answer}


def mixed(context: str, answer: str) -> dict[str, str]:
    return {"context": context, "question": "Ki?", "answer": answer}


@pytest.mark.parametrize(
    ("given", "answer", "made", "latin", "spelled"),
    [
        # the same words in another spelling
        ("তিনি চট্টগ্রামে ছিলেন।", "চট্টগ্রামে", "Chottograme chilen.", "Chattagrame", "Chottograme"),
        ("১৯৫১ সালে জন্ম।", "১৯৫১ সালে", "1951 sale jonmo.", "1951 shale", "1951 sale"),
        ("ভবনটি ১২০ টি।", "১২০ টি", "Bhobonti 120ti.", "120 ti", "120 ti"),
        ("মোট ১,২০০ জন।", "১,২০০ জন", "Mot 1200 jon.", "1,200 zon", "1200 jon"),
        # without the ending that follows in the context
        ("তিনি চট্টগ্রামে ছিলেন।", "চট্টগ্রাম", "Tini Chottograme chilen.", "Chattagram", "Chottogram"),
        # with the marks around it
        ("সে ‘বাল্মীকি’ লেখে।", "‘বাল্মীকি’", "Se ‘Balmiki’ lekhe.", "“Balmeekee”", "“Balmiki”"),
    ],
)  # fmt: skip
def test_only_the_spelling_changes(
    given: str, answer: str, made: str, latin: str, spelled: str
) -> None:
    """Same number, same name, same ending: the answer is spelled as in the context."""
    after = anchored(bangla(given, answer), mixed(made, latin))
    assert after == {**mixed(made, latin), "answer": spelled}


@pytest.mark.parametrize(
    ("given", "answer", "made", "latin"),
    [
        # another number
        ("১৯০১ সালে শুরু, ১৯৫১ সালে শেষ।", "১৯৫১ সালে", "1901 sale shuru, sheshe.", "1951 sale"),
        ("মোট ৪৪৪.০৫ একর।", "৪৪৪.০৫", "Mot 444 acre.", "444.05"),
        ("১২.৫.১৯৭১ ও ১২.৫.১৯৭২।", "১২.৫.১৯৭১", "12.5.1972 ar ekdin.", "12.5.1971"),
        ("ধারা ৩,৪ ও ৩৪।", "৩,৪", "Dhara 34 ar kichu.", "3,4"),
        # another name
        ("রফিকুল ইসলাম ও সফিকুল ইসলাম।", "সফিকুল ইসলাম", "Rofikul Islam o Safikool.", "Sofikul Islam"),
        ("সালাম ও সালমা।", "সালমা", "Salam ar ekjon.", "Salma"),
        ("রহিম ও রহিমা।", "রহিমা", "Rahim ar ekjon.", "Rohima"),
        # another ending
        ("তিনি ঢাকায় ছিলেন, ঢাকা শহর।", "ঢাকা শহর", "Tini Dhakay chilen, shohore.", "Dhakaa shohor"),
        # another word that sounds alike: সাত is seven, ষাট is sixty
        ("ষাট জন নয়, সাত জন।", "সাত জন", "Shat jon noy, shaat jan.", "sat jon"),
        # over the end of a sentence
        ("নাম রহিম উদ্দিন।", "রহিম উদ্দিন", "Nam Rohim. Uddin ase.", "Rahim Uddin"),
    ],
)  # fmt: skip
def test_a_different_answer_stays_and_is_flagged(
    given: str, answer: str, made: str, latin: str
) -> None:
    """The nearest place is not taken for the answer's; the row says what is wrong."""
    item, before = bangla(given, answer), mixed(made, latin)
    assert anchored(item, before) == before
    assert "answer not in context" in failures_of(item, before)


def test_a_neighbour_in_the_answers_place_is_flagged() -> None:
    """A model that writes the context's other name passes no check; a loan or an ending may."""
    item = bangla("রফিকুল ইসলাম ও সফিকুল ইসলাম।", "সফিকুল ইসলাম")
    made = mixed("Rofikul Islam o Sofikul Islam.", "Rofikul Islam")
    assert failures_of(item, made) == ("answer: another word",)
    assert borrowed_word(item, {**made, "answer": "Safiqul Islam"}) is None
    item = bangla("পাকিস্তান ও পূর্ব পাকিস্তানে।", "পূর্ব পাকিস্তানে")
    assert borrowed_word(item, mixed("Pakistan o purbo Pakistan-e.", "purbo Pakistan-e")) is None
    item = bangla("সালাম ও সালমা আসে।", "সালমা")
    assert borrowed_word(item, mixed("Salam o Salma ase.", "Salam")) == "Salam"


@pytest.mark.parametrize(
    ("answer", "context", "there"),
    [
        ("120", "mot 1200 jon", False),
        ("444", "mot 444.05 acre", False),
        ("১,২০০", "মোট ১২০০টি", True),
        ("1,20,000", "mot 120000ti", True),
        ("Dhaka", "tini Dhakar lok", True),
        ("haka", "tini Dhakar lok", False),
        ("sal 1951", "sale 1951", False),
        ("?", "", True),
        ("ami", "", False),
    ],
)
def test_numbers_and_words_are_found_whole(answer: str, context: str, there: bool) -> None:
    """A number is no part of another; only the last word may have an ending behind it."""
    assert occurs(answer, context) is there


def test_footnote_numbers_are_no_lost_numbers() -> None:
    """Only the numbers of the text itself must be kept."""
    item = bangla("তিনি ১৯৫১ সালে জন্ম নেন।[14] পরে[৩][note 2] মারা যান।[৫, ৬]", "১৯৫১ সালে")
    made = mixed("Tini 1951 sale jonmo nen. Pore mara jan.", "1951 sale")
    assert failures_of(item, made) == ()
    assert failures_of(item, {**made, "context": "Tini 1951 sale[14] jonmo. Pore mara jan."}) == ()
    lost = {**made, "context": "Tini jonmo nen sale[14], pore mara gelen."}
    assert "context: number lost" in failures_of(item, lost)
