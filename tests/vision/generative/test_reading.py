"""What replies say: descriptions, verdicts, types."""

from __future__ import annotations

import pytest

from banglahallueval.models.types import Finish, Reply
from banglahallueval.vision.generative.naming import read_types
from banglahallueval.vision.generative.reading import (
    NO_DESCRIPTION,
    read_description,
    read_verdict,
    supplied_description,
)


@pytest.mark.parametrize(
    ("text", "hallucinates", "reason"),
    [
        ("No", False, ""),
        ("no.", False, ""),
        ("", None, "empty reply"),
        ("yes", True, ""),
        ("**Yes**", True, ""),
        ("<think>No? There is a dog.</think>Yes", True, ""),
        ("Yes. The dog is not in the picture.", True, ""),
        ("No, there is no hallucinatory content.", False, ""),
        ("There is no hallucinatory content in the caption.", False, ""),
        ("There is hallucinatory content in the description.", True, ""),
        ("The description contains hallucinatory content.", True, ""),
        ("হ্যাঁ", True, ""),
        ("না, বর্ণনায় বিভ্রম নেই", False, ""),
        ("Not sure.", None, "unparsed"),
        ("Yes/No", None, "unparsed"),
        ("I cannot determine that from the image.", None, "refused"),
        ("I'm sorry, I can't see the image.", None, "saw no picture"),
        ("No image was provided, so no.", None, "saw no picture"),
        ("The caption does not match the image.", True, ""),
        ("The description is accurate.", False, ""),
        ("I'm sorry, I can't help with that.", None, "refused"),
        ("Yes, the description is accurate.", None, "contradicts itself"),
        ("A dog in the snow, noticed by nobody.", None, "unparsed"),
    ],
)
def test_a_verdict_is_never_made_up(text: str, hallucinates: bool | None, reason: str) -> None:
    assert read_verdict(Reply(text)) == (hallucinates, reason)


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("filtered", "filtered"),
        ("refused", "refused"),
        ("context truncated", "context truncated"),
    ],
)
def test_withheld_replies_have_no_verdict_whatever_they_say(finish: Finish, reason: str) -> None:
    assert read_verdict(Reply("No", finish)) == (None, reason)
    assert read_types(Reply("Object", finish)) == (frozenset(), reason)
    assert read_description(Reply("A dog.", finish), labelled=False).reason == reason


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("Object", "object"),
        ("Objective Hallucination and Attributive Hallucination", "object attribute"),
        ("Spatial Relationship Hallucination", "relation"),
        ("Event Hallucination", "event"),
        ("additional", "event"),
        ("Hallucination Type: object, aditional", "object event"),
        ("The types contained are as follows: \n Hallucination Type: attribution", "attribute"),
        ("multiple types", "multiple"),
        ("Multi-type hallucination", "multiple"),
        ("Multiple types: object and event.", "object event"),
        ("1. Object\n2. Relation", "object relation"),
        ('{"types": ["object", "event"]}', "object event"),
        ('```json\n{"object": true, "relation": false, "attribute": "no"}\n```', "object"),
        ("There is no object hallucination, but there is attribute hallucination.", "attribute"),
        ("Object: no\nRelation: yes\nAttribute: none\nEvent: N/A", "relation"),
        ("Object hallucination: the caption mentions a dog, which is not there.", "object"),
        ("Object: No dog is in the picture.", "object"),
        ("Attribute: the color of the object is wrong", "attribute"),
        ("Attribute hallucination. The object's color is red, not blue.", "attribute"),
        ("object (the dog), attribute (red)", "object attribute"),
        ("It mentions an object that is not there.", "object"),
        ("Object hallucinations are present; event hallucinations are absent.", "object"),
        ("<think>object? no</think>relation", "relation"),
        ("বস্তু, বৈশিষ্ট্য", "object attribute"),
        ("সম্পর্ক ও ঘটনা", "relation event"),
        ("বস্তুগত বিভ্রম", "object"),
        ("অতিরিক্ত তথ্য", "event"),
        ("বস্তু: ছবিতে কুকুর নেই", "object"),
        ("Text recognition", "other"),
        ("The number of people is wrong.", "other"),
    ],
)
def test_types_are_those_named(text: str, types: str) -> None:
    assert read_types(Reply(text)) == (frozenset(types.split()), "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty reply"),
        ("None", "contradicts itself"),
        ("There are no hallucinations in the description.", "contradicts itself"),
        ("no object, relation or event hallucinations", "contradicts itself"),
        ("বস্তু বিভ্রম নেই", "contradicts itself"),
        ("Yes", "unparsed"),
        ("?!", "unparsed"),
        ("Not sure.", "unparsed"),
        ("I'm sorry, I can't see the image.", "refused"),
        ("<think>object", "unfinished thinking"),
    ],
)
def test_types_that_are_not_named_are_not_other(text: str, reason: str) -> None:
    assert read_types(Reply(text)) == (frozenset(), reason)


def test_a_cut_reply_without_types_is_cut_off() -> None:
    assert read_types(Reply("The description says that", "length")) == (frozenset(), "cut off")


def test_a_cut_description_is_flagged_and_kept() -> None:
    found = read_description(Reply("A man on a", "length"), labelled=False)
    assert (found.text, found.reason, found.is_cut) == ("A man on a", "", True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty reply"),
        (" \n", "empty reply"),
        ("...", "empty reply"),
        ("<think>a dog", "unfinished thinking"),
        ("I'm sorry, but I cannot see images.", "saw no picture"),
        ("দুঃখিত, আমি ছবিটি দেখতে পারছি না।", "saw no picture"),
        ("I'm sorry, I can't help with that.", "refused"),
    ],
)
def test_what_is_no_description_has_its_reason(text: str, reason: str) -> None:
    found = read_description(Reply(text), labelled=False)
    assert (found.text, found.reason, found.reply) == ("", reason, text)


def test_thinking_is_no_part_of_a_description() -> None:
    found = read_description(Reply("<think>a cat?</think>\nA dog."), labelled=False)
    assert found.text == "A dog."
    assert found.reply.startswith("<think>")


@pytest.mark.parametrize(
    "text",
    [
        "I see: a dog.\nDescription: A dog runs.",
        "A list\n\n**Description:** A dog runs.",
        "### Description\n: A dog runs.",
        "কুকুর\nবর্ণনা: A dog runs.",
    ],
)
def test_a_labelled_description_stands_behind_its_label(text: str) -> None:
    found = read_description(Reply(text), labelled=True)
    assert (found.text, found.reply) == ("A dog runs.", text)


def test_a_labelled_description_without_its_label_is_none() -> None:
    assert read_description(Reply("A dog."), labelled=True).reason == NO_DESCRIPTION
    assert read_description(Reply("A dog", "length"), labelled=True).reason == "cut off"


def test_an_empty_supplied_description_is_none() -> None:
    assert supplied_description(" \n").reason == "empty description"
    assert supplied_description(" A dog. ").text == "A dog."
