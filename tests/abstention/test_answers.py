"""A reply becomes an answer, an abstention, or no reply with the reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banglahallueval.abstention.answers import Answer, read_answer
from banglahallueval.models.types import Finish, Reply
from banglahallueval.verdicts import (
    CONTEXT_TRUNCATED,
    CUT_OFF,
    EMPTY,
    FILTERED,
    REFUSED,
    UNFINISHED_THINKING,
)


def read(text: str, finish: Finish = "stop", *, confidence: bool = True) -> Answer:
    return read_answer(Reply(text, finish), confidence=confidence)


@pytest.mark.parametrize(
    ("text", "pred"),
    [
        ("Au", "Au"),
        ("  ঢাকা।\n", "ঢাকা।"),
        ("<think>Ag? No.</think>Au", "Au"),
        ("<Think>না</Think>\nঢাকা<|eot_id|>", "ঢাকা"),
        ("Au</s>", "Au"),
        ("Au<|im_end|>\n<|im_start|>user\nWhat of silver?", "Au"),
        ("Gold is from aurum.\nFinal answer: Au", "Au"),
        ("Answer: Ag\nNo.\nFinal answer: Au", "Au"),
        ("চূড়ান্ত উত্তর: ঢাকা", "ঢাকা"),
        ("**Answer:** Au\n\nExplanation: from aurum", "Au"),
        ("It is \\boxed{Au}.", "Au"),
        ('{"answer": "Au"}', "Au"),
        ('```json\n{"answer": "ঢাকা"}\n```', "ঢাকা"),
        ("না", "না"),
        ("I don't know, but probably Au", "I don't know, but probably Au"),
        ("I'm sorry, but it is Au.", "I'm sorry, but it is Au."),
        ("The confidence interval: 5 to 6", "The confidence interval: 5 to 6"),
        ("Confidence", "Confidence"),
    ],
)
def test_the_final_answer_is_read(text: str, pred: str) -> None:
    """Thinking, further turns, labels and explanations are no part of an answer."""
    assert read(text) == Answer(pred)


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("Confidence: 85%", 0.85),
        ("Confidence: 0.85", 0.85),
        ("Confidence: 85", 0.85),
        ("Confidence: 85.5 %", 0.855),
        ("**Confidence:** 85%", 0.85),
        ("confidence level: 85 percent", 0.85),
        ("Confidence: 8/10", 0.8),
        ("Confidence: 85% (fairly sure)", 0.85),
        ("(Confidence: 90%)", 0.9),
        ("Confidence: 1%", 0.01),
        ("Confidence: 1", 1.0),
        ("Confidence: 100%", 1.0),
        ("Confidence: 0%", 0.0),
        ("আত্মবিশ্বাস: ৮৫%", 0.85),
        ("আত্মবিশ্বাস: ৮৫ শতাংশ", 0.85),
        ("আত্মবিশ্বাস: ০.৮৫", 0.85),
        ("Confidence: 120%", None),
        ("Confidence: -5%", None),
        ("Confidence: 9/0", None),
        ("Confidence: high", None),
        ("Confidence: nan%", None),
        ("Confidence: NaN", None),
        ("Confidence: inf", None),
        ("Confidence: n/a", None),
        ("আত্মবিশ্বাস: অজানা", None),
        ("Confidence: " + "9" * 400, None),
        ("Confidence: 1/" + "9" * 400, 0.0),
        ("Confidence: 9" + "0" * 6000 + "%", None),
    ],
)
@pytest.mark.parametrize("frame", ["Au\n{}", "Au\n\n{}\n", "{}\nAu", "Au {}", "Answer: Au\n{}"])
def test_a_confidence_is_read_and_taken_out(line: str, right: float | None, frame: str) -> None:
    """It is a probability in [0, 1] or none, and no part of the answer."""
    found = read(frame.format(line))
    assert (found.pred, found.confidence) == ("Au", pytest.approx(right) if right else right)


@pytest.mark.parametrize(
    ("text", "pred", "right"),
    [
        ("2 (90% confident)", "2", 0.9),
        ("Au (90%)", "Au", 0.9),
        ("Au [I'm about 90 percent sure].", "Au", 0.9),
        ("Au, 90% confident", "Au", 0.9),
        ("Au\n90%", "Au", 0.9),
        ("Au\n\n**90%**", "Au", 0.9),
        ("Au\nI am 90% sure.", "Au", 0.9),
        ("ঢাকা\n৯০%", "ঢাকা", 0.9),
        ("ঢাকা (৯০% নিশ্চিত)", "ঢাকা", 0.9),
        ("Au\n190%", "Au", None),
        ("90%", "90%", None),
        ("90% sure", "90% sure", None),
        ("It fell by 90%", "It fell by 90%", None),
        ("It fell, by 90%", "It fell, by 90%", None),
        ("from 10%, 90%", "from 10%, 90%", None),
        ("Au\n90", "Au\n90", None),
    ],
)
def test_a_share_at_the_end_is_a_confidence(text: str, pred: str, right: float | None) -> None:
    """In brackets, on the last line, or with a word for it; never where it is the whole answer."""
    assert read(text) == Answer(pred, confidence=right)
    assert read(text, confidence=False) == Answer(text)


@pytest.mark.parametrize("mark", ["\x00", "\x07", "\x1b", "\x7f", "\x9f", "\ud800"])
@pytest.mark.parametrize(("text", "pred"), [("A{}u", "Au"), ("{}Au{}\n", "Au"), ("ঢা{}কা", "ঢাকা")])
def test_what_cannot_be_read_is_dropped(mark: str, text: str, pred: str) -> None:
    """Control characters and halves of a code point are no part of an answer."""
    assert read(text.replace("{}", mark)) == Answer(pred)
    assert read(f"ID{mark}K").outcome == "abstained"
    assert read(mark).reason == EMPTY


def test_a_confidence_that_was_not_asked_for_stays() -> None:
    """Without the request the words are the answer's own."""
    assert read("Au\nConfidence: 85%", confidence=False) == Answer("Au\nConfidence: 85%")


@pytest.mark.parametrize(
    ("text", "pred"),
    [
        ("IDK", "IDK"),
        ("জানি না।", "জানি না।"),
        ("Final answer: **IDK**", "**IDK**"),
        ("<think>Au?</think>I don't know.", "I don't know."),
        ("I'm sorry, I don't know.", "I'm sorry, I don't know."),
        ("আমি নিশ্চিত নই, তাই জানি না।", "আমি নিশ্চিত নই, তাই জানি না।"),
    ],
)
def test_an_abstention_is_an_outcome(text: str, pred: str) -> None:
    """It keeps its words, and its confidence if there is one."""
    found = read(f"{text}\nConfidence: 20%")
    assert found.outcome == "abstained"
    assert found.confidence == 0.2
    assert found.pred == pred


@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("", "stop", EMPTY),
        (" \n\u200b", "stop", EMPTY),
        ("**", "stop", EMPTY),
        ("Answer:", "stop", EMPTY),
        ("Confidence: 90%", "stop", EMPTY),
        ("Au", "length", CUT_OFF),
        ("IDK", "length", CUT_OFF),
        ("", "length", CUT_OFF),
        ("Au", "filtered", FILTERED),
        ("Au", "refused", REFUSED),
        ("Au", "context truncated", CONTEXT_TRUNCATED),
        ("<think>gold is", "stop", UNFINISHED_THINKING),
        ("<think>gold is", "length", UNFINISHED_THINKING),
        ("I'm sorry, but I can't help with that.", "stop", REFUSED),
        ("দুঃখিত, আমি এ বিষয়ে সাহায্য করতে পারব না।", "stop", REFUSED),
    ],
)
def test_what_says_nothing_is_no_reply(text: str, finish: Finish, reason: str) -> None:
    """A withheld, empty, cut or refused reply is neither an answer nor an abstention."""
    found = read(text, finish)
    assert (found.outcome, found.reason) == ("no reply", reason)


def test_thinking_apart_that_ate_the_budget_is_unfinished() -> None:
    """A provider that sends the thinking apart leaves an empty text at the budget."""
    reply = Reply("", "length", thinking="gold is")
    assert read_answer(reply, confidence=False).reason == UNFINISHED_THINKING


def test_a_named_answer_is_no_abstention() -> None:
    """Regression: a gold answer `Unknown` could never be given."""
    options = ("Paris", "Cannot be determined")
    assert read_answer(Reply("Unknown."), confidence=False, named=("Unknown",)).outcome is None
    assert read_answer(Reply("cannot be determined"), confidence=False, named=options) == Answer(
        "cannot be determined"
    )
    assert read_answer(Reply("IDK"), confidence=False, named=options).outcome == "abstained"


@given(
    st.text(alphabet='Au IDKজানি না।:%0185\n<>think/{}"answerConfidence\\boxed', max_size=80),
    st.booleans(),
)
@settings(deadline=None)
def test_any_reply_is_read(text: str, confidence: bool) -> None:
    """No reply makes it fail, and a reason stands exactly where there is no reply."""
    found = read(text, confidence=confidence)
    assert bool(found.reason) == (found.outcome == "no reply")
    assert found.confidence is None or 0 <= found.confidence <= 1
    assert found.pred or found.outcome == "no reply"
