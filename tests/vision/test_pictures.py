"""Finding pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from banglahallueval.errors import UsageError
from banglahallueval.vision.pictures import PictureFolder
from banglahallueval.vision.types import PictureItem


def item(image: str, key: str = "") -> PictureItem:
    return PictureItem(0, image, key, "a caption", {})


def put(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())


def test_a_relative_path_is_found_below_the_root(tmp_path: Path) -> None:
    put(tmp_path, "val2014/a.jpg", "a.jpg")
    found = PictureFolder(tmp_path).find(item("val2014/a.jpg"))
    assert found == tmp_path / "val2014" / "a.jpg"


@pytest.mark.parametrize("below", ["", "image", "CC_SBU/image", "hdd2/jcy/data/CC_SBU/image"])
@pytest.mark.parametrize(
    "named",
    ["/hdd2/jcy/data/CC_SBU/image/007.jpg", r"D:\hdd2\jcy\data\CC_SBU\image\007.jpg"],
)
def test_a_path_of_another_disk_is_found_by_its_tail(
    tmp_path: Path, below: str, named: str
) -> None:
    put(tmp_path, f"{below}/007.jpg".lstrip("/"))
    assert PictureFolder(tmp_path).find(item(named)) == tmp_path / below / "007.jpg"


@pytest.mark.parametrize("name", ["x.png", "x.JPEG", "00/x.webp", "deep/er/X.jpg"])
def test_name_is_enough_with_any_ending_in_any_folder(tmp_path: Path, name: str) -> None:
    put(tmp_path, name, "x.txt", "y.jpg")
    assert PictureFolder(tmp_path).find(item("val2014/x.jpg")) == tmp_path / name


def test_key_finds_the_picture(tmp_path: Path) -> None:
    put(tmp_path, "00000/000003354.jpg")
    found = PictureFolder(tmp_path).find(item("", key="000003354"))
    assert found == tmp_path / "00000" / "000003354.jpg"


def test_a_picture_that_is_not_there_is_none(tmp_path: Path) -> None:
    put(tmp_path, "a.jpg")
    folder = PictureFolder(tmp_path)
    assert folder.find(item("b.jpg", key="c")) is None
    assert folder.find(item("")) is None
    assert folder.find(item("..")) is None
    assert folder.find(item("a\0.jpg")) is None


def test_the_very_name_goes_before_another_ending(tmp_path: Path) -> None:
    put(tmp_path, "some/x.png", "other/x.jpg")
    assert PictureFolder(tmp_path).find(item("v/x.jpg")) == tmp_path / "other" / "x.jpg"


def test_the_named_folder_goes_before_others(tmp_path: Path) -> None:
    put(tmp_path, "a/val2014/x.jpg", "b/train2014/x.jpg")
    found = PictureFolder(tmp_path).find(item("val2014/x.jpg"))
    assert found == tmp_path / "a" / "val2014" / "x.jpg"


def test_two_that_fit_equally_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "full/x.jpg", "thumbnails/x.jpg")
    with pytest.raises(UsageError, match=r"may both be the picture x\.jpg"):
        PictureFolder(tmp_path).find(item("val2014/x.jpg"))


def test_a_path_cannot_lead_out_of_the_root(tmp_path: Path) -> None:
    put(tmp_path, "private/x.jpg", "root/a.jpg")
    folder = PictureFolder(tmp_path / "root")
    assert folder.find(item("../private/x.jpg")) is None
    assert folder.find(item(str(tmp_path / "private" / "x.jpg"))) is None


def test_links_are_followed_and_may_lead_in_a_circle(tmp_path: Path) -> None:
    put(tmp_path, "elsewhere/x.jpg", "root/a.jpg")
    (tmp_path / "root" / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "root" / "circle").symlink_to(tmp_path / "root")
    folder = PictureFolder(tmp_path / "root")
    assert folder.find(item("v/x.jpg")) == tmp_path / "root" / "link" / "x.jpg"


def test_composed_and_decomposed_names_are_the_same(tmp_path: Path) -> None:
    put(tmp_path, "cafe\u0301.jpg")
    assert PictureFolder(tmp_path).find(item("v/caf\u00e9.jpg")) is not None


def test_a_root_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such folder"):
        PictureFolder(tmp_path / "none")
