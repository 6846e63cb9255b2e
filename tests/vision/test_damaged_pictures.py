"""Files that are damaged, cut off, or no pictures."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.vision.drawing import encoded, png, reason


def test_a_decompression_bomb_is_unreadable(tmp_path: Path) -> None:
    header = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    path = tmp_path / "bomb.png"
    path.write_bytes(png((b"IHDR", header), (b"IDAT", zlib.compress(b"")), (b"IEND", b"")))
    assert reason(path)[0] == "image unreadable"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_a_truncated_file_is_unreadable(tmp_path: Path, kind: str, share: float) -> None:
    rng = np.random.default_rng(1)
    noise = Image.fromarray(rng.integers(0, 256, (64, 64, 3), dtype=np.uint8))
    data = encoded(noise, kind)
    path = tmp_path / "cut"
    path.write_bytes(data[: int(len(data) * share)])
    assert reason(path)[0] == "image unreadable"


def noise() -> Image.Image:
    rng = np.random.default_rng(1)
    return Image.fromarray(rng.integers(0, 256, (24, 24, 3), dtype=np.uint8))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"])
def test_what_decoding_finds_damaged_is_unreadable(tmp_path: Path, kind: str) -> None:
    """Whether a damaged file is accepted never depends on what else is asked of it."""
    whole, path = encoded(noise(), kind), tmp_path / "damaged"
    for at in range(8, len(whole), 37):
        data = bytearray(whole)
        data[at] ^= 0x55
        path.write_bytes(data)
        try:
            with Image.open(path) as image:
                image.load()
        except Exception:
            assert reason(path)[0] == "image unreadable", at


@pytest.mark.parametrize("at", [45, 500, 900, -13, -20])
def test_a_damaged_png_is_unreadable(tmp_path: Path, at: int) -> None:
    data = bytearray(encoded(noise(), "PNG"))
    data[at] ^= 0x55
    path = tmp_path / "damaged.png"
    path.write_bytes(data)
    assert reason(path)[0] == "image unreadable"


UNREADABLE = {
    "empty": b"",
    "text": "কোনো ছবি নয়".encode(),
    "web page": b"<!DOCTYPE html><html><body>404</body></html>",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
    "postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
    "zeros": bytes(5000),
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_no_picture_is_unreadable(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "picture.jpg"
    path.write_bytes(data)
    what, message = reason(path)
    assert what == "image unreadable"
    assert message.startswith(str(path))
    assert "\n" not in message
