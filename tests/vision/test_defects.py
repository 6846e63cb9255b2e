from __future__ import annotations

from collections.abc import Mapping

import pytest

from banglahallueval.vision.defects import find_defects
from banglahallueval.vision.types import Hallucination
from tests.vision.items import BOATS, CAPTION, picture_item

OTHERS: Mapping[Hallucination, str] = dict(list(BOATS.items())[1:])


def test_an_empty_caption_is_never_asked() -> None:
    items = [picture_item(wrong={**BOATS, "attribute": "..."})]
    defects = find_defects(items)
    assert defects.found == {(0, "attribute"): "empty"}
    asked = [question.kind for question in defects.asked(items)]
    assert asked == ["true", "relation", "object", "event"]


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't see the image.",
        "Sorry, there is no relation that can be altered here.",
        "As an AI language model, I cannot alter this.",
        "I am unable to see the image above.",
        "I cannot modify the caption without more context.",
        "Unfortunately, it is not possible to change the caption.",
        "দুঃখিত, ছবিটি দেখা যাচ্ছে না।",
    ],
)
def test_a_refusal_stored_as_a_caption_is_found(text: str) -> None:
    items = [picture_item(wrong={**BOATS, "relation": text})]
    assert find_defects(items).found == {(0, "relation"): "refusal"}


@pytest.mark.parametrize(
    "text",
    [
        "a sign that says I am sorry",
        "sorry we are closed sign on a shop door",
        "I can not believe how blue the sky was",
        "a man who cannot swim stands beside the sea",
    ],
)
def test_a_caption_about_an_apology_is_no_refusal(text: str) -> None:
    assert not find_defects([picture_item(caption=text)]).found


@pytest.mark.parametrize("text", ["Two boats", "two bo", CAPTION, CAPTION.capitalize() + "."])
def test_a_copy_of_the_true_caption_is_not_wrong(text: str) -> None:
    items = [picture_item(wrong={**BOATS, "object": text})]
    assert find_defects(items).found == {(0, "object"): "copy"}


def test_one_text_under_two_types_belongs_to_neither() -> None:
    items = [picture_item(wrong={**BOATS, "attribute": "Two trams lie on the river bank."})]
    found = find_defects(items).found
    assert found == {(0, "object"): "two types", (0, "attribute"): "two types"}


def test_a_repeated_picture_is_found_where_its_true_caption_is_the_same() -> None:
    same = [picture_item(index, image="a.jpg") for index in (0, 1)]
    assert {index for index, _ in find_defects(same).found} == {1}
    other = picture_item(1, "a red bus", OTHERS, image="a.jpg")
    assert not find_defects([same[0], other]).found


def test_a_clean_run_leaves_out_defective_captions() -> None:
    items = [picture_item(wrong={**BOATS, "object": "two bo"})]
    defects = find_defects(items)
    assert len(list(defects.asked(items))) == 5
    asked = [question.kind for question in defects.asked(items, clean=True)]
    assert asked == ["true", "relation", "attribute", "event"]


def test_a_clean_run_leaves_out_all_of_a_picture_whose_true_caption_is_defective() -> None:
    items = [picture_item(caption="I am unable to see the image above."), picture_item(1)]
    asked = list(find_defects(items).asked(items, ("true", "event"), clean=True))
    assert [(question.item.index, question.kind) for question in asked] == [
        (1, "true"),
        (1, "event"),
    ]


def test_defects_are_counted() -> None:
    items = [picture_item(wrong={**BOATS, "object": "two bo", "event": ""})]
    assert find_defects(items).sentences() == [
        "1 captions: empty",
        "1 captions: the true caption again, whole or cut off, and so not wrong",
    ]
