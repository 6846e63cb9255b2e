"""Finding the pictures that a data file names, in a folder of the user's own."""

from __future__ import annotations

import os
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path, PureWindowsPath

from banglahallueval.errors import UsageError
from banglahallueval.hashing import file_sha256
from banglahallueval.vision.images import PictureError, picture_size
from banglahallueval.vision.types import PictureItem

_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff"})


class PictureFolder:
    """The folder that `--image-root` names, with the folders below it.

    Attributes:
        root: The folder.
    """

    def __init__(self, root: Path) -> None:
        """Take the folder; it is looked through once, when a picture is not where it should be.

        Raises:
            UsageError: If there is no such folder.
        """
        if not root.is_dir():
            raise UsageError(f"--image-root {root}: there is no such folder")
        self.root = root

    def find(self, item: PictureItem) -> Path | None:
        """Find an item's picture; None where the folder does not hold it.

        It is looked for at the path that the data names, below the root; then at that path without
        its first folders, for data that names its authors' disk; then by its name alone, and by the
        item's key, in any folder and with any ending of a picture's.

        Raises:
            UsageError: If several files fit equally well.
        """
        parts = _parts(item.image)
        for start in range(len(parts)):
            path = self.root.joinpath(*parts[start:])
            if os.path.isfile(path):  # noqa: PTH113 - False where a folder may not be looked into
                return path
        names = [parts[-1]] if parts else []
        for name in (*names, item.key):
            found = self._files.get(_stem(name), []) if name else []
            if found:
                return self._best(found, parts, name)
        return None

    def size(self, item: PictureItem, max_side: int | None) -> tuple[int, int] | None:
        """Read the size of an item's picture from its start; None where it is not there.

        Raises:
            UsageError: If several files fit equally well.
            PictureError: If it is no picture; what is damaged further on is not looked at.
        """
        path = self.find(item)
        if path is None:
            return None
        size = picture_size(path, max_side)
        if size is None:
            raise PictureError("image unreadable", f"{path} cannot be read as a picture")
        return size

    def lacks(
        self,
        items: Sequence[PictureItem],
        pictures: Mapping[int, int | None],
        unreadable: Collection[int],
    ) -> str:
        """Say how many pictures are missing or unreadable, and which are the first.

        Args:
            items: The items of the data.
            pictures: What was found for the picture of each item, by its index; None where it
                cannot be shown. At least one is.
            unreadable: The indexes among these whose picture is there, and cannot be read.
        """
        images = {item.index: item.image for item in items}
        missing = [at for at, found in pictures.items() if found is None and at not in unreadable]
        said = []
        if missing:
            said.append(
                f"{len(missing):,} of {len(pictures):,} pictures are not in {self.root}, by path, "
                f"name or key; the first is {images[missing[0]]}"
            )
        if unreadable:
            first = images[next(iter(unreadable))]
            said.append(
                f"{len(unreadable):,} of {len(pictures):,} pictures cannot be read; the first is "
                f"{first}"
            )
        return "; ".join(said)

    @cached_property
    def _files(self) -> dict[str, list[Path]]:
        """The pictures below the root, by their names without the endings."""
        files: dict[str, list[Path]] = defaultdict(list)
        seen: set[str] = set()
        for folder, below, names in os.walk(self.root, onerror=_refuse, followlinks=True):
            real = os.path.realpath(folder)
            if real in seen:  # a link that leads back
                below.clear()
                continue
            seen.add(real)
            below.sort()
            for name in sorted(names):
                if Path(name).suffix.lower() in _ENDINGS:
                    files[_stem(name)].append(Path(folder, name))
        return files

    def _best(self, found: list[Path], parts: tuple[str, ...], name: str) -> Path:
        """Choose the file with the very name, then that with most of the named folders."""

        def fit(path: Path) -> tuple[bool, int]:
            same = 0
            for one, other in zip(reversed(path.parent.parts), reversed(parts[:-1]), strict=False):
                if one != other:
                    break
                same += 1
            return path.name == name, same

        best = max(map(fit, found))
        fitting = [path for path in found if fit(path) == best]
        if len(fitting) > 1:
            raise UsageError(
                f"{fitting[0]} and {fitting[1]} may both be the picture {name}; give --image-root"
                " the folder that holds the right ones"
            )
        return fitting[0]


def scaled(max_side: int) -> str:
    """Say how pictures were scaled, for tables."""
    return f"longer sides scaled down to {max_side:,} pixels (--max-side)"


class ShownPictures:
    """The pictures that an earlier run showed, as far as they are still there."""

    def __init__(self, folder: PictureFolder, output: Path) -> None:
        """Take the folder, and the output of the earlier run."""
        self._folder = folder
        self._output = output
        self._sums: dict[int, str] = {}

    def check(self, item: PictureItem, sha256: str) -> None:
        """Refuse to add to rows about a picture that has been replaced since.

        Args:
            item: The item that a kept row is about.
            sha256: Of the file that was shown; empty where none was.

        Raises:
            UsageError: If another file is in its place.
        """
        if not sha256:
            return
        if item.index not in self._sums:
            path = self._folder.find(item)
            self._sums[item.index] = _sum_of(path) if path else ""
        if self._sums[item.index] not in ("", sha256):
            raise UsageError(
                f"{self._output}: {item.image} of item {item.index} is not the picture that was "
                "shown (its checksum is another), so two would mix; put that one back, or "
                "--overwrite the output, which takes replies about equal pictures from the store"
            )


def _sum_of(path: Path) -> str:
    try:
        return file_sha256(path)
    except (OSError, UsageError):
        return ""  # whoever shows it says that it cannot be read


def _parts(image: str) -> tuple[str, ...]:
    """Split the path that a data file names, of any system, without its root.

    A path with `..` could lead to any file of this machine, so only its name counts.
    """
    path = PureWindowsPath(image)
    parts = path.parts[1:] if path.anchor else path.parts
    return parts[-1:] if ".." in parts else parts


def _stem(name: str) -> str:
    """Reduce a file name to what it is looked up by: no picture's ending, no case."""
    ending = Path(name).suffix
    stem = name.removesuffix(ending) if ending.lower() in _ENDINGS else name
    return unicodedata.normalize("NFC", stem).casefold()


def _refuse(error: OSError) -> None:
    raise UsageError(f"--image-root: cannot read {error.filename}: {error.strerror}")
