"""Small pictures that tests draw."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

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
