"""Supplied descriptions: their forms, whose they are, and judging them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.vision.generative.descriptions import read_descriptions
from banglahallueval.vision.types import PictureItem
from tests.servers.openai_server import OpenAIServer
from tests.vision.calling import Call
from tests.vision.generative.calling import Folder, asked, described_in, kinds, saying
from tests.vision.items import picture_item, published

OpenAI = Callable[..., OpenAIServer]

ITEMS = (picture_item(0), picture_item(1))
TWICE = tuple(
    picture_item(index, image="/disk/of/authors/000123456.jpg", key="000123456")
    for index in range(2)
)


def read(folder: Path, rows: object, items: Sequence[PictureItem] = ITEMS) -> dict[int, str]:
    path = folder / "said.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return dict(read_descriptions(path, items).texts)


@pytest.mark.parametrize(
    "image", ["val2014/0.jpg", "/other/disk/0.jpg", "0.jpg", "0", "C:\\pictures\\0.jpg"]
)
def test_a_picture_is_known_by_its_path_or_name(tmp_path: Path, image: str) -> None:
    assert read(tmp_path, [{"image": image, "predict": "A dog."}]) == {0: "A dog."}


def test_predict_is_a_text_or_a_list_of_one(tmp_path: Path) -> None:
    rows = [{"image": "0.jpg", "predict": ["A dog."]}, {"image": "1.jpg", "predict": []}]
    assert read(tmp_path, rows) == {0: "A dog.", 1: ""}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("said.csv", "index,description\n1,A cat.\n0,A dog.\n"),
        ("said.csv", "image,predict\nval2014/0.jpg,A dog.\n1.jpg,A cat.\n"),
        (
            "said.jsonl",
            '{"index": 0, "description": "A dog."}\n\n{"index": 1, "predict": "A cat."}',
        ),
    ],
)
def test_tables_and_lines_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert read_descriptions(path, ITEMS).texts == {0: "A dog.", 1: "A cat."}


def test_one_description_of_a_picture_is_for_all_its_items(tmp_path: Path) -> None:
    assert read(tmp_path, [{"key": "000123456", "predict": "A dog."}], TWICE) == {
        0: "A dog.",
        1: "A dog.",
    }


def test_as_many_descriptions_as_items_are_in_their_order(tmp_path: Path) -> None:
    rows = [{"image_path": TWICE[0].image, "predict": text} for text in ("One.", "Two.")]
    assert read(tmp_path, rows, TWICE) == {0: "One.", 1: "Two."}


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    path = tmp_path / "said.json"
    rows = [{"image": "0.jpg", "predict": "A dog."}, {"image": "9.jpg", "predict": "A cat."}]
    path.write_text(json.dumps(rows), encoding="utf-8")
    unmatched, missing = read_descriptions(path, ITEMS).notes
    assert "1 of 2 descriptions" in unmatched
    assert "1 of 2 items" in missing


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"image": "9.jpg", "predict": "A."}], "none of its 1 rows"),
        ([{"image": "0.jpg", "predict": "A."}] * 2, "row 2: a second description of item 0"),
        ([{"index": 0, "predict": "A."}] * 2, "row 2: a second description of item 0"),
        (
            [{"image": "0.jpg", "predict": "A."}, {"index": 0, "image": "", "predict": "B."}],
            "second",
        ),
        ([{"index": 1, "image": "0.jpg", "predict": "A."}], "rows are of other data"),
        ([{"index": "first", "predict": "A."}], "no whole number"),
        ([{"predict": "A."}], "neither image nor index"),
        ([{"image": "0.jpg"}], "no description"),
        ([{"image": "0.jpg", "predict": ["A.", "B."]}], "2 descriptions of one picture"),
        ([{"image": "0.jpg", "predict": 7}], "'7' is no text"),
        ([{"image": "0.jpg", "predict": "\ud800"}], "surrogate"),
        (["A."], "row 1: not an object"),
        ({}, "not a list"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(tmp_path: Path, rows: Any, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        read(tmp_path, rows)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_name_of_several_pictures_is_not_guessed(tmp_path: Path) -> None:
    items = (picture_item(0, image="a/0.jpg"), picture_item(1, image="b/0.jpg"))
    assert read(tmp_path, [{"image": "b/0.jpg", "predict": "A."}], items) == {1: "A."}
    with pytest.raises(UsageError, match="may be 2 pictures"):
        read(tmp_path, [{"image": "0.jpg", "predict": "A."}], items)


def test_supplied_descriptions_are_judged_and_none_is_asked_for(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    said = folder.path / "said.csv"
    said.write_text("index,description\n0,A dog runs.\n1, \n", encoding="utf-8")
    server = openai_server(answer=saying(verdict="YES", types="event"))
    flags = ("--descriptions", said, "--judge-model", "j", "--base-url", server.url)
    done = hal_eval("generative", *folder.flags(), *flags)
    assert done.code == 0, done.err
    assert "1 of 3 items have no description" in done.out
    assert kinds(server) == ["types", "verdict"]
    assert described_in(asked(server)[0].prompt) == "A dog runs."
    assert asked(server)[0].pictures[0].data == folder.picture(0).read_bytes()
    assert [(row["prompt"], row["outcome"], row["reason"]) for row in folder.rows()] == [
        ("supplied", "hallucinated", ""),
        ("supplied", "undescribed", "empty description"),
    ]


def test_judging_by_captions_needs_no_picture(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    said = folder.path / "said.json"
    said.write_text('[{"image": "1.png", "predict": ["A tram."]}]', encoding="utf-8")
    server = openai_server(answer=saying())
    files = ("--data", folder.data, "--output", folder.output, "--descriptions", said)
    judge = ("--judge", "captions", "--judge-model", "j", "--base-url", server.url)
    assert hal_eval("generative", *files, *judge).code == 0
    assert [seen.pictures for seen in asked(server)] == [[]]
    for name, value in (("--max-side", 9), ("--provider", "ollama")):
        flags = (*judge, "--judge-provider", "openai", name, value, "--overwrite")
        done = hal_eval("generative", *files, *flags)
        assert (done.code, f"leave out {name}" in done.err) == (2, True)


def test_the_report_of_judging_by_captions_may_show_the_pictures(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    said = folder.path / "said.json"
    said.write_text('[{"image": "1.png", "predict": ["A tram."]}]', encoding="utf-8")
    server = openai_server(answer=saying())
    flags = folder.flags("--descriptions", said, "--judge", "captions", "--judge-model", "j")
    assert hal_eval("generative", *flags, "--base-url", server.url).code == 0
    assert [seen.pictures for seen in asked(server)] == [[]]
    assert folder.record()["image_root"] == str(folder.pictures)


def test_a_picture_that_is_missing_leaves_a_supplied_description_unjudged(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    folder.picture(0).unlink()
    said = folder.path / "said.csv"
    said.write_text("index,description\n0,A dog.\n1,A tram.\n", encoding="utf-8")
    flags = folder.flags("--descriptions", said, "--judge-model", "j", "--base-url")
    assert hal_eval("generative", *flags, openai_server(answer=saying()).url).code == 1
    row, _ = folder.rows()
    assert (row["description"], row["outcome"], row["reason"]) == (
        *("A dog.", "unjudged", "image missing"),
    )
    folder.draw(0)
    server = openai_server(answer=saying())
    assert hal_eval("generative", *flags, server.url, "--resume").code == 0
    assert kinds(server) == ["verdict"]
    assert folder.rows()[0]["outcome"] == "clean"


@pytest.mark.parametrize(
    "flag",
    [
        ("--prompt", "long"),
        ("--lang", "bn"),
        ("--max-tokens", "9"),
        ("--temperature", "0.2"),
        ("--seed", "1"),
        ("--model", "m"),
    ],
)
def test_flags_of_describing_are_refused(
    hal_eval: Call, folder: Folder, flag: tuple[str, str]
) -> None:
    flags = folder.flags("--descriptions", "said.csv", "--judge-model", "j")
    done = hal_eval("generative", *flags, *flag)
    assert (done.code, f"leave out {flag[0]}" in done.err) == (2, True)


def test_other_descriptions_are_not_added_to(
    hal_eval: Call, openai_server: OpenAI, folder: Folder
) -> None:
    said = folder.path / "said.csv"
    said.write_text("index,description\n0,A dog.\n", encoding="utf-8")
    flags = folder.flags("--descriptions", said, "--judge-model", "j", "--base-url")
    server = openai_server(answer=saying())
    assert hal_eval("generative", *flags, server.url).code == 0
    said.write_text("index,description\n0,A cat.\n", encoding="utf-8")
    done = hal_eval("generative", *flags, server.url, "--resume")
    assert (done.code, "descriptions" in done.err) == (2, True)


@pytest.mark.parametrize("name", ["in_domain_evaluation.json", "out_of_domain_evaluation.json"])
def test_the_published_data_is_judged_by_its_captions(
    hal_eval: Call, openai_server: OpenAI, tmp_path: Path, shared_data: Path, name: str
) -> None:
    data = published(shared_data, name)
    rows = json.loads(data.read_text(encoding="utf-8"))
    image = "image" if "image" in rows[0] else "image_path"
    said = tmp_path / "said.json"
    # The true captions as descriptions of their own pictures.
    said.write_text(
        json.dumps([{"image": row[image], "predict": row["caption"]} for row in rows[:40]]),
        encoding="utf-8",
    )
    server = openai_server(answer=saying())
    output = tmp_path / "out.csv"
    files = ("--data", data, "--descriptions", said, "--output", output)
    judge = ("--judge", "captions", "--judge-model", "j", "--base-url", server.url)
    done = hal_eval("generative", *files, *judge)
    assert done.code == 0, done.err
    assert len(asked(server)) == 40
