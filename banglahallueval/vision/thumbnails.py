"""Small copies of pictures, written into a page."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from banglahallueval.errors import UsageError
from banglahallueval.vision.images import PictureError, load_picture
from banglahallueval.vision.pictures import PictureFolder
from banglahallueval.vision.types import PictureItem

SIDE = 240  # pixels of the longer side
MOST_BYTES = 11_000  # of the file, so that its data URL has no more than 15,000 letters
_QUALITIES = (80, 65, 50, 35, 20)


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A picture as a page shows it.

    Attributes:
        url: A data URL; empty where there is no picture to show.
        width, height: In pixels.
        note: What a reader must know of it: why it is not there, or that it is another one.
    """

    url: str
    width: int
    height: int
    note: str


class Thumbnails:
    """The pictures of a run, looked for where the run found them."""

    def __init__(self, root: str | None) -> None:
        """Take the folder.

        Args:
            root: The run's --image-root; None where it had none.
        """
        self._root = root
        try:
            self._pictures = PictureFolder(Path(root)) if root else None
        except UsageError:
            self._pictures = None

    def of(self, item: PictureItem, sha256: str = "") -> Thumbnail:
        """Make the thumbnail of an item's picture.

        Args:
            item: The item.
            sha256: Of the file that the run showed; empty where it showed none.
        """
        if not self._root:
            return _absent("not shown: the run had no --image-root")
        if self._pictures is None:
            return _absent(f"missing: there is no folder {self._root}")
        try:
            path = self._pictures.find(item)
            if path is None:
                return _absent(f"missing: it is not in {self._root}")
            return _made(path, sha256)
        except (PictureError, UsageError) as error:
            return _absent(f"not shown: {error}")


def _absent(note: str) -> Thumbnail:
    return Thumbnail("", 0, 0, note)


def _made(path: Path, sha256: str) -> Thumbnail:
    picture = load_picture(path, max_side=SIDE)
    note = ""
    if sha256 and picture.sha256 != sha256:
        note = "changed: it is not the file that was shown to the model"
    with Image.open(io.BytesIO(picture.part.data)) as image:
        data = _small(image.convert("RGB"))
    url = f"data:image/jpeg;base64,{base64.b64encode(data).decode('ascii')}"
    return Thumbnail(url, picture.width, picture.height, note)


def _small(image: Image.Image) -> bytes:
    """Encode a picture as JPEG, the better the fewer bytes it needs."""
    data = b""
    for quality in _QUALITIES:
        buffer = io.BytesIO()
        image.save(buffer, "JPEG", quality=quality, optimize=True)
        data = buffer.getvalue()
        if len(data) <= MOST_BYTES:
            break
    return data
