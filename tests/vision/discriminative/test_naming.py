from __future__ import annotations

import pytest

from banglahallueval.models.types import Finish, Reply
from banglahallueval.vision.discriminative.naming import read_type


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("object", "object"),
        ("Object.", "object"),
        ("**Attribute**", "attribute"),
        ("Spatial Relationship Hallucination", "relation"),
        ("Relation error", "relation"),
        ("additional", "event"),
        ("Event", "event"),
        ("none", "none"),
        ("None.", "none"),
        ("None of these", "none"),
        ("Object: there is no tram on the bank.", "object"),
        ("Attribute. The boats are not purple, but the object is there.", "attribute"),
        ("The error is of type object.", "object"),
        ("Answer: none", "none"),
        ("The caption contains an attribute error.", "attribute"),
        ("The caption matches the image.", "none"),
        ("<think>object or event?</think>event", "event"),
        ("বস্তু", "object"),
        ("বৈশিষ্ট্য।", "attribute"),
        ("সম্পর্ক", "relation"),
        ("ঘটনা", "event"),
        ("কোনোটিই নয়", "none"),
        ("কোনোটিই নয়।", "none"),
        ("উত্তর: ঘটনা", "event"),
        ("bostu", "object"),
    ],
)
def test_a_type_is_read(text: str, label: str) -> None:
    assert read_type(Reply(text), is_cot=False) == (label, "")


@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("object, attribute", "stop", "several types"),
        ("Object and attribute.", "stop", "several types"),
        ("The type is object or event.", "stop", "several types"),
        ("", "stop", "empty reply"),
        ("The objects lie on the bank.", "stop", "unparsed"),
        ("Yes", "stop", "unparsed"),
        ("No", "stop", "unparsed"),
        ("I can't help with that.", "stop", "refused"),
        ("I cannot see the image.", "stop", "saw no picture"),
        ("Let me compare the objects with", "length", "cut off"),
    ],
)
def test_what_names_no_single_type_has_its_reason(text: str, finish: Finish, reason: str) -> None:
    assert read_type(Reply(text, finish), is_cot=False) == ("unknown", reason)


def test_the_last_line_of_an_argument_counts() -> None:
    argued = "The objects are there.\nTheir attributes fit.\nThey fly, which is an event.\n\nevent"
    assert read_type(Reply(argued), is_cot=True).label == "event"


def test_an_argument_that_was_cut_names_nothing() -> None:
    cut = Reply("First, the objects.\nobject", "length")
    assert read_type(cut, is_cot=True) == ("unknown", "cut off")
