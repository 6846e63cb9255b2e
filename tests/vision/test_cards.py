"""Pictures on a page: small, whole, and honest about those that are not there."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from banglahallueval.vision.cards import Remark, card
from banglahallueval.vision.images import load_picture
from banglahallueval.vision.thumbnails import Thumbnail, Thumbnails
from tests.vision.drawing import draw
from tests.vision.items import picture_item

HOSTILE = "</ul><script>window.hacked = 1</script><img src=x onerror='hacked=1'>"
NOTHING = Thumbnail("", 0, 0, "missing: it is not in pictures")


def decoded(thumbnail: Thumbnail) -> Image.Image:
    head, _, body = thumbnail.url.partition(",")
    assert head == "data:image/jpeg;base64"
    return Image.open(io.BytesIO(base64.b64decode(body)))


def noise(path: Path, size: tuple[int, int] = (900, 1200)) -> Path:
    """A picture that no encoder makes small."""
    pixels = np.random.default_rng(1).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    Image.fromarray(pixels).save(path)
    return path


def test_a_thumbnail_is_small(tmp_path: Path) -> None:
    """A big picture keeps its shape and needs less than 15,000 letters."""
    noise(tmp_path / "a.png")
    made = Thumbnails(str(tmp_path)).of(picture_item(image="a.png"))
    assert len(made.url) < 15_000
    assert (made.width, made.height) == (180, 240)
    assert decoded(made).size == (180, 240)
    assert made.note == ""


def test_a_small_picture_is_not_made_bigger(tmp_path: Path) -> None:
    """It is shown as it is."""
    draw().save(tmp_path / "a.png")
    made = Thumbnails(str(tmp_path)).of(picture_item(image="a.png"))
    assert (made.width, made.height) == draw().size


@pytest.mark.parametrize(
    ("root", "note"),
    [
        (None, "not shown: the run had no --image-root"),
        ("nowhere", "missing: there is no folder nowhere"),
        (".", "missing: it is not in ."),
    ],
)
def test_a_missing_picture_is_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str | None, note: str
) -> None:
    """With where it was looked for."""
    monkeypatch.chdir(tmp_path)
    made = Thumbnails(root).of(picture_item(image="a.png"))
    assert (made.url, made.note) == ("", note)


def test_a_broken_picture_is_said_to_be_broken(tmp_path: Path) -> None:
    """The reason stands where the picture would."""
    (tmp_path / "a.png").write_bytes(b"nothing")
    made = Thumbnails(str(tmp_path)).of(picture_item(image="a.png"))
    assert made.url == ""
    assert made.note.startswith("not shown: ")
    assert "no picture of a known format" in made.note


def test_another_picture_of_the_name_is_said_to_be_another(tmp_path: Path) -> None:
    """The model saw a file of other bytes."""
    draw().save(tmp_path / "a.png")
    pictures = Thumbnails(str(tmp_path))
    item = picture_item(image="a.png")
    assert pictures.of(item, load_picture(tmp_path / "a.png").sha256).note == ""
    made = pictures.of(item, "0" * 64)
    assert made.url != ""
    assert made.note == "changed: it is not the file that was shown to the model"


def test_text_from_data_stays_text() -> None:
    """Names, captions, replies and verdicts."""
    thumbnail = Thumbnail("data:,", 1, 1, HOSTILE)
    remark = Remark("wrong", HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    for is_told in (True, False):
        shown = card(HOSTILE, thumbnail, [remark], caption=HOSTILE, is_told=is_told)
        assert "<script" not in shown
        assert shown.count("<img") == 1
        assert shown.count("&lt;script&gt;") == (7 if is_told else 8)


def test_signs_say_what_colours_do() -> None:
    """Wrong, unknown and right have a sign each."""
    remarks = [Remark(each, "so", "", "text", "") for each in ("wrong", "unknown", "right")]
    shown = card("a.png", NOTHING, remarks, caption="A boat.", is_told=True)
    assert [sign for sign in shown if sign in "✗?✓"] == ["✗", "?", "✓"]
    assert "a.png: missing: it is not in pictures" in shown
    assert "<img" not in shown


def test_long_texts_are_cut() -> None:
    """A reply of a thousand words does not fill the page."""
    remark = Remark("right", "so", "", "ক" * 5000, "খ" * 5000)
    shown = card("a.png", NOTHING, [remark], caption="", is_told=True)
    assert shown.count("ক") == shown.count("খ") == 600
    assert shown.count(" …") == 2
