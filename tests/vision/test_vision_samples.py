"""The committed pictures and captions are whole, and give nothing away without a look at them."""

from __future__ import annotations

import csv
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from banglahallueval.text.normalise import for_matching
from banglahallueval.vision.data import HalData, read_items
from banglahallueval.vision.defects import find_defects
from banglahallueval.vision.generative.descriptions import read_descriptions
from banglahallueval.vision.images import load_picture
from banglahallueval.vision.pictures import PictureFolder
from banglahallueval.vision.types import HALLUCINATIONS
from tools import answer_by_colour
from tools.draw_vision_samples import IMAGES, PICTURES, draw_all

SAMPLES = IMAGES.parent
NAMES = ("in_domain", "in_domain_bn", "out_of_domain", "out_of_domain_bn")
EVERY_SAMPLE = pytest.mark.parametrize("name", NAMES)
MOST_BYTES = 25_000


def data(name: str) -> HalData:
    return read_items(SAMPLES / f"{name}.json")


def rows(name: str) -> list[dict[str, str]]:
    with (SAMPLES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def pixels(path: Path) -> npt.NDArray[np.int64]:
    """The first frame of a picture, as it is stored."""
    with Image.open(path) as image:
        return np.asarray(image.convert("RGBA"), dtype=np.int64)


@EVERY_SAMPLE
def test_every_picture_has_five_captions(name: str) -> None:
    """Each is there, none is defective, and reading changes nothing."""
    found = data(name)
    assert {tuple(item.wrong) for item in found.items} == {HALLUCINATIONS}
    assert len(found.questions()) == 5 * len(found.items)
    assert find_defects(found.items).found == {}
    assert found.notes == ()


@EVERY_SAMPLE
@pytest.mark.parametrize("root", [SAMPLES, IMAGES])
def test_every_picture_is_found(name: str, root: Path) -> None:
    """From the folder of the samples and from that of the pictures, in both forms."""
    pictures = PictureFolder(root)
    found = [pictures.find(item) for item in data(name).items]
    assert None not in found
    assert len(set(found)) == len(found)


def test_every_picture_is_used() -> None:
    """No picture lies about that no caption speaks of."""
    items = [*data("in_domain").items, *data("out_of_domain").items]
    assert sorted(Path(item.image).name for item in items) == sorted(PICTURES)
    assert sorted(path.name for path in IMAGES.iterdir()) == sorted(PICTURES)


def test_keys_are_names_of_files() -> None:
    """As in the published out-of-domain file."""
    for item in data("out_of_domain").items:
        assert Path(item.image).is_absolute()
        assert Path(item.image).stem == item.key


@pytest.mark.parametrize("name", list(PICTURES))
def test_pictures_are_small_and_can_be_sent(name: str) -> None:
    """Every one loads, upright and of one size."""
    picture = load_picture(IMAGES / name)
    assert (picture.width, picture.height) == (448, 336)
    assert (IMAGES / name).stat().st_size < MOST_BYTES


def test_pictures_need_every_conversion() -> None:
    """Rotated, transparent, animated, and as they are: the samples hold one of each."""
    said = {name: load_picture(IMAGES / name).conversion for name in PICTURES}
    assert {name: text for name, text in said.items() if text} == {
        "kite.jpg": "rotated by EXIF 6; JPEG to PNG",
        "clock.gif": "first of 2 frames; GIF to PNG",
        "000000001.png": "transparency onto white",
    }


def test_the_tool_draws_the_committed_pictures(tmp_path: Path) -> None:
    """Within what encoders of other versions may change."""
    draw_all(tmp_path)
    for name in PICTURES:
        drawn, committed = pixels(tmp_path / name), pixels(IMAGES / name)
        assert drawn.shape == committed.shape, name
        assert np.abs(drawn - committed).mean() < 2, name


@pytest.mark.parametrize("name", ["in_domain", "out_of_domain"])
def test_both_languages_speak_of_the_same_pictures(name: str) -> None:
    """Item by item."""
    english, bangla = data(name).items, data(f"{name}_bn").items
    assert [(item.image, item.key) for item in english] == [
        (item.image, item.key) for item in bangla
    ]


@EVERY_SAMPLE
def test_neither_length_nor_punctuation_tells_which_caption_is_true(name: str) -> None:
    """The five of a picture have as many words each, and end alike."""
    for item in data(name).items:
        captions = [item.caption, *item.wrong.values()]
        assert len({len(caption.split()) for caption in captions}) == 1, captions
        assert {caption[-1] for caption in captions} == {"।" if name.endswith("_bn") else "."}
        assert len(set(map(for_matching, captions))) == 5


@EVERY_SAMPLE
def test_no_kind_of_caption_is_much_longer(name: str) -> None:
    """In letters, over all pictures."""
    lengths: Counter[str] = Counter()
    for question in data(name).questions():
        lengths[question.kind] += len(question.caption)
    assert max(lengths.values()) < 1.1 * min(lengths.values())


@pytest.mark.parametrize("name", ["in_domain_bn", "out_of_domain_bn"])
def test_bangla_captions_are_bangla(name: str) -> None:
    """In normal form, of Bengali letters alone."""
    for question in data(name).questions():
        caption = question.caption
        assert caption == unicodedata.normalize("NFC", caption)
        letters = [sign for sign in caption if sign.isalpha()]
        assert all("BENGALI" in unicodedata.name(sign) for sign in letters), caption


def test_scores_are_those_of_the_descriptions() -> None:
    """Twenty descriptions, each with a person's score from 1 to 5."""
    found = rows("scores.csv")
    assert len(found) == 20
    assert {row["human"] for row in found} == {"1", "2", "3", "5"}
    assert all(0 <= float(row["colours"]) <= 1 for row in found)


@pytest.mark.parametrize(
    ("caption", "reply"),
    [
        ("A red ball is here.", "Yes, the colours are there."),
        ("A red and a green ball are here.", "No, nothing is green."),
        ("A ball is here.", "I cannot tell from colours alone."),
        ("লাল বল।", "হ্যাঁ, রং মিলছে।"),
        ("সবুজ বল।", "না, ছবিতে সবুজ রং নেই।"),
        ("একটি বল।", "শুধু রং দেখে বলা যায় না।"),
    ],
)
def test_colours_alone_are_answered(caption: str, reply: str) -> None:
    """Yes, no, and nothing."""
    seen = answer_by_colour.colours_of(IMAGES / "000000001.png")
    assert seen == {"red", "blue", "white"}
    assert answer_by_colour.answer(caption, seen) == reply


@EVERY_SAMPLE
def test_predictions_follow_from_the_colours(name: str) -> None:
    """One for each question, in order, and each by the rule."""
    pictures = PictureFolder(SAMPLES)
    expected = []
    for question in data(name).questions():
        path = pictures.find(question.item)
        assert path is not None
        reply = answer_by_colour.answer(question.caption, answer_by_colour.colours_of(path))
        expected.append((str(question.item.index), question.item.image, question.kind, reply))
    found = rows(f"predictions_{name}.csv")
    assert [(row["index"], row["image"], row["kind"], row["reply"]) for row in found] == expected


def test_descriptions_are_those_that_were_scored() -> None:
    """The same texts, read as `--descriptions` reads them."""
    items = data("in_domain").items
    for length in ("short", "long"):
        supplied = read_descriptions(SAMPLES / f"descriptions_{length}.json", items)
        scored = [row["description"] for row in rows("scores.csv") if row["length"] == length]
        assert [supplied.texts[item.index] for item in items] == scored
        assert supplied.notes == ()
