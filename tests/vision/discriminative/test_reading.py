from __future__ import annotations

import pytest

from banglahallueval.models.types import Finish, Reply
from banglahallueval.vision.discriminative.reading import read_answer

# Section 6, T5 of the reference; what is unknown is never yes or no.
RIGHT_VALUES = [
    ("Yes, there is a dog.", "yes"),
    ("no.", "no"),
    ("**Yes**", "yes"),
    ('"no"', "no"),
    ("Yes. A dog is in the snow.", "yes"),
    ("I notice the caption is accurate. Yes.", "yes"),
    ("The caption matches the image.", "yes"),
    ("The caption doesn't match the image.", "no"),
    ("Not sure.", "unknown"),
    ("I cannot determine that from the image.", "unknown"),
    ("", "unknown"),
    ("Yes/No", "unknown"),
    (
        "Step 1: there is no cat mentioned. Step 2: the dog is present. So the answer is yes.",
        "yes",
    ),
    ("<think>No dog? wait, there is.</think>Yes", "yes"),
    ("Yes, but the dog is not running.", "yes"),
]


@pytest.mark.parametrize("is_cot", [False, True])
@pytest.mark.parametrize(("text", "label"), RIGHT_VALUES)
def test_replies_have_their_right_values(text: str, label: str, is_cot: bool) -> None:
    assert read_answer(Reply(text), is_cot=is_cot).label == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("The image matches the caption description.", "yes"),
        ("The content of the image matches the caption.", "yes"),
        ("The caption accurately reflects the content of the image.", "yes"),
        ("The caption is accurate and matches the image.", "yes"),
        ("There is no mismatch between the caption and the image.", "yes"),
        ("The caption contains no errors.", "yes"),
        ("It matches exactly.", "yes"),
        ("Match", "yes"),
        ("Match: yes", "yes"),
        ("Match: No", "no"),
        ("Mismatch: no", "yes"),
        ("Does the caption match the image exactly? No.", "no"),
        ("Does it match? Yes", "yes"),
        ('return "yes"', "yes"),
        ('Return "no".', "no"),
        ("It does.", "yes"),
        ("It does not.", "no"),
        ("The caption does not accurately reflect the content of the image.", "no"),
        ("The image does not match the caption, as the boats are trams.", "no"),
        ("The caption is incorrect because there are no trams.", "no"),
        ("The caption fails to match the image.", "no"),
        ("The caption is not accurate or correct.", "no"),
        ("Doesn't match", "no"),
        ("No match.", "no"),
        ("Not an exact match.", "no"),
        ("The image is not matching the caption description.", "no"),
        ("There is a mismatch.", "no"),
        ("The image contradicts the caption.", "no"),
        ("The caption partially matches the image.", "unknown"),
        ("The caption may match the image.", "unknown"),
        ("The boats match in colour.", "unknown"),
        ("A dog runs over the snow.", "unknown"),
    ],
)
def test_a_sentence_may_say_it(text: str, label: str) -> None:
    assert read_answer(Reply(text), is_cot=False).label == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("হ্যাঁ", "yes"),
        ("হ্যাঁ।", "yes"),
        ("না", "no"),
        ("**না**", "no"),
        ("মেলে", "yes"),
        ("মেলে না", "no"),
        ("মেলে না।", "no"),
        ("মিলছে না", "no"),
        ("হ্যাঁ, ক্যাপশনটি ছবির সঙ্গে মেলে।", "yes"),
        ("না, ক্যাপশনটি ছবির সঙ্গে মেলে না।", "no"),
        ("ক্যাপশনটি ছবির সঙ্গে হুবহু মেলে।", "yes"),
        ("ক্যাপশনটি ছবির সঙ্গে মেলে না।", "no"),
        ("ক্যাপশনটি ছবির সঙ্গে মেলেনি।", "no"),
        ("ছবির সাথে ক্যাপশনের মিল নেই।", "no"),
        ("ক্যাপশনের বর্ণনাটি সঠিক নয়।", "no"),
        ("বর্ণনাটি সঠিক।", "yes"),
        ("ক্যাপশনটি আংশিকভাবে মেলে।", "unknown"),
        ("নিশ্চিত নই।", "unknown"),
        ("mele na", "no"),
        ("melena", "no"),
        ("caption ti chobir shathe mele na", "no"),
        ("caption ti chobir shathe mele", "yes"),
        ("haan, mele", "yes"),
        ("জি", "yes"),
        ("হ্যাঁ অথবা না", "unknown"),
        ("na, mele na", "no"),
    ],
)
def test_bangla_replies_are_read_romanised_or_not(text: str, label: str) -> None:
    assert read_answer(Reply(text), is_cot=False, is_bangla=True).label == label


def test_a_bare_na_is_no_where_bangla_was_asked_for() -> None:
    assert read_answer(Reply("na"), is_cot=False, is_bangla=True).label == "no"
    assert read_answer(Reply("Haan."), is_cot=False, is_bangla=True).label == "yes"
    assert read_answer(Reply("na"), is_cot=False).label == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        "Yes, but the dog is not running.",
        "Yes, the caption describes the boats, although one is missing.",
        "No, but the boats are there.",
        "The caption is correct but the colour is wrong.",
        "It matches, except that the dog is red.",
        "হ্যাঁ, তবে কুকুরটি দৌড়াচ্ছে না।",
    ],
)
def test_the_leading_word_counts_and_a_conflict_is_flagged(text: str) -> None:
    answer = read_answer(Reply(text), is_cot=False)
    assert answer.label in ("yes", "no")
    assert answer.conflicts


def test_an_argument_before_the_answer_is_no_conflict() -> None:
    text = "The dog is there, but it does not run. It stands. The final answer is no."
    assert read_answer(Reply(text), is_cot=True) == ("no", "", False)


@pytest.mark.parametrize(
    "text",
    [
        "Yes, the caption does not match the image.",
        "No, the caption matches the image exactly.",
        "না, ক্যাপশনটি ছবির সঙ্গে মেলে।",
        "Yes and no.",
    ],
)
def test_what_denies_its_own_answer_is_unknown(text: str) -> None:
    assert read_answer(Reply(text), is_cot=False) == ("unknown", "contradicts itself", False)


@pytest.mark.parametrize(
    "text",
    [
        "No image was provided.",
        "No. I cannot see any image.",
        "I'm sorry, I can't view the image.",
        "As a text model I cannot see images, so no.",
        "Please upload the image so that I can compare it with the caption.",
        "না, কোনো ছবি দেওয়া হয়নি।",
    ],
)
def test_a_model_that_saw_no_picture_has_not_answered(text: str) -> None:
    assert read_answer(Reply(text), is_cot=False) == ("unknown", "saw no picture", False)


@pytest.mark.parametrize(
    "text", ["No. I don't see an image of a dog.", "No, there is no picture on the wall."]
)
def test_pictures_within_a_picture_are_none_of_that(text: str) -> None:
    assert read_answer(Reply(text), is_cot=False).label == "no"


@pytest.mark.parametrize(
    ("text", "finish", "reason"),
    [
        ("", "stop", "empty reply"),
        ("", "length", "cut off"),
        ("Yes", "filtered", "filtered"),
        ("Yes", "context truncated", "context truncated"),
        ("<think>The dog", "length", "unfinished thinking"),
        ("Let me compare the caption with", "length", "cut off"),
        ("I can't help with that.", "stop", "refused"),
        ("A dog.", "stop", "unparsed"),
    ],
)
def test_what_cannot_be_read_has_its_reason(text: str, finish: Finish, reason: str) -> None:
    assert read_answer(Reply(text, finish), is_cot=False) == ("unknown", reason, False)


def test_of_a_cut_reply_the_first_words_count_and_an_argument_does_not() -> None:
    cut = Reply("Yes, the two boats lie on the bank of", "length")
    assert read_answer(cut, is_cot=False).label == "yes"
    argued = Reply("The caption matches the image. Let me check the", "length")
    assert read_answer(argued, is_cot=True) == ("unknown", "cut off", False)
    assert read_answer(argued, is_cot=False).label == "yes"
