"""Small pictures that tests draw."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from banglahallueval.vision.images import PictureError, load_picture

_ORIENTATION = 0x0112


def draw(mode: str = "RGB", size: tuple[int, int] = (12, 8)) -> Image.Image:
    """A picture no two of whose corners are alike."""
    image = Image.new("RGB", size, "navy")
    image.paste("orange", (0, 0, size[0] // 2, size[1] // 2))
    image.paste("green", (size[0] // 2, size[1] // 2, *size))
    return image.convert(mode)


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    """Its file's bytes."""
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def turned_jpeg(orientation: int, size: tuple[int, int] = (12, 8)) -> bytes:
    """A JPEG that says how it is to be turned."""
    exif = Image.Exif()
    exif[_ORIENTATION] = orientation
    return encoded(draw(size=size), "JPEG", exif=exif, quality=95)


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    """A PNG of these parts, by their names."""
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def reason(path: Path) -> tuple[str, str]:
    """Why a picture cannot be sent, and the message."""
    with pytest.raises(PictureError) as caught:
        load_picture(path)
    return caught.value.reason, str(caught.value)
