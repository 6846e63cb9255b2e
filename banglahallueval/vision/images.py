"""A picture file as it is sent to a model: checked once, the same for every provider.

JPEG and PNG are what every server reads, so such a file is sent as its own bytes: nothing is lost,
and others who send the file get comparable replies. WebP and GIF are not: llama.cpp reads no WebP,
Gemini no GIF. Whatever is converted becomes a PNG, which loses nothing of the pixels.

Some files would be seen differently by different models, and are converted for that: EXIF
orientation, which some servers apply and some ignore; transparency, behind which some see white,
some black and some what it hides; animations; CMYK; 16 bits a channel. An alpha channel that is
opaque throughout changes nothing, and such a file is sent as it is.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from banglahallueval.errors import ShownError
from banglahallueval.models.types import ImagePart

PictureReason = Literal["image missing", "image unreadable"]

_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
# What goes out as it is; MPO is a JPEG behind which cameras put a second one.
_MEDIA_TYPES = {"JPEG": "image/jpeg", "MPO": "image/jpeg", "PNG": "image/png"}
_SENT_MODES = frozenset({"1", "L", "LA", "P", "PA", "RGB", "RGBA"})
_MOST_BYTES = 256 << 20
_ORIENTATION = 0x0112

# On standard error Pillow warns of broken EXIF, which costs nothing, and of pictures from 89
# megapixels on; from twice that on, it refuses them.
warnings.filterwarnings("ignore", module=r"PIL\.")


class PictureError(ShownError):
    """A picture that cannot be sent; its questions are unknown, for this reason.

    Attributes:
        reason: What goes into `unknown_reason`.
    """

    def __init__(self, reason: PictureReason, message: str) -> None:
        """Keep the reason beside the one-line message."""
        self.reason: PictureReason = reason
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, ready to be sent.

    Attributes:
        part: What is sent.
        sha256: Of the file on the disk, in hex.
        conversion: How what is sent differs from the file, in words; empty if it is the file.
        width, height: Of what is sent, in pixels.
    """

    part: ImagePart
    sha256: str
    conversion: str
    width: int
    height: int


def load_picture(path: Path, max_side: int | None = None) -> Picture:
    """Read a picture, and convert it if it cannot be sent as it is.

    Args:
        path: The file; what it is, its content tells, not its name.
        max_side: Pixels that the longer side may have; a longer one is scaled down. None keeps
            every size.

    Raises:
        PictureError: If the file is missing, or no picture that can be read to its end.
    """
    data = _read(path)
    try:
        part, conversion, size = _prepare(data, max_side)
    except UnidentifiedImageError:
        raise _unreadable(path, "is no picture of a known format") from None
    except Exception as error:
        # Decoders fail in as many ways as there are broken files.
        said = str(error) or type(error).__name__
        raise _unreadable(path, f"cannot be decoded: {said}") from None
    return Picture(part, hashlib.sha256(data).hexdigest(), conversion, *size)


def _unreadable(path: Path, what: str) -> PictureError:
    return PictureError("image unreadable", f"{path} {' '.join(what.split())}")


def _read(path: Path) -> bytes:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # a pipe would never end
            raise _unreadable(path, "is no file")
        if status.st_size > _MOST_BYTES:
            raise _unreadable(path, f"has {status.st_size >> 20} MB; make it smaller")
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise PictureError("image missing", f"{path} does not exist") from None
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise _unreadable(path, f"cannot be read: {said}") from None
    if not data:
        raise _unreadable(path, "is empty")
    return data


def _prepare(data: bytes, max_side: int | None) -> tuple[ImagePart, str, tuple[int, int]]:
    """Decode a picture to its end, and convert it where it must be."""
    steps: list[str] = []
    with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
        if image.format == "PNG":
            _check_sums(data)
        orientation = _orientation(image) if image.format == "TIFF" else 1  # loading turns it
        frames = getattr(image, "n_frames", 1)
        is_deep = any(";16" in str(tile.args) for tile in image.tile)
        image.load()
        if image.format != "TIFF":
            # Of a PNG, asking for EXIF loads the pixels, and would hide that they are damaged.
            orientation = _orientation(image)
        if frames > 1 and image.format != "MPO":
            steps.append(f"first of {frames} frames")
        pixels: Image.Image = image
        if orientation != 1:
            pixels = ImageOps.exif_transpose(pixels)
            steps.append(f"rotated by EXIF {orientation}")
        if _is_transparent(pixels):
            pixels = _onto_white(pixels)
            steps.append("transparency onto white")
        if pixels.mode not in _SENT_MODES:
            steps.append(f"{pixels.mode} to RGB")
        elif is_deep:
            steps.append("16 bits to 8")
        size = _fitting(pixels.size, max_side)
        if size != pixels.size:
            steps.append(f"{pixels.width}x{pixels.height} to {size[0]}x{size[1]}")
        media_type = _MEDIA_TYPES.get(image.format or "")
        if media_type and not steps:
            return ImagePart(data, media_type), "", size
        if media_type != "image/png":
            steps.append(f"{image.format} to PNG")
        pixels = _to_rgb(pixels)
        if size != pixels.size:
            pixels = pixels.resize(size, Image.Resampling.LANCZOS)
        return ImagePart(_png(pixels), "image/png"), "; ".join(steps), size


def _check_sums(data: bytes) -> None:
    """Compare the checksums of a PNG's parts, which decoding alone passes over."""
    with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
        image.verify()


def _orientation(image: Image.Image) -> int:
    """Read the EXIF orientation, 2 to 8; 1 where nothing is to turn, or EXIF is broken."""
    try:
        value = image.getexif().get(_ORIENTATION)
    except Exception:  # the pixels may be whole all the same
        return 1
    return value if isinstance(value, int) and 2 <= value <= 8 else 1


def _is_transparent(image: Image.Image) -> bool:
    """Whether any pixel lets something through."""
    if not image.has_transparency_data or image.mode.startswith("I"):
        return False
    least, _ = image.convert("RGBA").getchannel("A").getextrema()
    return isinstance(least, int | float) and least < 255


def _onto_white(image: Image.Image) -> Image.Image:
    white = Image.new("RGBA", image.size, "white")
    white.alpha_composite(image.convert("RGBA"))
    return white.convert("RGB")


def _fitting(size: tuple[int, int], max_side: int | None) -> tuple[int, int]:
    longer = max(size)
    if max_side is None or longer <= max_side:
        return size
    width, height = (max(1, round(side * max_side / longer)) for side in size)
    return width, height


def _to_rgb(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I;16"):  # Pillow would cut off all that is brighter than 255
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if image.mode in ("I", "F"):
        raise ValueError("its pixels have 32 bits, and what is white is not known")
    return image.convert("RGB")


def _png(image: Image.Image) -> bytes:
    """Encode pixels alone: profiles, dates and texts of the file stay behind."""
    image.info = {}
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def picture_size(path: Path, max_side: int | None = None) -> tuple[int, int] | None:
    """Read the size that a picture would be sent in from the start of its file.

    None where it cannot be read. For an estimate of many pictures: they are not decoded, so a
    broken one may have a size.
    """
    if not os.path.isfile(path):  # noqa: PTH113 - False where a folder may not be looked into
        return None
    try:
        with Image.open(path, formats=_FORMATS) as image:
            width, height = image.size
            if image.format != "TIFF" and _orientation(image) > 4:  # a TIFF's size is that turned
                width, height = height, width
            return _fitting((width, height), max_side)
    except Exception:  # decoders fail in as many ways as there are broken files
        return None
