from __future__ import annotations

import json
from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.vision.data import hallucination_named, read_items
from banglahallueval.vision.types import KINDS
from tests.vision.items import (
    BOATS,
    CAPTION,
    in_domain,
    out_of_domain,
    published,
    write,
    wrong_captions,
)


def test_an_item_asks_five_questions(tmp_path: Path) -> None:
    data = read_items(write(tmp_path / "in.json", [in_domain(caption=f"{CAPTION} ")]))
    questions = data.questions()
    assert [question.kind for question in questions] == list(KINDS)
    assert [question.matches for question in questions] == [True, False, False, False, False]
    assert questions[0].caption == CAPTION
    assert questions[2].caption == BOATS["object"]


def test_white_space_that_is_left_out_is_counted(tmp_path: Path) -> None:
    data = read_items(write(tmp_path / "in.json", [in_domain(caption=f"{CAPTION}\n"), in_domain()]))
    assert data.notes == ("white space around 1 true and 0 wrong captions is left out",)


def test_a_picture_given_twice_asks_ten_questions(tmp_path: Path) -> None:
    data = read_items(write(tmp_path / "out.json", [out_of_domain(), out_of_domain()]))
    assert len(data.questions()) == 10
    assert [item.index for item in data.items] == [0, 1]
    assert data.items[1].key == "000123456"


def test_wrong_captions_are_told_apart_by_their_type(tmp_path: Path) -> None:
    turned = in_domain() | {"hal_caption": wrong_captions(BOATS)[::-1]}
    item = read_items(write(tmp_path / "in.json", [turned])).items[0]
    assert dict(item.wrong) == dict(BOATS)
    assert list(item.wrong) == list(BOATS)


def test_a_type_that_is_absent_is_not_asked(tmp_path: Path) -> None:
    row = in_domain(wrong={"object": "two trams"})
    data = read_items(write(tmp_path / "in.json", [row]))
    assert [question.kind for question in data.questions()] == ["true", "object"]
    assert [question.kind for question in data.questions(("event", "object"))] == ["object"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Spatial Relationship Hallucination", "relation"),
        ("relation", "relation"),
        ("Objective Hallucination", "object"),
        ("Object", "object"),
        ("Attributive Hallucination", "attribute"),
        ("attribution", "attribute"),
        ("Event Hallucination", "event"),
        ("additional", "event"),
        ("Fact", None),
        ("object relation", None),
    ],
)
def test_types_are_known_by_all_their_names(name: str, kind: str | None) -> None:
    assert hallucination_named(name) == kind


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "not JSON"),
        ("[]", "holds no items"),
        ('{"a": 1}', "holds no items"),
        ("[3]", "item 0: not an object"),
        ('[{"caption": "a", "hal_caption": []}]', 'item 0: has no "image_path"'),
        ('[{"image": "a.jpg", "caption": ["a"], "hal_caption": []}]', "not a text"),
        ('[{"image": "a.jpg", "caption": "a"}]', '"hal_caption" must be a list'),
        ('[{"image": "a.jpg", "caption": "\\ud800", "hal_caption": []}]', "half of a character"),
        (json.dumps([in_domain() | {"hal_caption": ["a"]}]), "wrong caption 1 is not an object"),
        (
            json.dumps([in_domain() | {"hal_caption": [{"type": "Odd", "caption": "a"}]}]),
            "unknown type 'Odd'",
        ),
        (
            json.dumps([in_domain() | {"hal_caption": wrong_captions({"event": "a"}) * 2}]),
            "a second one of type event",
        ),
    ],
)
def test_a_malformed_file_is_one_line(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "in.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError) as error:
        read_items(path)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no file .*docs/vision\.md"):
        read_items(tmp_path / "in.json")


@pytest.mark.parametrize("name", ["in_domain_evaluation.json", "out_of_domain_evaluation.json"])
def test_the_published_files_ask_five_questions_an_item(shared_data: Path, name: str) -> None:
    data = read_items(published(shared_data, name))
    assert len(data.questions()) == 5 * len(data.items)
    assert len(data.questions(("true", "object"))) == 2 * len(data.items)


def test_captions_that_are_numbers_are_texts(tmp_path: Path) -> None:
    row = in_domain() | {"caption": 7}
    row["hal_caption"][0]["caption"] = 8
    data = read_items(write(tmp_path / "in.json", [row]))
    assert [question.caption for question in data.questions()[:2]] == ["7", "8"]
    assert data.notes == ()
