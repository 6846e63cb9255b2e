"""Pictures as they are sent."""

from __future__ import annotations

import hashlib
import io
import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from banglahallueval.vision.images import Picture, load_picture, picture_size
from tests.vision.drawing import draw, encoded, png, reason, turned_jpeg

Load = Callable[..., Picture]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Write bytes into a file and load it."""

    def load(data: bytes, max_side: int | None = None) -> Picture:
        path = tmp_path / "picture"  # the name says nothing of what it is
        path.write_bytes(data)
        return load_picture(path, max_side)

    return load


def sent(picture: Picture) -> Image.Image:
    image = Image.open(io.BytesIO(picture.part.data))
    image.load()
    return image


PLAIN = {
    "jpeg": (encoded(draw(), "JPEG"), "image/jpeg"),
    "gray jpeg": (encoded(draw("L"), "JPEG"), "image/jpeg"),
    "progressive jpeg": (encoded(draw(), "JPEG", progressive=True), "image/jpeg"),
    "jpeg that stands upright": (turned_jpeg(1), "image/jpeg"),
    "jpeg with two pictures": (
        encoded(draw(), "MPO", save_all=True, append_images=[draw()]),
        "image/jpeg",
    ),
    "png": (encoded(draw(), "PNG"), "image/png"),
    "palette png": (encoded(draw("P"), "PNG"), "image/png"),
    "png with an opaque alpha channel": (encoded(draw("RGBA"), "PNG"), "image/png"),
}


@pytest.mark.parametrize(("data", "media_type"), PLAIN.values(), ids=PLAIN)
def test_what_every_server_reads_is_sent_as_it_is(load: Load, data: bytes, media_type: str) -> None:
    picture = load(data)
    assert picture.part.data == data
    assert picture.part.media_type == media_type
    assert picture.conversion == ""
    assert picture.sha256 == hashlib.sha256(data).hexdigest()
    assert (picture.width, picture.height) == (12, 8)


@pytest.mark.parametrize("kind", ["WEBP", "GIF", "BMP", "TIFF"])
def test_other_formats_become_png(load: Load, kind: str) -> None:
    data = encoded(draw(), kind, **({"lossless": True} if kind == "WEBP" else {}))
    picture = load(data)
    assert picture.part.media_type == "image/png"
    assert picture.conversion == f"{kind} to PNG"
    assert sent(picture).format == "PNG"
    assert np.array_equal(np.asarray(sent(picture)), np.asarray(draw()))
    assert picture.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("orientation", range(2, 9))
def test_exif_orientation_is_applied(load: Load, orientation: int) -> None:
    picture = load(turned_jpeg(orientation, (64, 32)))
    assert picture.conversion == f"rotated by EXIF {orientation}; JPEG to PNG"
    assert sent(picture).size == ((64, 32) if orientation < 5 else (32, 64))
    assert not sent(picture).getexif()
    # Where the corner that the file has at the top left goes to.
    right, low = orientation in (2, 3, 6, 7), orientation in (3, 4, 7, 8)
    width, height = sent(picture).size
    pixel = sent(picture).getpixel((right * (width - 1), low * (height - 1)))
    assert isinstance(pixel, tuple)
    assert all(abs(a - b) < 30 for a, b in zip(pixel, (255, 165, 0), strict=True))


def test_a_turned_tiff_is_turned_once(load: Load) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    picture = load(encoded(draw(), "TIFF", exif=exif))
    assert picture.conversion == "rotated by EXIF 6; TIFF to PNG"
    expected = draw().transpose(Image.Transpose.ROTATE_270)
    assert np.array_equal(np.asarray(sent(picture)), np.asarray(expected))


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_broken_exif_does_not_make_a_picture_unreadable(load: Load) -> None:
    data = encoded(draw(), "JPEG", exif=b"Exif\0\0MM\0\x2a\xff\xff\xff\xff" + b"\xff" * 20)
    assert load(data).part.data == data


def test_transparency_shows_white(load: Load) -> None:
    image = draw("RGBA")
    image.putpixel((0, 0), (10, 20, 30, 0))
    picture = load(encoded(image, "PNG"))
    assert picture.conversion == "transparency onto white"
    assert sent(picture).mode == "RGB"
    assert sent(picture).getpixel((0, 0)) == (255, 255, 255)
    assert sent(picture).getpixel((1, 0)) == (255, 165, 0)


def test_a_transparent_palette_shows_white(load: Load) -> None:
    image = draw("P")
    index = image.getpixel((0, 0))
    picture = load(encoded(image, "PNG", transparency=index))
    assert picture.conversion == "transparency onto white"
    assert sent(picture).getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_an_animation_shows_its_first_frame(load: Load, kind: str) -> None:
    frames = [Image.new("RGB", (9, 9), color) for color in ("red", "blue", "green")]
    more = {"lossless": True} if kind == "WEBP" else {}
    data = encoded(frames[0], kind, save_all=True, append_images=frames[1:], duration=50, **more)
    picture = load(data)
    assert picture.conversion.startswith("first of 3 frames")
    assert getattr(sent(picture), "n_frames", 1) == 1
    assert sent(picture).getpixel((4, 4)) == (255, 0, 0)


def test_cmyk_becomes_rgb(load: Load) -> None:
    picture = load(encoded(draw("CMYK"), "JPEG", quality=95))
    assert picture.conversion == "CMYK to RGB; JPEG to PNG"
    assert sent(picture).mode == "RGB"


def test_16_bits_keep_their_brightness(load: Load) -> None:
    gray = Image.fromarray(np.array([[0, 0x1234], [0x80FF, 0xFFFF]], dtype=np.uint16))
    picture = load(encoded(gray, "PNG"))
    assert picture.conversion == "I;16 to RGB"
    assert np.asarray(sent(picture))[..., 0].tolist() == [[0, 0x12], [0x80, 0xFF]]


@pytest.mark.parametrize(("color_type", "channels"), [(2, 3), (4, 2), (6, 4)])
def test_16_bits_a_channel_become_8(load: Load, color_type: int, channels: int) -> None:
    has_alpha = color_type > 3
    values = [0x12FF] * (channels - has_alpha) + [0xFFFF] * has_alpha
    row = b"\0" + struct.pack(f">{channels}H", *values)
    header = struct.pack(">IIBBBBB", 1, 1, 16, color_type, 0, 0, 0)
    picture = load(png((b"IHDR", header), (b"IDAT", zlib.compress(row)), (b"IEND", b"")))
    assert picture.conversion == "16 bits to 8"
    assert sent(picture).getpixel((0, 0)) == (0x12, 0x12, 0x12)


def test_32_bits_are_not_guessed(tmp_path: Path) -> None:
    path = tmp_path / "float.tiff"
    draw("F").save(path)
    assert reason(path)[0] == "image unreadable"


def test_only_max_side_resizes(load: Load) -> None:
    data = encoded(draw(size=(400, 300)), "PNG")
    assert load(data).part.data == data
    assert load(data, 400).part.data == data
    picture = load(data, 100)
    assert picture.conversion == "400x300 to 100x75"
    assert sent(picture).size == (picture.width, picture.height) == (100, 75)


def test_a_thin_picture_keeps_a_pixel(load: Load) -> None:
    assert sent(load(encoded(draw(size=(1000, 2)), "PNG"), 10)).size == (10, 1)


def test_every_step_is_named_in_order(load: Load) -> None:
    said = load(turned_jpeg(6, (40, 30)), 20).conversion
    assert said == "rotated by EXIF 6; 30x40 to 15x20; JPEG to PNG"


def test_the_same_file_gives_the_same_bytes(load: Load) -> None:
    data = encoded(draw(size=(300, 200)), "WEBP")
    assert load(data, 50) == load(data, 50)


def test_nothing_of_the_file_but_its_pixels_is_sent(load: Load) -> None:
    data = encoded(draw(), "TIFF", icc_profile=b"a profile", description="someone's name")
    assert b"name" in data
    assert set(chunk_names(load(data).part.data)) == {b"IHDR", b"IDAT", b"IEND"}


def chunk_names(png: bytes) -> list[bytes]:
    names, at = [], 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        names.append(png[at + 4 : at + 8])
        at += 12 + length
    return names


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_large_picture_is_read(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 60)
    data = encoded(draw(), "PNG")
    assert load(data).part.data == data


def test_a_missing_file_is_missing(tmp_path: Path) -> None:
    assert reason(tmp_path / "none.jpg") == (
        "image missing",
        f"{tmp_path / 'none.jpg'} does not exist",
    )
    (tmp_path / "link.jpg").symlink_to(tmp_path / "none.jpg")
    assert reason(tmp_path / "link.jpg")[0] == "image missing"
    (tmp_path / "file").touch()
    assert reason(tmp_path / "file" / "a.jpg")[0] == "image missing"


def test_a_folder_or_pipe_is_unreadable(tmp_path: Path) -> None:
    assert reason(tmp_path)[0] == "image unreadable"
    os.mkfifo(tmp_path / "pipe.jpg")
    assert reason(tmp_path / "pipe.jpg")[0] == "image unreadable"


def test_a_refused_permission_is_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret.png"
    path.write_bytes(encoded(draw(), "PNG"))

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert reason(path) == ("image unreadable", f"{path} cannot be read: Permission denied")


def test_a_size_is_read_without_the_pixels(tmp_path: Path) -> None:
    """It is the one that would be sent, turned and scaled."""
    path = tmp_path / "a.jpg"
    path.write_bytes(turned_jpeg(6, (400, 200))[:-50])
    assert picture_size(path) == (200, 400)
    assert picture_size(path, 100) == (50, 100)
    assert picture_size(tmp_path / "none.jpg") is None


@pytest.mark.parametrize("kind", ["TIFF", "JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", [1, 6])
def test_the_size_that_is_read_is_that_which_is_sent(
    tmp_path: Path, kind: str, orientation: int
) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = tmp_path / "picture"
    path.write_bytes(encoded(draw(), kind, exif=exif))
    picture = load_picture(path)
    assert picture_size(path) == (picture.width, picture.height)
    assert picture.height == (12 if orientation == 6 else 8)
